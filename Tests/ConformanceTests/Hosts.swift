// The hosts of the runtime behind one small protocol, so that one test runs on each.

import Foundation
import Rondo
import RondoTesting
import RondoRuntimeTestSupport
import Synchronization
import Testing

@testable import RondoDurable

/// The kind of object that a machine lives in.
///
/// What a kind cannot have, and why:
/// - A test store has no observers; its log has every action by itself. So `R2` and `R7`, about commits,
///   are about `live`. Only the thread of the test pumps it, and cancels by its handles.
/// - A durable store has neither observers nor handles, and a call of its `send` has no transaction: here its
///   machine is given actions as the store gives them, in a turn that is written. Its closures begin when the turn
///   before them was written, in no task of a test: so a closure has no first piece that `send` waits for, sees
///   nothing that is bound where an action is sent, and what it reports belongs to no test.
/// - Effects without a store have no queue of actions: here each action is turned into its effects by `flatMap`. So
///   the answers of an answer come before the next answer, all of them have the transaction of the action unless they
///   set another one (`R28`, `H10`), nothing ends with a child, and a message cannot name the action.
/// - `R1`, the call of `send` inside a reducer or an observer: only code on the host's isolation can
///   call it synchronously. That is so on `Store`, and on `StoreActor` in an observer.
/// - `R6`, the hop through an injected scheduler: `StoreActor` hops to its actor, a test store to its own queue, and
///   a durable store to the actor of all stores.
/// - `R20` to `R25` are about schedulers and transactions alone, and `R30` is about `sink`, `assign` and `values`.
enum HostKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case store = "Store"
  case storeActor = "StoreActor"
  case testStore = "TestStore"
  case durableStore = "DurableStore"
  case effects = "Effects"

  var testDescription: String { rawValue }

  /// All kinds, or the one that `RONDO_HOST` names, such as `StoreActor`.
  static let allCases: [HostKind] = {
    let all: [HostKind] = [.store, .storeActor, .testStore, .durableStore, .effects]
    let only = ProcessInfo.processInfo.environment["RONDO_HOST"].flatMap(HostKind.init)
    return only.map { [$0] } ?? all
  }()

  /// The kinds with a state and a queue of actions.
  static let stores = allCases.filter { $0 != .effects }

  /// The kinds whose closures begin when their action is handled, and report to the test that has sent it.
  static let immediate = stores.filter { $0 != .durableStore }

  /// The kinds whose observers get commits.
  static let live = immediate.filter { $0 != .testStore }

  /// A host of this kind.
  ///
  /// - Parameters:
  ///   - stamp: Gives the stamp of an entry of the log, such as the time.
  ///   - dependencies: Changes the dependencies of the feature.
  @MainActor
  func make<R: Reducer & SendableMetatype>(
    _ initialState: R.State,
    stamp: @escaping @Sendable () -> Int = { 0 },
    withDependencies dependencies: @escaping @Sendable (inout DependencyValues) -> Void = { _ in },
    reducer: @escaping @Sendable () -> R
  ) async -> any Host<R.State, R.Action>
  where R.State: Equatable & Codable & Sendable, R.Action: Codable & Sendable {
    switch self {
    case .store:
      StoreHost(
        Store(
          initialState: initialState, reducer: reducer, withDependencies: dependencies),
        stamp)
    case .storeActor:
      await ActorHost(
        StoreActor(
          initialState: initialState, reducer: reducer, withDependencies: dependencies),
        stamp)
    case .testStore:
      TestHost(
        TestStore(initialState: initialState, reducer: reducer, withDependencies: dependencies),
        stamp)
    case .durableStore:
      await DurableHost(initialState, stamp, dependencies, reducer)
    case .effects:
      await EffectHost(initialState, stamp, reducer)
    }
  }
}

/// A value that a test puts into a durable store, and that is never read back from its journal.
package protocol Carried: Codable {}

extension Carried {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(0)
  }

  package init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "It was not kept."))
  }
}

extension ProgramAction: Carried {}

/// A machine with a log of what it has handled. Tests use it from the main actor.
@MainActor
protocol Host<State, Action>: AnyObject {
  associatedtype State: Equatable & Sendable
  associatedtype Action: Sendable

  /// The actions that were handled so far. A test can wait for one.
  var log: HostLog<State, Action> { get }

  var state: State { get async }

