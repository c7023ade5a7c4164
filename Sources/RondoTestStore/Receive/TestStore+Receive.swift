// Receiving actions: the public forms.

import Rondo
import RondoAnimation
import RondoScheduling

extension TestStore {
  /// Asserts that an effect has sent an action, which transaction it carries and how it changes the
  /// state.
  ///
  /// ```swift
  /// await store.receive(.loaded([1, 2]), animation: .default) { $0.rows = [1, 2] }
  /// ```
  ///
  /// It does not wait for time to pass: if nothing has been sent and nothing can be without
  /// ``advance(by:fileID:filePath:line:column:)``, the test fails at once and is told why. Only work
  /// that has left the store's queue is waited for.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - animation: The animation that its change of state is shown with.
  ///   - transaction: The transaction that it carries; its animation is replaced by `animation`.
  ///     Where neither is mentioned, it has to be untagged (see ``Exhaustivity/transactions``).
  ///   - timeout: How long work that has left is waited for; ``timeout`` by default.
  ///   - update: Makes the state that there was before into the one that is expected.
  public nonisolated(nonsending) func receive(
    _ action: Action,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where Action: Equatable {
    await receive(
      .equal(action), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Actions that are not `Equatable` cannot be compared.
  @available(
    *, unavailable,
    message: """
      the action is not 'Equatable': receive it by the name of its case, 'receive(\\.loaded)' or \
      'receive(case: Action.loaded)', or make it 'Equatable'
      """
  )
  @_disfavoredOverload
  public nonisolated(nonsending) func receive(
    _ action: Action,
    animation: Animation? = nil,
    transaction: Transaction? = nil,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil
  ) async {
    preconditionFailure("This function cannot be called.")
  }

  /// Asserts that an effect has sent an action that satisfies a condition. See
  /// `receive(_:animation:transaction:timeout:assert:)` of an action.
  public nonisolated(nonsending) func receive(
    _ isMatching: @escaping (_ action: Action) -> Bool,
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
      .matching(isMatching), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that an effect has sent an action of a case, whatever it carries.
  ///
  /// ```swift
  /// await store.receive(case: Action.loaded) { $0.isLoading = false }
  /// await store.receive(case: { Action.editor(.loaded($0)) })
  /// ```
  public nonisolated(nonsending) func receive<Payload>(
    case embed: @escaping (Payload) -> Action,
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
      .case(embed), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that an effect has sent an action of a case that carries a value. The action itself need
  /// not be `Equatable`.
  ///
  /// ```swift
  /// await store.receive(case: Action.counted, 3) { $0.count = 3 }
  /// ```
  public nonisolated(nonsending) func receive<Payload: Equatable>(
    case embed: @escaping (Payload) -> Action,
    _ payload: Payload,
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
      .case(embed, payload), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that an effect has sent an action of the same case as the given one. It is meant for
  /// cases that carry nothing, of actions that are not `Equatable`.
  public nonisolated(nonsending) func receive(
    case action: Action,
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
      .case(action), expected(animation, transaction), timeout, update,
      SourcePosition(fileID, filePath, line, column))
  }

  /// Asserts that effects have sent some actions, in whichever order, and how all of them together
  /// change the state.
  ///
  /// ```swift
  /// await store.receive(inAnyOrder: .equal(.a), .equal(.b).animation(.default)) { $0.log = 2 }
  /// ```
  public nonisolated(nonsending) func receive(
    inAnyOrder patterns: ActionPattern<Action>...,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      inAnyOrder: patterns, timeout, update, SourcePosition(fileID, filePath, line, column))
  }
}
