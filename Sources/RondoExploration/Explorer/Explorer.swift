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
  /// Makes the store of a run. The closure, if there is one, is called after every action.
  let makeStore:
    (CallBook, [ExploredEndpoint], _ didReduce: ((State) -> Void)?) -> TestStore<State, Action>
  let position: SourcePosition
  /// The actions that can be sent in a state; `nil` where none are named.
  var makeActions: ((State) -> [Action])?
  var endpoints: [ExploredEndpoint] = []
  var conditions: [ExploredCondition] = []
  var stepConditions: [StepCondition<State, Action>] = []
  var consequences: [Consequence] = []
  /// Whether nothing may be in flight at the end of a run.
  var finishes = false
  var goals: [ExploredGoal] = []
  var makeModels: [() -> ModelRun<State, Action>] = []
  /// The places where the models are named.
  var modelPositions: [SourcePosition] = []
  var faultLimit: Int?
  /// The faults that are made up beside the outcomes that are named.
  var faultKinds: FaultKinds = []
  var patience = Duration.seconds(10)
  /// Whether orders that lead to moments that are known are left out.
  var prunes = true
  /// The time for an effect to come back that has left the queue. The main actor of a test may be busy for longer.
  var timeForDepartures = Duration.seconds(1)

  /// An explorer of a feature that starts in a state.
  ///
  /// - Parameters:
  ///   - initialState: The state that every run starts in.
  ///   - reducer: The feature: one reducer, such as `CombineReducers` of several. It is no list of them, so that
  ///     the compiler knows the actions first, and shows an error at the word that is wrong.
  ///   - prepareDependencies: Changes the dependencies of the feature. Clocks, the main queue and the
  ///     date go by the run's own time.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure @escaping () -> State,
    reducer: @escaping () -> R,
    withDependencies prepareDependencies: @escaping (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    position = SourcePosition(fileID, filePath, line, column)
    makeStore = { book, endpoints, didReduce in
      func prepare(_ values: inout DependencyValues) {
        prepareDependencies(&values)
        for (index, endpoint) in endpoints.enumerated() { endpoint.install(index, book, &values) }
      }
      let store =
        if let didReduce {
          TestStore(initialState: initialState()) {
            CombineReducers {
              reducer()
              Reduce<State, Action> { state, _ in
                didReduce(state)
                return .none
              }
            }
          } withDependencies: {
            prepare(&$0)
          }
        } else {
          TestStore(initialState: initialState()) {
            reducer()
          } withDependencies: {
            prepare(&$0)
          }
        }
      store.exhaustivity = .off
      return store
    }
  }

  // MARK: What can happen

  /// Adds actions that can be sent at any time.
  public func actions(_ actions: Action...) -> Self {
    adding { _ in actions }
  }

  /// Adds an action that can be sent at any time, with any of several values.
  ///
  /// ```swift
  /// .actions(.integers(0...9)) { .quantityChanged($0) }
  /// .actions(.strings(of: "ab", upTo: 3)) { .queryChanged($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - choices: The values, the simplest one first. A failure is shown with the simplest values that
  ///     it needs.
  ///   - action: The action with one of them.
  public func actions<Value>(
    _ choices: Choices<Value>, _ action: @escaping (_ value: Value) -> Action
  ) -> Self {
    adding { _ in choices.map(action) }
  }

  /// Adds actions that can be sent in the states in which they are given: what a user can do there.
  ///
  /// ```swift
  /// .availableActions { state in
  ///   if state.child == nil { .opened(1) } else { .closed }
  ///   .refreshed
  /// }
  /// ```
  ///
  /// - Parameter actions: The actions, one below the other or in lists.
  public func availableActions(
    @ListBuilder<Action> _ actions: @escaping (_ state: State) -> [Action]
  ) -> Self {
    adding(actions)
  }

  private func adding(_ actions: @escaping (State) -> [Action]) -> Self {
    changed(self) {
      $0.makeActions = makeActions.map { others in { others($0) + actions($0) } } ?? actions
    }
  }

  /// Lets things go wrong, and limits how many of them do in one run.
  ///
  /// ```swift
  /// .faults(atMost: 2)
  /// .faults(atMost: 1, of: [.error, .cancellation])
  /// ```
  ///
  /// Each endpoint can fail, never come back and answer twice then, whether its outcomes say so or not. The
  /// outcomes of a call that are failures, or `.never`, count as well. An answer that comes late, or just when
  /// time is up, is an order like any other: it needs no fault. The timeline names all of them.
  ///
  /// - Parameters:
  ///   - limit: How many faults a run may have, of all kinds together. Without this it is as many as the
  ///     outcomes say.
  ///   - kinds: The faults that are made up where no outcome names them.
  public func faults(atMost limit: Int, of kinds: FaultKinds = .all) -> Self {
    changed(self) {
      $0.faultLimit = limit
      $0.faultKinds = kinds
    }
  }

  // MARK: What is to hold

  /// Says what is to hold after every action.
  public func always(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ConditionBuilder _ condition: @escaping (_ state: State) -> Bool
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
    @ConditionBuilder _ condition: @escaping (_ state: State) -> Bool
  ) -> Self {
    adding(.eventually, name, SourcePosition(fileID, filePath, line, column), condition)
  }

  /// Says what is to hold of every step: of the state before an action, the action, and the state after it.
  ///
  /// ```swift
  /// .everyStep("what is paid stays paid") { old, action, new in
  ///   !old.isPaid || new.isPaid || action == .refunded
  /// }
  /// ```
  ///
  /// Both states show the same `@Shared` values. Where the condition reads one that the action has changed, that is
  /// reported: name the value by ``everyStep(_:of:fileID:filePath:line:column:_:)`` then.
  public func everyStep(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ConditionBuilder _ condition:
      @escaping (_ old: State, _ action: Action, _ new: State) -> Bool
  ) -> Self {
    adding(name, SourcePosition(fileID, filePath, line, column), comparesStates: true) { old in
      { condition(old, $0, $1) }
    }
  }

  /// Says what is to hold of a value of the state in every step: of the value before an action, the action, and the
  /// value after it. The older value is kept, also that of a `@Shared` property.
  ///
  /// ```swift
  /// .everyStep(of: { $0.count }) { old, action, new in new >= old }
  /// ```
  public func everyStep<Value>(
    _ name: String? = nil,
    of value: @escaping (_ state: State) -> Value,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ConditionBuilder _ condition:
      @escaping (_ old: Value, _ action: Action, _ new: Value) -> Bool
  ) -> Self {
    adding(name, SourcePosition(fileID, filePath, line, column), comparesStates: false) { state in
      let old = value(state)
      return { condition(old, $0, value($1)) }
    }
  }

  private func adding(
    _ name: String?, _ position: SourcePosition, comparesStates: Bool,
    _ begin: @escaping (State) -> (Action, State) -> Bool
  ) -> Self {
    changed(self) {
      $0.stepConditions.append(
        StepCondition(
          name: name, position: position, comparesStates: comparesStates, begin: begin))
    }
  }

  /// Says what one thing leads to: whenever it holds, the other holds then or later, at the latest when
  /// nothing is left to happen. Runs in which a call never came back are not asked. What never holds in any
  /// run is reported.
  ///
  /// ```swift
  /// .whenever { $0.isSaving } eventually: { $0.isSaved || $0.hasFailed }
  /// ```
  ///
  /// It says more than ``eventually(_:fileID:filePath:line:column:_:)``: a save that is never answered for
  /// is found, too, where something else ends the saving.
  ///
  /// - Parameters:
  ///   - name: What is to hold, for the message. Without it the message has the code.
  ///   - cause: What is to lead to something.
  ///   - result: What it is to lead to.
  public func whenever(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ConditionBuilder _ cause: @escaping (_ state: State) -> Bool,
    @ConditionBuilder eventually result: @escaping (_ state: State) -> Bool
  ) -> Self {
    changed(self) {
      let position = SourcePosition(fileID, filePath, line, column)
      $0.consequences.append(
        Consequence(
          cause: ExploredCondition(.eventually, name, position, cause),
          result: ExploredCondition(.eventually, name, position, result)))
    }
  }

  /// Says that nothing is left in flight whenever nothing is left to happen: no effect waits for ever, no
  /// stream stays open, and no timer ticks on for longer than ``patience(_:)``. Runs in which a call never
  /// came back are not asked.
  public func eventuallyFinishes() -> Self {
    changed(self) { $0.finishes = true }
  }

  /// Says what some run has to come to. An exploration that never does fails.
  ///
  /// ```swift
  /// .sometimes("a retry has succeeded") { state in
  ///   state.attemptCount > 1
  ///   state.isSaved
  /// }
  /// ```
  ///
  /// It is asked after every action, and holds where all of its parts do in one state. The parts stand one
  /// below the other: the search goes on from where most of them held, and a failure says which did not.
  ///
  /// - Parameters:
  ///   - name: What is to be reached, for the message. Without it the message has the code.
  ///   - parts: What is to hold together.
  public func sometimes(
    _ name: String? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    @ConjunctionBuilder _ parts: @escaping (_ state: State) -> [Bool]
  ) -> Self {
    changed(self) {
      $0.goals.append(ExploredGoal(name, SourcePosition(fileID, filePath, line, column), parts))
    }
  }

  private func adding(
    _ kind: ExploredCondition.Kind, _ name: String?, _ position: SourcePosition,
    _ condition: @escaping (State) -> Bool
  ) -> Self {
    changed(self) { $0.conditions.append(ExploredCondition(kind, name, position, condition)) }
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
    with modelValue: @escaping (ModelState) -> Value,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    var copy = self
    copy.modelPositions.append(SourcePosition(fileID, filePath, line, column))
    let numbers = ModelNumbers()
    copy.makeModels.append {
      var state = initialState()
      let model = model()
      return ModelRun(
        apply: { action in _ = model.reduce(into: &state, action: action) },
        number: { numbers.number(of: state) },
        difference: { actual in
          let (expected, actual) = (modelValue(state), value(actual))
          return expected == actual ? nil : difference(from: expected, to: actual)
        },
        expected: { modelValue(state) })
    }
    return copy
  }

  /// Says how much time may pass after the last action before a run ends, for features that wait for
  /// time again and again. It is ten seconds.
  ///
  /// What begins to wait in that time is waited for, unless a hundred other things have come behind that time first, as the
  /// ticks of a timer are. Behind a wait that is longer than the patience, the same time goes on again. With a patience
  /// of zero no time passes after the last action.
  public func patience(_ duration: Duration) -> Self {
    changed(self) { $0.patience = duration }
  }

  /// Runs every order, also those that come to the same as others as long as no dependency remembers anything.
  ///
  /// It is for features with a dependency that remembers what it was told, in a `Mutex`, an actor or an object of its
  /// own: states that are equal may go on in different ways then.
  public func withoutPruning() -> Self {
    changed(self) { $0.prunes = false }
  }
}

