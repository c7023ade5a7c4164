// Timeouts in nanoseconds, for tests that were written with them. Each forwards to the form with a
// duration.

import Rondo
import RondoScheduling
import RondoTestStore

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

  /// Receives an action that satisfies a condition, with a timeout in nanoseconds.
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

  /// Receives an action of a case, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive(
    _ actionCase: PartialCaseName<Action>,
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

  /// Receives an action of a case that carries a value, with a timeout in nanoseconds.
  public nonisolated(nonsending) func receive<Value: Equatable>(
    _ actionCase: CaseName<Action, Value>,
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

/// A class with a timeout. A class cannot have two properties of the same name; its protocol may
/// add the second one.
public protocol _TimeoutInNanoseconds: AnyObject {
  var timeout: Duration { get set }
}

extension _TimeoutInNanoseconds {
  /// The timeout in nanoseconds: `store.timeout = NSEC_PER_SEC`.
  public var timeout: UInt64 {
    get {
      let (seconds, attoseconds) = (timeout as Duration).components
      let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return overflow ? .max : UInt64(clamping: nanoseconds + attoseconds / 1_000_000_000)
    }
    set { timeout = Duration.nanoseconds(newValue) }
  }
}

extension TestStore: _TimeoutInNanoseconds {}

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
