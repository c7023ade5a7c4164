// A machine on an actor of its own.

import RondoAnimation
import RondoScheduling
import Synchronization

/// Runs a feature on an actor of its own, for servers and for many machines in one process.
///
/// ```swift
/// let room = StoreActor(initialState: Room.State()) { Room() }
/// await room.send(.joined(player)).finish()
/// let members = await room.members
/// ```
///
/// Its actions, effects and commits are those of a ``Store``. It has no scopes, bindings and Observation: watch it by
/// ``subscribe(changesOnly:_:)`` and ``states``. It needs no thread.
@dynamicMemberLookup
public actor StoreActor<State, Action> {
  // nonisolated(unsafe): used on this actor, and in its `deinit`, when no code can run on it.
  nonisolated(unsafe) private let machine: Cell<State, Action>
  private nonisolated let home = HostActor()

  /// The executor of the actor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { home.unownedExecutor }

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure @Sendable () -> sending State,
    @ReducerBuilder<State, Action> reducer: @Sendable () -> R,
    withDependencies prepareDependencies: (@Sendable (inout DependencyValues) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let position = SourcePosition(fileID, filePath, line, column)
    machine = DependencyValues.whilePrepared(by: prepareDependencies) {
      Cell(
        initialState: initialState(), reducer: reducer().reportingLongActions(at: position),
        position: position)
    }
    machine.setActor(self, home)
  }

  deinit {
    machine.hostWasReleased()
  }

  // MARK: State

  /// The current state of the feature.
  public var state: State { machine.state }

  /// A member of the state: `await store.count`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value> & Sendable) -> Value {
    machine.state[keyPath: keyPath]
  }

  // MARK: Sending

  /// Sends an action, untagged. See ``Store/send(_:)``.
  @discardableResult
  public func send(_ action: sending Action) -> StoreTask {
    send(action, transaction: Transaction())
  }

  /// Sends an action whose change of state is to be shown with an animation.
  @discardableResult
  public func send(_ action: sending Action, animation: Animation?) -> StoreTask {
    send(action, transaction: Transaction(animation: animation))
  }

  /// Sends an action inside a transaction.
  @discardableResult
  public func send(_ action: sending Action, transaction: Transaction) -> StoreTask {
    StoreTask(machine.send(action, transaction))
  }

  /// Runs a synchronous piece of code on the actor.
  ///
  /// When the code advances a test scheduler, effects that wait for it emit. These actions are
  /// handled before the code goes on.
  public func perform<Result: Sendable>(
    _ body: @Sendable (isolated StoreActor) throws -> Result
  ) rethrows -> Result {
    try body(self)
  }

  /// Adds an observer of everything that the machine does: for recordings.
  ///
  /// - Returns: A closure that ends the observation.
  package func observe(_ observer: MachineObserver<State, Action>) -> @Sendable () -> Void {
    machine.observe(observer)
  }

  /// Passes on what a tool asks to the observer that it is for; `nil` where there is none.
  package func ask(_ request: any Sendable) -> (any Sendable)? { machine.ask(request) }

  /// The place in the source where the store was made.
  package var position: SourcePosition? { machine.position }

  /// Stops with a message where the machine contradicts itself: for tests of the runtime.
  package func checkInvariants() { machine.checkInvariants() }

  // MARK: Observing

  /// Calls a closure with every commit, on the actor, before ``send(_:)`` returns.
  /// See ``Store/subscribe(changesOnly:_:)``.
  public func subscribe(
    changesOnly: Bool = false,
    _ receive: @escaping @Sendable (Commit<State, Action>) -> Void
  ) -> AnyCancellable {
    machine.subscription(changesOnly: changesOnly, receive)
  }
}

extension StoreActor where State: Sendable {
  /// The state now, and after every commit that changes it. See ``Store/states``.
  public var states: AsyncStream<State> { machine.states() }
}

extension StoreActor where State: Sendable, Action: Sendable {
  /// Every commit from now on. See ``Store/commits``.
  public var commits: AsyncStream<Commit<State, Action>> { machine.commits() }
}

/// The store actor type of a reducer.
public typealias StoreActorOf<R: Reducer> = StoreActor<R.State, R.Action>
