// Why something that a test expects has not happened and will not.

/// What keeps effects from going on, when nothing more can happen.
enum Verdict {
  /// They wait, for the timeline or for somebody who will not come. It was found out at once.
  case isWaiting
  /// They have left the store's queue, and were waited for, for so long.
  case hasLeft(Duration)
  /// They do not wait for anything; they never stop to run.
  case isRunning
}