/// Makes a list of its elements and lists.
///
/// It also lets the compiler look at one statement, and at the outcomes of one endpoint, at a time, so that long
/// chains compile fast.
@resultBuilder
public enum ListBuilder<Element> {
  /// An element as a list of one.
  public static func buildExpression(_ element: Element) -> [Element] { [element] }
  /// A list of elements.
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

  @available(
    *, unavailable, message: "Name an action, or an outcome such as .success(…) or .never."
  )
  public static func buildBlock() -> [Element] { [] }

  /// The elements of all statements, in order.
  public static func buildBlock(_ first: [Element], _ others: [Element]...) -> [Element] {
    first + others.joined()
  }

  /// The elements of an `if`, or none.
  public static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }
  /// The elements of the first branch.
  public static func buildEither(first elements: [Element]) -> [Element] { elements }
  /// The elements of the second branch.
  public static func buildEither(second elements: [Element]) -> [Element] { elements }
  /// The elements of a loop, in order.
  public static func buildArray(_ elements: [[Element]]) -> [Element] { Array(elements.joined()) }
}

/// Takes a condition as it stands.
///
/// It lets the compiler look at one condition at a time, so that long chains of them compile fast.
@resultBuilder
public enum ConditionBuilder {
  /// The condition, as it is written.
  public static func buildExpression(_ condition: Bool) -> Bool { condition }
  /// The only condition of a closure.
  public static func buildBlock(_ condition: Bool) -> Bool { condition }
  /// The condition of the first branch of an `if` or `switch`.
  public static func buildEither(first condition: Bool) -> Bool { condition }
  /// The condition of another branch of an `if` or `switch`.
  public static func buildEither(second condition: Bool) -> Bool { condition }
}

/// Gives equal states of a model the same number, in all runs.
private final class ModelNumbers {
  private var numbers: [AnyHashable: Int] = [:]

  /// The largest number of states.
  private let limit = 1 << 14

  /// - Returns: The number; `nil` where states cannot be told apart, or there are too many.
  func number(of state: Any) -> Int? {
    guard let state = state as? any Hashable else { return nil }
    let key = AnyHashable(state)
    if let known = numbers[key] { return known }
    guard numbers.count < limit else { return nil }
    numbers[key] = numbers.count
    return numbers.count - 1
  }
}

/// A model that follows a run.
struct ModelRun<State, Action> {
  let apply: (Action) -> Void
  /// A number for its state; `nil` where states cannot be told apart.
  let number: () -> Int?
  /// A difference to the feature's state; `nil` if there is none.
  let difference: (State) -> String?
  /// The value of its state that is compared.
  let expected: () -> Any
}
