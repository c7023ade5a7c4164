// Receiving actions: finding the one that is meant, and asserting it.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  nonisolated(nonsending) func receive(
    _ pattern: ActionPattern<Action>,
    _ transaction: Transaction?,
    _ timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) async {
    guard let entry = await next(pattern, timeout, position) else { return }
    assertedState = entry.record.oldState
    guard pattern.isMatch(entry.record.action) else {
      assertedState = entry.record.newState
      return report(Messages.wrongAction(pattern, entry, following: log.pending), at: position)
    }
    assertTransaction(of: entry.record, pattern.transaction ?? transaction, position)
    assertChange(of: entry, .receive, update, position)
  }

  /// The next action, or that which is meant where others may be skipped. If there is none, that has
  /// been reported.
  private nonisolated(nonsending) func next(
    _ pattern: ActionPattern<Action>, _ timeout: Duration?, _ position: SourcePosition
  ) async -> Log.Entry? {
    let isExhaustive = exhaustivity.contains(.actions)
    let verdict = await pump(timeout: timeout) {
      isExhaustive ? !log.isEmpty : log.firstIndex(where: pattern.isMatch) != nil
    }
    if let verdict {
      report(
        Messages.nothingReceived(
          pattern, ledger(verdict: verdict), verdict, unasserted: log.pending, now: timeline.now),
        at: position)
      return nil
    }
    if !isExhaustive, let index = log.firstIndex(where: pattern.isMatch), index > 0 {
      let entries = log.removeFirst(index)
      note(Messages.skipped(entries), at: position)
    }
    return log.removeFirst()
  }

  private func assertTransaction(
    of record: RecordedAction<State, Action>, _ expected: Transaction?, _ position: SourcePosition
  ) {
    let actual = record.transaction
    if let expected {
      guard actual != expected else { return }
      report(Messages.wrongTransaction(record.action, expected, actual), at: position)
    } else if exhaustivity.contains(.transactions), !actual.isEmpty {
      report(Messages.unassertedTransaction(record.action, actual), at: position)
    }
  }

  // MARK: In any order

  nonisolated(nonsending) func receive(
    inAnyOrder patterns: [ActionPattern<Action>],
    _ timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) async {
    guard !patterns.isEmpty else { return }
    var missing = patterns
    var received: [Log.Entry] = []
    while !missing.isEmpty {
      let any = ActionPattern<Action>.matching { action in missing.contains { $0.isMatch(action) } }
      let isExhaustive = exhaustivity.contains(.actions)
      let verdict = await pump(timeout: timeout) {
        isExhaustive ? !log.isEmpty : log.firstIndex(where: any.isMatch) != nil
      }
      if let verdict {
        assertedState = received.last?.record.newState ?? assertedState
        return report(
          Messages.nothingReceived(
            missing[0], ledger(verdict: verdict), verdict, unasserted: log.pending,
            now: timeline.now, others: missing.dropFirst().map(\.description)),
          at: position)
      }
      if !isExhaustive, let index = log.firstIndex(where: any.isMatch), index > 0 {
        let entries = log.removeFirst(index)
        note(Messages.skipped(entries), at: position)
      }
      guard let entry = log.removeFirst() else { return }
      if received.isEmpty { assertedState = entry.record.oldState }
      guard let index = missing.firstIndex(where: { $0.isMatch(entry.record.action) }) else {
        assertedState = entry.record.newState
        return report(Messages.notAmong(missing, entry), at: position)
      }
      let pattern = missing.remove(at: index)
      assertTransaction(of: entry.record, pattern.transaction, position)
      received.append(entry)
    }
    let before = assertedState
    assertedState = received.last?.record.newState ?? assertedState
    let subject = Messages.Subject(call: .receive, action: nil, count: received.count)
    var shared = SharedSpan()
    for entry in received { shared.append(entry.shared) }
    let next = received[0].nextStackNumber
    assertChange(
      from: before, to: assertedState, shared, subject,
      update.map { numberingStacks(from: next, $0) }, position)
  }
}
