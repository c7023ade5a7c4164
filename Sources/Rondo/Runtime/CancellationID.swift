// The ids that effects are cancelled by, and the features that the ids belong to.

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

/// A persistent list of the features from the root down to one; `nil` stands for the root itself.
///
/// Two paths are equal when they name the same elements in the same order. Hashing and taking the
/// parent are O(1), comparing is O(depth).
final class NavigationPath: Hashable, @unchecked Sendable {
  // @unchecked: immutable, and elements are made from `Hashable & Sendable` values only.
  let parent: NavigationPath?
  let element: AnyHashable
  let hash: Int

  init(_ element: some Hashable & Sendable, under parent: NavigationPath?) {
    self.parent = parent
    self.element = AnyHashable(element)
    var hasher = Hasher()
    hasher.combine(parent?.hash)
    hasher.combine(self.element)
    hash = hasher.finalize()
  }

  static func == (lhs: NavigationPath, rhs: NavigationPath) -> Bool {
    var (left, right): (NavigationPath?, NavigationPath?) = (lhs, rhs)
    while let one = left, let other = right {
      guard one !== other else { return true }
      guard one.hash == other.hash, one.element == other.element else { return false }
      (left, right) = (one.parent, other.parent)
    }
    return left == nil && right == nil
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
