// The observers of the fields of a state.

import Observation
import Synchronization

/// The identity of a state, and the observers of its fields.
///
/// It does not take part in the comparison of states, and is neither encoded nor shown.
public struct ObservationStateRegistrar: Sendable {
  private let stamp = Stamp()
  private let observers = Observers()

  // In a box, because the size of the standard library's registrar is known at run time only. To
  // copy a state with one inside, or to find a field of it, the program would have to ask the
  // runtime.
  private final class Observers: Sendable {
    let registrar = ObservationRegistrar()
    /// Whether a field has ever been read through its accessor. Until then nobody can observe one,
    /// and a change has nobody to wake.
    let mayExist = Atomic(false)
  }

  /// The identity of the state. Its copies share it; no other state of its type has it.
  public var id: ObservableStateID { ObservableStateID(stamp: stamp) }

  /// The registrar of a new state.
  public init() {}

  /// Called before the state is changed in place by code that does not use its accessors. Does
  /// nothing: the state keeps its identity, and observers are told field by field.
  public mutating func _$willModify() {}

  /// Registers a read of a field, for a closure whose reads are tracked.
  public func access<State: Observable, Member>(
    _ state: State, keyPath: KeyPath<State, Member>
  ) {
    if !observers.mayExist.load(ordering: .relaxed) {
      observers.mayExist.store(true, ordering: .relaxed)
    }
    observers.registrar.access(state, keyPath: keyPath)
  }

  // MARK: Assigning

  // Key paths are made only where there may be observers: making one of a generic type takes
  // microseconds.

  /// Assigns a field, and wakes its readers if it has become another one.
  @_disfavoredOverload
  public func mutate<State: Observable, Member, Value>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    let isSame = isIdentityEqual(value, newValue)
    assign(state, keyPath(), &value, newValue, isSame)
  }

  /// Assigns a field whose values can be compared: equal ones wake nobody.
  public func mutate<State: Observable, Member, Value: Equatable>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    let isSame =
      isIdentityEqual(value, newValue)
      ? !isReachedInPlace(keyPath()) || value == newValue
      : value == newValue && !isIdentified(value)
    assign(state, keyPath(), &value, newValue, isSame)
  }

  private func assign<State: Observable, Member, Value>(
    _ state: State, _ keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Value, _ newValue: Value, _ isSame: Bool
  ) {
    guard !isSame, observers.mayExist.load(ordering: .relaxed) else { return value = newValue }
    observers.registrar.withMutation(of: state, keyPath: keyPath()) { value = newValue }
  }

  /// Whether reducers change the field in place, so that only the feature itself assigns it. The
  /// value that it assigns may be a copy that was changed, with the same identity. Other fields are
  /// assigned after every change of a child, too.
  private func isReachedInPlace<State, Member>(_ keyPath: KeyPath<State, Member>) -> Bool {
    (State.self as? any ObservableState.Type)?.hasPlace(of: keyPath) ?? false
  }

  /// Equal states of different identities are different: each has observers of its own. So are
  /// lists of them.
  private func isIdentified<Value>(_ value: Value) -> Bool {
    if let state = value as? any ObservableState { return !state._$id.isTransient }
    if let type = Value.self as? any Collection.Type { return type.holdsObservableStates }
    return Value.self is any ObservedInPlace.Type
  }

  // MARK: Changing in place

  // If the old value of a large field were kept, a change in place would copy the field. So only
  // its identity is kept, where it has one.

  /// The old value of a field that is about to be changed in place.
  @_disfavoredOverload
  public func willModify<State: Observable, Member, Value>(
    _ state: State, keyPath: @autoclosure () -> KeyPath<State, Member>, _ value: inout Value
  ) -> Value {
    value
  }

  /// The identity of a state that is about to be changed in place.
  public func willModify<State: Observable, Member, Child: ObservableState>(
    _ state: State, keyPath: @autoclosure () -> KeyPath<State, Member>, _ value: inout Child
  ) -> ObservableStateID {
    value._$id
  }

  /// The identity of an optional state that is about to be changed in place.
  public func willModify<State: Observable, Member, Child: ObservableState>(
    _ state: State, keyPath: @autoclosure () -> KeyPath<State, Member>, _ value: inout Child?
  ) -> ObservableStateID? {
    value?._$id
  }

  /// Wakes the readers of a field that was changed in place, if it has become another one.
  @_disfavoredOverload
  public func didModify<State: Observable, Member, Value>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if !isIdentityEqual(oldValue, value) { wake(state, keyPath()) }
  }

  /// Wakes the readers of a field that was changed in place, if its value differs.
  public func didModify<State: Observable, Member, Value: Equatable>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if !isIdentityEqual(oldValue, value), oldValue != value { wake(state, keyPath()) }
  }

  /// Wakes the readers of a state that was replaced.
  public func didModify<State: Observable, Member, Child: ObservableState>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Child,
    _ oldIdentity: ObservableStateID,
    _: (Child, Child) -> Bool
  ) {
    if value._$id != oldIdentity { wake(state, keyPath()) }
  }

  /// Wakes the readers of an optional state that has come, gone, or been replaced.
  public func didModify<State: Observable, Member, Child: ObservableState>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout Child?,
    _ oldIdentity: ObservableStateID?,
    _: (Child?, Child?) -> Bool
  ) {
    if value?._$id != oldIdentity { wake(state, keyPath()) }
  }

  func wake<State: Observable, Member>(
    _ state: State, _ keyPath: @autoclosure () -> KeyPath<State, Member>
  ) {
    guard observers.mayExist.load(ordering: .relaxed) else { return }
    observers.registrar.withMutation(of: state, keyPath: keyPath()) {}
  }
}

extension Collection {
  fileprivate static var holdsObservableStates: Bool { Element.self is any ObservableState.Type }
}

extension ObservationStateRegistrar: Hashable, Codable {
  public static func == (_: Self, _: Self) -> Bool { true }
  public func hash(into _: inout Hasher) {}
  public init(from _: any Decoder) {}
  public func encode(to _: any Encoder) {}
}
