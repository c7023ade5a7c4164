// A machine on the main actor.

import Dispatch
import Observation
import RondoAnimation
import RondoScheduling

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
  ///     runs its work on the main thread.
  ///   - effects: Where the closures of effects run.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    scheduler: some Scheduler = DispatchQueue.main,
    effects: EffectExecution = .concurrent,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let machine = DependencyValues.whilePrepared(by: prepareDependencies) {
      Machine(
        initialState: initialState(), reducer: reducer(),
        isolation: MainIsolation(scheduler), execution: effects,
        position: SourcePosition(fileID, filePath, line, column), isOnMainActor: true)
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
  /// The sequence ends when the store is released. It keeps what has not been read yet.
  public var states: AsyncStream<State> {
    core.states()
  }
}

extension Store where State: Sendable, Action: Sendable {
  /// Every commit from now on, in order.
  ///
  /// The sequence ends when the store is released. It keeps what has not been read yet.
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

  /// The place in the source where the store was made.
  package var position: SourcePosition? { core.host.position }

  /// Stops with a message where the machine contradicts itself: for tests of the runtime.
  package func checkInvariants() { core.host.checkInvariants() }
}
