// Dispatch queues as schedulers.

import Dispatch
import RondoAnimation
import Synchronization

extension DispatchQueue: Scheduler {
  /// The options for a piece of work on a dispatch queue.
  public struct SchedulerOptions: Sendable {
    /// The quality of service of the work.
    public var qos: DispatchQoS

    /// The behaviour of the work, such as `.barrier`.
    public var flags: DispatchWorkItemFlags {
      get { DispatchWorkItemFlags(rawValue: rawFlags) }
      set { rawFlags = newValue.rawValue }
    }

    /// The group that the work belongs to until it has run. A repetition belongs to none.
    public var group: DispatchGroup?

    // Kept raw because Dispatch has not marked its flags Sendable.
    private var rawFlags: UInt

    /// Creates options; those that are left out are Dispatch's defaults.
    public init(
      qos: DispatchQoS = .unspecified,
      flags: DispatchWorkItemFlags = [],
      group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.group = group
      rawFlags = flags.rawValue
    }
  }

  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    let untagged: @Sendable () -> Void = { runUntagged(work) }
    guard let options else { return async(execute: untagged) }
    async(group: options.group, qos: options.qos, flags: options.flags, execute: untagged)
  }

  /// Runs work at some time after an instant. Dispatch on Linux aims for the instant itself, which
  /// is within any tolerance.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    guard let options else {
      return asyncAfter(deadline: date.dispatchTime) { runUntagged(work) }
    }
    let group = options.group
    group?.enter()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
      runUntagged(work)
      group?.leave()
    }
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard isUsable(interval: interval, of: "Work on a dispatch queue") else {
      return AnyCancellable {}
    }
    return DispatchTimer.start(
      on: self,
      at: date,
      interval: interval,
      tolerance: tolerance,
      options: options,
      work
    )
  }
}
