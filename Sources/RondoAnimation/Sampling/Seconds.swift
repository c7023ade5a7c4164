// Seconds as a floating-point number, to the nanosecond.

extension Duration {
  /// Seconds as a duration that can be added to others without overflow: at most some 35,000 years,
  /// and zero for what is not a number.
  package init(clamping seconds: Double) {
    let limit = 0x1p40
    self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -limit), limit))
  }

  /// The duration in seconds, exact to the nanosecond: a whole number of nanoseconds gives the
  /// `Double` that is closest to it, so that 350 ms is 0.35.
  package var seconds: Double {
    // The difference of two instants may have more seconds than `components` can say.
    guard (.seconds(-1 << 32) ..< .seconds(1 << 32)).contains(self) else {
      return self / .seconds(1)
    }
    let (whole, attoseconds) = components
    return Double(whole * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9
  }
}
