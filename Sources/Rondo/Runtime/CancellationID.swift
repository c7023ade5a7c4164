// The ids that effects are cancelled by.

/// A cancellation id: a value of any type, in a box that also stores its hash.
///
/// Ids are equal when their values are, and are of one type. An id is looked up several times in
/// the life of an effect, and comparing values whose types have been erased is slow.
@usableFromInline
class CancellationID: Hashable, @unchecked Sendable {
  // @unchecked: immutable; the only subclass stores a `Sendable` value.
  fileprivate let valueHash: Int

  @usableFromInline
  init(hash: Int) {
    valueHash = hash
  }

  /// The value, for messages.
  var base: AnyHashable {
    preconditionFailure("\(type(of: self)) has no value.")
  }

  @usableFromInline
  func hasValue(of other: CancellationID) -> Bool {
    preconditionFailure("\(type(of: self)) has no value.")
  }

  @usableFromInline
  static func == (lhs: CancellationID, rhs: CancellationID) -> Bool {
    lhs === rhs || lhs.valueHash == rhs.valueHash && lhs.hasValue(of: rhs)
  }

  @usableFromInline
  final func hash(into hasher: inout Hasher) {
    hasher.combine(valueHash)
  }
}

@usableFromInline
final class TypedCancellationID<Value: Hashable & Sendable>: CancellationID, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
    super.init(hash: value.hashValue)
  }

  override var base: AnyHashable { AnyHashable(value) }

  @usableFromInline
  override func hasValue(of other: CancellationID) -> Bool {
    guard let other = other as? Self else { return false }
    return other.value == value
  }
}

/// A cancellation id together with a place at or above the effect that carries it.
struct ScopedID: Hashable {
  let id: CancellationID
  let path: NavigationPath?
  /// The stored hash. A table that grows asks for the hash of every key that it holds.
  private let hash: Int

  init(id: CancellationID, path: NavigationPath?) {
    self.id = id
    self.path = path
    hash = id.valueHash ^ (path?.hash ?? 0)
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.hash == rhs.hash && lhs.id == rhs.id && lhs.path == rhs.path
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
