// The names of schedulers, by which recordings tell them from each other.

import Dispatch
import Foundation

extension Scheduler {
  /// This scheduler with a name, which recordings of its waits give. A dispatch queue has its label, and an operation
  /// queue its name, unless they are given another one here.
  ///
  /// ```swift
  /// $0.mainQueue = timeline.scheduler.named("mainQueue")
  /// ```
  ///
  /// - Parameter name: The name, for people.
  public func named(_ name: String) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    AnyScheduler(SchedulerWithName(base: self, recordedName: name))
  }

  /// The name that recordings give; `nil` where there is none.
  package var nameForRecordings: String? { (self as? any NameGiving)?.recordedName }
}

/// A scheduler that may have a name.
protocol NameGiving {
  /// The name; `nil` where there is none.
  var recordedName: String? { get }
}

extension DispatchQueue: NameGiving {
  var recordedName: String? {
    label == "com.apple.main-thread" ? "main" : label.isEmpty ? nil : label
  }
}

extension OperationQueue: NameGiving {
  var recordedName: String? { self === OperationQueue.main ? "main" : name }
}

extension AnyScheduler: NameGiving {
  var recordedName: String? { nameOfBase }
}

/// A scheduler with a name of its own.
private struct SchedulerWithName<Base: Scheduler>: Scheduler, NameGiving {
  typealias SchedulerTimeType = Base.SchedulerTimeType
  typealias SchedulerOptions = Base.SchedulerOptions

  let base: Base
  let recordedName: String?

  var now: SchedulerTimeType { base.now }
  var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    base.schedule(options: options, work)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, work)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, work)
  }
}
