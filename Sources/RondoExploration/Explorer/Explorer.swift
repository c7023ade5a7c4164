// A property of a feature, for every order of what can happen to it.

import Rondo
import RondoScheduling
import RondoTestStore

/// Looks for something that can happen to a feature after which it is wrong.
///
/// It is told which actions a user can send, what the feature's dependencies can answer, and what is to
/// hold. Then it makes up runs: which action comes next and when, which call is answered first and
/// with what, what else could run in another order.
///
/// ```swift
/// @Test func searchShowsWhatWasAskedFor() async {
///   await Explorer(initialState: Search.State()) { Search() }
///     .actions(.queryChanged("b"), .queryChanged("bl"), .cancelTapped)
///     .outcomes(of: \.api.search) { query in [.success([query]), .failure(Offline())] }
///     .always { $0.results.isEmpty || $0.results == [$0.query] }
///     .eventually { !$0.isLoading }
///     .explore(steps: 6, orders: 20_000)
/// }
/// ```
///
/// A failure is made as small as possible and shown as a timeline and as a test to paste. See
/// `Documentation/Exploration.md`.
public struct Explorer<State: Equatable, Action> {
  let makeStore: (CallBook, [ExploredEndpoint]) -> TestStore<State, Action>
  let position: SourcePosition
  var makeActions: [(State) -> [Action]] = []
  var endpoints: [ExploredEndpoint] = []
  var conditions: [Condition] = []
  var makeModels: [() -> ModelRun<State, Action>] = []
  var faultLimit: Int?
  var cancels = false
  var patience = Duration.seconds(10)

  /// Something that is to hold.
  struct Condition {
    enum Kind {
      case always, eventually
    }

    let kind: Kind
    let name: String?
    let position: SourcePosition
    let holds: (State) -> Bool
  }

  /// An explorer of a feature that starts in a state.
  ///
  /// - Parameters:
  ///   - initialState: The state that every run starts in.
  ///   - reducer: The feature.
  ///   - prepareDependencies: Changes the dependencies of the feature. Clocks, the main queue and the
  ///     date go by the run's own time.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure @escaping () -> State,
    @ReducerBuilder<State, Action> reducer: @escaping () -> R,
    withDependencies prepareDependencies: @escaping (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    position = SourcePosition(fileID, filePath, line, column)
    makeStore = { book, endpoints in
      let store = TestStore(initialState: initialState()) {
        reducer()
      } withDependencies: { values in
        prepareDependencies(&values)
        for (index, endpoint) in endpoints.enumerated() { endpoint.install(index, book, &values) }
      }
      store.exhaustivity = .off
      return store
    }
  }

  // MARK: What can happen

  /// Adds actions that can be sent at any time.
  public func actions(_ actions: Action...) -> Self {
    availableActions { _ in actions }
  }

  /// Adds actions that can be sent in the states in which they are given: what a user can do there.
  public func availableActions(_ actions: @escaping (_ state: State) -> [Action]) -> Self {
    var copy = self
    copy.makeActions.append(actions)
    return copy
  }

  /// Limits what goes wrong in one run, and lets effects be cancelled.
  ///
  /// - Parameters:
  ///   - limit: How many calls may fail or never come back in one run, and how many effects may be
  ///     cancelled. Without this it is as many as there are.
  ///   - cancellations: Whether any effect may be cancelled at any time.
  public func faults(atMost limit: Int, cancellations: Bool = false) -> Self {
    var copy = self
    copy.faultLimit = limit
    copy.cancels = cancellations
    return copy
  }

  // MARK: What is to hold

  /// Says what is to hold after every action.
  public func always(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ condition: @escaping (_ state: State) -> Bool
  ) -> Self {
    adding(.always, name, SourcePosition(fileID, filePath, line, column), condition)
  }

  /// Says what is to hold at the end of every run: when no call is waiting, nothing is due and no
  /// effect can go on. Runs in which a call never came back are not asked.
  public func eventually(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ condition: @escaping (_ state: State) -> Bool
  ) -> Self {
    adding(.eventually, name, SourcePosition(fileID, filePath, line, column), condition)
  }

