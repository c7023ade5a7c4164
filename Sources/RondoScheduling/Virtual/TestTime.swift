// Moving virtual time forwards, of a timeline and of each view of it.

/// Time that a test moves: a ``TestTimeline``, or a ``TestClock`` or ``TestScheduler`` that is a view of one.
public protocol TestTime {
  /// A point in time.
  associatedtype Instant
  /// A length of time.
  associatedtype Stride: AdditiveArithmetic & Comparable

  /// The timeline that is moved.
  var timeline: TestTimeline { get }

  /// The instant that comes a time after the current one.
  func _instant(after stride: Stride) -> Instant

  /// The time of the timeline at an instant.
  func _elapsed(at instant: Instant) -> Duration

  /// Called when time has been moved to an instant.
  func _reached(_ instant: Instant, at elapsed: Duration)
}

extension TestTime {
  public func _reached(_ instant: Instant, at elapsed: Duration) {}

  /// Moves time forwards and runs what falls due on the way.
  ///
  /// Sleepers are resumed, but it is up to their executors when they run, usually after this has
  /// returned. In an asynchronous test write `await timeline.advance(by:)`, which lets them.
  ///
  /// Work that puts more work on the same instant for ever would keep it from returning; after a
  /// million times over it gives up and reports that.
  ///
  /// - Parameter stride: How far. Zero, the default, runs what is due now. A negative one is
  ///   reported, and nothing happens.
  /// - Complexity: O(*k* log *n*) for *k* items that fall due out of *n*.
  public func advance(
    by stride: Stride = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let position = SourcePosition(fileID, filePath, line, column)
    if let instant = instant(after: stride, position) { moveForwards(to: instant, position) }
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
    let position = SourcePosition(fileID, filePath, line, column)
    if timeline.isReachable(target(instant), position) { moveForwards(to: instant, position) }
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
    timeline.run(givingUpAfter: 1_000_000, SourcePosition(fileID, filePath, line, column))
  }

  /// Moves time forwards, and lets the tasks run that wake on the way.
  ///
  /// Time stops at every instant at which something is due, until the sleepers that it woke are back
  /// in their tasks, one after another, and have had some turns to go on to their next suspension. So
  /// a task that sleeps a second ten times over wakes ten times in
  /// `await timeline.advance(by: .seconds(10))`. That takes real time, some 0.3 ms for each waking.
  ///
  /// Effects of a test store that only sleep on the timeline do not need that: the store knows when
  /// they rest, and waits for one that has gone to the main actor. Other tasks then get turns twice, for
  /// all effects together. A test on the main actor needs no turns, and goes on after some microseconds,
  /// as long as nobody has given the concurrent pool a task since the timeline was made there.
  ///
  /// What it knows: that every sleeper is back in its task. What it cannot know: that a task has
  /// come to rest. One that computes for long, waits for a live queue or hops through many actors
  /// may be late for the next instant, and is then overtaken by time.
  ///
  /// - Parameter stride: How far. Zero, the default, runs what is due now. A negative one is
  ///   reported, and nothing happens.
  ///
  /// What puts more on the same instant for ever is given up and reported, here after a hundred thousand
  /// times over.
  public nonisolated(nonsending) func advance(
    by stride: Stride = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    if let instant = instant(after: stride, position) { await moveForwards(to: instant, position) }
  }

  /// Moves time forwards to an instant, and lets the tasks run that wake on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    to instant: Instant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    if timeline.isReachable(target(instant), position) { await moveForwards(to: instant, position) }
  }

  /// Moves time forwards until nothing is waiting any more, and lets the tasks run that wake on the
  /// way.
  ///
  /// After a hundred thousand repetitions and sleepers in a row it gives up and reports that.
  public nonisolated(nonsending) func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await timeline.run(givingUpAfter: 100_000, SourcePosition(fileID, filePath, line, column))
  }

  /// The instant that comes a time after this one; nil if that is negative, which has been reported.
  ///
  /// It judges the stride and not the instant: another thread may take time beyond that meanwhile.
  private func instant(after stride: Stride, _ position: SourcePosition) -> Instant? {
    let now = timeline.now
    let instant = _instant(after: stride)
    guard stride < .zero else { return instant }
    timeline.reportWayBack(from: now, to: target(instant), position)
    return nil
  }

  private func target(_ instant: Instant) -> TestInstant {
    TestInstant(offset: _elapsed(at: instant))
  }

  private func moveForwards(to instant: Instant, _ position: SourcePosition) {
    let target = target(instant)
    timeline.moveForwards(to: target, position)
    _reached(instant, at: target.offset)
  }

  private nonisolated(nonsending) func moveForwards(
    to instant: Instant, _ position: SourcePosition
  ) async {
    let target = target(instant)
    await timeline.moveForwards(to: target, position)
    _reached(instant, at: target.offset)
  }
}

extension TestTimeline: TestTime {
  /// This timeline.
  public var timeline: TestTimeline { self }

  public func _instant(after duration: Duration) -> Instant { now.advanced(by: duration) }

  public func _elapsed(at instant: Instant) -> Duration { instant.offset }
}

extension TestClock: TestTime {
  public func _instant(after duration: Duration) -> Instant { now.advanced(by: duration) }

  public func _elapsed(at instant: Instant) -> Duration { instant.offset }
}

extension TestScheduler: TestTime {
  public func _instant(after stride: SchedulerTimeType.Stride) -> SchedulerTimeType {
    now.advanced(by: stride)
  }

  public func _elapsed(at instant: SchedulerTimeType) -> Duration {
    start.distance(to: instant).duration
  }

  /// Remembers the instant that time has come to. Does nothing if the timeline is at another time.
  public func _reached(_ instant: SchedulerTimeType, at elapsed: Duration) {
    guard timeline.elapsed == elapsed else { return }
    exactInstant.set(instant, at: elapsed)
  }
}
