// A repetition on a dispatch queue.

import Dispatch

/// A timer of Dispatch that, once cancelled from whichever thread, does not fire any more.
package enum DispatchTimer {
  /// Starts a repetition that ends when the result is cancelled or released.
  package static func start(
    on queue: DispatchQueue,
    at date: DispatchQueue.SchedulerTimeType,
    interval: DispatchQueue.SchedulerTimeType.Stride,
    tolerance: DispatchQueue.SchedulerTimeType.Stride,
    options: DispatchQueue.SchedulerOptions? = nil,
    _ work: @escaping @Sendable () -> Void
  ) -> AnyCancellable {
    let work = CancellableWork(work)
    // nonisolated(unsafe): a dispatch source may be used from any thread.
    nonisolated(unsafe) let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(
      deadline: date.dispatchTime,
      repeating: interval.timeInterval,
      leeway: max(tolerance, .zero).timeInterval
    )
    source.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      work.run()
    }
    source.resume()
    return AnyCancellable(stop: work.cancel) { source.cancel() }
  }
}
