// Receiving actions: finding the one that is meant, and asserting it.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  package nonisolated(nonsending) func receive(
    _ pattern: ActionPattern<Action>,
    _ transaction: Transaction?,
    _ timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) async {
    guard let entry = await next(pattern, timeout, position) else { return }
    assert(entry, pattern, transaction, update, position)
  }

  /// Receives an action that has come, or can come without waiting for work that has left the queue.
  package func receive(
    withoutWaiting pattern: ActionPattern<Action>, _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) {
    let reason = pumpWithoutWaiting(until: isNext(pattern))
    guard let entry = next(pattern, reason, position) else { return }
    assert(entry, pattern, nil, update, position)
  }

  private func assert(
    _ entry: Log.Entry, _ pattern: ActionPattern<Action>, _ transaction: Transaction?,
    _ update: ((inout State) throws -> Void)?, _ position: SourcePosition
  ) {
    assertedState = entry.record.oldState
    guard pattern.isMatch(entry.record.action) else {
      assertedState = entry.record.newState
      return report(Messages.wrongAction(pattern, entry, following: log.pending), at: position)
    }
    assertTransaction(of: entry.record, pattern.transaction ?? transaction, position)
    assertChange(of: entry, .receive, update, position)
  }

  /// The next action, or the first one that matches, where others may be skipped. If there is none,
  /// a failure is reported and the result is `nil`.
  private nonisolated(nonsending) func next(
    _ pattern: ActionPattern<Action>, _ timeout: Duration?, _ position: SourcePosition,
    describing expected: (() -> [String])? = nil
  ) async -> Log.Entry? {
    let reason = await pump(timeout: timeout, until: isNext(pattern))
    return next(pattern, reason, position, describing: expected)
  }

  /// Whether there is an action to be received.
  private func isNext(_ pattern: ActionPattern<Action>) -> () -> Bool {
    if exhaustivity.contains(.actions) { return { [log] in !log.isEmpty } }
    // Actions that were looked at before did not match. Another call may take some of them meanwhile.
    var lookedAtCount = 0
    return { [log] in
      let start = max(0, lookedAtCount - log.removedCount)
      lookedAtCount = log.removedCount + log.count
      return log.firstIndex(from: start) { pattern.isMatch($0.record.action) } != nil
    }
  }

  /// Takes the action that is received from the log.
  private func next(
    _ pattern: ActionPattern<Action>, _ reason: StallReason?, _ position: SourcePosition,
    describing expected: (() -> [String])? = nil
  ) -> Log.Entry? {
    if let reason {
      report(
        Messages.nothingReceived(
          expected?() ?? [pattern.description], pendingEffects(reason: reason), reason,
          unasserted: log.pending, adviceIfHopeless: pattern.adviceIfHopeless, now: timeline.now),
        at: position)
      return nil
    }
    if !exhaustivity.contains(.actions),
      let index = log.firstIndex(where: { pattern.isMatch($0.record.action) }), index > 0
    {
      let entries = log.removeFirst(index)
      note(Messages.skipped(entries), at: position)
    }
    let entry = log.removeFirst()
    if let entry, entry.record.number > 0 { machine.tell(.received(action: entry.record.number)) }
    return entry
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
    var matching = PatternMatching(patternCount: patterns.count)
    var received: [Log.Entry] = []
    defer { assertTransactions(of: received, patterns, matching, position) }
    while !matching.missing.isEmpty {
      let isAny = { (action: Action) in
        var matching = matching
        return matching.add(patterns.map { $0.isMatch(action) })
      }
      let any = ActionPattern<Action>.matching(isAny)
      guard
        let entry = await next(
          any, timeout, position,
          describing: {
            matching.missing.map { patterns[$0].description }
          })
      else {
        assertedState = received.last?.record.newState ?? assertedState
        return
      }
      if received.isEmpty { assertedState = entry.record.oldState }
      guard matching.add(patterns.map { $0.isMatch(entry.record.action) }) else {
        assertedState = entry.record.newState
        return report(Messages.notAmong(matching.missing.map { patterns[$0] }, entry), at: position)
      }
      received.append(entry)
    }
    let after = received.last?.record.newState ?? assertedState
    let subject = Messages.Subject<Action>(
      call: .receive, action: nil, count: received.count)
    var shared = SharedSpan()
    for entry in received { shared.append(entry.shared) }
    assertChange(
      from: assertedState, to: after, shared, received[0].nextStackNumber, subject, update,
      position)
    assertedState = after
  }

  /// Asserts the transactions of actions that were received in any order. Where an action fits
  /// several patterns, its transaction decides between them.
  private func assertTransactions(
    of received: [Log.Entry], _ patterns: [ActionPattern<Action>], _ matching: PatternMatching,
    _ position: SourcePosition
  ) {
    var byTransaction = PatternMatching(patternCount: patterns.count)
    let isCompared = exhaustivity.contains(.transactions)
    for entry in received {
      let record = entry.record
      let isFound = byTransaction.add(
        patterns.map { pattern in
          guard let expected = pattern.transaction ?? (isCompared ? Transaction() : nil) else {
            return pattern.isMatch(record.action)
          }
          return record.transaction == expected && pattern.isMatch(record.action)
        })
      guard !isFound else { continue }
      for (index, entry) in received.enumerated() {
        let pattern = matching.pattern(of: index).map { patterns[$0] }
        assertTransaction(of: entry.record, pattern?.transaction, position)
      }
      return
    }
  }
}
