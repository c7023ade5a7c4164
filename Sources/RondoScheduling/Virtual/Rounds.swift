// Noticing work that puts more work on the very instant that it runs at, for ever.

/// The rounds that an instant takes: what is due when it begins is the first, what that puts on the
/// timeline for the same instant is the second, and so on.
///
/// How much is due in a round makes no difference: a million pieces of work for one instant are one
/// round.
struct Rounds {
  /// After how many rounds in one instant it is given up.
  let limit: Int
  private var instant: Duration?
  private var count = 0
  /// The last that was on the timeline when the round began.
  private var lastSequence: UInt64 = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether the limit has been reached.
  var areEndless: Bool { count >= limit }

  /// Notes what is to run next. Returns whether it may.
  ///
  /// - Parameter lastSequence: How much has ever been put on the timeline.
  mutating func mayRun(_ sequence: UInt64, at due: Duration, lastSequence: UInt64) -> Bool {
    if due != instant {
      (instant, count, self.lastSequence) = (due, 0, lastSequence)
    } else if sequence > self.lastSequence {
      count += 1
      self.lastSequence = lastSequence
    }
    return !areEndless
  }
}
