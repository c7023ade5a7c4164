// A repetition on a dispatch queue.

import Dispatch
import Synchronization

/// Wraps a timer of Dispatch, and adds that no run begins after it has been cancelled, whichever
/// thread cancels.
final class DispatchTimer: Sendable {
  // nonisolated(unsafe): a dispatch source may be used from any thread; the reference never changes.
  private nonisolated(unsafe) let source: any DispatchSourceTimer
  private let work: Mutex<(@Sendable () -> Void)?>

  private init(queue: DispatchQueue, work: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: queue)
    self.work = Mutex(work)
  }

  /// Starts a repetition that ends when the result is cancelled or released.
  static func start(
    on queue: DispatchQueue,
    at date: DispatchQueue.SchedulerTimeType,
    interval: DispatchQueue.SchedulerTimeType.Stride,
    tolerance: DispatchQueue.SchedulerTimeType.Stride,
    options: DispatchQueue.SchedulerOptions? = nil,
    _ work: @escaping @Sendable () -> Void
  ) -> AnyCancellable {
    let timer = DispatchTimer(queue: queue, work: work)
    timer.source.schedule(
      deadline: date.dispatchTime,
      repeating: interval.timeInterval,
      leeway: max(tolerance, .zero).timeInterval
    )
    timer.source.setEventHandler(
      qos: options?.qos ?? .unspecified,
      flags: options?.flags ?? []
    ) { [weak timer] in
      timer?.tick()
    }
    timer.source.resume()
    return AnyCancellable { timer.cancel() }
  }

  private func tick() {
    guard let work = work.withLock({ $0 }) else { return }
    runUntagged(work)
  }

  private func cancel() {
    // Taken out under the lock and released after it: what the work holds may do anything then.
    let released = work.withLock { work in
      defer { work = nil }
      return work
    }
    source.cancel()
    _ = released
  }
}
