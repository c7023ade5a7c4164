// Names for tests that were written before key paths to cases. Each forwards to the present form.

import Rondo
import RondoScheduling

extension TestStore {
  /// Receives an action of a case, by its case path: `receive(/Action.loaded)`.
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
      .case(actionCase), nil, timeout, update, SourcePosition(fileID, filePath, line, column))
  }

  /// Whether the order of the effects is predictable. It always is; setting this has no effect.
  public var useMainSerialExecutor: Bool {
    get { true }
    set {}
  }
}
