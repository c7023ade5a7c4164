// A shared value that its holder cannot change.

/// A value that several features hold, for a feature that only reads it.
///
/// ```swift
/// @SharedReader(.appStorage("isSoundOn")) var isSoundOn = true
/// ```
///
/// See ``Shared``. All variables with the same key share the value. `SharedReader($count)` makes a
/// reader of a ``Shared`` value.
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value> {
  let handle: SharedHandle<Value>

  var reference: SharedReference<Value> { handle.reference }

  init(reference: SharedReference<Value>) {
    handle = SharedHandle(reference)
  }

  /// A value that nobody changes.
  public init(value: Value) {
    self.init(reference: SharedBox(value))
  }

  /// A reader of the value that another reader reads.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }

  /// A shared value, to be read only.
  public init(_ base: Shared<Value>) {
    self.init(reference: base.reference)
  }

  /// A shared value where an optional one is asked for.
  public init<Wrapped>(_ base: SharedReader<Wrapped>) where Value == Wrapped? {
    self.init(reference: SharedWrapped(base.reference))
  }

  /// A shared optional that is not `nil`; `nil` where it is.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = SharedUnwrapped(base.reference) else { return nil }
    self.init(reference: reference)
  }

  /// A shared optional that is not `nil`, to be read only; `nil` where it is.
  public init?(_ base: Shared<Value?>) {
    self.init(SharedReader<Value?>(base))
  }

  /// The value.
  public var wrappedValue: Value { reference.read() }

  /// The projection `$count`, which is handed to others so that they read the value.
  ///
  /// Assigning to it makes this variable and all of its copies read what the other one reads.
  public var projectedValue: SharedReader {
    get {
      reference.root.noteRead()
      return self
    }
    nonmutating set { show(newValue.reference) }
  }

  func show(_ reference: SharedReference<Value>) {
    handle.show(reference)
  }

  /// A part of the value.
  public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> SharedReader<Member> {
    SharedReader<Member>(reference: SharedMapped(reference) { $0[keyPath: keyPath] })
  }

  /// A reader of the result of a closure, which is called with the value whenever it is read.
  ///
  /// - Parameter body: Makes the result. Called for every reading.
  public func read<Member>(_ body: @escaping @Sendable (Value) -> Member) -> SharedReader<Member> {
    SharedReader<Member>(reference: SharedMapped(reference, body))
  }
}

extension SharedReader where Value: Sendable {
  /// The value now, and after every change. Changes that come faster than they are read are counted
  /// as one.
  public var values: AsyncStream<Value> { handle.values() }

  /// The value now, and after every change. What is not read yet is kept.
  package var everyValue: AsyncStream<Value> { handle.values(.unbounded) }
}

extension SharedReader: @unchecked Sendable where Value: Sendable {}

extension SharedReader: Equatable where Value: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.reference.isEqual(to: rhs.reference)
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
  public var description: String { "\(Self.self)(\(reference.description))" }
}

extension SharedReader: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: SharedValue {
  package var sharedValue: Any { wrappedValue }
  package var sharedID: ObjectIdentifier { ObjectIdentifier(reference.root) }
  package var isReader: Bool { true }
  package var isKeyed: Bool { reference.root.isKeyed }
}
