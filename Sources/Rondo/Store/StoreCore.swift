// The part of a store that knows its state: a machine, or a part of another store's state.

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

  /// Where closures that observe the whole state are registered. Made when it is first needed: stores
  /// are made for every child, and most are never observed.
  final var registrar: ObservationStateRegistrar?

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
    registrar?.wakeObservers()
  }

  func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    preconditionFailure("\(type(of: self)) takes no actions.")
  }

  var interpreter: Interpreter {
    preconditionFailure("\(type(of: self)) has no machine.")
  }

  final var mailbox: Mailbox { interpreter.mailbox }

  /// The machine that the store is a view of.
  var host: any EffectHost {
    preconditionFailure("\(type(of: self)) has no machine.")
  }

  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    preconditionFailure("\(type(of: self)) makes no commits.")
  }

  /// Reads the state, or what it was when it was last there.
  @inline(__always)
  final func withState<Result>(_ body: (borrowing State) -> Result) -> Result {
    if let fixedPlace, !MainActorWork.isAnyReducing { return body(fixedPlace.pointee) }
    var result: Result?
    access { state in
      if let state { result = body(state.pointee) }
    }
    return result ?? body(lastState!)
  }
}

extension StoreCore: CommitSource {}

/// The subject of closures that observe the whole state of a store. It is no generic type, because
/// making a key path of one is slow.
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
  private let machine: Machine<State, Action>

  init(_ machine: Machine<State, Action>) {
    self.machine = machine
    super.init(fixedPlace: machine.place)
    let registrar = ObservationStateRegistrar()
    self.registrar = registrar
    // Not this core: it may be released while the machine is at work.
    machine.didChange = { registrar.wakeObservers() }
  }

  deinit {
    machine.hostWasReleased()
  }

  override func access(_ body: (UnsafePointer<State>?) -> Void) {
    body(machine.readablePlace)
  }

  override func track() {
    // A state that is observed field by field says itself who is to be woken.
    if !isObservedByField { machine.isTracked = true }
  }

  override func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    if ObserveToken.isRunning { machine.holdBackWhileObserving() }
    return StoreTask(machine.send(action, transaction))
  }

  override var interpreter: Interpreter { machine.interpreter }
  override var host: any EffectHost { machine }

  override func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    machine.subscribe(receive)
  }

}
