// Who observes which field of a state.

import Observation

/// The identity of a state, and those who observe its fields.
///
/// It is no part of what a state is equal by, and is neither encoded nor shown.
public struct ObservationStateRegistrar: Sendable {
  // In a box, because the size of the standard library's registrar is known at run time only: a
  // state with one inside would be copied, and each of its fields found, by asking the runtime.
  private let box = Box()

  private final class Box: Sendable {
    let id = ObservableStateID()
    let registrar = ObservationRegistrar()
  }

  private var registrar: ObservationRegistrar { box.registrar }

  /// What tells the state from others of its type.
  public var id: ObservableStateID { box.id }

  /// The registrar of a new state.
  public init() {}

  /// Told before the state is changed in place by code that does not go through its accessors.
  /// Identities are kept: what observers want to know they are told field by field.
  public mutating func _$willModify() {}

  /// Notes that a field is read, by whoever tracks that.
  public func access<State: Observable, Member>(
    _ state: State, keyPath: KeyPath<State, Member>
  ) {
    registrar.access(state, keyPath: keyPath)
  }

  // MARK: Assigning

  /// Assigns a field, and wakes those who read it if it has become another one.
  @_disfavoredOverload
  public func mutate<State: Observable, Member, Value>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    let isSame = isIdentityEqual(value, newValue)
    assign(state, keyPath, &value, newValue, isSame)
  }

  /// Assigns a field whose values can be compared: equal ones wake nobody.
  public func mutate<State: Observable, Member, Value: Equatable>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Value,
    _ newValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    let isSame = isIdentityEqual(value, newValue) || value == newValue && !isIdentified(value)
    assign(state, keyPath, &value, newValue, isSame)
  }

  private func assign<State: Observable, Member, Value>(
    _ state: State, _ keyPath: KeyPath<State, Member>,
    _ value: inout Value, _ newValue: Value, _ isSame: Bool
  ) {
    guard !isSame else { return value = newValue }
    registrar.withMutation(of: state, keyPath: keyPath) { value = newValue }
  }

  /// Equal states of different identities are different: each has observers of its own. So are lists
  /// of them.
  private func isIdentified<Value>(_ value: Value) -> Bool {
    if let state = value as? any ObservableState { return !state._$id.isTransient }
    if let type = Value.self as? any Collection.Type { return type.holdsObservableStates }
    return Value.self is any ObservedInPlace.Type
  }

  // MARK: Changing in place

  // Keeping the old value of a large field would make changing it in place copy it. So what is kept
  // is its identity, where it has one.

  /// What a field that is about to be changed in place is.
  @_disfavoredOverload
  public func willModify<State: Observable, Member, Value>(
    _ state: State, keyPath: KeyPath<State, Member>, _ value: inout Value
  ) -> Value {
    value
  }

  /// The identity of a state that is about to be changed in place.
  public func willModify<State: Observable, Member, Child: ObservableState>(
    _ state: State, keyPath: KeyPath<State, Member>, _ value: inout Child
  ) -> ObservableStateID {
    value._$id
  }

  /// The identity of an optional state that is about to be changed in place.
  public func willModify<State: Observable, Member, Child: ObservableState>(
    _ state: State, keyPath: KeyPath<State, Member>, _ value: inout Child?
  ) -> ObservableStateID? {
    value?._$id
  }

  /// The identity of a list that is about to be changed in place: which elements it has.
  public func willModify<State: Observable, Member, ID: Hashable, Child: ObservableState>(
    _ state: State, keyPath: KeyPath<State, Member>, _ value: inout IdentifiedArray<ID, Child>
  ) -> ListIdentity {
    if value.elementIdentity == nil { value.elementIdentity = FieldIdentity(Child.self) }
    return ListIdentity(stamp: value.stamp)
  }

  /// The identity of a stack that is about to be changed in place: which elements it has.
  public func willModify<State: Observable, Member, Child>(
    _ state: State, keyPath: KeyPath<State, Member>, _ value: inout StackState<Child>
  ) -> ListIdentity {
    if value.entries.elementIdentity == nil {
      value.entries.elementIdentity = FieldIdentity(StackEntry<Child>.self)
    }
    return ListIdentity(stamp: value.entries.stamp)
  }

  /// Which elements a list has, in which order.
  public struct ListIdentity: Equatable {
    let stamp: Stamp
  }

  /// Wakes those who read a field that was changed in place, if it has become another one.
  @_disfavoredOverload
  public func didModify<State: Observable, Member, Value>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if !isIdentityEqual(oldValue, value) { wake(state, keyPath) }
  }

  /// Wakes those who read a field that was changed in place, if its value differs.
  public func didModify<State: Observable, Member, Value: Equatable>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Value,
    _ oldValue: Value,
    _ isIdentityEqual: (Value, Value) -> Bool
  ) {
    if !isIdentityEqual(oldValue, value), oldValue != value { wake(state, keyPath) }
  }

  /// Wakes those who read a state that was replaced.
  public func didModify<State: Observable, Member, Child: ObservableState>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Child,
    _ oldIdentity: ObservableStateID,
    _: (Child, Child) -> Bool
  ) {
    if value._$id != oldIdentity { wake(state, keyPath) }
  }

  /// Wakes those who read an optional state that has come, gone, or been replaced.
  public func didModify<State: Observable, Member, Child: ObservableState>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout Child?,
    _ oldIdentity: ObservableStateID?,
    _: (Child?, Child?) -> Bool
  ) {
    if value?._$id != oldIdentity { wake(state, keyPath) }
  }

  /// Wakes those who read a list that has other elements.
  public func didModify<State: Observable, Member, ID: Hashable, Child: ObservableState>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout IdentifiedArray<ID, Child>,
    _ oldIdentity: ListIdentity,
    _: (IdentifiedArray<ID, Child>, IdentifiedArray<ID, Child>) -> Bool
  ) {
    if value.stamp != oldIdentity.stamp { wake(state, keyPath) }
  }

  /// Wakes those who read a stack that has other elements.
  public func didModify<State: Observable, Member, Child>(
    _ state: State,
    keyPath: KeyPath<State, Member>,
    _ value: inout StackState<Child>,
    _ oldIdentity: ListIdentity,
    _: (StackState<Child>, StackState<Child>) -> Bool
  ) {
    if value.entries.stamp != oldIdentity.stamp { wake(state, keyPath) }
  }

  func wake<State: Observable, Member>(_ state: State, _ keyPath: KeyPath<State, Member>) {
    registrar.withMutation(of: state, keyPath: keyPath) {}
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
