// Sending actions by the names of their cases.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore where Action: CasePathable {
  /// Sends the action of a case that carries nothing, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(\.destination.editor.saveTapped)
  /// ```
  ///
  /// For its parameters see `send(_:animation:transaction:assert:)` of an action.
  @discardableResult
  public nonisolated(nonsending) func send(
    _ actionCase: CaseName<Action, Void>,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(
      actionCase, (), animation: animation, transaction: transaction, assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Sends the action of a case with what it carries, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(\.binding.query, "blob") { $0.query = "blob" }
  /// await store.send(\.rows[id: 3].renamed, "Blob") { $0.rows[id: 3]?.name = "Blob" }
  /// ```
  @discardableResult
  public nonisolated(nonsending) func send<Value>(
    _ actionCase: CaseName<Action, Value>,
    _ value: Value,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(
      Action.allCasePaths[keyPath: actionCase].embed(value),
      animation: animation, transaction: transaction, assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
