// States whose fields are observed one by one.

import Observation

/// A state whose fields are observed one by one: who reads `count` is not woken when `name` changes.
///
/// The `@ObservableState` macro writes the conformance. It gives the structure a registrar, and every
/// stored variable accessors that tell it:
///
/// ```swift
/// struct State: ObservableState {
///   var count: Int {
///     get {
///       _$observationRegistrar.access(self, keyPath: \.count)
///       return _count
///     }
///     set { _$observationRegistrar.mutate(self, keyPath: \.count, &_count, newValue, _$isIdentityEqual) }
///   }
///   private var _count = 0
///
///   var _$observationRegistrar = ObservationStateRegistrar()
///   var _$id: ObservableStateID { _$observationRegistrar.id }
///   mutating func _$willModify() { _$observationRegistrar._$willModify() }
///   static var _$layout: StateLayout<Self> {
///     var layout = StateLayout(registrar: \Self._$observationRegistrar)
///     layout.add(\.count, \._count)
///     return layout
///   }
/// }
/// ```
///
/// A state has an identity, which it gets when it is made and keeps while it is changed. Its copies
/// have the same identity, and the same observers. Assigning a state of another identity to a field
/// wakes those who read the field.
public protocol ObservableState: Observable {
  /// What tells the state from others of its type.
  var _$id: ObservableStateID { get }

  /// Told before the state is changed in place by code that does not go through its accessors.
  mutating func _$willModify()

  /// Where the state stores its fields. Without it they are reached by their accessors, which copies
  /// a child out of its parent and back.
  static var _$layout: StateLayout<Self> { get }

  /// Tells the names of variables whose key paths do not know them, because the variables are
  /// computed. For messages.
  static func _$names(_ note: (AnyKeyPath, String) -> Void)
}

extension ObservableState {
  public static var _$layout: StateLayout<Self> { StateLayout() }

  public static func _$names(_ note: (AnyKeyPath, String) -> Void) {}
}

/// What tells a state from others of its type.
public struct ObservableStateID: Hashable, Sendable {
  let stamp: Stamp
  /// The cases of the enums around, outermost last.
  private var tags: [Int] = []
  /// Whether it was made for a value that has none of its own, so that it is another one each time.
  private(set) var isTransient = false

  /// A new identity.
  public init() {
    stamp = Stamp()
  }

  init(stamp: Stamp) {
    self.stamp = stamp
  }

  /// Enters the identity into that of a child.
  func write(to identity: inout ChildIdentity) {
    if !isTransient { identity.first = stamp.number }
    // The case of the enum itself has been entered. Those of enums in it are rare.
    if tags.count > 1 { identity.box = .init(AnyHashable(tags)) }
  }

  /// The identity that all values without an identity share.
  public static let _$inert = Self(stamp: .none)

  /// The identity of the state in one case of an enum.
  public func _$tag(_ tag: Int) -> Self {
    var tagged = self
    tagged.tags.append(tag)
    return tagged
  }

  /// The identity of a value: its own, or a new one for a value without, which may have changed since
  /// it was last looked at.
  public static func _$id<Value>(for value: Value) -> Self {
    if let state = value as? any ObservableState { return state._$id }
    var id = Self()
    id.isTransient = true
    return id
  }

  /// The identity of a state.
  public static func _$id(for state: some ObservableState) -> Self {
    state._$id
  }
}

extension ObservableStateID: CustomStringConvertible {
  public var description: String { "ObservableStateID" }
}

// MARK: - Identity

// Whether a change of a field puts another state in its place. Those who read the field want to know
// of that; changes inside of a state they hear of from the state itself.

/// Values that are not states are other ones whenever they change.
@inlinable
@_disfavoredOverload
public func _$isIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  isDynamicIdentityEqual(lhs, rhs)
}

/// Numbers and the like are no states, which need not be found out anew with every change.
@inlinable
@_disfavoredOverload
public func _$isIdentityEqual<Value: BitwiseCopyable>(_ lhs: Value, _ rhs: Value) -> Bool {
  false
}

/// A state is another one when its identity is.
public func _$isIdentityEqual<State: ObservableState>(_ lhs: State, _ rhs: State) -> Bool {
  lhs._$id == rhs._$id
}

/// A list of states is another one when its elements' identities are.
public func _$isIdentityEqual<ID: Hashable, State: ObservableState>(
  _ lhs: IdentifiedArray<ID, State>, _ rhs: IdentifiedArray<ID, State>
) -> Bool {
  lhs.count == rhs.count
    && zip(lhs.storage, rhs.storage).allSatisfy { $0._$id == $1._$id }
    && zip(lhs.ids, rhs.ids).allSatisfy { $0 == $1 }
}

/// A collection of states is another one when its elements' identities are.
public func _$isIdentityEqual<States: Collection>(_ lhs: States, _ rhs: States) -> Bool
where States.Element: ObservableState {
  lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// What is presented is another one when its identity is.
public func _$isIdentityEqual<State: ObservableState>(
  _ lhs: PresentationState<State>, _ rhs: PresentationState<State>
) -> Bool {
  lhs.read { $0._$id } == rhs.read { $0._$id }
}

/// A stack is another one when its elements are.
public func _$isIdentityEqual<State>(_ lhs: StackState<State>, _ rhs: StackState<State>) -> Bool {
  lhs.entries.stamp == rhs.entries.stamp
    || lhs.entries.elementsEqual(rhs.entries) {
      $0.addition == $1.addition && _$isIdentityEqual($0.element, $1.element)
    }
}

/// An optional state is another one when it comes, goes, or its identity changes.
public func _$isIdentityEqual<State: ObservableState>(_ lhs: State?, _ rhs: State?) -> Bool {
  lhs?._$id == rhs?._$id
}

@usableFromInline
func isDynamicIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  guard let lhs = lhs as? any ObservableState, let rhs = rhs as? any ObservableState else {
    return false
  }
  return lhs._$id == rhs._$id
}

/// Tells a state that it is about to be changed in place.
public func _$willModify<Value>(_ value: inout Value) {
  guard var state = value as? any ObservableState else { return }
  state._$willModify()
  value = state as! Value
}

/// Tells a state that it is about to be changed in place.
public func _$willModify<State: ObservableState>(_ state: inout State) {
  state._$willModify()
}
