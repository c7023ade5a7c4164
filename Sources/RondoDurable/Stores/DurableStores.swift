// Durable stores: hands out stores by name, and keeps what they do in a journal.

import Foundation
import Rondo
import RondoScheduling

/// The stores of one feature, whose turns are kept in a journal.
///
/// ```swift
/// let matches = DurableStores(journal: journal, feature: match)
/// let serving = Task { await matches.run() }
/// try await matches["match-17"].send(.join("Ada"), id: "request-4711")
/// ```
///
/// A store is in memory while it is used, and is loaded from the journal when it is needed. Several
/// processes may have stores on one journal: each store belongs to one of them at a time, and what the
/// others send to it reaches it through the journal.
///
/// See `Documentation/Durable.md` for what is promised.
public actor DurableStores<State: Codable & Sendable, Action: Codable & Sendable> {
  let journal: any Journal
  let feature: DurableFeature<State, Action>
  let options: DurableOptions
  nonisolated let executor: (any TaskExecutor)?
  nonisolated let home = HostActor()

  /// The executor of the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  let time: StoresTime
  /// The name of this worker.
  nonisolated let worker: String
  /// Makes the random bits of a turn that asks for chance.
  nonisolated let newKey: @Sendable (_ store: StoreKey, _ turn: Int64) -> ChanceKey

  // MARK: What it owns

  var owned = OwnedShards()
  var leases: [Int: Lease] { owned.leases }
  var active: [String: ActiveStore<State, Action>] = [:]
  /// The stores that are being loaded.
  var loading: [String: Task<[String: any Error], Never>] = [:]
  /// The stores that this process cannot go on with.
  var failed: [String: StoreInFailure] = [:]
  /// The number of stores that were loaded so far, each time counted.
  private(set) var lastActivation = 0
  /// The stores whose moment to wake is that of a timer which this process does not know, with the moment
  /// at which there is something to do that it knows.
  var resting: [String: Date] = [:]

  // MARK: What is to be written

  var pending: [PendingTurn] = []
  var isCommitting = false
  /// Turns that are written, with closures that have waited for that and have not begun yet.
  var toBegin: [PendingTurn] = []
  /// Whether a sender is in its turn, which it will write itself.
  var isSending = false
  var commits = CommitFigures()
  /// The number of turns in the last transaction.
  var lastBatch = 0
  /// The number of turns that there will be when each sender of the last transaction has sent again.
  var returnCount = 0
  /// The numbers of turns that were ever added to those to be written, and of those that were taken care of.
  var addedCount = 0
  var doneCount = 0
  /// The tasks that wait until so many turns were taken care of, in order.
  var flushWaiters: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []

  // MARK: What others have sent, and what was sent to others

  /// The rows of the inbox that were read, by stores, until their turns are written or their store is forgotten.
  var taken: [String: Set<Int64>] = [:]
  /// Whether the last look at the inbox has left messages there, for which there was no room.
  var leftMessages = false
  /// The messages of the stores that are handling some, in their order, without the one that is being handled.
  var arrived: [String: ArraySlice<Arrival>] = [:]
  /// The stores that were forgotten, or are to be tried again, since the inbox was last asked. What it answers may
  /// leave out messages of theirs, or have an action that was discarded since.
  var unsettled: Set<String> = []
  /// The last store to wake that was found, and whether there may be more behind it.
  var lastWake: StoreWake?
  var leftWakes = false
  /// The number of stores that were woken, and whose turns are not written yet.
  var waking = 0
  var awaited: [MessageKey: [Int: CheckedContinuation<Void, any Error>]] = [:]
  /// The tasks that wait for answers.
  var askers: [MessageKey: [Int: Asker]] = [:]
  /// The askers under whose names answers may have been taken that nobody here has got. The next one to ask by the same
  /// message takes its answer under that name.
  var takers: [MessageKey: Int] = [:]
  /// The tasks that wait for stores to change, and whether this process looks for changes by others.
  var watchers: [String: [Int: Watcher]] = [:]
  var isWatching = false
  var isLookingForChanges = false
  var lastWaiter = 0
  private let idPrefix = UInt64.random(in: 0...(.max)).hexadecimal
  private var lastID: UInt64 = 0
  private var isPollingForAnswers = false
  /// Whether ``run()`` looks for what others have answered.
  var isServing = false
  var isPolling = false
  /// Whether something may have arrived since the inbox was last asked.
  var pollsAgain = false
  /// Whether the next look is for stores to wake, too.
  var looksForWakes = false
  var isTellingSenders = false
  var tellsSendersAgain = false
  var isClaiming = false
  /// The number of claims and releases of leases that are under way, and the tasks that wait for their end.
  var leaseChanges = 0
  var leaseWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether something is handled alone, after its attempt was counted, and what waits to be.
  var isAlone = false
  var aloneWaiters: ArraySlice<CheckedContinuation<Void, Never>> = []
  /// The attempts of this process that may be counted in the journal, and the counting of the last one, with their leases.
  var counted: [Attempt: Lease] = [:]
  var counting: (task: Task<Bool, any Error>, lease: Lease)?
  /// The keys of timers that are due, and wait for their attempts to be counted.
  var firing: Set<String> = []
  /// The stores in memory that have timers, by the moments of the first ones, as the time since 2001.
  var dueStores = DueQueue<ActiveStore<State, Action>>()
  /// The moment at which it is next looked for stores that are idle.
  var nextIdleLook = Duration.zero
  /// Since when the journal fails.
  var outage: Outage?
  /// Renews the leases while the actor is held up.
  let keeper = LeaseKeeper()
  /// Whether the process is about to end: it takes no work any more.
  var isDraining = false
  /// Takes the hints of the journal, from the first moment at which there is a use for them.
  private var listening: Task<Void, Never>?
  var lastClaim: Duration?
  /// The moment until which nobody else can own the shards of this process, as the time since the stores
  /// were made.
  var leaseEnd = Duration.zero

  /// Stores on a journal.
  ///
  /// - Parameters:
  ///   - journal: Where the turns are kept.
  ///   - feature: The feature that every store runs.
  ///   - options: Times and sizes.
  ///   - clock: The clock to wait on, and to measure time between two answers of the database.
  public init(
    journal: any Journal, feature: DurableFeature<State, Action>,
    options: DurableOptions = DurableOptions(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      journal: journal, feature: feature, options: options, clock: clock, worker: UUID().uuidString,
      executor: nil)
  }

  /// - Parameters:
  ///   - executor: Where everything runs, for tests; `nil` is the concurrent pool.
  ///   - newKey: Makes the random bits of a turn.
  init(
    journal: any Journal, feature: DurableFeature<State, Action>, options: DurableOptions,
    clock: any Clock<Duration>, worker: String, executor: (any TaskExecutor)?,
    newKey: @escaping @Sendable (_ store: StoreKey, _ turn: Int64) -> ChanceKey = { _, _ in
      .random()
    }
  ) {
    self.journal = journal
    self.feature = feature
    self.options = options.usable
    self.worker = worker
    self.executor = executor
    self.newKey = newKey
    time = StoresTime(clock)
    feature.reportMistakes()
  }

  deinit {
    listening?.cancel()
  }

  /// The store of a name. It costs nothing to ask for it, and it need not exist: a store that has
  /// handled nothing is in its initial state.
  public nonisolated subscript(name: String) -> DurableStore<State, Action> {
    DurableStore(stores: self, name: name)
  }

  /// The number of stores in memory.
  public var activeCount: Int { active.count }

  /// The shards that this process owns, in order.
  public var shards: [Int] { leases.keys.sorted() }

  // MARK: Sending

  /// The request of a message.
  enum Request: Sendable {
    case action(Action)
    case deletion
    /// The end of a timer or an effect, by its id or key.
    case abandonment(String)
  }

  /// See ``DurableStore/send(_:id:)`` and ``DurableStore/delete(id:)``.
  func send(_ name: String, _ request: Request, id: String?) async throws -> DurableDelivery {
    try await send(request, try message(name, id), isNew: id == nil)
  }

  /// A message for a store, with an id of its own where it has none.
  func message(_ name: String, _ id: String?) throws(DurableError) -> MessageKey {
    try check(name, "the name of a store")
    if let id { try check(id, "the id of a message") }
    return MessageKey(store: key(name), id: id ?? newID())
  }

  /// - Parameter isNew: Whether nobody has sent the message before.
  func send(
    _ request: Request, _ message: MessageKey, isNew: Bool
  ) async throws -> DurableDelivery {
    var isNew = isNew
    while true {
      try Task.checkCancellation()
      guard !isDraining, let lease = leases[shard(message.store.name)] else { break }
      do {
        return try await handle(request, message, isNew: isNew, lease)
      } catch is NotOwned {
        // It belongs to somebody else now. What was being written then may be in the journal.
        isNew = false
        continue
      }
    }
    return try await post(request, message)
  }

  /// An id that no other message has: 64 bits of chance that are those of this value, and a number. Chance
  /// for each message would be two calls of the system.
  private func newID() -> String {
    lastID += 1
    return idPrefix + lastID.hexadecimal
  }

  /// Handles an action of a store that this process owns, and waits until it is written.
  private func handle(
    _ request: Request, _ message: MessageKey, isNew: Bool, _ lease: Lease
  ) async throws -> DurableDelivery {
    let store = try await activate(message.store.name, lease)
    // One without an id is not sent again.
    let work = CarefulWork.message(message.id) { Data() }
    guard !isNew, isCareful(store, work.key) else {
      return try await handle(request, message, isNew: isNew, store)
    }
    var delivery = DurableDelivery.handled
    let isDone = try await carefully(work, store) {
      delivery = try await $0.handle(request, message, isNew: isNew, $1)
    }
    guard !isDone else { return delivery }
    if try await findHandled(message, in: store) != nil { return .duplicate }
    // It waits nowhere, so the store goes on without it.
    throw tooManyAttempts(work, store.key)
  }

  private func handle(
    _ request: Request, _ message: MessageKey, isNew: Bool, _ store: ActiveStore<State, Action>
  ) async throws -> DurableDelivery {
    if !isNew, let number = try await findHandled(message, in: store) {
      try await written(number, of: store)
      return .duplicate
    }
    try await waitUntilOpen(store)
    let number =
      switch request {
      case .action(let action): try await handleAndWrite(action, message.id, store)
      case .deletion: try delete(store, message.id)
      case .abandonment(let work):
        try abandon(work, of: store, TurnCause(.message, message: message.id))
      }
    do {
      try await written(number, of: store)
    } catch is NotOwned {
      // The sender of the refused turn gets the error. Others begin anew.
      if let refused = store.refused, refused.number == number { throw refused.error }
      throw NotOwned()
    }
    return .handled
  }

  /// Waits for the end of a store to which no turn is added any more.
  ///
  /// - Throws: ``NotOwned`` if the store was forgotten meanwhile.
  func waitUntilOpen(_ store: ActiveStore<State, Action>) async throws {
    if store.isEnding { try await written(store.number, of: store) }
    guard !store.isClosed, !store.isEnding else { throw NotOwned() }
  }

  /// The number of the turn that has handled a message, if there is one. Zero stands for one that was
  /// written long ago.
  func findHandled(
    _ message: MessageKey, in store: ActiveStore<State, Action>
  ) async throws -> Int64? {
    if let number = store.handled[message.id] { return number }
    guard store.hasOlderMessages else { return nil }
    let found = try await message.store.askingJournal { try await journal.handled([message]) }
    if found.contains(message) { return 0 }
    // It may have been handled meanwhile.
    return store.handled[message.id]
  }

  /// Puts an action into the inbox, and waits until its owner has handled it.
  private func post(_ request: Request, _ message: MessageKey) async throws -> DurableDelivery {
    let data: Data
    do {
      data =
        switch request {
        case .action(let action): try DurableCoding.encode(action)
        case .deletion: JournalMessage.deletion
        case .abandonment(let work): JournalMessage.abandonment(of: work)
        }
    } catch {
      throw DurableError.cannotEncode(store: message.store, reason: "\(error)")
    }
    let isNew: Bool
    do {
      isNew = try await journal.post(
        JournalMessage(key: message, action: data, version: feature.version))
    } catch {
      throw DurableError.unknown(store: message.store, reason: "\(error)")
    }
    lastWaiter += 1
    let number = lastWaiter
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
        guard !Task.isCancelled else { return waiter.resume(throwing: CancellationError()) }
        awaited[message, default: [:]][number] = waiter
        pollForAnswers()
      }
    } onCancel: {
      start { $0.endWaiting(number, for: message) }
    }
    return isNew ? .handled : .duplicate
  }

  /// Looks for answers of other processes while somebody here waits for one and nobody serves.
  func pollForAnswers() {
    listen()
    guard !isServing, !isPollingForAnswers else { return }
    isPollingForAnswers = true
    start { stores in
      while !stores.awaited.isEmpty || !stores.askers.isEmpty, !stores.isServing {
        await stores.time.sleep(stores.pause)
        await stores.tellSenders()
        await stores.tellSendersOfFailures()
      }
      stores.isPollingForAnswers = false
    }
  }

  /// Takes the hints of the journal from now on.
  func listen() {
    guard listening == nil else { return }
    listening = Task.detached(executorPreference: executor) { [weak self, journal, feature] in
      for await hint in journal.hints(of: feature.kind) { await self?.take(hint) }
    }
  }

  /// Ends the waiting of one sender for a message.
  private func endWaiting(_ number: Int, for message: MessageKey) {
    let waiter = awaited[message]?.removeValue(forKey: number)
    if awaited[message]?.isEmpty == true { awaited[message] = nil }
    waiter?.resume(throwing: CancellationError())
  }

  /// Ends the waiting of all senders for a message.
  func endWaiting(for message: MessageKey, _ result: Result<Void, any Error>) {
    for waiter in (awaited.removeValue(forKey: message) ?? [:]).values {
      waiter.resume(with: result)
    }
  }

  // MARK: Reading

  /// A state, the number of the turn that has led to it, and that of the last deletion.
  struct Reading: Sendable {
    var state: State
    var number: Int64
    var deletion: Int64
  }

  /// See ``DurableStore/state``.
  func read(_ name: String) async throws -> Reading {
    try check(name, "the name of a store")
    // Memory answers while nobody else can own the store. After that, the journal does.
    while let lease = lease(of: name) {
      do {
        let store = try await activate(name, lease)
        try await waitUntilOpen(store)
        let reading = Reading(
          state: store.machine.state, number: store.number, deletion: store.history.deletion ?? 0)
        try await written(reading.number, of: store)
        if self.lease(of: name) != nil { return reading }
      } catch is NotOwned {
        continue
      }
    }
    let stored = try await key(name).askingJournal { try await journal.load(key(name)) }
    return try DependencyValues().whileInForce {
      let state = try StoredState(stored, of: key(name), feature, source(name))
      return Reading(
        state: state.state, number: state.number, deletion: state.history.deletion ?? 0)
    }
  }

  /// The lease of a store, while nobody else can own it by the clock of this process.
  func lease(of name: String) -> Lease? { time.elapsed() < leaseEnd ? leases[shard(name)] : nil }

  /// Waits until a turn is in the journal.
  func written(_ number: Int64, of store: ActiveStore<State, Action>) async throws {
    guard store.committed < number else { return }
    try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
      if let error = store.closed { return waiter.resume(throwing: error) }
      store.waiters.append((number, waiter))
    }
  }

  // MARK: Activation

  /// The store in memory, after it was loaded if it was not.
  func activate(_ name: String, _ lease: Lease) async throws -> ActiveStore<State, Action> {
    if let store = active[name] { return store }
    if let failure = failed[name] { throw failure.error }
    let task = loading[name] ?? startLoading([(name, lease)])
    if let error = await task.value[name] { throw error }
    guard let store = active[name] else { throw NotOwned() }
    return store
  }

  /// Loads stores in a task of its own, which answers with the errors of those that cannot be loaded.
  func startLoading(_ group: [(name: String, lease: Lease)]) -> Task<[String: any Error], Never> {
    let task = Task.detached(executorPreference: executor) { await self.load(group) }
    for (name, _) in group { loading[name] = task }
    return task
  }

  private func load(_ group: [(name: String, lease: Lease)]) async -> [String: any Error] {
    var errors: [String: any Error] = [:]
    do {
      let all = try await read(group.map { ($0.name, isCareful($0.lease)) })
      let stores = zip(group, all)
      // Those whose attempts are counted keep those behind them waiting.
      for ((name, lease), read) in stores.filter({ $1.state != nil })
        + stores.filter({ $1.state == nil })
      {
        do {
          try await load(name, read, lease)
        } catch {
          errors[name] = error
        }
        loading[name] = nil
      }
    } catch {
      for (name, _) in group {
        errors[name] = DurableError.unavailable(store: key(name), reason: "\(error)")
        loading[name] = nil
      }
    }
    return errors
  }

  /// A store as it was read.
  private struct ReadStore {
    var rows: StoredStore?
    var source: TurnSource
    /// The state that the rows lead to, or their error; `nil` where an attempt is to be counted before they are reduced.
    var state: Result<StoredState<State, Action>, DurableError>?
    var time = Duration.zero
  }

  /// Reads stores, and makes states of their rows, while the actor does other things.
  @concurrent private nonisolated func read(
    _ stores: [(name: String, isCareful: Bool)]
  ) async throws -> [ReadStore] {
    let rows = try await journal.load(stores.map { key($0.name) })
    return stores.map { name, isCareful in
      let key = key(name)
      var store = ReadStore(rows: rows[key], source: source(name))
      if !isCareful, store.rows?.attempts.contains(CarefulWork.loading.key) != true {
        readState(of: &store, key)
      }
      return store
    }
  }

  private nonisolated func readState(of store: inout ReadStore, _ key: StoreKey) {
    let began = time.elapsed()
    do throws(DurableError) {
      store.state = .success(try StoredState(store.rows, of: key, feature, store.source))
    } catch {
      store.state = .failure(error)
    }
    store.time = time.elapsed() - began
  }

  private func load(_ name: String, _ read: ReadStore, _ lease: Lease) async throws {
    guard owned.serves(lease) else { throw NotOwned() }
    do {
      try await activate(name, read, lease)
    } catch let error as DurableError {
      var needed: Int?
      if case .newer(_, _, let version, _) = error {
        if await yield(lease, to: version) { throw NotOwned() }
        needed = version
      }
      guard owned.serves(lease) else { throw NotOwned() }
      // A journal that cannot be asked is no failure of the store.
      if case .unavailable = error { throw error }
      fail(name, lease, error, needs: needed)
      throw error
    }
  }

  /// Takes a store into memory, after the attempt was counted where there is reason to.
  private func activate(_ name: String, _ read: ReadStore, _ lease: Lease) async throws {
    guard read.state == nil else { return try makeActive(name, read, lease) }
    let work = CarefulWork.loading
    guard try await beginAttempt(work.key, of: key(name), lease) else {
      throw tooManyAttempts(work, key(name))
    }
    defer { start { await $0.endAttempt() } }
    guard owned.serves(lease) else { throw NotOwned() }
    var read = read
    readState(of: &read, key(name))
    try makeActive(name, read, lease)
  }

  private func makeActive(
    _ name: String, _ read: ReadStore, _ lease: Lease
  ) throws(DurableError) {
    guard let state = try read.state?.get() else { return }
    // Before anything is written for it.
    if let replay = state.replay { options.onEvent(.replayed(store: key(name), replay)) }
    lastActivation += 1
    let store = ActiveStore(
      state, key: key(name), lease: lease, activation: lastActivation, wake: read.rows?.wake,
      source: read.source, feature: feature,
      isolation: StoreIsolation(self, name, activation: lastActivation), now: time.elapsed())
    store.attempts = read.rows?.attempts ?? []
    active[name] = store
    listDue(store)
    resting[name] = nil
    options.onTrace?(
      .loaded(store: store.key, turns: read.rows?.turns.count ?? 0, in: read.time))
    resume(store)
  }

  /// Goes on with what was in flight.
  private func resume(_ store: ActiveStore<State, Action>) {
    for id in store.work.keys.sorted() { startWork(id, of: store) }
    guard !store.runs.isEmpty else { return }
    let decisions = store.runs.map { run -> InterruptionDecision in
      let decision = feature.onInterruption?(
        DurableInterruption(store: store.key.name, action: run.record.action))
      // A version of the feature that would not have started it again has kept no state.
      return run.record.state == nil ? .drop : decision ?? .drop
    }
    for (index, decision) in decisions.enumerated() {
      let record = store.runs[index].record
      options.onEvent(
        .interrupted(store: store.key, action: summary(of: record.action), decision))
    }
    try? inTurn(store, TurnCause(.end)) {
      for (index, decision) in decisions.enumerated() {
        let record = store.runs[index].record
        if decision == .restart, let state = record.state {
          store.machine.restart(record.action, in: state)
          store.runs[index].frame = store.takeTurn().frames.last?.frame
        }
        // An effect that has started nothing has ended.
        store.runs[index].isOver = store.runs[index].frame == nil
      }
    }
  }

  // MARK: Tasks

  /// Starts a task on this actor, which sees nothing of what a sender has overridden.
  @discardableResult
  nonisolated func start<Failure: Error>(
    _ body: @escaping @Sendable (isolated DurableStores) async throws(Failure) -> Void
  ) -> Task<Void, any Error> {
    Task.detached(executorPreference: executor) { try await self.perform(body) }
  }

  private func perform<Failure: Error>(
    _ body: @Sendable (isolated DurableStores) async throws(Failure) -> Void
  ) async throws(Failure) {
    try await body(self)
  }

  // MARK: Names

  nonisolated func key(_ name: String) -> StoreKey { StoreKey(kind: feature.kind, name: name) }

  /// Refuses what a database would cut, or would refuse together with the turns of other stores.
  nonisolated func check(_ text: String, _ what: String) throws(DurableError) {
    let length = text.utf8.count
    let fault: String
    if text.isEmpty {
      // Stores to wake are listed by what is behind a name, and none is behind an empty one at first.
      fault = "is empty"
    } else if text.utf8.contains(0) {
      fault = "has the character U+0000"
    } else if length > StoreKey.longestName {
      fault = "has \(length) bytes"
    } else if text.utf8.contains(where: { $0 >= 0x80 }),
      !text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
    {
      // It is equal to its normal form here, and another name in a database.
      fault = "is not in Unicode's normal form C"
    } else {
      return
    }
    let beginning = String(text.prefix(40)).debugDescription + (length > 40 ? "…" : "")
    throw .invalidName(kind: feature.kind, reason: "\(what), \(beginning), \(fault)")
  }

  nonisolated func shard(_ name: String) -> Int { key(name).shard(of: options.shards) }

  nonisolated func source(_ name: String) -> TurnSource {
    let key = key(name)
    return TurnSource(key, newKey: { [newKey] in newKey(key, $0) }) { [time] in time.now }
  }
}

