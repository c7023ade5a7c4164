// The owners of shards: leases and epochs, as a value.

import Foundation

/// The leases of all shards of one kind. The journal in memory keeps one; the databases do the same in
/// transactions.
package struct ShardTable: Sendable, Equatable {
  /// One shard.
  package struct Row: Sendable, Equatable {
    /// The worker that owns it, or has owned it last.
    package var worker: String?
    /// The number of owners that the shard has had.
    package var epoch: Int64
    /// The moment at which the lease ends.
    package var expires: Date
    /// The last moment of which it is known that the shard had an owner.
    package var renewed: Date
    /// The moment at which the owner got it.
    package var since: Date
    /// The seconds in which the shard had no owner, added up since its first owner.
    package var downtime: Double
    /// The moment at which an owner was last replaced that had not given the shard back.
    package var lastCrash: Date?
    /// The moment until which its owner counts attempts.
    package var carefulUntil: Date?
    /// The newest version of the feature that an owner has had.
    package var version = 0
  }

  /// The shards that have had an owner.
  package private(set) var rows: [Int: Row] = [:]
  /// The workers, with the moment until which each is taken to be alive.
  package private(set) var workers: [String: Date] = [:]

  private var versions: [String: Int] = [:]
  /// The number of shards, which the first claim has said.
  package private(set) var count: Int?

  /// A table without owners.
  package init() {}

  /// See ``Journal/claim(_:)``.
  package mutating func claim(_ request: ClaimRequest, now: Date) -> Claim {
    let expires = now.addingTimeInterval(request.duration.timeInterval)
    count = count ?? request.shards
    workers[request.worker] = expires
    workers = workers.filter { $0.value > now }
    versions[request.worker] = request.version
    versions = versions.filter { workers[$0.key] != nil }
    let newest = versions.values.max() ?? request.version
    var owned = 0
    for (shard, row) in rows where row.worker == request.worker {
      rows[shard]!.expires = expires
      rows[shard]!.renewed = now
      rows[shard]!.version = max(row.version, request.version)
      owned += 1
    }
    let peers = workers.keys.count { versions[$0, default: 0] >= request.version }
    let share = (request.shards + peers - 1) / peers
    for shard in 0..<request.shards where owned < share && !request.except.contains(shard) {
      var row =
        rows[shard]
        ?? Row(worker: nil, epoch: 0, expires: now, renewed: now, since: now, downtime: 0)
      guard row.worker != request.worker, row.worker == nil || row.expires <= now else { continue }
      // Somebody is there who knows the version.
      guard row.version <= request.version || row.version > newest else { continue }
      row.downtime += max(0, now.timeIntervalSince(row.renewed))
      if row.worker != nil {
        row.carefulUntil =
          Lease.carefulEnd(lastCrash: row.lastCrash, now: now, lease: request.duration)
          ?? row.carefulUntil
        row.lastCrash = now
      }
      row.worker = request.worker
      row.epoch += 1
      row.expires = expires
      row.renewed = now
      row.since = now
      row.version = max(row.version, request.version)
      rows[shard] = row
      owned += 1
    }
    let foreign = rows.filter {
      $0.value.worker == request.worker && $0.value.version > request.version
        && $0.value.version <= newest
    }
    return Claim(
      leases: leases(of: request.worker), share: share, now: now, newestVersion: newest,
      foreign: Set(foreign.keys))
  }

  /// The leases of a worker, in the order of shards.
  package func leases(of worker: String) -> [Lease] {
    rows.filter { $0.value.worker == worker }.sorted { $0.key < $1.key }.map { shard, row in
      Lease(
        shard: shard, epoch: row.epoch, since: row.since, downtime: row.downtime,
        carefulUntil: row.carefulUntil)
    }
  }

  /// See ``Journal/release(_:of:worker:)``.
  package mutating func release(_ leases: [Lease], of worker: String, now: Date) {
    for lease in leases where holds(lease) {
      rows[lease.shard]!.worker = nil
      rows[lease.shard]!.renewed = now
    }
    if !rows.values.contains(where: { $0.worker == worker }) { workers[worker] = nil }
  }

  /// Ends all leases, without any time that passes: as if every owner had crashed long ago.
  package mutating func expire(now: Date) {
    workers = [:]
    // The time without an owner goes on for a shard that has none.
    for (shard, row) in rows where row.worker != nil && row.expires > now {
      rows[shard]!.expires = now
      rows[shard]!.renewed = now
    }
  }

  /// Whether a lease allows to write: whether its epoch is that of the shard. A shard that was given
  /// back and has no new owner yet still has the epoch of the last one, but nobody may write.
  package func holds(_ lease: Lease) -> Bool {
    guard let row = rows[lease.shard] else { return false }
    return row.epoch == lease.epoch && row.worker != nil
  }
}

extension Duration {
  /// The duration in seconds.
  var timeInterval: Double { self / .seconds(1) }
}
