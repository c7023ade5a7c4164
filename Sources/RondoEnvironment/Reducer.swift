// A reducer with an environment.

import Rondo
import RondoScheduling
import RondoTestStore

/// A feature's logic as a closure of a state, an action, and what the feature needs from outside.
public struct Reducer<State, Action, Environment> {
  fileprivate let reduce: (inout State, Action, Environment) -> Rondo.Effect<Action>

  /// A reducer that runs a closure.
  public init(
    _ reducer: @escaping (inout State, Action, Environment) -> Effect<Action, Never>
  ) {
    reduce = { reducer(&$0, $1, $2).withoutFailure }
  }

  fileprivate init(
    reduce: @escaping (inout State, Action, Environment) -> Rondo.Effect<Action>
  ) {
    self.reduce = reduce
  }

  /// Changes the state, and returns the effects of an action.
  public func run(
    _ state: inout State, _ action: Action, _ environment: Environment
  ) -> Effect<Action, Never> {
    Effect(reduce(&state, action, environment))
  }

  /// Changes the state, and returns the effects of an action.
  public func callAsFunction(
    _ state: inout State, _ action: Action, _ environment: Environment
  ) -> Effect<Action, Never> {
    run(&state, action, environment)
  }

  // MARK: Several

  /// A reducer that does nothing.
  public static var empty: Self { Self(reduce: { _, _, _ in .none }) }

  /// Runs reducers one after another, for each action. Their effects are merged.
  public static func combine(_ reducers: Self...) -> Self { combine(reducers) }

  /// Runs reducers one after another, for each action. Their effects are merged.
  public static func combine(_ reducers: [Self]) -> Self {
    Self(reduce: { state, action, environment in
      .merge(reducers.map { $0.reduce(&state, action, environment) })
    })
  }

  /// Runs another reducer after this one.
  public func combined(with other: Self) -> Self { .combine(self, other) }

  // MARK: Children

  /// The reducer of a child, as one of its parent.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state toState: WritableKeyPath<ParentState, State>,
    action toAction: AnyCasePath<ParentAction, Action>,
    environment toEnvironment: @escaping (ParentEnvironment) -> Environment
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    .init(reduce: { state, action, environment in
      guard let action = toAction.extract(from: action) else { return .none }
      return reduce(&state[keyPath: toState], action, toEnvironment(environment))
        .map { toAction.embed($0) }
    })
  }

  /// The reducer of a child whose state is the value of a case. An action in another case is reported.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state toState: AnyCasePath<ParentState, State>,
    action toAction: AnyCasePath<ParentAction, Action>,
    environment toEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    let position = SourcePosition(fileID, filePath, line, column)
    return .init(reduce: { state, action, environment in
      guard let action = toAction.extract(from: action) else { return .none }
      let effect = toState.modify(&state) { reduce(&$0, action, toEnvironment(environment)) }
      if effect == nil {
        missing("a 'pullback' to a case whose state is in another case", action, position)
      }
      return effect?.map { toAction.embed($0) } ?? .none
    })
  }

  /// The reducer of a state that is there or not. An action for one that is not there is reported.
  public func optional(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Reducer<State?, Action, Environment> {
    let position = SourcePosition(fileID, filePath, line, column)
    return .init(reduce: { state, action, environment in
      guard var value = state.take() else {
        missing("an 'optional' reducer whose state is nil", action, position)
        return .none
      }
      defer { state = value }
      return reduce(&value, action, environment)
    })
  }

  /// The reducer of the elements of a list. An action for one that is not there is reported.
  public func forEach<ParentState, ParentAction, ParentEnvironment, ID: Hashable & Sendable>(
    state toElements: WritableKeyPath<ParentState, IdentifiedArray<ID, State>>,
    action toAction: AnyCasePath<ParentAction, (ID, Action)>,
    environment toEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    let position = SourcePosition(fileID, filePath, line, column)
    return .init(reduce: { state, action, environment in
      guard let (id, action) = toAction.extract(from: action) else { return .none }
      guard let index = state[keyPath: toElements].index(id: id) else {
        missing("a 'forEach' reducer without an element \(id)", action, position)
        return .none
      }
      return reduce(&state[keyPath: toElements][index], action, toEnvironment(environment))
        .map { toAction.embed((id, $0)) }
    })
  }

  /// The reducer of the values of a dictionary. An action for a key that is not there is reported.
  public func forEach<ParentState, ParentAction, ParentEnvironment, Key: Hashable & Sendable>(
    state toValues: WritableKeyPath<ParentState, [Key: State]>,
    action toAction: AnyCasePath<ParentAction, (Key, Action)>,
    environment toEnvironment: @escaping (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    let position = SourcePosition(fileID, filePath, line, column)
    return .init(reduce: { state, action, environment in
      guard let (key, action) = toAction.extract(from: action) else { return .none }
      guard state[keyPath: toValues][key] != nil else {
        missing("a 'forEach' reducer without a value under \(key)", action, position)
        return .none
      }
      return reduce(&state[keyPath: toValues][key]!, action, toEnvironment(environment))
        .map { toAction.embed((key, $0)) }
    })
  }

  // MARK: Around it

  /// Prints every action, and what it changes.
  public func debug() -> Self {
    Self(reduce: { state, action, environment in
      EnvironmentReducer(reducer: self, environment: environment)._printChanges()
        .reduce(into: &state, action: action)
    })
  }
}

extension Reducer where Action: BindableAction, Action.State == State {
  /// Writes what bindings send before this reducer runs.
  public func binding() -> Self {
    .combine(
      Self(reduce: { state, action, _ in
        BindingReducer<State, Action, Action>().reduce(into: &state, action: action)
      }), self)
  }
}

/// The same as `BindingState`.
public typealias BindableState = BindingState

private func missing(_ place: String, _ action: Any, _ position: SourcePosition) {
  reportIssue(
    """
    \(action) reached \(place), and was not handled. Send it only while the child is there, and combine the \
    child's reducer before its parent's.
    """,
    at: position)
}

// MARK: - Stores

/// A reducer with its environment, as one of Rondo.
struct EnvironmentReducer<State, Action, Environment>: Rondo.Reducer {
  let reducer: Reducer<State, Action, Environment>
  let environment: Environment

  func reduce(into state: inout State, action: Action) -> Rondo.Effect<Action> {
    reducer.reduce(&state, action, environment)
  }
}

extension Store {
  /// A store of a reducer with an environment.
  public convenience init<Environment>(
    initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment
  ) {
    self.init(initialState: initialState) {
      EnvironmentReducer(reducer: reducer, environment: environment)
    }
  }
}

extension TestStore {
  /// A test store of a reducer with an environment.
  public convenience init<Environment>(
    initialState: State, reducer: Reducer<State, Action, Environment>, environment: Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      initialState: initialState,
      reducer: { EnvironmentReducer(reducer: reducer, environment: environment) },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
