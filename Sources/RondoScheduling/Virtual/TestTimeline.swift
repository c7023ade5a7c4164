// Virtual time: one line of instants on which everything a test waits for is put.

import Foundation
import RondoAnimation
import Synchronization

/// Time that stands still until a test advances it.
///
/// ``TestScheduler`` and ``TestClock`` are views of a timeline. Those that are made from
/// the same timeline go together: one `advance(by:)` moves the
/// scheduler, the clock and the date, and runs what is due on any of them in order of instant, and
/// within an instant in the order in which it was scheduled.
///
/// ```swift
/// let timeline = TestTimeline()
/// let model = Model(
///   mainQueue: timeline.scheduler.eraseToAnyScheduler(),
///   clock: timeline.clock,
///   date: { timeline.date }
/// )
/// timeline.advance(by: .milliseconds(300))
/// ```
///
/// It may be used from any thread. Work runs in the caller of `advance`, with no lock held, and may
/// schedule, cancel and advance itself.
public final class TestTimeline: Sendable {
  /// An instant of virtual time.
  public typealias Instant = TestInstant

  /// The value of ``date`` before time has been advanced.
  public let startDate: Date

  let state: Mutex<State>

  struct State {
    var elapsed: Duration = .zero
    var queue = DueQueue<TimelineItem>()
    /// The number of sleepers that have been resumed and are not back in their tasks yet. Those of
    /// hosts are not counted, because they go on only when the host runs them.
    var waking = 0
    /// The hosts that have put something on the timeline.
    var hosts: [KnownHost] = []
    /// Whether nobody but hosts has ever put something on the timeline.
    var isOnlyOfHosts = true
    /// The number of jobs that the concurrent pool had been given when the timeline was made, on the main
    /// queue; `nil` elsewhere, and once other tasks have got turns.
    var jobCountAtStart: Int?

    /// Moves time to the instant of an item that has been taken off to run.
    mutating func noteTaken(_ item: TimelineItem, due: Duration) {
      elapsed = max(elapsed, due)
      if case .sleeper(let sleeper) = item, !sleeper.isHosted { waking += 1 }
    }
  }

  /// Creates a timeline on which no time has passed.
  ///
  /// - Parameter startDate: The date at its beginning; by default the first instant of 2001 (UTC).
  public init(startDate: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    self.startDate = startDate
    var state = State()
    // Elsewhere a task may make the timeline, be suspended, and sleep on it later.
    if isOnMainQueue() { state.jobCountAtStart = ConcurrentPool.count }
    self.state = Mutex(state)
  }

  /// The current instant.
  public var now: Instant { Instant(offset: elapsed) }

  /// The current instant as a date.
  public var date: Date {
    startDate.addingTimeInterval(elapsed / .seconds(1))
  }

  /// The time that has passed since the beginning.
  public var elapsed: Duration { state.withLock { $0.elapsed } }

  /// The instant at which the next piece of work or sleeper is due; nil when nothing is waiting.
  public var nextDueInstant: Instant? {
    state.withLock { $0.queue.firstDue }.map(Instant.init)
  }
}

// MARK: - Putting things on the timeline

extension TestTimeline {
  typealias Ticket = DueQueue<TimelineItem>.Ticket

  /// Adds an item. An item whose instant has passed is due now.
  @discardableResult
  func insert(_ item: TimelineItem, due: Duration) -> Ticket {
    let (ticket, host) = state.withLock { state in
      (state.queue.insert(item, due: max(due, state.elapsed)), state.rememberHost())
    }
    host?.didPutSomething(on: self)
    return ticket
  }

  /// Adds an item that is due now.
  func insertNow(_ item: TimelineItem) {
    let host = state.withLock { state in
      _ = state.queue.insert(item, due: state.elapsed)
      return state.rememberHost()
    }
    host?.didPutSomething(on: self)
  }

  /// Takes an item off. It is returned so that what it holds is released outside of the lock.
  @discardableResult
  func remove(_ ticket: Ticket) -> TimelineItem? {
    state.withLock { $0.queue.remove(ticket) }
  }
}

// MARK: - Steps

extension TestTimeline {
  /// Runs the first item at its instant, if it is due at `limit` or before.
  package func runNext(dueBy limit: Duration) -> Bool {
    var rounds = Rounds(limit: .max)
    guard let item = next(dueBy: limit, &rounds) else { return false }
    withAmbientTransaction(Transaction(), item.run)
    return true
  }

