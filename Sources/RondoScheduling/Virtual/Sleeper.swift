// A task that sleeps on a timeline.

import Synchronization

/// The meeting point of a task that falls asleep, the time that wakes it, and its cancellation.
/// These come in any order and from any thread. The task is resumed exactly once.
final class Sleeper: Sendable {
  let origin = WaitOrigin.current
  let taskName = Task<Never, Never>.name
  /// Whether the task goes on when a host wants it to.
  let isHosted = TimelineHosts.atWork != nil
  private let timeline: TestTimeline
  private let state = Mutex(State.awake)

  private enum State {
    /// The task has not been suspended yet.
    case awake
    /// The task is suspended. It has no ticket for the moment in which it is put on the timeline.
    case asleep(UnsafeContinuation<Void, any Error>, TestTimeline.Ticket?)
    /// The task has been resumed, or was cancelled before it could be suspended.
    case done
  }

  init(timeline: TestTimeline) {
    self.timeline = timeline
  }

  func fallAsleep(_ continuation: UnsafeContinuation<Void, any Error>, until due: Duration) {
    let wasCancelled = state.withLock { state in
      guard case .awake = state else { return true }
      state = .asleep(continuation, nil)
      return false
    }
    guard !wasCancelled else { return continuation.resume(throwing: CancellationError()) }
    let ticket = timeline.insert(.sleeper(self), due: due)
    let isAsleep = state.withLock { state in
      guard case .asleep(let continuation, nil) = state else { return false }
      state = .asleep(continuation, ticket)
      return true
    }
    if !isAsleep { timeline.remove(ticket) }
  }

  /// Resumes the task. The timeline has taken the sleeper off and counts it as waking.
  func wake() {
    guard let (continuation, _) = finish() else { return didWake() }
    continuation.resume()
  }

  /// Tells the timeline that the task goes on.
  func didWake() {
    if !isHosted { timeline.didWake() }
  }

  /// Takes the sleeper off the timeline and makes its task throw.
  func cancel() {
    guard let (continuation, ticket) = finish() else { return }
    if let ticket { timeline.remove(ticket) }
    continuation.resume(throwing: CancellationError())
  }

  private func finish() -> (UnsafeContinuation<Void, any Error>, TestTimeline.Ticket?)? {
    state.withLock { state in
      defer { state = .done }
      guard case .asleep(let continuation, let ticket) = state else { return nil }
      return (continuation, ticket)
    }
  }
}

extension TestTimeline {
  /// Suspends the task until the timeline has come to an instant.
  ///
  /// The sleeper is put on the timeline on the caller's executor, before the task gives it up. An
  /// instant that has passed is due now, that is, when time is next advanced.
  nonisolated(nonsending) func sleep(until due: Duration) async throws {
    guard !Task.isCancelled else {
      // Other tasks get a turn, also in a loop that goes on after its cancellation.
      await Task.yield()
      throw CancellationError()
    }
    let due = max(due, elapsed)
    let observer = RecordingsInProgress.waitObserver
    observer?.willWait(on: .clock, for: due - elapsed, since: nil)
    defer { observer?.didWait() }
    try await fallAsleep(until: due)
  }

  /// Suspends the task until the timeline lets it go on, behind the tasks that came before. No time passes
  /// meanwhile, and no recording shows a wait.
  nonisolated(nonsending) func sleepInLine() async throws {
    try await fallAsleep(until: elapsed)
  }

  private nonisolated(nonsending) func fallAsleep(until due: Duration) async throws {
    let sleeper = Sleeper(timeline: self)
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { sleeper.fallAsleep($0, until: due) }
    } onCancel: {
      sleeper.cancel()
    }
    sleeper.didWake()
  }
}
