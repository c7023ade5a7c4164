// Leaving things out of a test on purpose.

import Rondo
import RondoScheduling

extension TestStore {
  /// Takes all actions that have been sent and not received as received.
  ///
  /// - Parameter strict: Whether the test fails where there are none.
  public nonisolated(nonsending) func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    pumpUnlessBusy()
    runImmediateSleeps()
    let entries = log.removeAll()
    assertedState = machine.state
    if !entries.isEmpty {
      note(Messages.skipped(entries), at: position)
    } else if strict {
      report(Messages.noActionsToSkip, at: position)
    }
  }

  /// Cancels everything that is in flight.
  ///
  /// The closures are given the chance to end before it returns.
  ///
  /// - Parameter strict: Whether the test fails where nothing is in flight.
  public nonisolated(nonsending) func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    pump()
    guard !machine.isIdle else {
      if strict { report(Messages.noEffectsToSkip, at: position) }
      return
    }
    note(
      Messages.skippedEffects(pendingEffects(reason: .isWaiting), now: timeline.now), at: position)
    cancelAll()
  }
}
