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
    AnyScheduler(WrappingScheduler(base: self, transaction: transaction))
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
