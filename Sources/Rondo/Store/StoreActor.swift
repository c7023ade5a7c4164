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
/// It behaves as a ``Store`` does in everything else. A store actor with a small state costs less
/// than 2 KiB and no thread.
@dynamicMemberLookup
public actor StoreActor<State, Action> {
  private let machine: Machine<State, Action>
  // What effects need; an actor that never has any goes without. nonisolated(unsafe): used on this
  // actor only, be it from code that cannot know.
  nonisolated(unsafe) private var lifetime: Lifetime?
  nonisolated(unsafe) private var isolation: ActorIsolation?

  /// A store that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state to start in.
  ///   - reducer: The reducer, or several, which are run in order.
  ///   - prepareDependencies: Changes the dependencies of the feature, its children and effects.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure @Sendable () -> sending State,
    @ReducerBuilder<State, Action> reducer: @Sendable () -> R,
    withDependencies prepareDependencies: (@Sendable (inout DependencyValues) -> Void)? = nil
  ) {
    machine = DependencyValues.whilePrepared(by: prepareDependencies) {
      Machine(initialState: initialState(), reducer: reducer())
    }
    machine.host = self
  }

  // MARK: State

  /// What the feature knows.
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
    let outer = isolation?.enter()
    defer { isolation?.leave(to: outer) }
    return StoreTask(machine.send(action, transaction))
  }

  /// Runs a synchronous piece of code on the actor. What effects emit on its account, such as those
  /// that wait for a test scheduler which it advances, is handled before it goes on.
  public func perform<Result: Sendable>(
    _ body: @Sendable (isolated StoreActor) throws -> Result
  ) rethrows -> Result {
    try whileCurrent { try body(self) }
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
    whileCurrent(work)
  }

  /// Runs code of this actor so that what it emits synchronously is recognized: an actor cannot be
  /// asked whether it is running the caller.
  private func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = isolation?.enter()
    // It may have been made meanwhile, in which case it was entered then.
    defer { isolation?.leave(to: outer) }
    return try body()
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

extension StoreActor: WorkingActor, OutletHost {
  nonisolated func makeIsolation(for outlet: Outlet) -> any HostIsolation {
    lifetime = Lifetime(of: outlet)
    let isolation = ActorIsolation(self)
    _ = isolation.enter()
    self.isolation = isolation
    return isolation
  }
}

/// The isolation of a store actor, as its effects see it.
private final class ActorIsolation: HostIsolation, @unchecked Sendable {
  // @unchecked: weak reads are atomic, and so is the thread.
  private weak let host: (any WorkingActor)?
  /// The thread that runs code of the actor; 0 while none does.
  private let thread = Atomic<UInt>(0)

  init(_ host: some WorkingActor) {
    self.host = host
  }

  /// Says that this thread runs code of the actor from now on. Returns what was said before.
  func enter() -> UInt {
    thread.exchange(ThreadID.current, ordering: .relaxed)
  }

  func leave(to outer: UInt?) {
    thread.store(outer ?? 0, ordering: .relaxed)
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    // A thread that is not the one cannot mistake itself for it, however old the number is it reads.
    guard thread.load(ordering: .relaxed) == ThreadID.current else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    Task { [weak host] in
      // Without the actor there is nothing to work on, but what waits is to be let go of.
      if let host { await host.work(work) } else { work() }
    }
  }
}
