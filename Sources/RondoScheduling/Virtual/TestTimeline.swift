// Virtual time: one line of instants on which everything a test waits for is put.

import Foundation
import RondoAnimation
import Synchronization

/// Time that stands still until a test advances it.
///
/// A timeline is what ``TestScheduler`` and ``TestClock`` are views of. Those that are made from
/// the same timeline go together: one ``advance(by:fileID:filePath:line:column:)`` moves the
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
  public typealias Instant = TestClock.Instant

  /// What ``date`` is before time has been advanced.
  public let startDate: Date

  private let state: Mutex<State>

  struct State {
    var elapsed: Duration = .zero
    var queue = DueQueue<TimelineItem>()
    /// Sleepers that have been resumed and are not back in their task yet.
    var waking = 0
  }

  /// Creates a timeline on which no time has passed.
  ///
  /// - Parameter startDate: The date at its beginning; by default the first instant of 2001 (UTC).
  public init(startDate: Date = Date(timeIntervalSinceReferenceDate: 0)) {
    self.startDate = startDate
    state = Mutex(State())
  }

  /// The current instant.
  public var now: Instant { Instant(offset: elapsed) }

  /// The current instant as a date.
  public var date: Date {
    startDate.addingTimeInterval(elapsed / .seconds(1))
  }

  /// How much time has passed since the beginning.
  public var elapsed: Duration { state.withLock { $0.elapsed } }

  /// The instant at which the next piece of work or sleeper is due; nil when nothing is waiting.
  public var nextDueInstant: Instant? {
    state.withLock { $0.queue.firstDue }.map(Instant.init)
  }
}

// MARK: - Putting things on the timeline

extension TestTimeline {
  typealias Ticket = DueQueue<TimelineItem>.Ticket

  /// Adds an item. One that should have been due in the past is due now.
  @discardableResult
  func insert(_ item: TimelineItem, due: Duration) -> Ticket {
    state.withLock { $0.queue.insert(item, due: max(due, $0.elapsed)) }
  }

  /// Adds an item that is due now.
  func insertNow(_ item: TimelineItem) {
    _ = state.withLock { $0.queue.insert(item, due: $0.elapsed) }
  }

  /// Takes an item off. It is returned so that what it holds is released outside of the lock.
  @discardableResult
  func remove(_ ticket: Ticket) -> TimelineItem? {
    state.withLock { $0.queue.remove(ticket) }
  }
}

// MARK: - Going forwards

extension TestTimeline {
  /// Moves time forwards and runs what falls due on the way.
  ///
  /// Sleepers are resumed, but it is up to their executors when they run, usually after this has
  /// returned. In an asynchronous test write `await timeline.advance(by:)`, which lets them.
  ///
  /// - Parameter duration: How far. Zero, the default, runs what is due now. A negative one is
  ///   reported, and nothing happens.
  /// - Complexity: O(*k* log *n*) for *k* items that fall due out of *n*.
  public func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    advance(
      to: now.advanced(by: duration),
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Moves time forwards to an instant and runs what falls due on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public func advance(
    to instant: Instant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard
      isReachable(instant, fileID: fileID, filePath: filePath, line: line, column: column)
    else { return }
    runAll(dueBy: instant.offset)
    arrive(at: instant.offset)
  }

  /// Moves time forwards to an instant, with a pause before anything runs and one after every piece
  /// of work and every sleeper.
  ///
  /// It is for a test that runs tasks on an executor of its own: pumping the executor in the pauses
  /// makes what a woken task does part of the instant at which it was woken.
  ///
  /// - Parameters:
  ///   - instant: Where to. One in the past is reported, and nothing happens.
  ///   - pause: What to do in between.
  public func advance(
    to instant: Instant,
    between pause: () -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard
      isReachable(instant, fileID: fileID, filePath: filePath, line: line, column: column)
    else { return }
    pause()
    while runNext(dueBy: instant.offset) { pause() }
    arrive(at: instant.offset)
  }

  /// Moves time forwards to the next instant at which something is due, and runs all that is due
  /// then.
  ///
  /// - Returns: Whether there was such an instant.
  @discardableResult
  public func advanceToNextDue() -> Bool {
    guard let instant = nextDueInstant else { return false }
    runAll(dueBy: instant.offset)
    return true
  }

  /// Moves time forwards until nothing is waiting any more.
  ///
  /// What repeats for ever would keep it from returning; after a million repetitions in a row with
  /// nothing else in between it gives up and reports that.
  public func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    var repetitions = 0
    withAmbientTransaction(Transaction()) {
      while let item = next(dueBy: .longest) {
        repetitions = item.isOnce ? 0 : repetitions + 1
        item.run()
        guard repetitions < TestTimeline.repetitionLimit else {
          return reportEndlessRun(
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
          )
        }
      }
    }
  }

