// Lengths of time that can be written as seconds, milliseconds and so on, and as a `Duration`.

/// A length of time that can be made from a number of seconds, or of smaller units.
///
/// `.seconds(1.5)`, `.milliseconds(300)`, or a bare number where the type is also a literal, as
/// the strides of the schedulers in this package are: `scheduler.now.advanced(by: 1.5)`.
public protocol SchedulerTimeIntervalConvertible: Sendable {
  /// A whole number of seconds.
  static func seconds(_ s: Int) -> Self

  /// A number of seconds.
  static func seconds(_ s: Double) -> Self

  /// A whole number of milliseconds.
  static func milliseconds(_ ms: Int) -> Self

  /// A whole number of microseconds.
  static func microseconds(_ us: Int) -> Self

  /// A whole number of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self

  /// The same length of time. There is an implementation for every stride, good to a nanosecond.
  init(_ duration: Duration)

  /// The same length of time. There is an implementation for every stride, good to a nanosecond,
  /// which finds the value by comparing: O(log *n*) in the number of nanoseconds.
  var duration: Duration { get }
}

extension SchedulerTimeIntervalConvertible {
  /// A number of milliseconds.
  public static func milliseconds(_ ms: Double) -> Self { .seconds(ms / 1e3) }

  /// A number of microseconds.
  public static func microseconds(_ us: Double) -> Self { .seconds(us / 1e6) }

  /// A number of nanoseconds.
  public static func nanoseconds(_ ns: Double) -> Self { .seconds(ns / 1e9) }
}

extension SchedulerTimeIntervalConvertible where Self: SignedNumeric & Comparable {
  public init(_ duration: Duration) {
    self = .nanoseconds(Int(clamping: Int64(nanosecondsIn: duration)))
  }

  public var duration: Duration {
    guard self >= .zero else {
      // The most negative value of a fixed-width stride has no positive counterpart.
      return .zero - (.zero - max(self, .nanoseconds(-.max))).duration
    }
    return .nanoseconds(Self.smallestNumberOfNanoseconds(reaching: self))
  }

  /// The smallest number of nanoseconds that is not less than a stride, or the largest number there
  /// is. Where the stride is coarser, that is what it was made from.
  ///
  /// It doubles first and then halves, so that no stride above twice the given one is ever made.
  private static func smallestNumberOfNanoseconds(reaching stride: Self) -> Int {
    guard .zero < stride else { return 0 }
    var step = 1
    while step <= .max / 2, .nanoseconds(step) < stride { step *= 2 }
    var tooFew = 0
    while step > 0 {
      let (candidate, overflow) = tooFew.addingReportingOverflow(step)
      if !overflow, .nanoseconds(candidate) < stride { tooFew = candidate }
      step /= 2
    }
    return tooFew == .max ? .max : tooFew + 1
  }
}
