// Lists of states as fields of an observed state.

import Observation

extension IdentifiedArray: ObservedInPlace {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    // A change of an element that has no identity is a change of the list.
    guard FieldIdentity(Element.self) != nil else { return { _ in ObservableStateID() } }
    return { ObservableStateID(stamp: $0.bound(to: Self.self).pointee.stamp) }
  }
}

/// A list of states is another one when the ids or the identities of its elements have changed.
public func _$isIdentityEqual<ID: Hashable, State: ObservableState>(
  _ lhs: IdentifiedArray<ID, State>, _ rhs: IdentifiedArray<ID, State>
) -> Bool {
  lhs.count == rhs.count
    && zip(lhs.storage, rhs.storage).allSatisfy { $0._$id == $1._$id }
    && zip(lhs.ids, rhs.ids).allSatisfy { $0 == $1 }
}

extension ObservationStateRegistrar {
  /// The identity of a list that is about to be changed in place. It changes with the list's
  /// elements.
  public func willModify<State: Observable, Member, ID: Hashable, Child: ObservableState>(
    _ state: State, keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout IdentifiedArray<ID, Child>
  ) -> ObservableStateID {
    if value.elementIdentity == nil { value.elementIdentity = FieldIdentity(Child.self) }
    return ObservableStateID(stamp: value.stamp)
  }

  /// Wakes the readers of a list that has other elements.
  public func didModify<State: Observable, Member, ID: Hashable, Child: ObservableState>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout IdentifiedArray<ID, Child>,
    _ oldIdentity: ObservableStateID,
    _: (IdentifiedArray<ID, Child>, IdentifiedArray<ID, Child>) -> Bool
  ) {
    if value.stamp != oldIdentity.stamp { wake(state, keyPath()) }
  }
}
