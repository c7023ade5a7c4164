// Work that nobody waits for.

import Rondo

/// Starts work that nobody waits for.
///
/// The work is not cancelled with the task that starts it. In the program it goes on by itself. In
/// tests the caller waits for it, so that it is over when the effect is over.
public struct FireAndForget: Sendable {
  /// Takes the task that does the work: waits for it in tests, and does nothing in the program.
  private let didStart: @Sendable (Task<Void, Never>) async -> Void

  init(_ didStart: @escaping @Sendable (Task<Void, Never>) async -> Void) {
    self.didStart = didStart
  }

  /// Starts work. An error that it throws is reported, unless the work was cancelled.
  public func callAsFunction(
    priority: TaskPriority? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ operation: @escaping @Sendable () async throws -> Void
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    let task = Task(priority: priority) {
      do {
        try await operation()
      } catch is CancellationError {
      } catch {
        reportIssue("Work of 'fireAndForget' threw an error: \(error)", at: position)
      }
    }
    await didStart(task)
  }
}

extension DependencyValues {
  /// Starts work that nobody waits for. In tests the caller waits for it.
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }
}

private enum FireAndForgetKey: DependencyKey {
  static let liveValue = FireAndForget { _ in }
  static let testValue = FireAndForget { await $0.value }
}
