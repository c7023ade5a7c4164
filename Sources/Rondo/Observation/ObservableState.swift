// States whose fields are observed one by one.

import Observation

/// A state whose fields are observed one by one: a reader of `count` is not woken when `name`
/// changes.
///
/// The `@ObservableState` macro writes the conformance. It gives the structure a registrar, and
/// gives every stored variable accessors that call the registrar:
///
/// ```swift
/// struct State: ObservableState {
///   var count: Int {
///     get {
///       _$observationRegistrar.access(self, keyPath: \.count)
///       return _count
///     }
///     set {
///       _$observationRegistrar.mutate(
///         self, keyPath: \.count, &_count, newValue, _$isIdentityEqual)
///     }
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
/// wakes the readers of the field.
public protocol ObservableState: Observable {
  /// The identity of the state. Its copies share it; no other state of its type has it.
  var _$id: ObservableStateID { get }

  /// Called before the state is changed in place by code that does not use its accessors.
  mutating func _$willModify()

  /// The places of the stored fields in the state. Without it the fields are reached by their
  /// accessors, which copy a child out of its parent and back.
  static var _$layout: StateLayout<Self> { get }

  /// Calls a closure with the names of computed variables, for messages. Their key paths do not
  /// know the names.
  static func _$names(_ note: (AnyKeyPath, String) -> Void)
}

extension ObservableState {
  public static var _$layout: StateLayout<Self> { StateLayout() }

  public static func _$names(_ note: (AnyKeyPath, String) -> Void) {}
}

/// The identity of a state, which tells the state from others of its type.
public struct ObservableStateID: Hashable, Sendable {
  let stamp: Stamp
  /// The cases of the enums around the state, outermost last; `nil` where there is none.
  private(set) var tags: [Int]?
  /// Whether it was made for a value without an identity. Such a value gets another one each time.
  private(set) var isTransient = false

  /// A new identity.
  public init() {
    stamp = Stamp()
  }

  init(stamp: Stamp) {
    self.stamp = stamp
  }

  /// The identity that all values without an identity share.
  public static let _$inert = Self(stamp: .none)

  /// The identity of the state in one case of an enum.
  public func _$tag(_ tag: Int) -> Self {
    var tagged = self
    tagged.tags = (tags ?? []) + [tag]
    return tagged
  }

  /// The identity of a value: its own, or a new one. A value without an identity gets a new one
  /// each time, because it may have changed since the last time.
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

// Whether a change of a field replaces its state by another one. That wakes the readers of the
// field. A change inside a state wakes the readers of the state's own fields.

/// A value that is not a state counts as another one after every change.
@inlinable
@_disfavoredOverload
public func _$isIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  isDynamicIdentityEqual(lhs, rhs)
}

/// Numbers and the like are never states. This overload saves the check at every change.
@inlinable
@_disfavoredOverload
public func _$isIdentityEqual<Value: BitwiseCopyable>(_ lhs: Value, _ rhs: Value) -> Bool {
  false
}

/// A state is another one when its identity has changed.
public func _$isIdentityEqual<State: ObservableState>(_ lhs: State, _ rhs: State) -> Bool {
  lhs._$id == rhs._$id
}

/// A collection of states is another one when the identities of its elements have changed.
public func _$isIdentityEqual<States: Collection>(_ lhs: States, _ rhs: States) -> Bool
where States.Element: ObservableState {
  lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
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
