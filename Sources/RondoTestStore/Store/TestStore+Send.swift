// Sending actions, and asserting what changes.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Sends an action, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(.increment) { $0.count = 1 }
  /// await store.send(.opened, animation: .default) { $0.isOpen = true }
  /// ```
  ///
  /// When it returns, every effect has gone as far as it can without time passing. One that sleeps on an
  /// immediate clock goes on when the test needs it, and one that never stops has run 10,000 jobs.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: The animation to send it with.
  ///   - transaction: The transaction to send it with; its animation is replaced by `animation`.
  ///   - update: Makes the state that there was before into the one that is expected. Without it, no
  ///     change is expected.
  /// - Returns: A handle for everything that the action has started.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ action: Action,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    send(
      action, expected(animation, transaction), update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Sends an action, asserts its change, and runs what follows. Nothing is waited for.
  package func send(
    _ action: Action, _ transaction: Transaction?, _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) -> TestStoreTask {
    pumpUnlessBusy()
    guard !isDismissed else {
      report(Messages.dismissed(before: action), at: position)
      return TestStoreTask(nil, self)
    }
    skipUnasserted(log.count, before: action, position)
    reportLooseChanges(before: action, at: position)
    let call = SendCall(action: action, position: position)
    let root = start(call, transaction ?? Transaction())
    // Actions that effects have sent from other threads meanwhile may come first.
    if log.count > 1 {
      skipUnasserted(log.firstIndex { $0.start === call } ?? 0, before: action, position)
    }
    if let entry = log.removeFirst() {
      assertChange(of: entry, .send, update, position)
    }
    return TestStoreTask(root, self)
  }

  /// Sends to the machine and runs what follows.
  private func start(_ call: SendCall<Action>, _ transaction: Transaction) -> RootFrame? {
    pump {
      log.current = call
      let root = machine.send(call.action, transaction)
      if let root { log.remember(root, call) }
      return root
    }
  }

  /// Deals with actions that should have been received before another one is sent.
  private func skipUnasserted(_ count: Int, before action: Action, _ position: SourcePosition) {
    let entries = log.removeFirst(count)
    guard let last = entries.last else { return }
    assertedState = last.record.newState
    if exhaustivity.contains(.actions) {
      report(Messages.unasserted(entries, before: action), at: position)
    } else {
      note(Messages.skipped(entries), at: position)
    }
  }

  /// The transaction that is meant by two parameters; `nil` when both are left out.
  func expected(_ animation: Animation?, _ transaction: Transaction?) -> Transaction? {
    guard let animation else { return transaction }
    return (transaction ?? Transaction()).merging(Transaction(animation: animation))
  }
}

// MARK: - State

/// The call that an assertion belongs to.
enum AssertingCall: String {
  case send, receive, assert
}

extension TestStore {
  /// Asserts the change that an action has made, and takes note of it as asserted.
  func assertChange(
    of entry: Log.Entry,
    _ call: AssertingCall,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) {
    let subject = Messages.Subject(call: call, action: entry.record.action)
    assertChange(
      from: assertedState, to: entry.record.newState, entry.shared, entry.nextStackNumber, subject,
      update, position)
    assertedState = entry.record.newState
  }

  func assertChange(
    from before: State,
    to after: State,
    _ shared: SharedSpan,
    _ nextStackNumber: Int,
    _ subject: Messages.Subject<Action>,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) {
    log.shared.compare(shared, fromBefore: exhaustivity.contains(.state)) { comparison in
      assertChange(
        from: before, to: after, shared, comparison, nextStackNumber, subject, update, position)
    }
  }

  private func assertChange(
    from before: State,
    to after: State,
    _ shared: SharedSpan,
    _ comparison: SharedComparison,
    _ nextStackNumber: Int,
    _ subject: Messages.Subject<Action>,
    _ update: ((inout State) throws -> Void)?,
    _ position: SourcePosition
  ) {
    let isExhaustive = exhaustivity.contains(.state)
    var expected = isExhaustive ? before : after
    if let update {
      do {
        try assert(update, of: &expected, nextStackNumber)
      } catch {
        return report(Messages.closureThrew(error, subject), at: position)
      }
    }
    guard expected == after else {
      return report(
        Messages.wrongState(
          subject, before: before, expected: expected, actual: after,
          isAsserted: update != nil, isExhaustive: isExhaustive,
          unmentioned: shared.unmentioned(in: comparison),
          skippedNumber: update == nil ? nil : log.assertedStackNumbers.skipped),
        at: position)
    }
    let unexpected =
      shared.unexpected(in: comparison)
      + (isExhaustive ? shared.uncompared(in: comparison, after) : [])
    guard unexpected.isEmpty else {
      return report(
        Messages.wrongSharedValues(
          subject, unexpected, expected: comparison.expected),
        at: position)
    }
    if isExhaustive {
      // By now what is expected of the shared values in the state is what they are: the two states
      // differ by the rest.
      // A shared value may be asserted to be what it was.
      let hasChanged =
        update == nil || !shared.changes.isEmpty || !comparison.mentioned.isEmpty
        || before != after
      guard hasChanged else { return report(Messages.noChange(subject), at: position) }
    } else if exhaustivity.contains(.showsSkippedAssertions) {
      noteSkippedChange(from: before, to: after, nextStackNumber, subject, update, position)
    }
  }

  /// Makes a state what is expected. Dependencies are the feature's, and what is added to stacks gets
  /// the numbers that the feature gave.
  private func assert(
    _ update: (inout State) throws -> Void, of state: inout State, _ nextStackNumber: Int
  ) throws {
    try machine.dependencies.whileInForce {
      try log.assertedStackNumbers.whileNumbering(from: nextStackNumber) {
        guard !exhaustivity.contains(.state) else { return try update(&state) }
        try TestSettings.with(\.assertsModifying, false) { try update(&state) }
      }
    }
  }

  private func noteSkippedChange(
    from before: State, to after: State, _ nextStackNumber: Int,
    _ subject: Messages.Subject<Action>,
    _ update: ((inout State) throws -> Void)?, _ position: SourcePosition
  ) {
    var asserted = before
    if let update { try? assert(update, of: &asserted, nextStackNumber) }
    guard asserted != after else { return }
    note(Messages.skippedChange(subject, asserted: asserted, actual: after), at: position)
  }

  /// Runs what effects are ready to do, and asserts the state after the last action that was sent or
  /// received, and shared state as it is now.
  ///
  /// ```swift
  /// store.assert { $0.count = 2 }
  /// ```
  ///
  /// - Parameter update: Sets what is to be asserted; what it leaves as it is, is not compared.
  public func assert(
    _ update: (_ state: inout State) throws -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let position = SourcePosition(fileID, filePath, line, column)
    pump()
    log.shared.assertLoose { assert(update, $0, in: $1, position) }
  }

  private func assert(
    _ update: (inout State) throws -> Void, _ shared: SharedSpan, in comparison: SharedComparison,
    _ position: SourcePosition
  ) {
    var expected = assertedState
    let subject = Messages.Subject<Action>(call: .assert, action: nil)
    do {
      try assert(update, of: &expected, log.stackNumbers.next)
    } catch {
      return report(Messages.closureThrew(error, subject), at: position)
    }
    guard expected == assertedState else {
      return report(
        Messages.wrongState(
          subject, before: assertedState, expected: expected, actual: assertedState,
          isAsserted: true, isExhaustive: false),
        at: position)
    }
    let unexpected = shared.unexpected(in: comparison)
    guard !unexpected.isEmpty else { return }
    report(
      Messages.wrongSharedValues(subject, unexpected, expected: comparison.expected), at: position)
  }
}
