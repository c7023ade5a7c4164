// A machine on an actor of its own.

import RondoAnimation
import RondoScheduling

/// Runs a feature on an actor of its own, for servers and for many machines in one process.
///
/// ```swift
/// let room = StoreActor(initialState: Room.State()) { Room() }
/// await room.send(.joined(player)).finish()
/// let members = await room.members
/// ```
///
/// It behaves as a ``Store`` does in everything else. A store actor with a small state costs less
/// than 2 KiB and no thread.
@dynamicMemberLookup
public actor StoreActor<State, Action> {
  private let machine: Machine<State, Action>
  private let isolation: ActorIsolation

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer, or several, which are run in order.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure @Sendable () -> sending State,
    @ReducerBuilder<State, Action> reducer: @Sendable () -> R
  ) {
    let isolation = ActorIsolation()
    self.isolation = isolation
    machine = Machine(initialState: initialState(), reducer: reducer(), isolation: isolation)
    isolation.host = self
  }

  // MARK: State

  /// What the feature knows.
  public var state: State { machine.state }

  /// A member of the state: `await store.count`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
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
    isolation.whileCurrent {
      StoreTask(machine.send(action, transaction), machine.interpreter.mailbox)
    }
  }

  /// Runs a synchronous piece of code on the actor. What effects emit on its account, such as those
  /// that wait for a test scheduler which it advances, is handled before it goes on.
  public func perform<Result: Sendable>(
    _ body: @Sendable (isolated StoreActor) throws -> Result
  ) rethrows -> Result {
    try isolation.whileCurrent { try body(self) }
  }

  // MARK: Observing

  /// Calls a closure with every commit, on the actor, before ``send(_:)`` returns.
  /// See ``Store/subscribe(changesOnly:_:)``.
  public func subscribe(
    changesOnly: Bool = false,
    _ receive: @escaping @Sendable (Commit<State, Action>) -> Void
  ) -> AnyCancellable {
    machine.subscription(changesOnly: changesOnly, receive)
  }

  fileprivate func work(_ work: @Sendable () -> Void) {
    isolation.whileCurrent(work)
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

/// An actor that runs pieces of code for its effects.
private protocol WorkingActor: Actor {
  func work(_ work: @Sendable () -> Void)
}

extension StoreActor: WorkingActor {}

/// The isolation of a store actor, as its effects see it.
///
/// A thread that runs code of the store says so in a slot, so that what is emitted synchronously on
/// it is recognized: an actor cannot be asked whether it is running the caller.
private final class ActorIsolation: HostIsolation, @unchecked Sendable {
  // @unchecked: written once, in the actor's `init`, before it is shared; weak reads are atomic.
  weak var host: (any WorkingActor)?

  func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = currentIsolation.pointer
    currentIsolation.pointer = Unmanaged.passUnretained(self).toOpaque()
    defer { currentIsolation.pointer = outer }
    return try body()
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard currentIsolation.pointer == Unmanaged.passUnretained(self).toOpaque() else {
      return false
    }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    Task { [weak host] in
      // Without a host, work finds no machine and only lets go of what it would have handed over.
      if let host { await host.work(work) } else { work() }
    }
  }
}

private let currentIsolation = ThreadSlot()