  static var repetitionLimit: Int { 1_000_000 }
}

// MARK: - Steps

extension TestTimeline {
  /// Runs the first item, if it is due by then, at its instant.
  func runNext(dueBy limit: Duration) -> Bool {
    guard let item = next(dueBy: limit) else { return false }
    withAmbientTransaction(Transaction(), item.run)
    return true
  }

  func runAll(dueBy limit: Duration) {
    // Once around all of them: each one leaves the ambient transaction as it found it.
    withAmbientTransaction(Transaction()) {
      while let item = next(dueBy: limit) { item.run() }
    }
  }

  /// How many sleepers have been resumed and are not back in their tasks yet.
  var wakingCount: Int { state.withLock { $0.waking } }

  func didWake() {
    state.withLock { $0.waking -= 1 }
  }

  /// What is waiting, in the order in which it will become due. O(*n* log *n*).
  package var waiting: [Waiting] {
    state.withLock { $0.queue.sorted }.map { Waiting($0.payload, due: Instant(offset: $0.due)) }
  }

  /// Takes the first item off the timeline, if it is due by then, and moves time to its instant. A
  /// repetition is put back at its next instant.
  func next(dueBy limit: Duration) -> TimelineItem? {
    guard let (item, ticket, due) = takeNext(dueBy: limit) else { return nil }
    if case .repeating(let repetition) = item {
      putBack(repetition, ticket, after: due)
    }
    return item
  }

  private func takeNext(
    dueBy limit: Duration
  ) -> (payload: TimelineItem, ticket: Ticket, due: Duration)? {
    state.withLock { state in
      guard let next = state.queue.popFirst(dueBy: limit, keeping: \.isKept) else { return nil }
      state.elapsed = max(state.elapsed, next.due)
      if case .sleeper = next.payload { state.waking += 1 }
      return next
    }
  }

  private func putBack(_ repetition: Repetition, _ ticket: Ticket, after due: Duration) {
    // Outside of the lock, because the arithmetic may be the user's.
    let next = repetition.moveToNextDue()
    state.withLock { state in
      guard let next else { return _ = state.queue.remove(ticket) }
      state.queue.reschedule(ticket, due: max(next, due))
    }
  }

  func arrive(at elapsed: Duration) {
    state.withLock { $0.elapsed = max($0.elapsed, elapsed) }
  }

  /// Whether an instant is not in the past; if it is, that has been reported.
  func isReachable(
    _ instant: Instant,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) -> Bool {
    let now = now
    guard instant < now else { return true }
    reportIssue(
      """
      Test time is at \(now.offset) and cannot go back to \(instant.offset). \
      Nothing has been run; advance by zero or more, or to an instant that has not passed.
      """,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
    return false
  }

  func reportEndlessRun(
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    reportIssue(
      """
      run() gave up at \(now.offset), after \(TestTimeline.repetitionLimit) repetitions in a row. \
      Something repeats for ever; cancel it first, or use advance(by:).
      """,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}
