// What a store is a view of: a machine, or a part of what another store is a view of.

import Observation
import RondoAnimation

/// A state that can be read, and somewhere to send actions to. Used on the main actor only.
@usableFromInline
class StoreCore<State, Action> {
  /// Where the state lies, for as long as the machine lives; `nil` where it is computed, or may be
  /// absent.
  @usableFromInline final let fixedPlace: UnsafePointer<State>?

  /// Whether the state itself knows who observes which of its fields.
  final private(set) lazy var isObservedByField = State.self is any ObservableState.Type

  // Stores are made for every child, and most are never observed.
  private final var registrar: ObservationStateRegistrar?

  @inlinable
  init(fixedPlace: UnsafePointer<State>?) {
    self.fixedPlace = fixedPlace
  }

  /// Lends the state out; `nil` when it is absent.
  func access(_ body: (UnsafePointer<State>?) -> Void) {
    preconditionFailure("\(type(of: self)) has no state.")
  }

  /// The state to show when it is absent.
  var lastState: State? { nil }

  /// Notes that the state is read, for those who observe it.
  @usableFromInline
  final func noteAccess() {
    track()
    if ObserveToken.isRunning { remember() }
    if registrar == nil { registrar = ObservationStateRegistrar() }
    registrar?.access(ObservedState(), keyPath: \.whole)
  }

  /// Sees to it that ``didChange()`` is called when the state changes next.
  func track() {}

  /// Keeps the state for a reader who will be woken when it is gone. Not done for every reader: a
  /// state of which a copy is kept is copied when it changes.
  func remember() {}

  /// Wakes those who have read the state.
  final func didChange() {
    registrar?.wake(ObservedState(), \.whole)
  }

  func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    preconditionFailure("\(type(of: self)) takes no actions.")
  }

  var outlet: Outlet {
    preconditionFailure("\(type(of: self)) has no machine.")
  }

  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    preconditionFailure("\(type(of: self)) makes no commits.")
  }

  /// Reads the state, or what it was when it was last there.
  @inline(__always)
  final func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    if let fixedPlace { return body(fixedPlace.pointee) }
    var result: Result?
    access { state in
      if let state { result = body(state.pointee) }
    }
    return result ?? body(lastState!)
  }
}

extension StoreCore: CommitSource {}

/// What observers of a store observe. It is no generic type, because making a key path of one is dear.
private struct ObservedState: Observable {
  var whole: Void { () }
}

/// A machine, which lives for as long as there is a store with a view of it.
final class RootCore<State, Action>: StoreCore<State, Action>, OutletHost {
  let machine: Machine<State, Action>
  private let lifetime: Lifetime
  private let isolation: () -> any HostIsolation

  init(_ machine: Machine<State, Action>, isolation: @escaping () -> any HostIsolation) {
    self.machine = machine
    self.isolation = isolation
    lifetime = Lifetime(of: machine)
    super.init(fixedPlace: machine.place)
    machine.host = self
    machine.isOnMainActor = true
    machine.watchIdentity()
    machine.didChange = { [unowned(unsafe) self] in didChange() }
  }

  deinit {
    // The machine may be at work just then.
    machine.didChange = nil
  }

  func makeIsolation(for outlet: Outlet) -> any HostIsolation { isolation() }

  override func access(_ body: (UnsafePointer<State>?) -> Void) {
    body(fixedPlace)
  }

  override func track() {
    // A state that is observed field by field says itself who is to be woken.
    if !isObservedByField { machine.isTracked = true }
  }

  override func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    if ObserveToken.isRunning { holdBack() }
    return StoreTask(machine.send(action, transaction))
  }

  /// Has the machine queue what is sent to it until the closure that observes has returned: only then
  /// is it woken by changes.
  private func holdBack() {
    guard !machine.isBusy else { return }
    machine.isBusy = true
    ObserveToken.afterwards?.append { [self] in
      machine.isBusy = false
      machine.perform {}
    }
  }

  override var outlet: Outlet { machine }

  override func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    machine.subscribe(receive)
  }
}
