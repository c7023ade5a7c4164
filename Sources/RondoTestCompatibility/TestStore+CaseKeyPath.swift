// Sending and receiving by names of cases that are held as values.

import Rondo
import RondoCompatibility
import RondoScheduling
import RondoTestStore

extension TestStore {
  /// Sends an action of a case with its value, by a name that is held as a value.
  @_disfavoredOverload
  @discardableResult
  public nonisolated(nonsending) func send<Value>(
    _ actionCase: CaseKeyPath<Action, Value>,
    _ value: Value,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(
      AnyCasePath<Action, Value>(actionCase).embed(value), assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Receives an action of a case, by a name that is held as a value.
  @_disfavoredOverload
  public nonisolated(nonsending) func receive(
    _ actionCase: PartialCaseKeyPath<Action>,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      { Case.isIn(actionCase, $0) }, timeout: timeout, assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
