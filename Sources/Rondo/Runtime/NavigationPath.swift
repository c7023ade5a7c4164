// The place in a tree of features where an effect was returned. Cancellation ids are scoped to it.

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
