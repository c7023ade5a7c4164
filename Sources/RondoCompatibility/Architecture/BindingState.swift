// Fields of states that are not observable, to which views may write.

import Rondo

/// A field of a state that is not observable, to which views may write.
@propertyWrapper
@dynamicMemberLookup
public struct BindingState<Value> {
  /// The value itself.
  public var wrappedValue: Value

  /// A field with its first value.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }

  /// The wrapper itself, for `.set(\.$name, "Blob")`.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// A part of the value, to which views may write: `\.$settings.isOn`.
  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> BindingState<Member> {
    get { BindingState<Member>(wrappedValue: wrappedValue[keyPath: keyPath]) }
    set { wrappedValue[keyPath: keyPath] = newValue.wrappedValue }
  }
}

extension BindingState: Equatable where Value: Equatable {}
extension BindingState: Hashable where Value: Hashable {}
extension BindingState: Sendable where Value: Sendable {}
extension BindingState: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
  }
}
extension BindingState: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension BindingAction {
  /// The request to set a ``BindingState`` field to a value.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, BindingState<Value>>, _ value: Value
  ) -> Self {
    Self(keyPath, value) { $0[keyPath: keyPath].wrappedValue = value }
  }
}

extension BindingAction.AllCasePaths {
  /// A field that is a ``BindingState``, by its projection: `\.binding.$text`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<Root, BindingState<Value>>
  ) -> AnyCasePath<BindingAction<Root>, Value> {
    CasePathNames.note { BindingAction<Root>.name(of: keyPath) }
    let keyPath = UncheckedSendable(keyPath)
    return AnyCasePath(
      embed: { .set(keyPath.value, $0) },
      extract: { $0.keyPath == keyPath.value ? $0.value as? Value : nil })
  }
}

extension BindableAction {
  /// The request to set a ``BindingState`` field to a value: `.set(\.$name, "Blob")`.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, BindingState<Value>>, _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}