  private func adding(
    _ kind: Condition.Kind, _ name: String?, _ position: SourcePosition,
    _ condition: @escaping (State) -> Bool
  ) -> Self {
    var copy = self
    copy.conditions.append(
      Condition(kind: kind, name: name, position: position, holds: condition))
    return copy
  }

  /// Says that another reducer, plain and slow, comes to the same whenever the feature is at rest.
  ///
  /// The model is given every action that the feature handles, in the same order. Its effects do not
  /// run.
  ///
  /// - Parameters:
  ///   - initialState: The state that the model starts in.
  ///   - model: The model.
  ///   - value: What is compared, of the feature's state.
  ///   - modelValue: What it is compared with, of the model's state.
  public func matches<Model: Reducer<ModelState, Action>, ModelState, Value: Equatable>(
    initialState: @autoclosure @escaping () -> ModelState,
    _ model: @autoclosure @escaping () -> Model,
    comparing value: @escaping (State) -> Value,
    with modelValue: @escaping (ModelState) -> Value
  ) -> Self {
    var copy = self
    copy.makeModels.append {
      var state = initialState()
      let model = model()
      return ModelRun(
        apply: { action in _ = Reduce(model).reduce(into: &state, action: action) },
        number: { (state as? any Hashable)?.hashValue },
        difference: { actual in
          let (expected, actual) = (modelValue(state), value(actual))
          return expected == actual ? nil : difference(from: expected, to: actual)
        })
    }
    return copy
  }

  /// Says how much time may pass after the last action before a run ends, for features that wait for
  /// time again and again. It is ten seconds.
  public func patience(_ duration: Duration) -> Self {
    var copy = self
    copy.patience = duration
    return copy
  }
}

// MARK: - Endpoints

extension Explorer {
  /// Answers the calls of an endpoint that takes nothing, at any time after each call and in any order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<Output: Sendable>(
    of keyPath: WritableKeyPath<DependencyValues, @Sendable () async throws -> Output>
      & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable () -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { try await calls.make(outcomes()) }
    }
  }

  /// Answers the calls of an endpoint with one argument, at any time after each call and in any order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<Argument, Output: Sendable>(
    of keyPath: WritableKeyPath<DependencyValues, @Sendable (Argument) async throws -> Output>
      & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (Argument) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { argument in try await calls.make(outcomes(argument)) }
    }
  }

  /// Answers the calls of an endpoint with two arguments, at any time after each call and in any order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<First, Second, Output: Sendable>(
    of keyPath: WritableKeyPath<DependencyValues, @Sendable (First, Second) async throws -> Output>
      & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second in try await calls.make(outcomes(first, second)) }
    }
  }

  /// Answers the calls of an endpoint with three arguments, at any time after each call and in any order.
  ///
  /// - Parameters:
  ///   - keyPath: The endpoint: `\.api.search`.
  ///   - outcomes: What a call can come to. Where nothing else happens, it is the first.
  public func outcomes<First, Second, Third, Output: Sendable>(
    of keyPath: WritableKeyPath<
      DependencyValues, @Sendable (First, Second, Third) async throws -> Output
    >
      & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ outcomes: @escaping @Sendable (First, Second, Third) -> [Outcome<Output>]
  ) -> Self {
    adding(SourcePosition(fileID, filePath, line, column)) { values, calls in
      values[keyPath: keyPath] = { first, second, third in
        try await calls.make(outcomes(first, second, third))
      }
    }
  }

  private func adding<Output: Sendable>(
    _ position: SourcePosition,
    _ install: @escaping @Sendable (inout DependencyValues, EndpointCalls<Output>) -> Void
  ) -> Self {
    var copy = self
    copy.endpoints.append(ExploredEndpoint(at: position, install))
    return copy
  }
}

/// A model that follows a run.
struct ModelRun<State, Action> {
  let apply: (Action) -> Void
  /// A number for its state; `nil` where states cannot be told apart.
  let number: () -> Int?
  /// A difference to the feature's state; `nil` if there is none.
  let difference: (State) -> String?
}
