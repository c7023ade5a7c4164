// Moving a test store's time forwards.

import Rondo
import RondoScheduling

extension TestStore {
  /// Moves time forwards and runs what falls due on the way.
  ///
  /// Time goes from one instant at which something is due to the next. At each instant, the due
  /// items run in the order in which they were scheduled. Everything that they wake runs too,
  /// before time goes on.
  ///
  /// ```swift
  /// await store.send(.search("b"))
  /// await store.advance(by: .milliseconds(300))
  /// await store.receive(.results(["b"])) { $0.results = ["b"] }
  /// ```
  ///
  /// - Parameter duration: The distance to move. Zero, the default, runs items that are due now. A
  ///   negative one is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await advance(
      to: timeline.now.advanced(by: duration),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Moves time forwards to an instant and runs what falls due on the way. See
  /// ``advance(by:fileID:filePath:line:column:)``.
  ///
  /// - Parameter instant: The instant to move to. One in the past is reported, and nothing happens.
  public nonisolated(nonsending) func advance(
    to instant: TestInstant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let now = timeline.now
    guard instant >= now else {
      return report(
        Messages.advanceToThePast(now, instant),
        at: SourcePosition(fileID, filePath, line, column))
    }
    machine.tell(.advanced(by: now.duration(to: instant)))
    await settle()
    while let due = timeline.nextDueInstant, due <= instant {
      guard runAll(dueAt: due) else { return }
      await settle()
    }
    timeline.arrive(at: instant.offset)
  }

  /// Goes to an instant and runs what is due then.
  ///
  /// - Returns: Whether the work at that instant comes to an end.
  private func runAll(dueAt instant: TestInstant) -> Bool {
    if let chooser = isolation.chooser { return runAll(dueAt: instant, chooser) }
    return pump {
      for _ in 0..<jobLimit {
        guard timeline.runNext(dueBy: instant.offset) else { return true }
        drain()
      }
      // Cancelling effects removes the items that they have put on the timeline.
      reportEndlessRun()
      return timeline.nextDueInstant != instant
    }
  }
}
