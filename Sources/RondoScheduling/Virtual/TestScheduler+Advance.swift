// Moving a test scheduler's time forwards.

extension TestScheduler {
  /// Moves time forwards and runs what falls due on the way.
  ///
  /// Work that puts more work on the same instant for ever would keep it from returning; after a
  /// million times over it gives up and reports that.
  ///
  /// - Parameter stride: How far. Zero, the default, runs what is due now. A negative one is
  ///   reported, and nothing happens.
  public func advance(
    by stride: SchedulerTimeType.Stride = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let instant = now.advanced(by: stride)
    // Another thread may take time beyond that instant meanwhile, which is no mistake.
    let position = SourcePosition(fileID, filePath, line, column)
    guard stride < .zero else { return moveForwards(to: instant, position) }
    advance(to: instant, position)
  }

  /// Moves time forwards to an instant and runs what falls due on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public func advance(
    to instant: SchedulerTimeType,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    advance(to: instant, SourcePosition(fileID, filePath, line, column))
  }

  private func advance(to instant: SchedulerTimeType, _ position: SourcePosition) {
    let target = TestTimeline.Instant(offset: elapsed(at: instant))
    guard timeline.isReachable(target, position) else { return }
    moveForwards(to: instant, position)
  }

  private func moveForwards(to instant: SchedulerTimeType, _ position: SourcePosition) {
    let elapsed = elapsed(at: instant)
    timeline.moveForwards(to: TestTimeline.Instant(offset: elapsed), position)
    reached(instant, at: elapsed)
  }

  /// Moves time forwards until nothing is waiting any more.
  ///
  /// A repetition that nobody cancels keeps it from coming to an end; after a million repetitions
  /// in a row it gives up and reports that.
  public func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    timeline.run(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Moves time forwards, and lets the tasks run that wake on the way.
  ///
  /// It is what `await scheduler.advance(by: 1)` means in an asynchronous test; in a synchronous one
  /// there is no `await`. What it can and cannot wait for is told at the timeline's method of the
  /// same name.
  ///
  /// - Parameter stride: How far. A negative one is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    by stride: SchedulerTimeType.Stride = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let instant = now.advanced(by: stride)
    let position = SourcePosition(fileID, filePath, line, column)
    guard stride < .zero else { return await moveForwards(to: instant, position) }
    await advance(to: instant, position)
  }

  /// Moves time forwards to an instant, and lets the tasks run that wake on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    to instant: SchedulerTimeType,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await advance(to: instant, SourcePosition(fileID, filePath, line, column))
  }

  private nonisolated(nonsending) func advance(
    to instant: SchedulerTimeType,
    _ position: SourcePosition
  ) async {
    let target = TestTimeline.Instant(offset: elapsed(at: instant))
    guard timeline.isReachable(target, position) else { return }
    await moveForwards(to: instant, position)
  }

  private nonisolated(nonsending) func moveForwards(
    to instant: SchedulerTimeType, _ position: SourcePosition
  ) async {
    let elapsed = elapsed(at: instant)
    await timeline.moveForwards(to: TestTimeline.Instant(offset: elapsed), position)
    reached(instant, at: elapsed)
  }

  /// Moves time forwards until nothing is waiting any more, and lets the tasks run that wake on the
  /// way.
  public nonisolated(nonsending) func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await timeline.run(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
