// The identity of the value in an observed field.

/// Reads the identity of the value in an observed field. When it changes, the observers of the
/// field are woken. The identity of a state is its own; that of a list says which elements the list
/// has.
@usableFromInline
enum FieldIdentity: @unchecked Sendable {
  // @unchecked: reads what it is given, and nothing else.

  /// The identity of a state that stores its registrar, at a place in bytes.
  case registrar(offset: Int)
  case other((UnsafeRawPointer) -> ObservableStateID?)

  /// `nil` for a value whose changes can only be told by keeping the old one.
  @usableFromInline
  init?<Value>(_ type: Value.Type) {
    if let type = type as? any ObservedInPlace.Type {
      self = .other(type.fieldIdentity)
    } else {
      self.init(ofState: type)
    }
  }

  /// The reader of the identity of a state; `nil` for a type that is no observable state.
  init?<State>(ofState type: State.Type) {
    guard let type = type as? any ObservableState.Type else { return nil }
    self = type.registrarOffset.map { .registrar(offset: $0) } ?? .other(Self.reader(of: type))
  }

  private static func reader<State: ObservableState>(
    of _: State.Type
  ) -> (UnsafeRawPointer) -> ObservableStateID? {
    { $0.bound(to: State.self).pointee._$id }
  }

  /// The identity of the value at a place in memory; `nil` where an optional holds none.
  @usableFromInline
  func callAsFunction(_ field: UnsafeRawPointer) -> ObservableStateID? {
    switch self {
    case .registrar(let offset): ObservationStateRegistrar.id(at: field + offset)
    case .other(let read): read(field)
    }
  }

  /// Whether the value at a place in memory has another identity than before.
  // Not inlined: inlined code destroys the optional through its metadata, which is slow.
  @usableFromInline
  func hasChanged(since before: ObservableStateID?, _ field: UnsafeRawPointer) -> Bool {
    self(field) != before
  }
}

extension ObservationStateRegistrar {
  /// The identity that the registrar at a place in memory has.
  static func id(at place: UnsafeRawPointer) -> ObservableStateID {
    place.bound(to: Self.self).pointee.id
  }
}

extension ObservableState {
  /// The place of the registrar in the state, in bytes; `nil` where the state stores none.
  fileprivate static var registrarOffset: Int? { StateLayout<Self>.shared.registrarOffset }
}

/// A value that can be changed in place in an observed field: its identity tells whether the
/// observers of the field are to be woken.
protocol ObservedInPlace {
  /// Reads the identity of the field at a place in memory.
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? { get }
}

extension Optional: ObservedInPlace where Wrapped: ObservableState {
  static var fieldIdentity: (UnsafeRawPointer) -> ObservableStateID? {
    let identity = FieldIdentity(Wrapped.self)!
    // The value of an optional has the same address as the optional.
    return { $0.bound(to: Self.self).pointee == nil ? nil : identity($0) }
  }
}
