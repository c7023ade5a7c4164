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

  /// A number of seconds, or the end of the range; zero for what is not a number.
  init(clampingSeconds seconds: Double) {
    guard !seconds.isNaN else {
      self = .zero
      return
    }
    // 2¹²⁷ attoseconds, the first Double above the range.
    let limit = 0x1p127 / 1e18
    guard seconds.magnitude < limit else {
      self = Duration(attoseconds: seconds < 0 ? .min : .max)
      return
    }
    self = .seconds(seconds)
  }
}
