// Noticing work that puts more work on the timeline for ever.

/// The rounds that an instant takes: what is due when it begins is the first, what that puts on the
/// timeline for the same instant is the second, and so on.
///
/// How much is due in a round makes no difference: a million pieces of work for one instant are one
/// round.
struct Rounds {
  /// After how many rounds in one instant, or in a whole run, it is given up.
  let limit: Int
  /// After how many rounds of all instants together it is given up; `nil` for no limit. A long
  /// simulation has many, so it is ten times the other limit.
  let limitOfRun: Int?
  private var instant: Duration?
  private var count = 0
  /// The last that was on the timeline when the round began.
  private var lastSequence: UInt64 = 0
  /// The same for the whole run: how many times work has put new work on the timeline.
  private var runCount = 0
  private var lastSequenceOfRun: UInt64 = .max

  /// Rounds that are counted.
  ///
  /// - Parameter isRun: Whether time moves until nothing is left, so that work which puts more work
  ///   on later instants keeps it moving for ever.
  init(limit: Int, isRun: Bool = false) {
    self.limit = limit
    limitOfRun = isRun ? 10 * limit : nil
  }

  /// Whether the limit has been reached within one instant.
  var areEndless: Bool { count >= limit }

  /// Whether the limit has been reached by all instants together.
  var areEndlessTogether: Bool { limitOfRun.map { runCount >= $0 } ?? false }

  /// Notes what is to run next. Returns whether it may.
  ///
  /// - Parameter lastSequence: How much has ever been put on the timeline.
  mutating func mayRun(_ sequence: UInt64, at due: Duration, lastSequence: UInt64) -> Bool {
    if lastSequenceOfRun == .max {
      lastSequenceOfRun = lastSequence
    } else if sequence > lastSequenceOfRun {
      runCount += 1
      lastSequenceOfRun = lastSequence
    }
    if due != instant {
      (instant, count, self.lastSequence) = (due, 0, lastSequence)
    } else if sequence > self.lastSequence {
      count += 1
      self.lastSequence = lastSequence
    }
    return !areEndless && !areEndlessTogether
  }
}
