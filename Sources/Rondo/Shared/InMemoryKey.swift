// Shared values that last as long as the program.

/// Keeps a shared value for as long as the program runs.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
/// ```
public struct InMemoryKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let key: String
  private let storage: InMemoryStorage

  /// A key by its name.
  public init(_ key: String) {
    self.key = key
    storage = DependencyValues.current.defaultInMemoryStorage
  }

  public var id: InMemoryKeyID {
    InMemoryKeyID(key: key, storage: ObjectIdentifier(storage.values))
  }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: .success(storage.values.withLock { $0[key] } as? Value))
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    storage.values.withLock { $0[key] = value }
    continuation.resume()
  }

  public var description: String { ".inMemory(\(key.debugDescription))" }
}

/// What tells values in memory apart.
public struct InMemoryKeyID: Hashable, Sendable {
  let key: String
  let storage: ObjectIdentifier
}

extension SharedReaderKey {
  /// Keeps a shared value for as long as the program runs.
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// What values in memory are kept in.
public struct InMemoryStorage: Hashable, Sendable {
  let values = Locked<[String: any Sendable]>([:])

  /// An empty one.
  public init() {}

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.values === rhs.values }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(values))
  }
}
