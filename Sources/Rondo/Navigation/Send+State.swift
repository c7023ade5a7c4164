// The state of a feature, read by the closure of one of its effects.

import RondoScheduling

extension Send {
  /// A part of the state of the feature that returned the effect, as it is now.
  ///
  /// ```swift
  /// case .textChanged:
  ///   return .run { send in
  ///     try await clock.sleep(for: .seconds(1))
  ///     guard let draft = await send.state(\State.draft) else { return }
  ///     try await client.save(draft)
  ///   }
  /// ```
  ///
  /// It is read where the store lives, when everything that the closure has sent before has been handled. What the
  /// effect needs of the state that it was returned in, it captures: `let id = state.id` in front of `.run`.
  ///
  /// The state of a child is read, too, where the feature is composed by `Scope`, `ifLet`, `ifCaseLet` or `forEach`. A
  /// state of another type than that of the feature is reported.
  ///
  /// - Parameter keyPath: The part, with the type of the state: `\State.draft`, or `\State.self` for all of it.
  /// - Returns: The part. `nil` where the feature or its store is gone, the effect was cancelled, or there is no store.
  nonisolated(nonsending) public func state<State, Value: Sendable>(
    _ keyPath: KeyPath<State, Value> & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> Value? {
    if frame.isExplored { await frame.letOthersGoFirst() }
    let position = SourcePosition(fileID, filePath, line, column)
    let reporters = IssueReporters.current
    return await withCheckedContinuation { continuation in
      let reading = StateReading(keyPath, continuation) { type in
        withIssueReporters(reporters) { frame.reportOtherState(State.self, type, at: position) }
      }
      frame.mailbox.post(
        .ask(frame) { [frame] interpreter in
          // The closure remembers what it has read.
          interpreter.hasMemory = true
          interpreter.changeBehindSent(by: frame) { reading.read(of: frame, $0) }
        })
    }
  }
}

/// A reading that a closure waits for. Where it is dropped, because there is nothing to read any more, the closure goes
/// on with `nil`.
private final class StateReading<State, Value: Sendable> {
  private let keyPath: KeyPath<State, Value>
  private var continuation: CheckedContinuation<Value?, Never>?
  private let reportOther: (Any.Type) -> Void

  init(
    _ keyPath: KeyPath<State, Value>, _ continuation: CheckedContinuation<Value?, Never>,
    reportOther: @escaping (Any.Type) -> Void
  ) {
    self.keyPath = keyPath
    self.continuation = continuation
    self.reportOther = reportOther
  }

  deinit {
    continuation?.resume(returning: nil)
  }

  func read(of frame: SourceFrame, _ interpreter: Interpreter) {
    guard frame.isAttached else { return }
    var value: Value?
    interpreter.machine.lendState { root, rootType in
      interpreter.children.lend(frame, root, rootType) { state, type in
        guard type == State.self else { return reportOther(type) }
        value = state.load(as: State.self)[keyPath: keyPath]
      }
    }
    continuation.take()?.resume(returning: value)
  }
}

extension SourceFrame {
  fileprivate func reportOtherState(
    _ asked: Any.Type, _ found: Any.Type, at position: SourcePosition
  ) {
    reportIssue(
      """
      \(description) asked for a state \(typeName(asked)), but the state of its feature is \(typeName(found)). Name the \
      state of the reducer that returned the effect, and compose that reducer by 'Scope', 'ifLet', 'ifCaseLet' or \
      'forEach': through a 'map' of its effects its state is not found.
      """,
      at: position)
  }
}
