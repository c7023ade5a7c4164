// A typed slot of a transaction.

/// A slot that a ``Transaction`` can carry a value in.
///
/// Declare a type for the slot, then a property that reads and writes it:
///
/// ```swift
/// struct SourceKey: TransactionKey {
///   static let defaultValue = "unknown"
/// }
///
/// extension Transaction {
///   var source: String {
///     get { self[SourceKey.self] }
///     set { self[SourceKey.self] = newValue }
///   }
/// }
/// ```
///
/// Two transactions are equal when they set the same keys to equal values. A value whose type is
/// not `Equatable` is equal only to itself, that is, to what was copied from the same assignment.
public protocol TransactionKey<Value> {
  /// The type of the slot's value.
  associatedtype Value: Sendable

  /// The value of the slot while it is not set.
  static var defaultValue: Value { get }
}

/// One slot that is set. A class, so that copies of a transaction share it and a value that cannot
/// be compared still equals itself.
class TransactionEntry: @unchecked Sendable {
  // @unchecked: immutable after `init`, here and in the only subclass.
  let key: ObjectIdentifier

  init(key: ObjectIdentifier) {
    self.key = key
  }

  func isEqual(to other: TransactionEntry) -> Bool {
    self === other
  }

  var label: String { "" }
}

final class TypedTransactionEntry<Key: TransactionKey>: TransactionEntry, @unchecked Sendable {
  let value: Key.Value

  init(_ key: Key.Type, value: Key.Value) {
    self.value = value
    super.init(key: ObjectIdentifier(key))
  }

  override func isEqual(to other: TransactionEntry) -> Bool {
    guard self !== other else { return true }
    guard let other = other as? Self, let value = value as? any Equatable else { return false }
    return value.isEqual(to: other.value)
  }

  override var label: String {
    Key.self == AnimationKey.self ? "\(unwrapped)" : "\(Key.self): \(unwrapped)"
  }

  /// The value without the word `Optional` around it.
  private var unwrapped: Any {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value ?? "nil"
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    (other as? Self) == self
  }
}
