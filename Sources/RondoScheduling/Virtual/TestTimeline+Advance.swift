// Moving virtual time forwards, step by step or in one go.

import RondoAnimation

extension TestTimeline {
  /// Moves time forwards and runs what falls due on the way.
  ///
  /// Sleepers are resumed, but it is up to their executors when they run, usually after this has
  /// returned. In an asynchronous test write `await timeline.advance(by:)`, which lets them.
  ///
  /// Work that puts more work on the same instant for ever would keep it from returning; after a
  /// million times over it gives up and reports that.
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
    advance(by: duration, SourcePosition(fileID, filePath, line, column))
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
    advance(to: instant, SourcePosition(fileID, filePath, line, column))
  }

  func advance(by duration: Duration, _ position: SourcePosition) {
    guard let instant = instant(after: duration, position) else { return }
    moveForwards(to: instant, position)
  }

  func advance(to instant: Instant, _ position: SourcePosition) {
    guard isReachable(instant, position) else { return }
    moveForwards(to: instant, position)
  }

  func moveForwards(to instant: Instant, _ position: SourcePosition) {
    guard runAll(dueBy: instant.offset, position) else { return }
    arrive(at: instant.offset)
  }

  /// The instant that comes a time after this one; nil if that is negative, which has been reported.
  ///
  /// It judges the duration and not the instant: another thread may take time beyond that meanwhile.
  func instant(after duration: Duration, _ position: SourcePosition) -> Instant? {
    let now = now
    let instant = now.advanced(by: duration)
    guard duration >= .zero else {
      reportWayBack(from: now, to: instant, position)
      return nil
    }
    return instant
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
    let position = SourcePosition(fileID, filePath, line, column)
    guard isReachable(instant, position) else { return }
    var rounds = Rounds(limit: 1_000_000)
    pause()
    while let item = next(dueBy: instant.offset, &rounds) {
      withAmbientTransaction(Transaction(), item.run)
      pause()
    }
    guard came(toAnEnd: rounds, position) else { return }
    arrive(at: instant.offset)
  }

  /// Moves time forwards to the next instant at which something is due, and runs all that is due
  /// then.
  ///
  /// - Returns: Whether there was such an instant, and it came to its end. See `advance(by:)`.
  @discardableResult
  public func advanceToNextDue(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Bool {
    advanceToNextDue(
      givingUpAfter: 1_000_000, SourcePosition(fileID, filePath, line, column))
  }

  func advanceToNextDue(givingUpAfter limit: Int, _ position: SourcePosition) -> Bool {
    guard let instant = nextDueInstant else { return false }
    return runAll(dueBy: instant.offset, givingUpAfter: limit, position)
  }

  /// Moves time forwards until nothing is waiting any more.
  ///
  /// Work that repeats for ever, or puts more work on later instants for ever, would keep it from
  /// returning. After a million repetitions in a row, or ten million pieces of work that one after the
  /// other put more on the timeline, it gives up and reports that.
  public func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    run(givingUpAfter: 1_000_000, SourcePosition(fileID, filePath, line, column))
  }

  func run(givingUpAfter limit: Int, _ position: SourcePosition) {
    var repetitions = 0
    var rounds = Rounds(limit: limit, isRun: true)
    withAmbientTransaction(Transaction()) {
      while repetitions < limit, let item = next(dueBy: .longest, &rounds) {
        repetitions = item.isRepeated ? repetitions + 1 : 0
        item.run()
      }
    }
    guard came(toAnEnd: rounds, position) else { return }
    guard repetitions == limit || rounds.areEndlessTogether else { return }
    let count = repetitions == limit ? limit : 10 * limit
    if nextDueInstant != nil { reportEndlessRun(count, position) }
  }
}
