// The kinds of things that wait on a timeline.

import Synchronization

/// Something that waits for its instant.
enum TimelineItem: Sendable {
  /// Work that a scheduler was asked to run at once.
  case soon(@Sendable () -> Void)
  case once(@Sendable () -> Void)
  case repeating(Repetition)
  case sleeper(Sleeper)

  var isOnce: Bool {
    switch self {
    case .soon, .once: true
    case .repeating, .sleeper: false
    }
  }

  /// Whether the item, which has been taken to run, has run before.
  var isRepeated: Bool {
    if case .repeating(let repetition) = self { repetition.isRepeated } else { false }
  }

  /// Whether the item is a task that sleeps.
  var isSleeper: Bool {
    if case .sleeper = self { true } else { false }
  }

  /// Whether the item is due again, and keeps its place in the queue until then.
  var isRepetition: Bool {
    if case .repeating = self { true } else { false }
  }

  func run() {
    switch self {
    case .soon(let work), .once(let work): work()
    case .repeating(let repetition): repetition.work()
    case .sleeper(let sleeper): sleeper.wake()
    }
  }
}

/// Work that is due again and again.
final class Repetition: Sendable {
  let work: @Sendable () -> Void
  let origin = WaitOrigin.current
  private let nextDue: @Sendable () -> Duration?
  private let runCount = Atomic(0)

  /// - Parameters:
  ///   - work: The work to run.
  ///   - nextDue: Moves on by one interval and gives the time since the timeline's beginning at
  ///     which the work is due next; nil at the end of time.
  init(work: @escaping @Sendable () -> Void, nextDue: @escaping @Sendable () -> Duration?) {
    self.work = work
    self.nextDue = nextDue
  }

  /// Whether it was due several times. What ends its repetition when it first runs is work that runs once.
  var isRepeated: Bool { runCount.load(ordering: .relaxed) > 1 }

  func moveToNextDue() -> Duration? {
    runCount.add(1, ordering: .relaxed)
    return nextDue()
  }
}

// MARK: - For failure messages

extension TestTimeline {
  /// One thing that waits on a timeline, as a failure message wants to name it.
  package struct Waiting: Sendable {
    package enum Kind: Sendable {
      case work, repetition, sleeper
    }

    package var kind: Kind

    /// The instant at which it will run or wake.
    package var due: Instant

    /// The value of ``WaitOrigin/current`` when it began to wait; `nil` for work that runs once.
    package var origin: (any Sendable)?

    /// The name of the task that sleeps.
    package var taskName: String?

    init(_ item: TimelineItem, due: Instant) {
      self.due = due
      switch item {
      case .soon, .once:
        kind = .work
      case .repeating(let repetition):
        kind = .repetition
        origin = repetition.origin
      case .sleeper(let sleeper):
        kind = .sleeper
        origin = sleeper.origin
        taskName = sleeper.taskName
      }
    }
  }
}
