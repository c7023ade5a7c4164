// Moving a test clock's time forwards. All of it is done by the timeline.

extension TestClock {
  /// Moves time forwards and resumes the sleepers that are due on the way, without waiting for what
  /// they do next.
  ///
  /// - Parameter duration: How far. A negative one is reported, and nothing happens.
  public func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    timeline.advance(by: duration, SourcePosition(fileID, filePath, line, column))
  }

  /// Moves time forwards to an instant and resumes the sleepers that are due on the way.
  ///
  /// - Parameter instant: Where to. One in the past is reported, and nothing happens.
  public func advance(
    to instant: Instant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    timeline.advance(
      to: TestInstant(offset: instant.offset), SourcePosition(fileID, filePath, line, column))
  }

  /// Moves time forwards until nobody sleeps any more.
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
  /// What it can and cannot wait for is told at the timeline's method of the same name.
  ///
  /// - Parameter duration: How far. A negative one is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await timeline.advance(by: duration, SourcePosition(fileID, filePath, line, column))
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
    await timeline.advance(
      to: TestInstant(offset: instant.offset), SourcePosition(fileID, filePath, line, column))
  }

  /// Moves time forwards until nobody sleeps any more, and lets the tasks run that wake on the way.
  public nonisolated(nonsending) func run(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await timeline.run(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
