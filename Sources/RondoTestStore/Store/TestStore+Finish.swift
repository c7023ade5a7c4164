// The end of a test, and of what has been started in it.

import Rondo
import RondoScheduling

extension TestStore {
  /// Runs all effects to their end.
  ///
  /// If one cannot end, since it waits for time, or for something that nobody will do, the test fails
  /// at once and is told what each of them waits for. Only work that has left the store's queue is
  /// waited for.
  ///
  /// Calling it is optional: a test also fails when its store is released with effects in flight, or
  /// with actions that have not been received.
  ///
  /// - Parameter timeout: How long work that has left is waited for; ``timeout`` by default.
  public nonisolated(nonsending) func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let position = SourcePosition(fileID, filePath, line, column)
    let reason = await pump(timeout: timeout) { machine.isIdle }
    if let reason, exhaustivity.contains(.effects) {
      report(
        Messages.unfinished(pendingEffects(reason: reason), reason, now: timeline.now), at: position
      )
      cancelAll()
    }
    reportUnassertedActions()
    reportLooseChanges(at: position)
  }

  /// Runs to its end what one `send` has started.
  nonisolated(nonsending) func finish(
    _ root: RootFrame, timeout: Duration?, _ position: SourcePosition
  ) async {
    let reason = await pump(timeout: timeout) { root.isEnded }
    guard let reason, exhaustivity.contains(.effects) else { return }
    let effects = pendingEffects(reason: reason).filter { $0.effect.root === root }
    report(Messages.unfinished(effects, reason, now: timeline.now), at: position)
    pump { machine.task(root).cancel() }
  }

  /// Cancels everything in flight and lets the closures end.
  func cancelAll() {
    pump { machine.cancelAll() }
  }

  // MARK: At the end

  /// Fails for shared values that effects have changed, without an action that would say so, and
  /// nobody has asserted: at the end, or when an action is sent.
  func reportLooseChanges(
    before action: @autoclosure () -> Action? = nil, at position: SourcePosition
  ) {
    let changes = log.shared.takeLooseChanges()
    guard exhaustivity.contains(.state), !changes.isEmpty else { return }
    let action = action()
    report(Messages.unassertedSharedValues(changes, before: action), at: position)
  }

  /// Fails for actions that were not received, at the lines of the `send`s that led to them.
  func reportUnassertedActions() {
    pumpUnlessBusy()
    runImmediateSleeps()
    if !log.isEmpty { report(unasserted: log.removeAll()) }
  }

  // A function of its own: it uses types that cost generic code a look-up, even where it is not called.
  @inline(never)
  private func report(unasserted entries: [Log.Entry]) {
    assertedState = machine.state
    guard exhaustivity.contains(.actions) else {
      return note(Messages.skipped(entries), at: entries[0].start.position)
    }
    for (start, entries) in grouped(entries, by: \.start) {
      report(Messages.unassertedAtEnd(entries, start.action), at: start.position)
    }
  }

  /// Fails for effects in flight, at the lines of the `send`s that led to them.
  func reportEffectsInFlight() {
    guard exhaustivity.contains(.effects), !machine.isIdle else { return }
    let effects = pendingEffects(reason: .isWaiting).filter { $0.start != nil }
    for (start, effects) in grouped(effects, by: { $0.start! }) {
      report(
        Messages.inFlightAtEnd(effects, start.action, now: timeline.now), at: start.position)
    }
  }

  /// Groups neighbours that were started by the same call.
  private func grouped<Element>(
    _ elements: [Element], by start: (Element) -> Log.Start
  ) -> [(Log.Start, [Element])] {
    var groups: [(start: Log.Start, elements: [Element])] = []
    for element in elements {
      let start = start(element)
      if let index = groups.firstIndex(where: { $0.start === start }) {
        groups[index].elements.append(element)
      } else {
        groups.append((start, [element]))
      }
    }
    return groups.map { ($0.start, $0.elements) }
  }
}
