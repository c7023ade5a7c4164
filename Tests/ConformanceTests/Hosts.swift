// The hosts of the runtime behind one small protocol, so that one test runs on each.

import Foundation
import Rondo
import RondoTesting
import RondoRuntimeTestSupport
import Synchronization
import Testing

/// The kind of object that a machine lives in.
enum HostKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case store = "Store"
  case storeActor = "StoreActor"
  case testStore = "TestStore"

  var testDescription: String { rawValue }

  /// All kinds, or the one that `RONDO_HOST` names, such as `StoreActor`.
  static let allCases: [HostKind] = {
    let all: [HostKind] = [.store, .storeActor, .testStore]
    let only = ProcessInfo.processInfo.environment["RONDO_HOST"].flatMap(HostKind.init)
    return only.map { [$0] } ?? all
  }()

  /// The kinds whose observers get commits. A test store has a log of single actions instead.
  static let live = allCases.filter { $0 != .testStore }

  /// A host of this kind.
  ///
  /// - Parameters:
  ///   - stamp: Gives the stamp of an entry of the log, such as the time.
  ///   - dependencies: Changes the dependencies of the feature.
  @MainActor
  func make<R: Reducer>(
    _ initialState: R.State,
    stamp: @escaping @Sendable () -> Int = { 0 },
    withDependencies dependencies: @escaping @Sendable (inout DependencyValues) -> Void = { _ in },
    reducer: @escaping @Sendable () -> R
  ) async -> any Host<R.State, R.Action>
  where R.State: Equatable & Sendable, R.Action: Sendable {
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
    }
  }
}

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

  func wait(until condition: @escaping @Sendable ([Action]) -> Bool) async {
    await log.wait(until: condition)
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

  func wait(until condition: @escaping @Sendable ([Action]) -> Bool) async {
    await log.wait(until: condition)
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
