// Names for tests that were written before key paths to cases. Each forwards to the present form.

import Rondo
import RondoScheduling
import RondoTestStore

extension TestStore {
  /// A store of a reducer that is not in a closure. New code says `TestStore(…) { Counter() }`.
  @_disfavoredOverload
  public convenience init<R: Reducer>(
    initialState: @autoclosure () -> R.State,
    reducer: @autoclosure () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where R.State == State, R.Action == Action {
    self.init(
      initialState: initialState(), reducer: { reducer() }, withDependencies: prepareDependencies,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

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
