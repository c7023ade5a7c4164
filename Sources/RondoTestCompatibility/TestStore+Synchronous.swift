// Sending and receiving without 'await', as tests did before 2022.

import Rondo
import RondoScheduling
import RondoTestStore

extension TestStore {
  /// Sends an action in a test that is not asynchronous, and asserts how it changes the state.
  ///
  /// ```swift
  /// func testCounter() {
  ///   let store = TestStore(initialState: Counter.State(), reducer: Counter())
  ///   store.send(.increment) { $0.count = 1 }
  /// }
  /// ```
  ///
  /// In an asynchronous test the compiler takes the method that is awaited.
  @discardableResult
  public func send(
    _ action: Action,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> TestStoreTask {
    send(action, nil, update, SourcePosition(fileID, filePath, line, column))
  }

  /// Receives an action in a test that is not asynchronous. Work that has left the store's queue is not
  /// waited for.
  public func receive(
    _ action: Action,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Action: Equatable {
    receive(
      withoutWaiting: .equal(action), update, SourcePosition(fileID, filePath, line, column))
  }

  /// Receives an action of a case in a test that is not asynchronous.
  public func receive<Value>(
    _ actionCase: AnyCasePath<Action, Value>,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    receive(
      withoutWaiting: .matching { actionCase.extract(from: $0) != nil }, update,
      SourcePosition(fileID, filePath, line, column))
  }
}
