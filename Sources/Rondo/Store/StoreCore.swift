// The part of a store that knows its state: a machine, or a part of another store's state.

import Observation
import RondoAnimation

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
  var host: any EffectHost {
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
  let machine: Machine<State, Action>

  init(_ machine: Machine<State, Action>) {
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
    if !isObservedByField { machine.isTracked = true }
  }

  override func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    if ObserveToken.isRunning { machine.holdBackWhileObserving() }
    return StoreTask(machine.send(action, transaction))
  }

  override var host: any EffectHost { machine }

  override func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    machine.subscribe(receive)
  }
}
