// Shared values that last as long as the program.

/// Keeps a shared value for as long as the program runs.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
/// ```
///
/// The value of the first declaration is kept. Later ones of the same key see it.
public struct InMemoryKey<Value: Sendable>: SharedKey, KeepingKey, CustomStringConvertible {
  private let key: String
  private let storage: InMemoryStorage

  /// A key by its name.
  public init(_ key: String) {
    self.key = key
    storage = DependencyValues.current.defaultInMemoryStorage
  }

  public var id: some Hashable & Sendable {
    StoragePlace(key: key, storage: ObjectIdentifier(storage.values))
  }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    let kept = storage.values.withLock { values in
      if values[key] == nil, let value = context.initialValue {
        values[key] = InMemoryValue(value: value)
      }
      return values[key] as? InMemoryValue<Value>
    }
    continuation.resume(with: .success(kept?.value))
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  var kept: Value? {
    storage.values.withLock { ($0[key] as? InMemoryValue<Value>)?.value }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    // The value before is released outside of the lock: its end may use the storage.
    let old = storage.values.withLock { $0.updateValue(InMemoryValue(value: value), forKey: key) }
    withExtendedLifetime(old) {}
    continuation.resume()
  }

  public var description: String { ".inMemory(\(key.debugDescription))" }
}

/// A value in memory. It tells a value that is `nil` from one that is not there.
private struct InMemoryValue<Value: Sendable>: Sendable {
  let value: Value
}

/// A place in a storage. Keys of the same place share one value.
struct StoragePlace<Key: Hashable & Sendable>: Hashable, Sendable {
  let key: Key
  let storage: ObjectIdentifier
}

extension SharedReaderKey {
  /// Keeps a shared value for as long as the program runs.
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// A place that values in memory are kept in.
public struct InMemoryStorage: Hashable, Sendable {
  let values = LockIsolated<[String: any Sendable]>([:])

  /// An empty one.
  public init() {}

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.values === rhs.values }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(values))
  }
}
