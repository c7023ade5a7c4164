// The places of the stored fields in an observable state.

import Synchronization

/// The places of the registrar and of the values of the fields in an observable state.
///
/// `@ObservableState` moves the value of each variable to a private one, such as `_count`, and
/// writes a layout that lists both. With the layout, composed reducers and scoped stores change a
/// child in place, instead of copying it out of its parent and back.
///
/// ```swift
/// static var _$layout: StateLayout<Self> {
///   var layout = StateLayout(registrar: \Self._$observationRegistrar)
///   layout.add(\.count, \._count)
///   return layout
/// }
/// ```
public struct StateLayout<State: ObservableState> {
  /// The place of the registrar in the state, in bytes; `nil` where it is not stored in the state.
  let registrarOffset: Int?
  private var fields: [ObservedField<State>] = []

  /// A layout without fields.
  ///
  /// - Parameter registrar: The stored property that holds the registrar.
  public init(registrar: KeyPath<State, ObservationStateRegistrar>) {
    registrarOffset = MemoryLayout<State>.offset(of: registrar)
  }

  /// A layout without places: every field is reached by its accessors.
  init() {
    registrarOffset = nil
  }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - property: The property that users write.
  ///   - storage: The stored property that holds its value.
  public mutating func add<Value>(
    _ property: KeyPath<State, Value>, _ storage: KeyPath<State, Value>
  ) {
    fields.append(ObservedField(property, storage, observedAs: property))
  }

  /// Adds a property that shares its observers with another one: `$editor` is observed as `editor`
  /// is.
  public mutating func add<Value, Member>(
    _ property: KeyPath<State, Value>, _ storage: KeyPath<State, Value>,
    observedAs subject: KeyPath<State, Member>
  ) {
    fields.append(ObservedField(property, storage, observedAs: subject))
  }

  /// The field that a key path leads to; `nil` when it leads to no field, or to a part of one.
  func field(_ keyPath: AnyKeyPath) -> ObservedField<State>? {
    fields.first { $0.keyPath == keyPath }
  }

  /// The layout of the type, made once.
  static var shared: StateLayout {
    let id = ObjectIdentifier(State.self)
    if let known = knownLayouts.withLock({ $0[id] }) { return known.value as! StateLayout }
    let layout = State._$layout
    knownLayouts.withLock { $0[id] = Unchecked(layout) }
    return layout
  }
}

extension ObservableState {
  /// Whether the layout knows the place of a field.
  static func hasPlace(of keyPath: AnyKeyPath) -> Bool {
    StateLayout<Self>.shared.field(keyPath)?.offset != nil
  }
}

/// The layouts of all types that have been asked for.
private let knownLayouts = Mutex<[ObjectIdentifier: Unchecked<Any>]>([:])

/// An observed property of a state, and the stored one that holds its value.
struct ObservedField<State: ObservableState> {
  /// The property that users write.
  let keyPath: PartialKeyPath<State>
  /// The place of the value in the state, in bytes; `nil` where the stored property has an observer
  /// such as `didSet`, which only accessors run.
  let offset: Int?
  /// Makes the reader of the field's identity. Made only when it is asked for, because a state may
  /// hold states of its own type.
  let identity: () -> FieldIdentity?
  /// Registers a read of the field.
  let noteAccess: (ObservationStateRegistrar, UnsafePointer<State>) -> Void
  /// Wakes the readers of the field.
  let wakeObservers: (ObservationStateRegistrar, UnsafePointer<State>) -> Void

  init<Value, Member>(
    _ property: KeyPath<State, Value>, _ storage: KeyPath<State, Value>,
    observedAs subject: KeyPath<State, Member>
  ) {
    keyPath = property
    offset = MemoryLayout<State>.offset(of: storage)
    identity = { FieldIdentity(Value.self) }
    noteAccess = { $0.access($1.pointee, keyPath: subject) }
    wakeObservers = { $0.wake($1.pointee, subject) }
  }
}
