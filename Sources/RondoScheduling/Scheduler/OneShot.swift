// Work that runs once, later, and can be cancelled, on any scheduler.

import Synchronization

extension Scheduler {
  /// Runs work once at some time after an instant, unless it is cancelled before.
  ///
  /// Only the repeating endpoint of a scheduler can be cancelled. This one is built on it: the first
  /// run ends the repetition. When it is cancelled, the scheduler underneath lets go of the work.
  ///
  /// - Returns: A handle that cancels, also when it is released.
  package func scheduleOnce(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil,
    _ work: @escaping @Sendable () -> Void
  ) -> AnyCancellable {
    let shot = OneShot(work)
    let repetition = schedule(
      after: date,
      // Never reached by a scheduler that heeds cancellation; harmless on one that is late to.
      interval: .seconds(86_400),
      tolerance: tolerance ?? minimumTolerance,
      options: options
    ) {
      shot.fire()
    }
    shot.hold(repetition)
    return AnyCancellable(stop: shot.cancel) {}
  }
}

/// Runs its work at most once. The repetition that fires it may do so before it is known here.
private final class OneShot: Sendable {
  private enum State {
    case waiting(work: @Sendable () -> Void, repetition: (any Cancellable)?)
    case done
  }

  private let state: Mutex<State>

  init(_ work: @escaping @Sendable () -> Void) {
    state = Mutex(.waiting(work: work, repetition: nil))
  }

  func fire() {
    guard let (work, repetition) = finish() else { return }
    repetition?.cancel()
    work()
  }

  func cancel() {
    finish()?.repetition?.cancel()
  }

  /// Keeps the repetition, or ends it if there is nothing to wait for any more.
  func hold(_ repetition: any Cancellable) {
    let isDone = state.withLock { state in
      guard case .waiting(let work, _) = state else { return true }
      state = .waiting(work: work, repetition: repetition)
      return false
    }
    if isDone { repetition.cancel() }
  }

  private func finish() -> (work: @Sendable () -> Void, repetition: (any Cancellable)?)? {
    state.withLock { state in
      defer { state = .done }
      guard case .waiting(let work, let repetition) = state else { return nil }
      return (work, repetition)
    }
  }
}
