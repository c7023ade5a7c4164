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
  private let lifetime: Lifetime

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
    let machine = DependencyValues.whilePrepared(by: prepareDependencies) {
      Machine(initialState: initialState(), reducer: reducer())
    }
    self.machine = machine
    lifetime = Lifetime(of: machine)
    // unowned(unsafe): the machine is used by this actor only.
    machine.makeIsolation = { [unowned(unsafe) self] in ActorIsolation(self) }
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
    whileCurrent {
      StoreTask(machine.send(action, transaction), machine)
    }
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

  /// Runs code of this actor on a thread that says so in a slot, so that what is emitted
  /// synchronously is recognized: an actor cannot be asked whether it is running the caller.
  private func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = currentActor.pointer
    currentActor.pointer = Unmanaged.passUnretained(self).toOpaque()
    defer { currentActor.pointer = outer }
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

extension StoreActor: WorkingActor {}

/// The isolation of a store actor, as its effects see it.
private final class ActorIsolation: HostIsolation, @unchecked Sendable {
  // @unchecked: constants; weak reads are atomic, and the address is only compared.
  private weak let host: (any WorkingActor)?
  private let address: UnsafeMutableRawPointer

  init(_ host: some WorkingActor) {
    self.host = host
    address = Unmanaged.passUnretained(host).toOpaque()
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard currentActor.pointer == address else { return false }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    Task { [weak host] in await host?.work(work) }
  }
}

private let currentActor = ThreadSlot()
