// The names of schedulers, by which recordings tell them from each other.

import Dispatch
import Foundation
import RondoAnimation

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
    AnyScheduler(WrappingScheduler(base: self, name: name))
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

/// A scheduler with a name of its own, or whose work runs inside a transaction.
struct WrappingScheduler<Base: Scheduler>: Scheduler, NameGiving {
  typealias SchedulerTimeType = Base.SchedulerTimeType
  typealias SchedulerOptions = Base.SchedulerOptions

  let base: Base
  var name: String?
  var transaction: Transaction?

  /// The name as it is spelled in a program: `mainQueue.animation()`.
  var recordedName: String? {
    guard let transaction, let name = base.nameForRecordings else { return name }
    let tag = transaction.description
    if tag == Transaction(animation: .default).description { return "\(name).animation()" }
    return transaction.isEmpty ? name : "\(name).transaction(\(tag))"
  }

  private func wrapped(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let transaction else { return work }
    return { withTransaction(transaction, work) }
  }

  var now: SchedulerTimeType { base.now }
  var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    base.schedule(options: options, wrapped(work))
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, wrapped(work))
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, wrapped(work))
  }
}
