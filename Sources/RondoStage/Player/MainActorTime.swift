// A scheduler as the main actor sees it: durations since a beginning, and work on the main actor.

import RondoAnimation
import RondoScheduling

/// A scheduler as the main actor sees it: time as durations since its beginning, and work that runs
/// on the main actor.
@MainActor
struct MainActorTime {
  let now: () -> Duration
  /// Runs work at a duration since the beginning.
  let at: (Duration, @escaping @MainActor @Sendable () -> Void) -> Void
  /// Runs work again and again, from one interval on.
  let every: (Duration, @escaping @MainActor @Sendable () -> Void) -> any Cancellable

  init<S: Scheduler>(_ scheduler: S) {
    let origin = scheduler.now
    now = { origin.distance(to: scheduler.now).duration }
    at = { instant, work in
      scheduler.schedule(after: origin.advanced(by: S.SchedulerTimeType.Stride(instant))) {
        onMainActor(work)
      }
    }
    every = { interval, work in
      let stride = S.SchedulerTimeType.Stride(interval)
      let start = scheduler.now.advanced(by: stride)
      return scheduler.schedule(after: start, interval: stride) { onMainActor(work) }
    }
  }
}

/// Runs work on the main actor: at once where the caller is there, else as soon as it is free.
private func onMainActor(_ work: @escaping @MainActor @Sendable () -> Void) {
  if MainThread.isCurrent {
    MainActor.assumeIsolated(work)
  } else {
    Task { @MainActor in work() }
  }
}
