// The operations that durable stores need of a database, each of them one transaction.

import Foundation

/// A database that keeps the turns of durable stores.
///
/// Every operation is one transaction: it happens as a whole or not at all. An operation that throws may
/// have happened, unless its error says otherwise. The values are bytes and numbers, of which a journal
/// does not know the meaning.
///
/// Operations may be called from any number of tasks at a time. Those for leases, for what waits in the inbox, and for
/// stores that their owners cannot go on with, are called by tasks that are not cancelled. The others may be called in the
/// task of a sender, which may be cancelled meanwhile: an operation may throw then, except ``commit(_:)``.
public protocol Journal: Sendable {
  /// Renews the leases of a worker, and gives it free shards and those whose lease has expired, up to its
  /// share: the number of shards divided by that of the workers whose own lease has not expired. Where one of these
  /// has an older version of the feature, it is divided by that of the workers whose version is not older.
  ///
  /// A shard that a worker has gets the version of its feature, unless it has a newer one. No worker of an older
  /// version gets it, as long as the lease of one has not expired that knows that version.
  ///
  /// A shard that gets a new owner gets the next epoch.
  ///
  /// - Returns: All leases that the worker has now. There may be more than its share; the worker gives
  ///   these back with ``release(_:of:worker:)`` when it has put their stores away.
  nonisolated(nonsending) func claim(_ request: ClaimRequest) async throws -> Claim

  /// Gives leases of a worker back. A lease that is not held any more is ignored. A worker that has none left, or has
  /// had none, is not counted any more, until it claims again.
  nonisolated(nonsending) func release(
    _ leases: [Lease], of kind: String, worker: String
  ) async throws

  /// Puts a message into the inbox of its store. Does nothing where one with the same store and id
  /// waits there, or was handled.
  ///
  /// The message is in the shard of its store, among as many as the first claim of the kind has said, also where that comes
  /// later.
  ///
  /// - Returns: Whether the message is new.
  nonisolated(nonsending) func post(_ message: JournalMessage) async throws -> Bool

  /// Reads what waits for the shards of some leases: messages, the oldest first, and the stores that have something to
  /// do without being asked, the one that is due first at the beginning.
  ///
  /// It keeps nobody else waiting: what is taken is locked when its turns are written.
  nonisolated(nonsending) func arrivals(_ request: ArrivalsRequest) async throws -> Arrivals

  /// The names of stores of a kind that were written, in order: the first ones behind a name.
  nonisolated(nonsending) func names(
    of kind: String, after: String, limit: Int
  ) async throws -> [String]

  /// Reads the snapshots of stores and the turns behind them, in order. A store that was never written is left out.
  nonisolated(nonsending) func load(_ stores: [StoreKey]) async throws -> [StoreKey: StoredStore]

  /// Finds out which messages are those of turns that are in the journal.
  nonisolated(nonsending) func handled(_ messages: [MessageKey]) async throws -> Set<MessageKey>

  /// Finds out which messages wait in the inbox. One that was posted and does not was handled, also if
  /// its turn was deleted since.
  nonisolated(nonsending) func waiting(_ messages: [MessageKey]) async throws -> Set<MessageKey>

  /// Records that the owner of a store cannot go on with it, until its shard has another owner. Does
  /// nothing if the lease is not held any more.
  ///
  /// Nor is anything recorded where ``retry(_:discarding:)`` has left a note. The note is removed instead, so it
  /// counts for one failure.
  nonisolated(nonsending) func fail(
    _ store: StoreKey, under lease: Lease, reason: String
  ) async throws

  /// Finds out which stores their present owners cannot go on with, and why.
  nonisolated(nonsending) func failures(of stores: [StoreKey]) async throws -> [StoreKey: String]

  /// Removes the failure of a store, so that its owner tries again, and leaves a note for ``fail(_:under:reason:)`` in its place:
  /// an owner that has failed before this call may record that after it, and is to try again, too. A message that
  /// is named and waits in the inbox gets the action ``JournalMessage/discarded``, and keeps its place. Of the
  /// attempts at each thing of the store, one is forgotten.
  ///
  /// - Returns: Whether the message waits.
  nonisolated(nonsending) func retry(
    _ store: StoreKey, discarding message: String?
  ) async throws -> Bool

