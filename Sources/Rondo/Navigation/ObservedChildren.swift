// Presented states and stacks as fields of an observed state.

import Observation

extension PresentationState: ObservedInPlace where State: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    let identity = FieldIdentity(State.self)!
    return { PresentationBox.statePlace(ofPresentationAt: $0).flatMap { identity($0) } }
  }
}

extension StackState: ObservedInPlace {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    let entries = IdentifiedArrayOf<StackEntry<Element>>.fieldIdentity
    // The entries are the first field, so they have the address of the stack.
    return { entries($0) }
  }
}

extension StackEntry: ObservedInPlace where Element: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    { $0.bound(to: Self.self).pointee.element?._$id }
  }
}

/// A presented state is another one when it comes, goes, or its identity changes.
public func _$isIdentityEqual<State: ObservableState>(
  _ lhs: PresentationState<State>, _ rhs: PresentationState<State>
) -> Bool {
  lhs.read { $0._$id } == rhs.read { $0._$id }
}

/// A stack is another one when an element was added, removed, moved or replaced.
public func _$isIdentityEqual<State>(_ lhs: StackState<State>, _ rhs: StackState<State>) -> Bool {
  lhs.entries.stamp == rhs.entries.stamp
    || lhs.entries.elementsEqual(rhs.entries) {
      $0.addition == $1.addition && _$isIdentityEqual($0.element, $1.element)
    }
}

extension ObservationStateRegistrar {
  /// The identity of a stack that is about to be changed in place. It changes with the stack's
  /// elements.
  public func willModify<State: Observable, Member, Child>(
    _ state: State, keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout StackState<Child>
  ) -> ObservableStateID {
    if value.entries.elementIdentity == nil {
      value.entries.elementIdentity = FieldIdentity(StackEntry<Child>.self)
    }
    return ObservableStateID(stamp: value.entries.stamp)
  }

  /// Wakes the readers of a stack that has other elements.
  public func didModify<State: Observable, Member, Child>(
    _ state: State,
    keyPath: @autoclosure () -> KeyPath<State, Member>,
    _ value: inout StackState<Child>,
    _ oldIdentity: ObservableStateID,
    _: (StackState<Child>, StackState<Child>) -> Bool
  ) {
    if value.entries.stamp != oldIdentity.stamp { wake(state, keyPath()) }
  }
}

extension ObservableStateID {
  /// Writes this identity into the identity of a child.
  func write(to identity: inout ChildIdentity) {
    if !isTransient { identity.first = stamp.number }
    // The case of the outermost enum is in there already. Enums inside it are rare.
    if let tags, tags.count > 1 { identity.box = .init(AnyHashable(tags)) }
  }
}