  @discardableResult
  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask

  /// Runs a synchronous closure on the isolation of the host.
  func perform(_ body: @escaping @Sendable () -> Void) async

  /// Waits until the actions so far satisfy a condition, and lets effects run meanwhile.
  func wait(until condition: @escaping @Sendable (_ actions: [Action]) -> Bool) async

  /// The store of the host; `nil` after its release.
  var object: AnyObject? { get }

  /// Releases the store.
  func release()
}

extension Host {
  func wait(until condition: @escaping @Sendable ([Action]) -> Bool) async {
    await log.wait(until: condition)
  }

  @discardableResult
  func send(_ action: Action) async -> any HostTask {
    await send(action, Transaction())
  }

  var actions: [Action] { log.entries.map(\.action) }
  var transactions: [Transaction] { log.entries.map(\.transaction) }

  /// Waits until the effects of a handle have ended, and the log has all of their actions.
  func finish(_ task: any HostTask) async {
    await task.finish()
    await perform {}
  }
}

extension Host where Action: Equatable {
  func wait(for action: Action) async {
    await wait { $0.contains(action) }
  }
}

/// The handle that `send` returns on a host.
@MainActor
protocol HostTask {
  func finish() async
  func cancel() async
  var isFinished: Bool { get }
  var isCancelled: Bool { get }
}

extension StoreTask: HostTask {}

/// A handle of a test store, from the main actor.
private struct TestHostTask: HostTask {
  let task: TestStoreTask

  func finish() async { await task.finish() }
  func cancel() async { await task.cancel() }
  var isFinished: Bool { task.isFinished }
  var isCancelled: Bool { task.isCancelled }
}

/// One action that a host has handled.
struct HostEntry<State: Sendable, Action: Sendable>: Sendable {
  let action: Action
  let transaction: Transaction
  /// The state after the commit that the action is part of.
  let state: State
  let stamp: Int
}

/// The actions that a host has handled. It is written on the host's isolation, read from anywhere.
final class HostLog<State: Sendable, Action: Sendable>: Sendable {
  private let content = Mutex(Content())
  private let stamp: @Sendable () -> Int

  private struct Content {
    var entries: [HostEntry<State, Action>] = []
    var waiters: [(isSatisfied: @Sendable ([Action]) -> Bool, promise: Promise<Void>)] = []
  }

  init(_ stamp: @escaping @Sendable () -> Int) {
    self.stamp = stamp
  }

  var entries: [HostEntry<State, Action>] { content.withLock(\.entries) }

  func append(_ actions: [Action], _ transaction: Transaction, _ state: State) {
    let stamp = stamp()
    let satisfied = content.withLock { content in
      content.entries += actions.map {
        HostEntry(action: $0, transaction: transaction, state: state, stamp: stamp)
      }
      guard !content.waiters.isEmpty else { return [] as [Promise<Void>] }
      let actions = content.entries.map(\.action)
      let satisfied = content.waiters.filter { $0.isSatisfied(actions) }
      content.waiters.removeAll { waiter in satisfied.contains { $0.promise === waiter.promise } }
      return satisfied.map(\.promise)
    }
    for promise in satisfied { promise.fulfil() }
  }

  /// Waits for entries that somebody else causes.
  func wait(until condition: @escaping @Sendable ([Action]) -> Bool) async {
    let promise = Promise<Void>()
    let isSatisfied = content.withLock { content in
      if condition(content.entries.map(\.action)) { return true }
      content.waiters.append((condition, promise))
      return false
    }
    if !isSatisfied { await promise.value }
  }
}

// MARK: - Store

private final class StoreHost<State: Equatable & Sendable, Action: Sendable>: Host {
  let log: HostLog<State, Action>
  private var store: Store<State, Action>!
  private var subscription: AnyCancellable?

  init(_ store: Store<State, Action>, _ stamp: @escaping @Sendable () -> Int) {
    self.store = store
    let log = HostLog<State, Action>(stamp)
    self.log = log
    subscription = store.subscribe { log.append($0.actions, $0.transaction, $0.newState) }
  }

  var state: State { store.state }
  var object: AnyObject? { store }

  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask {
    // H8
    defer { store?.checkInvariants() }
    return store.send(action, transaction: transaction)
  }

  func perform(_ body: @escaping @Sendable () -> Void) async {
    body()
    store?.checkInvariants()
  }

