// Schedulers whose work runs inside a transaction. This file knows schedulers and transactions,
// and nothing else.

import RondoAnimation

extension Scheduler {
  /// This scheduler, with all work run inside a transaction.
  ///
  /// Time, tolerance, options, order and cancellation are those of this scheduler. Transforms
  /// compose: slots that a later one sets win, the others stay.
  ///
  /// - Parameter transaction: What the work is tagged with.
  public func transaction(
    _ transaction: Transaction
  ) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    AnyScheduler(TaggingScheduler(base: self, transaction: transaction))
  }

  /// This scheduler, with all work run inside a transaction that sets one slot.
  ///
  /// ```swift
  /// mainQueue.transaction(\.isContinuous, true)
  /// ```
  public func transaction<Value>(
    _ keyPath: WritableKeyPath<Transaction, Value>,
    _ value: Value
  ) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    var transaction = Transaction()
    transaction[keyPath: keyPath] = value
    return self.transaction(transaction)
  }

  /// This scheduler, with all work run as though inside `withAnimation`.
  ///
  /// It is how the result of asynchronous work is shown with an animation, with nothing changed
  /// where the work is done or where the result is used:
  ///
  /// ```swift
  /// api.movies().receive(on: mainQueue.animation())
  /// api.movies().receive(on: mainQueue.animation(.easeOut(duration: 0.2)))
  /// ```
  ///
  /// - Parameter animation: The animation; `nil` shows the changes at once, whatever is around.
  public func animation(
    _ animation: Animation? = .default
  ) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    transaction(Transaction(animation: animation))
  }
}

/// A scheduler whose work runs inside a transaction.
private struct TaggingScheduler<Base: Scheduler>: Scheduler, NameGiving {
  typealias SchedulerTimeType = Base.SchedulerTimeType
  typealias SchedulerOptions = Base.SchedulerOptions

  let base: Base
  let transaction: Transaction

  /// The name as it is spelled in a program: `mainQueue.animation()`.
  var recordedName: String? {
    guard let name = base.nameForRecordings else { return nil }
    let tag = transaction.description
    if tag == Transaction(animation: .default).description { return "\(name).animation()" }
    return transaction.isEmpty ? name : "\(name).transaction(\(tag))"
  }

  var now: SchedulerTimeType { base.now }
  var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    base.schedule(options: options) { [transaction] in withTransaction(transaction, work) }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options) { [transaction] in
      withTransaction(transaction, work)
    }
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options) {
      [transaction] in withTransaction(transaction, work)
    }
  }
}