  /// Counts an attempt to handle something, before it is made, so that it is known if the process ends in it. An
  /// attempt that has as many before it as the limit says is not made, and not counted.
  ///
  /// - Returns: The number of attempts before this one that have not ended; `nil` if the lease is not held any more.
  ///   Nothing is counted then.
  nonisolated(nonsending) func begin(
    _ attempt: Attempt, under lease: Lease, limit: Int
  ) async throws -> Int?

  /// Forgets the attempts at something, because the process has not ended in the last one. What was set aside stays
  /// so. Does nothing if the lease is not held any more.
  nonisolated(nonsending) func end(_ attempt: Attempt, under lease: Lease) async throws

  /// Keeps something that was set aside, with the reason. Does nothing if the lease is not held any more.
  nonisolated(nonsending) func setAside(_ entry: SetAside, under lease: Lease) async throws

  /// All that was set aside for the stores of a kind, by stores and keys.
  nonisolated(nonsending) func setAside(of kind: String) async throws -> [SetAside]

  /// Writes turns, of which each may have a row, a snapshot, older rows to delete, a new moment to wake
  /// its store, and a row of the inbox to remove. Turns of one store are in order.
  ///
  /// The task that calls it may be cancelled meanwhile. What is written is also that of others, so the cancellation is
  /// nothing to it.
  ///
  /// A turn whose lease is not held any more is left out, with all that belongs to it. So are all turns of a
  /// store of which one has a row and takes a message that is not in the inbox any more. Removing a row of
  /// the inbox that is gone, without a turn, is no conflict.
  ///
  /// - Returns: What was left out.
  /// - Throws: A ``JournalRefusal`` where the database refuses what a turn has in it. Any other error says
  ///   that the turns may have been written.
  nonisolated(nonsending) func commit(_ turns: [Turn]) async throws -> CommitConflicts

  /// Takes the answers to asks that are in the journal, each for one asker: one that was taken by another asker is
  /// ``JournalAnswer/Content/given``. Who has taken it gets it again, so a call whose outcome is not known is repeated.
  /// Asks that have no answer so far are left out.
  nonisolated(nonsending) func takeAnswers(
    _ asks: [AskKey]
  ) async throws -> [AskKey: JournalAnswer.Content]

  /// The numbers of the last turns of stores. A store that was never written is left out.
  nonisolated(nonsending) func lastTurns(of stores: [StoreKey]) async throws -> [StoreKey: Int64]

  /// Hints for the stores of a kind from now on: of messages that have arrived, and of those that were handled. A
  /// journal that can be told by its database listens once, however many kinds there are, and hands the hints
  /// on with ``JournalHints``.
  ///
  /// Hints may be missing; they only make waiting shorter. `nil` says that some may have been missed.
  func hints(of kind: String) -> AsyncStream<JournalHint?>
}

/// The error of turns that a database refuses for what they have in them: nothing was written, and the same
/// turns would be refused again.
public struct JournalRefusal: Error, Equatable, CustomStringConvertible {
  public let description: String

  /// A refusal.
  ///
  /// - Parameter description: What the database says, in one line.
  public init(_ description: String) {
    self.description = description
  }
}

/// The turns that a commit has left out, by their shards and their stores.
public struct CommitConflicts: Equatable, Sendable {
  /// The shards whose leases are not held any more.
  public var shards: Set<Int>
  /// The stores of which a turn takes a message that is not in the inbox any more.
  public var stores: Set<StoreKey>

  /// Conflicts; each parameter is the property of its name.
  public init(shards: Set<Int> = [], stores: Set<StoreKey> = []) {
    (self.shards, self.stores) = (shards, stores)
  }

  /// Whether all turns were written.
  public var isEmpty: Bool { shards.isEmpty && stores.isEmpty }
}

extension Journal {
  /// No hints.
  public func hints(of kind: String) -> AsyncStream<JournalHint?> { AsyncStream { $0.finish() } }

  /// Reads one store; `nil` where it was never written.
  public nonisolated(nonsending) func load(_ store: StoreKey) async throws -> StoredStore? {
    try await load([store])[store]
  }
}

/// A store in a journal.
public struct StoreKey: Hashable, Sendable, CustomStringConvertible {
  /// The kind of feature, such as `match`.
  public var kind: String
  /// The name of the store among those of its kind.
  public var name: String

