// The tag that travels with an action: how its change of state is to be shown.

/// The context of a change of state: the animation that shows it, and whatever else
/// its keys carry.
///
/// A transaction is a small value of keyed slots. A slot that nobody has set is *unset*: reading it
/// gives the key's default, and merging leaves the other side's value alone. A slot that has been
/// set to `nil` is set, and wins in a merge. That is how `withAnimation(nil)` silences an animation
/// around it.
///
/// ```swift
/// var transaction = Transaction(animation: .easeInOut)
/// transaction.isContinuous = true
/// withTransaction(transaction) { store.send(.dragged(point)) }
/// ```
///
/// An empty transaction takes one word and no allocation.
public struct Transaction: Sendable {
  var storage: TransactionStorage?

  /// A transaction in which nothing is set.
  public init() {}

  /// A transaction that sets the animation, to `nil` if that is what is given.
  public init(animation: Animation?) {
    self[AnimationKey.self] = animation
  }

  init(storage: TransactionStorage?) {
    self.storage = storage
  }

  /// Whether no slot is set. An action with an empty transaction is *untagged*.
  public var isEmpty: Bool { storage == nil }

  /// Reads and writes a slot. Reading an unset one gives the key's default.
  ///
  /// Complexity: O(*k*) in the number of slots that are set.
  public subscript<Key: TransactionKey>(key: Key.Type) -> Key.Value {
    get {
      guard let entry = storage?.entry(for: ObjectIdentifier(key)) else { return Key.defaultValue }
      return unsafeDowncast(entry, to: TypedTransactionEntry<Key>.self).value
    }
    set {
      set(TypedTransactionEntry(key, value: newValue))
    }
  }

  /// Whether a slot is set, if only to its default or to `nil`.
  public func isSet<Key: TransactionKey>(_ key: Key.Type) -> Bool {
    storage?.entry(for: ObjectIdentifier(key)) != nil
  }

  /// This transaction with every slot that `other` sets taken from there.
  ///
  /// Merging is associative, and the empty transaction is its identity on both sides.
  public func merging(_ other: Transaction) -> Transaction {
    guard let theirs = other.storage else { return self }
    guard storage != nil, storage !== theirs else { return other }
    var merged = self
    for entry in theirs.entries {
      merged.set(entry)
    }
    return merged
  }

  /// Takes over every slot that `other` sets.
  public mutating func merge(_ other: Transaction) {
    self = merging(other)
  }

  private mutating func set(_ entry: TransactionEntry) {
    var entries = storage?.entries ?? []
    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
    storage = TransactionStorage(entries)
  }
}

/// The slots that are set, in the order in which they were first set. Never empty.
final class TransactionStorage: Sendable {
  let entries: [TransactionEntry]

  init(_ entries: [TransactionEntry]) {
    self.entries = entries
  }

  func entry(for key: ObjectIdentifier) -> TransactionEntry? {
    entries.first { $0.key == key }
  }
}

extension Transaction: Equatable {
  /// Whether both set the same slots to equal values, in whichever order they were set.
  public static func == (lhs: Transaction, rhs: Transaction) -> Bool {
    guard lhs.storage !== rhs.storage else { return true }
    guard let ours = lhs.storage, let theirs = rhs.storage else { return false }
    guard ours.entries.count == theirs.entries.count else { return false }
    return ours.entries.allSatisfy { entry in
      theirs.entry(for: entry.key).map(entry.isEqual(to:)) ?? false
    }
  }
}

extension Transaction: CustomStringConvertible {
  /// `untagged`, the animation (`.default`), or the slots that are set with their names.
  public var description: String {
    guard let storage else { return "untagged" }
    return storage.entries.map(\.label).joined(separator: ", ")
  }
}

// MARK: - The keys that come with the package

/// The slot of ``Transaction/animation``.
public struct AnimationKey: TransactionKey {
  public static var defaultValue: Animation? { nil }
}

/// The slot of ``Transaction/disablesAnimations``.
private struct DisablesAnimationsKey: TransactionKey {
  static var defaultValue: Bool { false }
}

/// The slot of ``Transaction/isContinuous``.
private struct IsContinuousKey: TransactionKey {
  static var defaultValue: Bool { false }
}

extension Transaction {
  /// The animation with which the change is to be shown; `nil` shows it at once.
  ///
  /// `nil` is also what an unset slot reads as; ``isSet(_:)`` tells the two apart.
  public var animation: Animation? {
    get { self[AnimationKey.self] }
    set { self[AnimationKey.self] = newValue }
  }

  /// Whether implicit animations (those a view tree asks for by itself) are silenced.
  public var disablesAnimations: Bool {
    get { self[DisablesAnimationsKey.self] }
    set { self[DisablesAnimationsKey.self] = newValue }
  }

  /// Whether the change is one of a continuous interaction, such as a drag.
  public var isContinuous: Bool {
    get { self[IsContinuousKey.self] }
    set { self[IsContinuousKey.self] = newValue }
  }
}
