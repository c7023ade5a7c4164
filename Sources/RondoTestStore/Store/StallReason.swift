// The reason why something that a test expects has not happened and will not happen.

/// The reason why effects do not go on, when nothing more can happen.
enum StallReason {
  /// They wait for the timeline, or for something that will not come. The store found this out at
  /// once.
  case isWaiting
  /// They have left the store's queue. The store has waited for them for this long.
  case hasLeft(Duration)
  /// They do not wait for anything; they never stop running.
  case isRunning
}
