// Receiving actions by case path, as tests from before case key paths do.

import Rondo

extension TestStore {
  /// Receives one of a case: `receive(/Action.response)`.
  public nonisolated(nonsending) func receive<Value>(
    _ actionCase: AnyCasePath<Action, Value>,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      { actionCase.extract(from: $0) != nil }, timeout: timeout, assert: update,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