  func release() {
    store = nil
    subscription = nil
  }
}

// MARK: - StoreActor

private final class ActorHost<State: Equatable & Sendable, Action: Sendable>: Host {
  let log: HostLog<State, Action>
  private var store: StoreActor<State, Action>!
  private var subscription: AnyCancellable?

  init(_ store: StoreActor<State, Action>, _ stamp: @escaping @Sendable () -> Int) async {
    self.store = store
    let log = HostLog<State, Action>(stamp)
    self.log = log
    subscription = await store.subscribe { log.append($0.actions, $0.transaction, $0.newState) }
  }

  var state: State {
    get async { await store.state }
  }
  var object: AnyObject? { store }

  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask {
    let task = await store.send(action, transaction: transaction)
    // H8
    await store?.checkInvariants()
    return task
  }

  func perform(_ body: @escaping @Sendable () -> Void) async {
    await store?.perform { store in
      body()
      store.checkInvariants()
    }
  }

  func release() {
    store = nil
    subscription = nil
  }
}

// MARK: - TestStore

private final class TestHost<State: Equatable & Sendable, Action: Sendable>: Host {
  let log: HostLog<State, Action>
  private var store: TestStore<State, Action>!

  init(_ store: TestStore<State, Action>, _ stamp: @escaping @Sendable () -> Int) {
    self.store = store
    let log = HostLog<State, Action>(stamp)
    self.log = log
    store.exhaustivity = .off
    store.didRecord = { log.append([$0.action], $0.transaction, $0.newState) }
  }

  var state: State { store.currentState }
  var object: AnyObject? { store }

  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask {
    let task = await store.send(action, transaction: transaction)
    // H8
    store?.checkInvariants()
    return TestHostTask(task: task)
  }

  func perform(_ body: @escaping @Sendable () -> Void) async {
    store?.perform(body)
    store?.checkInvariants()
  }

  func wait(until condition: @escaping @Sendable ([Action]) -> Bool) async {
    let isSatisfied = await store.wait { condition(log.entries.map(\.action)) }
    if !isSatisfied { Issue.record("Nothing more can come, and there is \(actions).") }
  }

  func release() { store = nil }
}

// MARK: - DurableStores

/// One store of a process that owns all of them, on a journal in memory.
private final class DurableHost<State, Action>: Host
where State: Equatable & Codable & Sendable, Action: Codable & Sendable {
  let log: HostLog<State, Action>
  private var stores: DurableStores<State, Action>!

  init<R: Reducer<State, Action> & SendableMetatype>(
    _ initialState: State, _ stamp: @escaping @Sendable () -> Int,
    _ dependencies: @escaping @Sendable (inout DependencyValues) -> Void,
    _ reducer: @escaping @Sendable () -> R
  ) async {
    @Dependency(\.loopLimit) var loopLimit
    let feature = DurableFeature<State, Action>(
      "host", initialState: { _ in initialState }, reducer: { reducer() }
    )
    .dependencies { [loopLimit] in
      $0.loopLimit = loopLimit
      dependencies(&$0)
    }
    let log = HostLog<State, Action>(stamp)
    self.log = log
    // Its clock stands still, so the leases last.
    stores = DurableStores(
      journal: InMemoryJournal(InMemoryJournal.Database()), feature: feature, clock: TestClock())
    await stores.open(log)
  }

  var state: State {
    get async { await stores.current }
  }
  var object: AnyObject? { stores }

  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask {
    await stores.send(action, transaction)
  }

  func perform(_ body: @escaping @Sendable () -> Void) async {
    await stores?.perform(body)
  }

  func release() { stores = nil }
}

extension DurableStores where State: Equatable {
  /// The store that the tests use, in memory.
  fileprivate var only: ActiveStore<State, Action> { active["only"]! }

  fileprivate var current: State { only.machine.state }

  /// Takes all shards, and writes into a log what the store does.
  fileprivate func open(_ log: HostLog<State, Action>) async {
    await tick()
    do {
      let store = try await activate("only", leases[shard("only")]!)
      var observer = MachineObserver<State, Action>()
      observer.didReduce = { log.append([$0.action], $0.transaction, $0.newState) }
      _ = store.machine.observeForGood(observer)
    } catch {
      Issue.record(error)
    }
  }

