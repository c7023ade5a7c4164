// A machine on the main actor.

import Dispatch
import Observation
import RondoAnimation
import RondoScheduling
import Synchronization

/// Runs a feature on the main actor, for user interfaces of any kind.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) { Counter() }
/// store.send(.increment)
/// print(store.count)
/// ```
///
/// ``send(_:)`` handles the action, and every action that its effects answer with synchronously,
/// before it returns. Effects that take longer send their actions later, from any thread. The store
/// handles them on the main actor: all that have arrived, in one go.
///
/// When the store is released, everything in flight is cancelled.
///
/// ## Observing
///
/// - ``state`` and its members (`store.count`) can be read inside `withObservationTracking` and
///   `Observations`, which learn of the next commit that changes the state.
/// - `observe(_:)` runs a closure again after every change of what it has read.
/// - ``states`` and ``commits`` are asynchronous sequences.
/// - ``subscribe(changesOnly:_:)`` calls a closure synchronously, with the transaction to show the
///   change with.
@MainActor
@dynamicMemberLookup
public final class Store<State, Action>: Observable {
  @usableFromInline let core: StoreCore<State, Action>
  @usableFromInline var children = ScopedStores()

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects.
  ///   - scheduler: Runs work of other threads on the main thread. The default is the main queue. A
  ///     program whose main loop is not Dispatch's gives a scheduler here that wakes that loop and
  ///     runs its work on the main thread. Closures of effects go on in the main queue after a
  ///     suspension, so such a loop serves that as well.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    scheduler: some Scheduler = DispatchQueue.main,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let position = SourcePosition(fileID, filePath, line, column)
    let machine = DependencyValues.whilePrepared(by: prepareDependencies) {
      Cell(
        initialState: initialState(), reducer: reducer().reportingLongActions(at: position),
        isolation: MainIsolation(scheduler, position), position: position, isOnMainActor: true)
    }
    core = RootCore(machine)
  }

  /// A view of a part of another store.
  @inlinable
  init(core: StoreCore<State, Action>) {
    self.core = core
  }

  // MARK: State

  /// The current state of the feature.
  public var state: State {
    core.noteAccess()
    return core.withState { copy $0 }
  }

  /// A member of the state: `store.count` is `store.state.count`, without a copy of the whole.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    core.noteAccess()
    return core.withState { $0[keyPath: keyPath] }
  }

  /// Runs a piece of code with the state.
  public func withState<Result>(_ body: (_ state: State) -> Result) -> Result {
    body(state)
  }

  // MARK: Sending

  /// Sends an action, tagged by the ambient transaction.
  ///
  /// From within a reducer or an observer the action is queued behind the one in progress.
  ///
  /// - Returns: A handle for everything that the action starts.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    send(action, transaction: Transaction())
  }

  /// Sends an action whose change of state is to be shown with an animation.
  @discardableResult
  public func send(_ action: Action, animation: Animation?) -> StoreTask {
    send(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action inside a transaction, whose slots win over those of the ambient one.
  @discardableResult
  public func send(_ action: Action, transaction: Transaction) -> StoreTask {
    core.send(action, transaction)
  }

  // MARK: Observing

  /// Calls a closure with every commit, on the main actor, before ``send(_:)`` returns.
  ///
  /// - Parameters:
  ///   - changesOnly: Whether to leave out commits whose states are equal. Has no effect where
  ///     `State` is not `Equatable`.
  ///   - receive: The closure. It may send actions; they are handled after those in progress.
  /// - Returns: A handle that ends the subscription when it is cancelled or released.
  public func subscribe(
    changesOnly: Bool = false,
    _ receive: @escaping (Commit<State, Action>) -> Void
  ) -> AnyCancellable {
    core.subscription(changesOnly: changesOnly, receive)
  }
}

extension Store where State: Sendable {
  /// The state now, and after every commit that changes it, in order.
  ///
  /// The sequence ends when the last store of the feature is released, or the child that this store is of has gone. It
  /// keeps what has not been read yet.
  public var states: AsyncStream<State> {
    core.states()
  }
}

extension Store where State: Sendable, Action: Sendable {
  /// Every commit from now on, in order. It ends as ``states`` does.
  public var commits: AsyncStream<Commit<State, Action>> {
    core.commits()
  }
}

/// The store type of a reducer.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

extension Store {
  /// The effects in flight in the whole machine, also those of other stores of it; depth first in
  /// the tree of running effects.
  package var effectsInFlight: [EffectInFlight] {
    core.host.interpreter.ledger.compactMap(EffectInFlight.init)
  }

  /// Whether the store is a part of another one.
  package var isPart: Bool { !(core is RootCore<State, Action>) }

  /// Adds an observer of everything that the store's machine does: for recordings. The store may not
  /// be a part of another one.
  ///
  /// - Returns: A closure that ends the observation.
  package func observe(_ observer: MachineObserver<State, Action>) -> @Sendable () -> Void {
    guard let core = core as? RootCore<State, Action> else {
      preconditionFailure("A part of a store cannot be recorded.")
    }
    return core.machine.observe(observer)
  }

  /// Passes on what a tool asks to the observer that it is for; `nil` where there is none.
  package func ask(_ request: any Sendable) -> (any Sendable)? {
    (core as? RootCore<State, Action>)?.machine.ask(request)
  }

  /// The place in the source where the store was made.
  package var position: SourcePosition? { core.host.position }

  /// Stops with a message where the machine contradicts itself: for tests of the runtime.
  package func checkInvariants() { core.host.checkInvariants() }
}

// MARK: - The part of a store that knows its state

/// The base of all cores: reads a state, and sends actions. Used on the main actor only.
@usableFromInline
class StoreCore<State, Action> {
  /// The address of the state, for as long as the machine lives; `nil` where the state is computed,
  /// or may be absent.
  @usableFromInline final let fixedAddress: UnsafePointer<State>?

  /// Whether the state itself keeps the observers of each of its fields.
  final private(set) lazy var isObservedByField = State.self is any ObservableState.Type

  /// The registrar of closures that observe the whole state. Made when it is first needed: stores
  /// are made for every child, and most are never observed.
  final var registrar: ObservationStateRegistrar?

  @inlinable
  init(fixedAddress: UnsafePointer<State>?) {
    self.fixedAddress = fixedAddress
  }

  /// Calls a closure with the state, or with `nil` when it is absent.
  func access(_ body: (UnsafePointer<State>?) -> Void) {
    preconditionFailure("\(type(of: self)) has no state.")
  }

  /// The last known state, to show when the state is absent.
  var lastState: State? { nil }

  /// Whether the child that the store was made for, or is a part of, is not there. It changes nothing.
  var isOfGoneChild: Bool { false }

  /// Whether the child is still there. It keeps what the child is now.
  func isAlive() -> Bool { true }

  /// Whether that child was seen to have gone.
  var isKnownToHaveEnded: Bool { false }

  /// Registers a read of the whole state, so that a closure that observes is woken by a change.
  @usableFromInline
  final func noteAccess() {
    track()
    if ObserveToken.isRunning { remember() }
    if registrar == nil { registrar = ObservationStateRegistrar() }
    registrar?.access(ObservedState(), keyPath: \.whole)
  }

  /// Makes the next change of the state call ``didChange()``.
  func track() {}

  /// Tells what a child that may have gone already was.
  func know(_ state: State) {}

  /// Keeps a copy of the state, for a closure that observes it and runs again when the state is
  /// gone. Not done for other readers: while a copy is kept, a change of the state has to copy it.
  func remember() {}

  /// Wakes the closures that have read the state.
  final func didChange() {
    registrar?.wakeObservers()
  }

  func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    preconditionFailure("\(type(of: self)) takes no actions.")
  }

  final var mailbox: Mailbox { host.interpreter.mailbox }

  /// The machine that the store is a view of.
  var host: Machine {
    preconditionFailure("\(type(of: self)) has no machine.")
  }

  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    preconditionFailure("\(type(of: self)) makes no commits.")
  }

  /// Reads the state, or the last known one where it is absent.
  @inline(__always)
  final func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    if let fixedAddress, !MainActorWork.isAnyReducing { return body(fixedAddress.pointee) }
    return withComputedState(body)
  }

  /// Reads a state that has no fixed address, or may be half changed. A function of its own: an optional
  /// of a generic type costs a look-up.
  @inline(never)
  private func withComputedState<Result>(_ body: (borrowing State) -> Result) -> Result {
    var result: Result?
    access { state in
      if let state { result = body(state.pointee) }
    }
    return result ?? body(lastState!)
  }
}