/// A store that its owner cannot go on with.
final class StoreInFailure {
  let error: DurableError
  let lease: Lease
  /// The version of the feature that can go on with it, where one is known.
  let version: Int?
  /// Whether the journal has taken it. It may have left it out for a note that the store is to be tried again.
  var isTold = false
  var isReported = false

  init(_ error: DurableError, _ lease: Lease, needs version: Int?) {
    self.error = error
    self.lease = lease
    self.version = version
  }
}

/// The error of what cannot be done because the store was forgotten: another worker owns it, or its last
/// turn was written. What was being written then may be in the journal.
struct NotOwned: Error {}

/// The answer to a message.
public enum DurableDelivery: Sendable {
  /// It was handled.
  case handled
  /// A message with its id was handled before.
  case duplicate
}

/// One store of ``DurableStores``: a name, which costs nothing.
public struct DurableStore<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let stores: DurableStores<State, Action>

  /// The name of the store.
  public let name: String

  /// Sends an action, and returns when it was handled and is in the journal.
  ///
  /// Where another process owns the store, the action is handed to it through the journal. When the
  /// waiting task is cancelled then, the action is still handled.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - id: The id of the message. One that was handled before is not handled again. Without an id,
  ///     it is a new message.
  /// - Throws: A ``DurableError``, or a `CancellationError` where the task is cancelled. The action may be handled where
  ///   it is ``DurableError/unknown(store:reason:)`` or a cancellation: send it again with the same id. A name or an id
  ///   that is empty, with the character U+0000, with more than 512 bytes of UTF-8, or not in Unicode's normal form C, is
  ///   a ``DurableError/invalidName(kind:reason:)``.
  @discardableResult
  public func send(_ action: Action, id: String? = nil) async throws -> DurableDelivery {
    try await stores.send(name, .action(action), id: id)
  }

  /// Deletes the store, and returns when that is in the journal. Then it is in its initial state again,
  /// as if it had handled nothing.
  ///
  /// It takes its place in the order of actions: those before it are handled before, and those that
  /// come after it, or wait in the inbox behind it, are handled by the store in its initial state. Its
  /// timers are gone. Its effects are cancelled, and their answers are not handled. The contents of its
  /// turns are deleted. The ids of its messages stay for the retention, as those of other turns do, so a
  /// message from before that is sent again is not handled again. What stays for ever is the number of its
  /// last turn, with the initial state, so that no later work has an old key.
  ///
  /// A store that cannot be loaded is not deleted: the number of its last turn, and what waits before the deletion,
  /// are not known to be right. The error says what is wrong. Repair that, call ``retry(discarding:)``, and delete it
  /// then.
  ///
  /// - Parameter id: The id of the deletion, as that of a message.
  /// - Throws: What ``send(_:id:)`` does.
  @discardableResult
  public func delete(id: String? = nil) async throws -> DurableDelivery {
    try await stores.send(name, .deletion, id: id)
  }

  /// Ends a timer or an effect of the store, without an answer, and returns when that is in the journal. It takes its
  /// place in the order of actions. Where there is no such work, nothing is changed.
  ///
  /// - Parameters:
  ///   - work: Its id, or its key, as events name it.
  ///   - id: The id of the message, as that of ``send(_:id:)``.
  /// - Throws: What ``send(_:id:)`` does.
  @discardableResult
  public func abandon(_ work: String, id: String? = nil) async throws -> DurableDelivery {
    try await stores.send(name, .abandonment(work), id: id)
  }

  /// Lets the owner of the store try again, after it could not go on with it: a row was repaired, or a message
  /// of the inbox is to be left out. The error of the store names the message.
  ///
  /// An owner in this process tries again when the store is next used. One in another process looks for it each
  /// time that it has read its inbox: after the poll interval, and the time that the database needs for that. A
  /// message that is left out is handled in its place, and changes nothing: who waits for it hears that it was
  /// handled, and its id is known as that of any other. What waits behind it is handled then.
  ///
  /// - Parameter id: The id of the message to leave out; `nil` leaves none out.
  /// - Returns: Whether the message was waiting, and is left out unless it is being handled at this moment;
  ///   `false` without one.
  /// - Throws: A ``DurableError``. Where it is ``DurableError/unknown(store:reason:)``, call it again.
  @discardableResult
  public func retry(discarding id: String? = nil) async throws -> Bool {
    try await stores.retry(name, discarding: id)
  }

  /// The state as it was in the journal at a moment between the call and its return.
  ///
  /// A process answers from memory while its lease lasts by its own clock, and by reading the journal
  /// after that. So a clock that runs slower than that of the database by more than the lease is the one
  /// thing that can make an answer older.
  ///
  /// - Throws: A ``DurableError`` if the store cannot be read.
  ///
  /// Complexity: O(1) for a store in memory; else it is loaded.
  public var state: State {
    get async throws { try await stores.read(name).state }
  }
}