  /// Handles an action in a turn, and waits until the turn is written. The closures that it starts have begun then.
  fileprivate func send(_ action: Action, _ transaction: Transaction) async -> StoreTask {
    let store = only
    var task = store.machine.task(nil)
    do {
      try inTurn(store, TurnCause(.message)) {
        task = store.machine.task(store.machine.send(action, transaction))
      }
      try await written(store.number, of: store)
    } catch {
      Issue.record(error)
    }
    beginHeldWork()
    // H8
    store.machine.checkInvariants()
    return task
  }

  /// Runs a closure, and waits until the turns that it leads to are written. What they start has begun then.
  fileprivate func perform(_ body: @Sendable () -> Void) async {
    body()
    only.machine.checkInvariants()
    await flush()
    beginHeldWork()
  }
}

// MARK: - Effects without a store

/// One effect, which turns each action that comes into what a reducer answers it with.
private final class EffectHost<State, Action>: Host
where State: Equatable & Sendable, Action: Sendable {
  let log: HostLog<State, Action>
  private let content: Mutex<State>
  private var input: Send<Input>!
  private var subscription: AnyCancellable?
  private var lastID = 0

  private enum Input: Sendable {
    case send(Action, EffectHostTask)
    case cancel(EffectHostTask.ID)
  }

  private enum Output: Sendable {
    case handled(Action, State)
    case ended(EffectHostTask)
  }

  init<R: Reducer<State, Action> & SendableMetatype>(
    _ initialState: State, _ stamp: @escaping @Sendable () -> Int,
    _ reducer: @escaping @Sendable () -> R
  ) async {
    let log = HostLog<State, Action>(stamp)
    self.log = log
    content = Mutex(initialState)
    let hasBegun = Promise<Send<Input>>()
    let input = Effect<Input>.run { send in
      hasBegun.fulfil(send)
      await suspendUntilCancelled()
    }
    let output = input.flatMap { [unowned self] input -> Effect<Output> in
      switch input {
      case .send(let action, let task):
        .concatenate(handle(action, reducer).cancellable(id: task.id), .send(.ended(task)))
      case .cancel(let id): .cancel(id: id)
      }
    }
    subscription = output.sink(isolation: nil) { output in
      switch output {
      case .handled(let action, let state): log.append([action], .current, state)
      case .ended(let task): task.end()
      }
    }
    self.input = await hasBegun.value
  }

  /// Tells that an action was handled, and handles what it is answered with.
  private nonisolated func handle<R: Reducer<State, Action> & SendableMetatype>(
    _ action: Action, _ reducer: @escaping @Sendable () -> R
  ) -> Effect<Output> {
    var state = content.withLock { $0 }
    let effect = reducer().reduce(into: &state, action: action)
    content.withLock { [state] in $0 = state }
    return .merge(
      .send(.handled(action, state)),
      effect.flatMap { [unowned self] in handle($0, reducer) })
  }

  var state: State { content.withLock { $0 } }
  var object: AnyObject? { subscription }

  func send(_ action: Action, _ transaction: Transaction) async -> any HostTask {
    lastID += 1
    let id = EffectHostTask.ID(number: lastID)
    let task = EffectHostTask(id) { [input] in input?.post(.cancel(id)) }
    withTransaction(transaction) { input.post(.send(action, task)) }
    return task
  }

  func perform(_ body: @escaping @Sendable () -> Void) async { body() }

  func release() { subscription = nil }
}

/// A handle of what an action has led to.
private final class EffectHostTask: HostTask, Sendable {
  struct ID: Hashable, Sendable { let number: Int }

  /// It is cancellable by this.
  let id: ID
  private let requestCancellation: @Sendable () -> Void
  private let hasEnded = Promise<Void>()
  private let flags = Mutex(Flags())

  private struct Flags {
    var isFinished = false
    var isCancelled = false
  }

  init(_ id: ID, cancel: @escaping @Sendable () -> Void) {
    self.id = id
    requestCancellation = cancel
  }

  nonisolated func end() {
    flags.withLock { $0.isFinished = true }
    hasEnded.fulfil()
  }

  func finish() async { await hasEnded.value }

  func cancel() async {
    flags.withLock { $0.isCancelled = !$0.isFinished }
    requestCancellation()
  }

  var isFinished: Bool { flags.withLock { $0.isFinished } }
  var isCancelled: Bool { flags.withLock { $0.isCancelled } }
}
