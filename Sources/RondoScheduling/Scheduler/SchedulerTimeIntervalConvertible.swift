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
    let (seconds, nanoseconds) = (duration.attoseconds / 1_000_000_000)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    let limit = Int128(Self.wholeSecondsLimit)
    self = .seconds(Int(min(max(seconds, -limit), limit))) + .nanoseconds(Int(nanoseconds))
  }

  public var duration: Duration {
    guard self >= .zero else {
      // The most negative value of a fixed-width stride has no positive counterpart.
      let magnitude = max(self, Self(.seconds(-Self.wholeSecondsLimit)))
      return .zero - (.zero - magnitude).duration
    }
    let seconds = Self.largest(upTo: Self.wholeSecondsLimit) { .seconds(Int($0)) <= self }
    let rest = self - .seconds(Int(seconds))
    let nanoseconds = Self.largest(upTo: 999_999_999) { .nanoseconds(Int($0)) <= rest }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// About 272 years: what fits into 64 bits of nanoseconds, which is what strides are made of.
  private static var wholeSecondsLimit: Int64 { 1 << 33 }

  /// The largest number in `0...limit` that fits, for a predicate that is true up to some number.
  ///
  /// It gallops first, so that no value above twice the result is ever made.
  private static func largest(upTo limit: Int64, where fits: (Int64) -> Bool) -> Int64 {
    var step: Int64 = 1
    while step < limit, fits(step) { step *= 2 }
    var result: Int64 = 0
    while step > 0 {
      if result + step <= limit, fits(result + step) { result += step }
      step /= 2
    }
    return result
  }
}
