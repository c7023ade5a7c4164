// Sums of durations that stop at the ends of the range instead of trapping.

extension Duration {
  /// The longest duration there is, some 5 · 10¹² years.
  static var longest: Duration { Duration(attoseconds: .max) }

  /// The sum, or the end of the range that it runs past.
  func addingSaturating(_ other: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    guard overflow else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: other.attoseconds < 0 ? .min : .max)
  }

  /// The difference, or the end of the range that it runs past.
  func subtractingSaturating(_ other: Duration) -> Duration {
    let (difference, overflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    guard overflow else { return Duration(attoseconds: difference) }
    return Duration(attoseconds: other.attoseconds < 0 ? .max : .min)
  }

  /// A number of seconds, rounded down to an attosecond, or the end of the range. A value that is
  /// not a number becomes zero.
  ///
  /// It is computed in whole numbers, so that the later one of two instants stays later.
  init(clampingSeconds seconds: Double) {
    // A number that is not normal is zero, far below an attosecond, infinite, or not a number.
    guard seconds.isNormal || seconds.isInfinite else {
      self = .zero
      return
    }
    // 2¹²⁷ attoseconds, the first Double above the range.
    guard seconds.magnitude < 0x1p127 / 1e18 else {
      self = Duration(attoseconds: seconds < 0 ? .min : .max)
      return
    }
    let wholeSignificand = seconds.significandBitPattern | 1 << Double.significandBitCount
    // seconds = significand · 2^exponent; below the limit, 10¹⁸ · significand takes 113 bits.
    let exponent = Int(seconds.exponent) - Double.significandBitCount
    let significand = Int128(seconds.sign == .minus ? -1 : 1) * Int128(wholeSignificand)
    let attoseconds = significand * 1_000_000_000_000_000_000
    self = Duration(
      attoseconds: exponent < 0 ? attoseconds >> -exponent : attoseconds << exponent
    )
  }
}
