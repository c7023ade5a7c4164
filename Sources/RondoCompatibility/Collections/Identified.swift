// A value with an id beside it.

/// A value that is identified by an id which is no part of it.
///
/// ```swift
/// var selection: Identified<Row.ID, Counter.State?>?
///
/// state.selection = Identified(nil, id: id)
/// state.selection?.value = Counter.State()
/// ```
@dynamicMemberLookup
public struct Identified<ID: Hashable, Value>: Identifiable {
  public let id: ID
  /// The value without its identity.
  public var value: Value

  /// A value and its id.
  public init(_ value: Value, id: ID) {
    self.id = id
    self.value = value
  }

  /// A value and the id that a function finds in it.
  public init(_ value: Value, id: (Value) -> ID) {
    self.init(value, id: id(value))
  }

  /// A member of the value.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  /// A member of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    value[keyPath: keyPath]
  }
}

extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
extension Identified: Sendable where ID: Sendable, Value: Sendable {}
extension Identified: Decodable where ID: Decodable, Value: Decodable {}
extension Identified: Encodable where ID: Encodable, Value: Encodable {}
