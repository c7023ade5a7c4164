// The questions of operators to a journal: kinds, turns, messages that wait, and figures.

import Foundation

/// A journal that operators can look into. The tool `durable` and ``DurableStores/metrics`` use it; stores do without.
public protocol OperableJournal: Journal {
  /// The kinds of stores that have shards or messages, in order.
  nonisolated(nonsending) func kinds() async throws -> [String]

  /// The rows of the turns of a store that are still there, in order, also those behind a snapshot: the first ones
  /// after a number.
  nonisolated(nonsending) func turns(
    of store: StoreKey, after number: Int64, limit: Int
  ) async throws -> [TurnRow]

  /// The messages of a store that wait in the inbox, the oldest first.
  nonisolated(nonsending) func inbox(
    of store: StoreKey, limit: Int
  ) async throws -> [JournalMessage]

  /// The figures of a kind.
  nonisolated(nonsending) func figures(of kind: String) async throws -> JournalFigures
}

/// The figures of a kind of stores, at one moment.
public struct JournalFigures: Equatable, Sendable {
  /// The owner of a shard.
  public struct Shard: Equatable, Sendable {
    /// The number of the shard.
    public var number: Int
    /// The worker that owns it; `nil` where it was given back.
    public var worker: String?
    /// The number of owners that it has had.
    public var epoch: Int64
    /// The seconds since its lease was renewed.
    public var age: Double

    /// An owner; each parameter is the property of its name.
    public init(number: Int, worker: String?, epoch: Int64, age: Double) {
      self.number = number
      self.worker = worker
      self.epoch = epoch
      self.age = age
    }
  }

  /// The number of messages in the inbox.
  public var inbox: Int
  /// The number of stores whose moment to wake has come.
  public var due: Int
  /// The number of things that were set aside.
  public var setAside: Int
  /// The shards that have had an owner, in order.
  public var shards: [Shard]
  /// The stores that their present owners cannot go on with, with the reasons.
  public var failures: [StoreKey: String]

  /// Figures; each parameter is the property of its name.
  public init(
    inbox: Int, due: Int, setAside: Int, shards: [Shard], failures: [StoreKey: String]
  ) {
    self.inbox = inbox
    self.due = due
    self.setAside = setAside
    self.shards = shards
    self.failures = failures
  }
}

extension JournalMessage {
  private static let abandonment = "abandon "

  /// The action of a message that ends a timer or an effect of its store, without an answer.
  ///
  /// - Parameter work: Its id, or its key.
  public static func abandonment(of work: String) -> Data { Data((abandonment + work).utf8) }

  /// The id or the key of the work that the message abandons; `nil` for all other messages.
  var abandonedWork: String? {
    // No JSON begins like this.
    guard action.starts(with: Self.abandonment.utf8) else { return nil }
    return String(decoding: action.dropFirst(Self.abandonment.utf8.count), as: UTF8.self)
  }
}