  /// A store by its kind and name.
  public init(kind: String, name: String) {
    (self.kind, self.name) = (kind, name)
  }

  public var description: String { "\(kind)/\(name)" }

  /// The largest number of bytes that the name of a store, and the id of a message, may have in UTF-8.
  static let longestName = 512

  /// The shard that the store belongs to: 64-bit FNV-1a of its name, by Fowler, Noll and Vo, modulo the
  /// number of shards. It is the same in every process.
  public func shard(of count: Int) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // The lowest bits of FNV-1a alone depend on little of the name.
    return Int((hash ^ (hash >> 32)) % UInt64(max(count, 1)))
  }
}

/// A message of a store, by its id.
public struct MessageKey: Hashable, Sendable {
  /// The store that the message is for.
  public var store: StoreKey
  /// The id that its sender has given it.
  public var id: String

  /// A message by its store and id.
  public init(store: StoreKey, id: String) {
    (self.store, self.id) = (store, id)
  }
}

/// The question of one asker for the answer to a message.
public struct AskKey: Hashable, Sendable {
  /// The message that asks.
  public var message: MessageKey
  /// A name that no other asker has.
  public var asker: String

  /// A question; each parameter is the property of its name.
  public init(message: MessageKey, asker: String) {
    (self.message, self.asker) = (message, asker)
  }
}

/// The answer of a store to a message.
public struct JournalAnswer: Equatable, Sendable {
  /// The state of an answer.
  public enum Content: Equatable, Sendable {
    /// The answer, encoded.
    case value(Data)
    /// There will be none, with the reason in one line.
    case refusal(String)
    /// Another asker has it. No turn has this.
    case given
  }

  /// The id of the message that asks.
  public var message: String
  /// The answer.
  public var content: Content

  /// An answer; each parameter is the property of its name.
  public init(message: String, content: Content) {
    (self.message, self.content) = (message, content)
  }
}

/// A worker's request for leases.
public struct ClaimRequest: Sendable {
  /// The kind of feature. Each kind has shards of its own.
  public var kind: String
  /// The name of the worker, which no other has, and which a process that is started again has anew.
  public var worker: String
  /// The number of shards, the same for all workers.
  public var shards: Int
  /// The time that the leases last from now on.
  public var duration: Duration
  /// The version of the feature that the worker knows.
  public var version: Int
  /// Shards that it does not want, because something in them needs a newer version.
  public var except: Set<Int>

  /// A request; each parameter is the property of its name.
  public init(
    kind: String, worker: String, shards: Int, duration: Duration, version: Int = 1,
    except: Set<Int> = []
  ) {
    self.kind = kind
    self.worker = worker
    self.shards = shards
    self.duration = duration
    self.version = version
    self.except = except
  }
}

/// The answer to a ``ClaimRequest``.
public struct Claim: Sendable {
  /// The leases that the worker has.
  public var leases: [Lease]
  /// The number of shards that the worker should have at most.
  public var share: Int
  /// The time of the database.
  public var now: Date
  /// The newest version of the workers whose lease has not expired.
  public var newestVersion: Int
  /// The shards of the worker that are for workers of a newer version, of which there is one.
  public var foreign: Set<Int>

  /// An answer; each parameter is the property of its name.
  public init(
    leases: [Lease], share: Int, now: Date, newestVersion: Int = 1, foreign: Set<Int> = []
  ) {
    self.leases = leases
    self.share = share
    self.now = now
    self.newestVersion = newestVersion
    self.foreign = foreign
  }
}

/// The right of a worker to write for a shard, for as long as the epoch is the shard's.
public struct Lease: Hashable, Sendable {
  /// The shard.
  public var shard: Int
  /// The number of owners that the shard has had, this one included.
  public var epoch: Int64
  /// The moment at which this owner got it.
  public var since: Date
  /// The seconds in which the shard had no owner, added up since its first owner.
  public var downtime: Double
  /// The moment until which attempts are counted, because owners of the shard have ended one soon after the other;
  /// `nil` where they have not. See ``carefulEnd(lastCrash:now:lease:)``.
  public var carefulUntil: Date?