  /// Runs all items that are due at `limit` or before.
  ///
  /// - Returns: Whether the run came to an end; if not, an issue has been reported.
  @discardableResult
  func runAll(
    dueBy limit: Duration, givingUpAfter roundLimit: Int = 1_000_000, _ position: SourcePosition
  ) -> Bool {
    var rounds = Rounds(limit: roundLimit)
    // Set once for all items, because each one leaves the ambient transaction as it found it.
    withAmbientTransaction(Transaction()) {
      while let item = next(dueBy: limit, &rounds) { item.run() }
    }
    return came(toAnEnd: rounds, position)
  }

  /// The number of sleepers that have been resumed and are not back in their tasks yet.
  package var wakingCount: Int { state.withLock { $0.waking } }

  /// The number of items that have ever been put on the timeline.
  package var insertionCount: UInt64 { state.withLock { $0.queue.lastSequence } }

  func didWake() {
    state.withLock { $0.waking -= 1 }
  }

  /// The items that wait, in the order in which they will become due. O(*n* log *n*).
  package var waiting: [Waiting] {
    state.withLock { $0.queue.sorted }.map { Waiting($0.payload, due: Instant(offset: $0.due)) }
  }

  /// Takes the first item off the timeline, if it is due at `limit` or before, and moves time to
  /// its instant. A repetition is put back at its next instant.
  ///
  /// - Parameter rounds: The rounds so far. Once they are endless, nothing is taken.
  func next(dueBy limit: Duration, _ rounds: inout Rounds) -> TimelineItem? {
    guard let (item, ticket, due) = takeNext(dueBy: limit, &rounds) else { return nil }
    if case .repeating(let repetition) = item {
      putBack(repetition, ticket, after: due)
    }
    return item
  }

  private func takeNext(
    dueBy limit: Duration, _ rounds: inout Rounds
  ) -> (payload: TimelineItem, ticket: Ticket, due: Duration)? {
    state.withLock { state in
      guard let first = state.queue.first, first.due <= limit,
        rounds.mayRun(first.sequence, at: first.due, lastSequence: state.queue.lastSequence),
        let next = state.queue.popFirst(dueBy: limit, keeping: \.isRepetition)
      else { return nil }
      state.noteTaken(next.payload, due: next.due)
      return next
    }
  }

  func putBack(_ repetition: Repetition, _ ticket: Ticket, after due: Duration) {
    // Outside of the lock, because the arithmetic may be the user's.
    let next = repetition.moveToNextDue()
    state.withLock { state in
      guard let next else { return _ = state.queue.remove(ticket) }
      state.queue.reschedule(ticket, due: max(next, due))
    }
  }

  package func arrive(at elapsed: Duration) {
    state.withLock { $0.elapsed = max($0.elapsed, elapsed) }
  }

  /// Whether an instant is not in the past; if it is, an issue has been reported.
  func isReachable(_ instant: Instant, _ position: SourcePosition) -> Bool {
    let now = now
    guard instant < now else { return true }
    reportWayBack(from: now, to: instant, position)
    return false
  }

  func reportWayBack(from now: Instant, to instant: Instant, _ position: SourcePosition) {
    reportIssue(
      """
      Test time is at \(now.offset) and cannot go back to \(instant.offset). \
      Nothing has been run; advance by zero or more, or to an instant that has not passed.
      """,
      at: position
    )
  }

  /// Whether a run has come to an end; if not, an issue is reported.
  func came(toAnEnd rounds: Rounds, _ position: SourcePosition) -> Bool {
    guard rounds.areEndless else { return true }
    reportIssue(
      """
      Test time is stuck at \(now.offset), where work puts more work on the same instant, \
      \(rounds.limit) times over by now. What is left has not been run, and time goes no further. \
      Schedule such work for later, or let it stop.
      """,
      at: position
    )
    return false
  }

  func reportEndlessRun(_ limit: Int, _ position: SourcePosition) {
    reportIssue(
      """
      run() gave up at \(now.offset), after \(limit) repetitions in a row. \
      Something repeats for ever; cancel it first, or use advance(by:).
      """,
      at: position
    )
  }
}
