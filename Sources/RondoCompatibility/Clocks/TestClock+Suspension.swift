// Runs of a test clock that end after a while, and a check that nobody sleeps on it.

import RondoScheduling

extension TestClock {
  /// Moves time forwards until nobody sleeps any more, unless that takes too long.
  ///
  /// - Parameter timeout: How much real time it may take; where that is not enough, this is reported.
  public nonisolated(nonsending) func run(
    timeout: Duration,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await timeline.run(timeout: timeout, SourcePosition(fileID, filePath, line, column))
  }

  /// Lets the tasks run that can, and throws if one sleeps on the clock then.
  ///
  /// ```swift
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// - Throws: `SuspensionError` if anybody sleeps, or waits for something that is due later.
  public nonisolated(nonsending) func checkSuspension() async throws {
    try await timeline.checkSuspension()
  }
}