  /// A lease; each parameter is the property of its name.
  public init(
    shard: Int, epoch: Int64, since: Date, downtime: Double, carefulUntil: Date? = nil
  ) {
    self.shard = shard
    self.epoch = epoch
    self.since = since
    self.downtime = downtime
    self.carefulUntil = carefulUntil
  }

  /// The moment until which the next owner of a shard counts attempts, when its owner has crashed; `nil` where the
  /// owner before did not crash within the last five minutes. The time is three leases, or twice the time between
  /// the two crashes if that is longer, and at most ten minutes.
  public static func carefulEnd(lastCrash: Date?, now: Date, lease: Duration) -> Date? {
    guard let lastCrash, now.timeIntervalSince(lastCrash) < 300 else { return nil }
    let time = max(3 * lease.timeInterval, 2 * now.timeIntervalSince(lastCrash))
    return now.addingTimeInterval(min(time, 600))
  }
}

/// Something of a store that is handled, and that the process may end in.
public struct Attempt: Hashable, Sendable {
  /// The store.
  public var store: StoreKey
  /// A name for the thing that is handled: `message` and the id of the message; `work` and the key of the timer or
  /// effect; or `store`, for loading it.
  public var key: String

  /// An attempt; each parameter is the property of its name.
  public init(store: StoreKey, key: String) {
    (self.store, self.key) = (store, key)
  }
}

/// Something that its store goes on without, because processes have ended when they handled it.
public struct SetAside: Hashable, Sendable {
  /// The store, and what was to be handled.
  public var attempt: Attempt
  /// The error, in one line.
  public var reason: String
  /// The action of a message, the input of a timer or an effect, as it was encoded.
  public var data: Data

  /// An entry; each parameter is the property of its name.
  public init(_ attempt: Attempt, reason: String, data: Data) {
    self.attempt = attempt
    self.reason = reason
    self.data = data
  }
}

/// A message for a store.
public struct JournalMessage: Sendable {
  /// The store and the id of the message.
  public var key: MessageKey
  /// The action, as it encodes itself, or ``deletion`` or ``discarded``.
  public var action: Data
  /// The version of the feature that has encoded it.
  public var version: Int
  /// The row of the inbox, in the order of arrival; zero before it is there.
  public var row: Int64
  /// Whether a turn in the journal has handled it already.
  public var isHandled: Bool

  /// The action of a message that deletes its store: the word `delete`, which is not JSON, so that no
  /// encoded action is equal to it.
  public static let deletion = Data("delete".utf8)

  /// The action of a message that was discarded: the word `discard`. It is handled, and changes nothing.
  public static let discarded = Data("discard".utf8)

  /// A message; each parameter is the property of its name.
  public init(
    key: MessageKey, action: Data, version: Int, row: Int64 = 0, isHandled: Bool = false
  ) {
    self.key = key
    self.action = action
    self.version = version
    self.row = row
    self.isHandled = isHandled
  }
}

/// A worker's question for what waits.
public struct ArrivalsRequest: Sendable {
  /// The kind of feature.
  public var kind: String
  /// The shards to look at.
  public var shards: [Int]
  /// The names of stores whose messages are left out.
  public var except: [String]
  /// The place behind which stores to wake are looked for; `nil` begins with the one that is due first.
  public var wakesAfter: StoreWake?
  /// The largest number of messages.
  public var limit: Int
  /// The rows of the inbox that the worker has already.
  public var taken: [Int64]
  /// The largest number of stores to wake. With zero neither they nor the time of the database are asked for.
  public var wakeLimit: Int

  /// A question; each parameter is the property of its name. A `wakeLimit` of `nil` stands for the limit of messages.
  public init(
    kind: String, shards: [Int], except: [String], wakesAfter: StoreWake? = nil, limit: Int,
    taken: [Int64] = [], wakeLimit: Int? = nil
  ) {
    self.kind = kind
    self.shards = shards
    self.except = except
    self.wakesAfter = wakesAfter
    self.limit = limit
    self.taken = taken
    self.wakeLimit = wakeLimit ?? limit
  }
}

/// A store that has something to do from a moment on. The order is that of the moments, and of names where they are equal.
public struct StoreWake: Hashable, Comparable, Sendable {
  /// The name of the store.
  public var name: String
  /// The moment.
  public var due: Date

  /// A store to wake; each parameter is the property of its name.
  public init(name: String, due: Date) {
    (self.name, self.due) = (name, due)
  }