/// Times and sizes of durable stores. One that makes no sense, such as no shards, is taken for the nearest one
/// that does.
public struct DurableOptions: Sendable {
  /// The number of shards. It never changes for one kind of store in a journal, and is the same in all
  /// processes. A database refuses the leases of a process with another one; one that only sends needs none.
  public var shards = 16
  /// The time that a lease lasts. Another process takes over after this time.
  public var lease = Duration.seconds(10)
  /// The time between two looks at the inbox and the timers.
  public var pollInterval = Duration.milliseconds(100)
  /// The number of turns after which the state is stored. A large state is stored later, when the rows of its turns
  /// have a quarter of its size.
  public var snapshotInterval = 100
  /// The time for which turns behind a snapshot are kept, and with them the ids of the messages that
  /// they have handled. A message that is sent again later than this may be handled again.
  public var retention = Duration.seconds(7 * 24 * 60 * 60)
  /// The time that a store stays in memory without being used.
  public var idleTime = Duration.seconds(60)
  /// The time that effects have to end when ``DurableStores/run()`` does. Those that have not ended are in the state
  /// that is stored, and go on in another process.
  public var drainTime = Duration.seconds(5)
  /// The largest number of turns in one transaction.
  public var batch = 512
  /// The number of processes that may end while they handle one message, timer or outcome. It is set aside then. Two
  /// of them end before anybody counts, so three is the least.
  public var attempts = 5
  /// Called with events to log, on the actor of the stores or in the task of an effect. At first each is printed
  /// as a line on standard error, but for shards that are taken and given away, which is as it should be. The
  /// line has no action in it, but for those of a turn that no longer leads to its state. Where it cannot be
  /// written it is dropped.
  public var onEvent: @Sendable (DurableEvent) -> Void = { event in
    switch event {
    case .tookShard, .gaveShard: break
    default: event.print()
    }
  }

  /// Called with each step, for tracing, in the same places as ``onEvent``; `nil` costs nothing.
  public var onTrace: (@Sendable (DurableTrace) -> Void)?

  /// The options as they are unless something is set.
  public init() {}

  /// The options with numbers that can be used.
  var usable: Self {
    var usable = self
    usable.shards = min(max(shards, 1), 1 << 20)
    usable.batch = min(max(batch, 1), 1 << 20)
    usable.attempts = min(max(attempts, 3), 1 << 20)
    usable.snapshotInterval = max(snapshotInterval, 1)
    usable.lease = max(lease, .milliseconds(10))
    usable.pollInterval = max(pollInterval, .milliseconds(1))
    usable.retention = max(retention, .zero)
    usable.idleTime = max(idleTime, .zero)
    usable.drainTime = max(drainTime, .zero)
    return usable
  }
}
