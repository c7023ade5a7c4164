// A shared value that its holder cannot change.

/// A value that several features hold, for one that only reads it.
///
/// ```swift
/// @SharedReader(.appStorage("isSoundOn")) var isSoundOn = true
/// ```
///
/// See ``Shared``. It shares its value with everybody who says the same key; `SharedReader($count)`
/// makes one of a ``Shared`` value.
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
  let reference: SharedReference<Value>

  init(reference: SharedReference<Value>) {
    self.reference = reference
  }

  /// A value that nobody changes.
  public init(value: Value) {
    reference = SharedBox(value)
  }

  /// A value that nobody changes.
  public static func constant(_ value: Value) -> Self {
    Self(value: value)
  }

  /// What another one shares.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// A shared value, to be read only.
  public init(_ base: Shared<Value>) {
    reference = base.reference
  }

  /// A shared value where an optional one is asked for.
  public init<Wrapped>(_ base: SharedReader<Wrapped>) where Value == Wrapped? {
    reference = SharedWrapped(base.reference)
  }

  /// A shared optional that is not `nil`; `nil` where it is.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = SharedUnwrapped(base.reference) else { return nil }
    self.reference = reference
  }

  /// The value.
  public var wrappedValue: Value { reference.read() }

  /// What to hand over to others who are to read the value.
  public var projectedValue: SharedReader {
    get { self }
    set { self = newValue }
  }

  /// A part of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member> {
    SharedReader<Member>(reference: SharedReadOnlyPart(reference, keyPath))
  }
}

extension SharedReader where Value: Sendable {
  /// The value now, and after every change. Changes that come faster than they are read are counted
  /// as one.
  public var values: AsyncStream<Value> { reference.values }
}

extension SharedReader: @unchecked Sendable where Value: Sendable {}

extension SharedReader: Equatable where Value: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    Shared(reference: lhs.reference) == Shared(reference: rhs.reference)
  }
}

extension SharedReader: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(wrappedValue)
  }
}

extension SharedReader: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: CustomStringConvertible {
  public var description: String { "\(Self.self)(\(wrappedValue))" }
}

extension SharedReader: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: SharedValue {
  package var sharedValue: Any { wrappedValue }
}