extension StoreCore: CommitSource {}

/// The object that closures observe when they read the whole state of a store. The type is not
/// generic, because making a key path of a generic type is slow.
private struct ObservedState: Observable {
  var whole: Void { () }
}

extension ObservationStateRegistrar {
  /// Wakes the closures that have read the whole state.
  fileprivate func wakeObservers() {
    wake(ObservedState(), \.whole)
  }
}

/// A machine of the main actor, which lives for as long as there is a store with a view of it.
final class RootCore<State, Action>: StoreCore<State, Action> {
  let machine: Cell<State, Action>

  init(_ machine: Cell<State, Action>) {
    self.machine = machine
    super.init(fixedAddress: machine.address)
    let registrar = ObservationStateRegistrar()
    self.registrar = registrar
    // The closure does not use this core, which may be released while the machine is at work.
    machine.didChange = { registrar.wakeObservers() }
  }

  deinit {
    machine.hostWasReleased()
  }

  override func access(_ body: (UnsafePointer<State>?) -> Void) {
    body(machine.readableAddress)
  }

  override func track() {
    // A state that is observed field by field wakes its observers itself.
    if !isObservedByField { machine.turn.isTracked = true }
  }

  override func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    if ObserveToken.isRunning { machine.holdBackWhileObserving() }
    return StoreTask(machine.send(action, transaction))
  }

  override var host: Machine { machine }

  override func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    machine.subscribe(receive)
  }
}

// MARK: - The isolation

/// The main actor, reached through a scheduler of the program's choice.
private final class MainIsolation<S: Scheduler>: HostIsolation {
  private let scheduler: S
  private let position: SourcePosition
  private let reporters = IssueReporters.override
  /// Whether the scheduler was seen on another thread.
  private let isReported = Atomic(false)

  var actor: (any Actor)? { MainActor.shared }

  init(_ scheduler: S, _ position: SourcePosition) {
    self.scheduler = scheduler
    self.position = position
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isOnMainQueue() else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    scheduler.schedule(work)
  }

  func hasArrived(_ work: @escaping @Sendable () -> Void) -> Bool {
    if isOnMainQueue() { return true }
    if !isReported.exchange(true, ordering: .relaxed) {
      withIssueReporters(reporters ?? IssueReporters.current) {
        reportIssue(
          """
          The scheduler of a store runs its work on another thread than the main one. The work is brought to the main \
          queue. Give the store a scheduler of the main loop, or none.
          """,
          at: position)
      }
    }
    DispatchQueue.main.async(execute: work)
    return false
  }
}
