// Task-local values for asynchronous bodies that run where their caller runs.

extension TaskLocal {
  /// Runs an asynchronous body with a value, on the isolation of the caller.
  ///
  /// `withValue` runs a body that is marked `nonisolated(nonsending)` without an isolation: after its first suspension
  /// it goes on in the concurrent pool.
  package nonisolated(nonsending) func whileSet<Result>(
    to value: Value, _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await whileSet(to: value, on: #isolation, body)
  }

  private func whileSet<Result>(
    to value: Value, on isolation: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(
      value,
      operation: {
        // The closure runs on the isolation that it captures.
        _ = isolation
        return try await body()
      }, isolation: isolation)
  }
}
