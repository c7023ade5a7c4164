// Where an observable state stores its fields.

import Synchronization

/// Where an observable state stores its registrar and the values of its fields.
///
/// `@ObservableState` moves each variable to a private one, `_count`, and writes a layout that says
/// so. Composed reducers and scoped stores reach a child through it in place, instead of copying it
/// out of its parent and back.
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

  /// A layout that says nothing: every field is reached by its accessors.
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

  /// Adds a property that shares its observers with another one: `$editor` is observed as `editor` is.
  public mutating func add<Value, Member>(
    _ property: KeyPath<State, Value>, _ storage: KeyPath<State, Value>,
    observedAs subject: KeyPath<State, Member>
  ) {
    fields.append(ObservedField(property, storage, observedAs: subject))
  }

  /// The field that a key path leads to; `nil` when it leads to none, or further.
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

/// The layouts of all types that have been asked for.
private let knownLayouts = Mutex<[ObjectIdentifier: Unchecked<Any>]>([:])

/// An observed property of a state, and the stored one that holds its value.
struct ObservedField<State: ObservableState> {
  /// The property that users write.
  let keyPath: PartialKeyPath<State>
  /// The place of the value in the state, in bytes; `nil` where it has observers of its own
  /// (`didSet`), which accessors have to run.
  let offset: Int?
  /// Makes what reads the identity of the field. Only where it is asked for: a state may hold states
  /// of its own type.
  let identity: () -> FieldIdentity?
  /// Notes for the registrar that the field is read.
  let noteAccess: (ObservationStateRegistrar, UnsafePointer<State>) -> Void
  /// Wakes those who have read the field.
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
