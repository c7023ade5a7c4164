// Moving virtual time forwards, step by step or in one go.

import RondoAnimation

extension TestTimeline {
  func moveForwards(to instant: Instant, _ position: SourcePosition) {
    guard runAll(dueBy: instant.offset, position) else { return }
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
