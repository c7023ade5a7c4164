// Work that nobody waits for.

/// Starts work that nobody waits for.
///
/// In the program it goes on by itself; in tests it is waited for, so that it is over when the
/// effect is.
public struct FireAndForget: Sendable {
  private let operation:
    @Sendable (TaskPriority?, @escaping @Sendable () async throws -> Void) async -> Void

  init(
    _ operation:
      @escaping @Sendable (TaskPriority?, @escaping @Sendable () async throws -> Void) async -> Void
  ) {
    self.operation = operation
  }

  /// Starts work. An error that it throws is dropped.
  public func callAsFunction(
    priority: TaskPriority? = nil,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async {
    await self.operation(priority, operation)
  }
}

extension DependencyValues {
  /// Starts work that nobody waits for; in tests it is waited for.
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }
}

private enum FireAndForgetKey: DependencyKey {
  static let liveValue = FireAndForget { priority, operation in
    Task(priority: priority) { try await operation() }
  }
  static let testValue = FireAndForget { _, operation in try? await operation() }
}
