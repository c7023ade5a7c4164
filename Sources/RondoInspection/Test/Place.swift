// A place in the time of a test.

/// A place in the time of a test: a moment, and the order of jobs in it.
///
/// A job is queued by a user's action or by the end of a wait, and does what follows from it: it starts
/// effects, whose jobs are queued behind it, and these send actions, which start more effects. Jobs
/// run in the order in which they were queued. Waits that end at one time end in the order in which
/// they began.
final class Place: Comparable, Sendable {
  static let start = Place(time: 0, turn: 0)

  let time: TestPlan.Time
  /// The number of the user's action, of the wait, or of the effect.
  private let number: Int
  /// The place in which the wait began; `nil` for what is no end of a wait.
  private unowned let begun: Place?
  /// The place that queued the job; `nil` for a user's action and for the end of a wait.
  private unowned let cause: Place?
  /// The count of jobs since the user's action or the end of the wait.
  private let depth: Int
  /// The user's action, or the end of a wait, that everything here follows from; `nil` for such a one.
  private unowned let ancestor: Place?
  /// The entry of the plan whose time a test can choose: that of a user's action, or of an endpoint's answer.
  private let entry: Int?

  /// The place of a user's action, or of the end of a wait.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - turn: The number of the action or of the wait.
  ///   - begun: The place in which the wait began.
  ///   - entry: The entry of the plan, if a test can choose its time.
  init(time: TestPlan.Time, turn: Int, begun: Place? = nil, entry: Int? = nil) {
    self.time = time
    self.entry = entry
    self.begun = begun
    number = turn
    cause = nil
    ancestor = nil
    depth = 0
  }

  /// The place of an effect whose job is queued by another job.
  init(behind cause: Place, effect: Int) {
    self.cause = cause
    time = cause.time
    number = effect
    begun = nil
    ancestor = cause.root
    depth = cause.depth + 1
    entry = nil
  }

  /// The place of an effect that is a part of another one, and starts with it.
  init(in parent: Place, effect: Int) {
    cause = parent.cause ?? parent
    time = parent.time
    number = effect
    begun = nil
    ancestor = parent.root
    depth = parent.cause == nil ? parent.depth + 1 : parent.depth
    entry = nil
  }

  /// The place of an endpoint's answer that comes as soon as the endpoint is called.
  init(answerAt place: Place, entry: Int) {
    time = place.time
    number = place.number
    begun = place.begun
    cause = place.cause
    depth = place.depth
    ancestor = place.root
    self.entry = entry
  }

  /// The entries that this place follows from, and whose times a test can choose, the last one first.
  var choices: [Int] {
    var choices: [Int] = []
    var next: Place? = self
    while let place = next {
      var step: Place? = place
      while let here = step {
        if let entry = here.entry { choices.append(entry) }
        step = here.cause
      }
      let root = place.root
      if let entry = root.entry, choices.last != entry { choices.append(entry) }
      next = root.begun
    }
    return choices
  }

  /// The user's action, or the end of a wait, that everything here follows from.
  var root: Place { ancestor ?? self }

  static func == (lhs: Place, rhs: Place) -> Bool { lhs === rhs }

  static func < (lhs: Place, rhs: Place) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    // The order of two waits that began in one place.
    var turns: (Int, Int)?
    while lhs !== rhs {
      if lhs.time != rhs.time { return lhs.time < rhs.time }
      let (left, right) = (lhs.root, rhs.root)
      if left === right { return isBefore(lhs, rhs) }
      if left.begun == nil, right.begun == nil { return left.number < right.number }
      turns = (left.begun == nil ? 0 : left.number, right.begun == nil ? 0 : right.number)
      (lhs, rhs) = (left.begun ?? left, right.begun ?? right)
    }
    return turns.map { $0.0 < $0.1 } ?? false
  }

  /// Whether a job runs before another one that follows from the same root.
  private static func isBefore(_ lhs: Place, _ rhs: Place) -> Bool {
    if lhs.depth != rhs.depth { return lhs.depth < rhs.depth }
    var (lhs, rhs) = (lhs, rhs)
    while let left = lhs.cause, let right = rhs.cause, left !== right { (lhs, rhs) = (left, right) }
    return lhs.number < rhs.number
  }
}
