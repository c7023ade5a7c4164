// A limit on how long asynchronous work may take, and how long work has taken.

extension Scheduler {
  /// Runs an operation, and cancels it when it takes longer than allowed.
  ///
  /// ```swift
  /// let answer = try await mainQueue.timeout(for: .seconds(5)) { try await api.answer() }
  /// ```
  ///
  /// When the time is up the operation is cancelled. This returns when it has come to its end, so
  /// an operation that ignores cancellation is not cut short.
  ///
  /// - Parameters:
  ///   - duration: The longest time that the operation may take.
  ///   - tolerance: The extra time that is still allowed; by default the scheduler's least.
  ///   - options: Options of this scheduler.
  ///   - operation: The operation to run.
  /// - Returns: What the operation returns.
  /// - Throws: ``TimeoutError`` when the time was up first, else what the operation throws.
  public nonisolated(nonsending) func timeout<Output: Sendable>(
    for duration: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil,
    _ operation: @escaping @Sendable () async throws -> Output
  ) async throws -> Output {
    try await withThrowingTaskGroup(of: Output.self) { group in
      group.addTask { try await operation() }
      group.addTask {
        try await sleep(for: duration, tolerance: tolerance, options: options)
        throw TimeoutError()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }

  /// Measures how long some work takes, in this scheduler's time.
  ///
  /// ```swift
  /// let elapsed = DispatchQueue.main.measure { sort(&movies) }
  /// ```
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }

  /// Measures how long some asynchronous work takes, in this scheduler's time.
  public nonisolated(nonsending) func measure(
    _ work: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> SchedulerTimeType.Stride {
    let start = now
    try await work()
    return start.distance(to: now)
  }
}

/// Thrown when an operation has taken longer than it was allowed to.
public struct TimeoutError: Error, Hashable {
  /// Creates the error.
  public init() {}
}
