// Receiving actions by the names of their cases.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore where Action: CasePathable {
  /// Asserts that an effect has sent an action of a case, whatever it carries.
  ///
  /// ```swift
  /// await store.receive(\.response.success) { $0.isLoading = false }
  /// await store.receive(\.path[id: 0].closeTapped)
  /// ```
  ///
  /// For its parameters see
  /// `receive(_:animation:transaction:timeout:assert:)` of an action.
  public nonisolated(nonsending) func receive(
    _ actionCase: PartialCaseName<Action>,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      .case(actionCase), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that an effect has sent an action of a case that carries a value. The action itself need
  /// not be `Equatable`.
  ///
  /// ```swift
  /// await store.receive(\.response.success, "1 is odd") { $0.fact = "1 is odd" }
  /// ```
  public nonisolated(nonsending) func receive<Value: Equatable>(
    _ actionCase: CaseName<Action, Value>,
    _ value: Value,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      .case(actionCase, value), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that effects have sent actions of some cases, in whichever order, and how all of them
  /// together change the state.
  ///
  /// ```swift
  /// await store.receive(inAnyOrder: \.saved, \.loaded.success) { $0.isBusy = false }
  /// ```
  public nonisolated(nonsending) func receive(
    inAnyOrder cases: PartialCaseName<Action>...,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      inAnyOrder: cases.map { .case($0) }, timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }
}
