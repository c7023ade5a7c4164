// Suspending a task on a scheduler's time.

import Synchronization

extension Scheduler {
  /// Suspends the task for at least a length of time.
  ///
  /// ```swift
  /// try await mainQueue.sleep(for: .milliseconds(300))
  /// ```
  ///
  /// - Parameters:
  ///   - duration: How long. Zero or less gives the scheduler one turn.
  ///   - tolerance: How much longer is still in order; by default the scheduler's least.
  ///   - options: Options of this scheduler.
  /// - Throws: `CancellationError`, at once, when the task is cancelled. Nothing is left behind on
  ///   the scheduler.
  public nonisolated(nonsending) func sleep(
    for duration: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) async throws {
    try await sleep(
      until: now.advanced(by: duration), asked: duration.duration, tolerance, options)
  }

  /// Suspends the task until an instant.
  ///
  /// - Parameters:
  ///   - deadline: Until when. One that has passed gives the scheduler one turn.
  ///   - tolerance: How much later is still in order; by default the scheduler's least.
  ///   - options: Options of this scheduler.
  /// - Throws: `CancellationError`, at once, when the task is cancelled. Nothing is left behind on
  ///   the scheduler.
  public nonisolated(nonsending) func sleep(
    until deadline: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) async throws {
    try await sleep(until: deadline, asked: nil, tolerance, options)
  }

  /// - Parameter duration: The time that was asked for; `nil` for what is left until the deadline.
  private nonisolated(nonsending) func sleep(
    until deadline: SchedulerTimeType,
    asked duration: Duration?,
    _ tolerance: SchedulerTimeType.Stride?,
    _ options: SchedulerOptions?
  ) async throws {
    try Task.checkCancellation()
    let observer = RecordingsInProgress.waitObserver
    observer?.willWait(
      on: .scheduler(name: nameForRecordings),
      for: duration ?? now.distance(to: deadline).duration, since: nil)
    defer { observer?.didWait() }
    let waiter = Waiter()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        waiter.wait(continuation) {
          scheduleOnce(after: deadline, tolerance: tolerance, options: options) {
            waiter.finish(.success(()))
          }
        }
      }
    } onCancel: {
      waiter.finish(.failure(CancellationError()))
    }
  }
}

/// The meeting point of a task that waits, the schedule that resumes it, and its cancellation.
private final class Waiter: Sendable {
  private enum State {
    case ready
    case waiting(UnsafeContinuation<Void, any Error>, AnyCancellable?)
    case done(Result<Void, any Error>)
  }

  private let state = Mutex(State.ready)

  /// Suspends on a schedule that is made here, unless the task has been cancelled already.
  func wait(
    _ continuation: UnsafeContinuation<Void, any Error>,
    on makeSchedule: () -> AnyCancellable
  ) {
    let early = state.withLock { state -> Result<Void, any Error>? in
      if case .done(let result) = state { return result }
      state = .waiting(continuation, nil)
      return nil
    }
    if let early { return continuation.resume(with: early) }
    let schedule = makeSchedule()
    // A schedule that came too late is released here, which cancels it.
    state.withLock { state in
      guard case .waiting(let continuation, nil) = state else { return }
      state = .waiting(continuation, schedule)
    }
  }

  func finish(_ result: Result<Void, any Error>) {
    let before = state.withLock { state in
      defer { if case .done = state {} else { state = .done(result) } }
      return state
    }
    guard case .waiting(let continuation, let schedule) = before else { return }
    schedule?.cancel()
    continuation.resume(with: result)
  }
}
