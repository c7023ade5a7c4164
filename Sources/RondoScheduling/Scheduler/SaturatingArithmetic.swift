// Arithmetic on nanoseconds that stops at the ends of the range instead of trapping.

extension Int64 {
  /// The sum, or the end of the range that it runs past.
  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }

  /// The difference, or the end of the range that it runs past.
  func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other < 0 ? .max : .min
  }

  /// The product, or the end of the range that it runs past.
  func multipliedSaturating(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }

  /// A number of seconds in nanoseconds, rounded to the nearest. What does not fit becomes the
  /// longest time of that sign; what is not a number becomes zero. Neither is silent.
  init(nanosecondsIn seconds: Double) {
    let nanoseconds = (checkedSeconds(seconds) * 1e9).rounded()
    // 2⁶³ is the first Double above the range; -2⁶³ is in it.
    guard nanoseconds < 0x1p63 else {
      self = .max
      return
    }
    self = nanoseconds < -0x1p63 ? .min : Int64(nanoseconds)
  }

  /// A duration in nanoseconds, rounded towards zero, or the end of the range.
  init(nanosecondsIn duration: Duration) {
    self.init(clamping: duration.attoseconds / 1_000_000_000)
  }
}

/// The given number of seconds if it is finite; else that is reported, and the nearest finite one is
/// given, which is zero for what is not a number.
package func checkedSeconds(_ seconds: Double) -> Double {
  guard !seconds.isFinite else { return seconds }
  reportIssue(
    """
    A duration of \(seconds) seconds was asked for. \
    \(seconds.isNaN ? "It counts as zero" : "It counts as the longest there is"); \
    look for a division by zero or an overflow where it is computed, or pass a finite number.
    """
  )
  return seconds.clampedToFinite
}

extension Double {
  /// The largest number of its sign for an infinity, zero for what is not a number.
  var clampedToFinite: Double {
    guard !isFinite else { return self }
    guard !isNaN else { return 0 }
    return self < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
  }
}
