// Timeouts in nanoseconds, for tests that were written with them. Each forwards to the form with a
// duration.

import Rondo
import RondoScheduling

extension TestStore {
  /// Receives an equal action, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive(
    _ action: Action,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where Action: Equatable {
    await receive(
      action, timeout: .nanoseconds(nanoseconds), assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Receives one that satisfies a condition, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive(
    _ isMatching: @escaping (_ action: Action) -> Bool,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      isMatching, timeout: .nanoseconds(nanoseconds), assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Receives one of a case, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive(
    _ actionCase: PartialCaseKeyPath<Action>,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where Action: CasePathable {
    await receive(
      actionCase, timeout: .nanoseconds(nanoseconds), assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Receives one of a case that carries a value, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive<Value: Equatable>(
    _ actionCase: CaseKeyPath<Action, Value>,
    _ value: Value,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where Action: CasePathable {
    await receive(
      actionCase, value, timeout: .nanoseconds(nanoseconds), assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Runs all effects to their end, with a timeout in nanoseconds.
  public nonisolated(nonsending) func finish(
    timeout nanoseconds: UInt64,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await finish(
      timeout: .nanoseconds(nanoseconds),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension TestStoreTask {
  /// Runs all of it to its end, with a timeout in nanoseconds.
  public nonisolated(nonsending) func finish(
    timeout nanoseconds: UInt64,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await finish(
      timeout: .nanoseconds(nanoseconds),
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
