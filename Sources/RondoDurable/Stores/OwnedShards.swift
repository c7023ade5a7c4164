// The shards of a process: those that it serves, those that it is leaving, and those that others are to have.

/// The shards of a process, by what it does with them.
struct OwnedShards {
  /// The leases of the shards that it serves.
  private(set) var leases: [Int: Lease] = [:]
  /// The leases that it serves no more, until an answer of the journal leaves them out.
  private var left: [Lease: Leaving] = [:]
  /// The shards that it does not claim, because something in them needs a newer version, with that version.
  private(set) var yielded: [Int: Int] = [:]
  /// The newest version of the feature that a worker has which is alive, as of the last claim.
  private(set) var newestVersion = 0

  private enum Leaving {
    /// The last turns of its stores are being written, or the lease was given back.
    case inOrder
    /// A transaction may still be on its way to the journal. The lease is given back before others are claimed, so that
    /// the transaction lands before that or not at all.
    case inDoubt
  }

  func serves(_ lease: Lease) -> Bool { leases[lease.shard] == lease }

  /// The leases to give back before others are claimed.
  var doubtful: [Lease] {
    left.compactMap { $0.value == .inDoubt ? $0.key : nil }.sorted { $0.shard < $1.shard }
  }

  /// Takes the answer to a claim.
  ///
  /// - Returns: The shards that are another worker's, the new leases, and those to give to others.
  mutating func take(_ claim: Claim) -> (lost: [Int], new: [Lease], surplus: [Lease]) {
    newestVersion = claim.newestVersion
    yielded = yielded.filter { $0.value <= newestVersion }
    // A shard that is being given away is not taken back.
    left = left.filter { $0.value == .inDoubt || claim.leases.contains($0.key) }
    let (before, held) = (leases, claim.leases.filter { left[$0] == nil })
    leases = Dictionary(held.map { ($0.shard, $0) }) { _, last in last }
    // Shards that need a newer version are given away first.
    let isForeign = { [yielded] in claim.foreign.contains($0) || yielded[$0] != nil }
    let own = held.filter { !isForeign($0.shard) }
    return (
      before.keys.filter { leases[$0] != before[$0] }, held.filter { before[$0.shard] != $0 },
      held.filter { isForeign($0.shard) } + own.dropFirst(claim.share)
    )
  }

  /// Ends the service of a shard that another worker owns. Returns whether it was served.
  mutating func lose(_ shard: Int) -> Bool { leases.removeValue(forKey: shard) != nil }

  /// Ends the service of a shard that is given to others. Returns whether that had not begun yet.
  mutating func leave(_ lease: Lease) -> Bool {
    guard left[lease] == nil else { return false }
    left[lease] = .inOrder
    if serves(lease) { leases[lease.shard] = nil }
    return true
  }

  /// Ends the service under a lease that is to be given back. Returns whether it was served.
  @discardableResult
  mutating func doubt(_ lease: Lease) -> Bool {
    left[lease] = .inDoubt
    return serves(lease) && lose(lease.shard)
  }

  /// Notes leases that were given back.
  mutating func didRelease(_ leases: [Lease]) {
    for lease in leases { left[lease] = .inOrder }
  }

  /// Leaves a shard to workers of a newer version. Returns whether that is new.
  mutating func yield(_ shard: Int, to version: Int) -> Bool {
    yielded.updateValue(version, forKey: shard) == nil
  }
}