  public static func < (first: Self, second: Self) -> Bool {
    first.due == second.due ? first.name < second.name : first.due < second.due
  }
}

/// The messages that wait for a worker, and the stores to wake.
public struct Arrivals: Sendable {
  /// The messages, in the order of arrival.
  public var messages: [JournalMessage]
  /// The stores whose moment to wake has come, in their order.
  public var wakes: [StoreWake]
  /// The time of the database, where it was asked for.
  public var now: Date?

  /// An answer; each parameter is the property of its name.
  public init(messages: [JournalMessage], wakes: [StoreWake], now: Date?) {
    self.messages = messages
    self.wakes = wakes
    self.now = now
  }
}

/// A store as it was read.
public struct StoredStore: Sendable {
  /// The last state that was stored, if one was.
  public var snapshot: Snapshot?
  /// The turns after it, in order.
  public var turns: [TurnRow]
  /// The moment at which it is to be woken.
  public var wake: Date?
  /// The keys of attempts that have not ended.
  public var attempts: Set<String>

  /// A store; each parameter is the property of its name.
  public init(
    snapshot: Snapshot? = nil, turns: [TurnRow] = [], wake: Date? = nil,
    attempts: Set<String> = []
  ) {
    self.snapshot = snapshot
    self.turns = turns
    self.wake = wake
    self.attempts = attempts
  }
}

/// The row of one turn.
public struct TurnRow: Sendable {
  /// The number of the turn in its store, from 1 on.
  public var number: Int64
  /// The id of the message that was handled, if it was one.
  public var message: String?
  /// The version of the feature.
  public var version: Int
  /// The encoded record of the turn.
  public var body: Data

  /// A row; each parameter is the property of its name.
  public init(number: Int64, message: String?, version: Int, body: Data) {
    self.number = number
    self.message = message
    self.version = version
    self.body = body
  }
}

/// A stored state.
public struct Snapshot: Sendable {
  /// The number of the last turn in it.
  public var number: Int64
  /// The version of the feature.
  public var version: Int
  /// The state, encoded.
  public var body: Data

  /// A state; each parameter is the property of its name.
  public init(number: Int64, version: Int, body: Data) {
    self.number = number
    self.version = version
    self.body = body
  }
}

/// The rows that one turn writes.
public struct Turn: Sendable {
  /// The change of the moment at which a store is woken.
  public enum Wake: Sendable, Equatable {
    /// It stays as it is.
    case unchanged
    /// The store has nothing to do unless it is sent something.
    case never
    /// The store is woken at a moment.
    case at(Date)
  }

  /// The store.
  public var store: StoreKey
  /// The lease of its shard, without which nothing is written.
  public var lease: Lease
  /// The turn, if one was made.
  public var row: TurnRow?
  /// The state after it, if it is to be stored.
  public var snapshot: Snapshot?
  /// The number of the last row that is deleted, with all before it and the ids of their messages. It
  /// is not above that of the snapshot.
  public var deletedThrough: Int64?
  /// The number of the last row of which only the id of its message is kept, as of all before it: their
  /// bodies become empty, and rows without a message are deleted. It is below that of the row.
  public var emptiedThrough: Int64?
  /// The change of the moment at which the store is woken.
  public var wake: Wake
  /// The row of the inbox that is to be removed: the message that the row of the turn handles, or one that
  /// was handled before.
  public var inboxRow: Int64?
  /// The answers to asks. The first answer to a message counts, and others change nothing. They are deleted with the
  /// row of their turn, and emptied with it, so that they are no longer to be had.
  public var answers: [JournalAnswer]

  /// A turn; each parameter is the property of its name.
  public init(
    store: StoreKey, lease: Lease, row: TurnRow? = nil, snapshot: Snapshot? = nil,
    deletedThrough: Int64? = nil, emptiedThrough: Int64? = nil, wake: Wake = .unchanged,
    inboxRow: Int64? = nil, answers: [JournalAnswer] = []
  ) {
    self.store = store
    self.lease = lease
    self.row = row
    self.snapshot = snapshot
    self.deletedThrough = deletedThrough
    self.emptiedThrough = emptiedThrough
    self.wake = wake
    self.inboxRow = inboxRow
    self.answers = answers
  }
}
