// K35: reducers with an environment.

import RondoEnvironment
import XCTest

private struct CounterState: Equatable, Identifiable {
  var id = 0
  var count = 0
  var fact: String?
}

private enum CounterAction: Equatable {
  case increment, factTapped, cancelTapped
  case factResponse(Result<String, FactError>)
}

private struct FactError: Error, Equatable {}

private struct CounterEnvironment {
  var fact: (Int) -> Effect<String, FactError>
  var mainQueue: AnySchedulerOf<DispatchQueue>
}

private var counterReducer: Reducer<CounterState, CounterAction, CounterEnvironment> {
  Reducer { state, action, environment in
    struct FactID: Hashable {}
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .factTapped:
      return environment.fact(state.count)
        .receive(on: environment.mainQueue)
        .catchToEffect(CounterAction.factResponse)
        .cancellable(id: FactID(), cancelInFlight: true)
    case .cancelTapped:
      return .cancel(id: FactID())
    case .factResponse(.success(let fact)):
      state.fact = fact
      return .none
    case .factResponse(.failure):
      state.fact = nil
      return .none
    }
  }
}

private struct AppState: Equatable {
  var first = CounterState()
  var optional: CounterState?
  var counters: IdentifiedArrayOf<CounterState> = []
  @BindableState var name = ""
  var total = 0
}

private enum AppAction: BindableAction, Equatable {
  case binding(BindingAction<AppState>)
  case first(CounterAction)
  case optional(CounterAction)
  case counter(id: Int, action: CounterAction)
  case toggle
}

private struct AppEnvironment {
  var counter: CounterEnvironment
}

private var appReducer: Reducer<AppState, AppAction, AppEnvironment> {
  Reducer<AppState, AppAction, AppEnvironment>.combine(
    counterReducer.pullback(
      state: \.first, action: /AppAction.first, environment: { $0.counter }),
    counterReducer.optional().pullback(
      state: \.optional, action: /AppAction.optional, environment: \.counter),
    counterReducer.forEach(
      state: \.counters, action: /AppAction.counter(id:action:), environment: { $0.counter }),
    Reducer { state, action, _ in
      switch action {
      case .toggle:
        state.optional = state.optional == nil ? CounterState(id: 1) : nil
        return .none
      case .first(.increment):
        state.total += 1
        return Effect(value: .optional(.increment))
      case .binding, .first, .optional, .counter:
        return .none
      }
    }
  )
  .binding()
}

final class EnvironmentTests: XCTestCase {
  private let scheduler = DispatchQueue.test

  private var environment: CounterEnvironment {
    CounterEnvironment(
      fact: { $0 > 1 ? Effect(error: FactError()) : Effect(value: "\($0) is a number") },
      mainQueue: scheduler.eraseToAnyScheduler())
  }

  // K35
  func testAReducerWithAnEnvironment() {
    let store = TestStore(
      initialState: CounterState(), reducer: counterReducer, environment: environment)
    store.send(.increment) { $0.count = 1 }
    store.send(.factTapped)
    scheduler.advance()
    store.receive(.factResponse(.success("1 is a number"))) { $0.fact = "1 is a number" }
    store.send(.increment) { $0.count = 2 }
    store.send(.factTapped)
    scheduler.advance()
    store.receive(.factResponse(.failure(FactError()))) { $0.fact = nil }
    store.send(.factTapped)
    store.send(.cancelTapped)
    scheduler.advance()
  }

  // K35
  func testReducersAreCombinedAndPulledBack() {
    let store = TestStore(
      initialState: AppState(counters: [CounterState(id: 7)]), reducer: appReducer,
      environment: AppEnvironment(counter: environment))
    store.send(.toggle) { $0.optional = CounterState(id: 1) }
    store.send(.first(.increment)) {
      $0.first.count = 1
      $0.total = 1
    }
    store.receive(.optional(.increment)) { $0.optional?.count = 1 }
    store.send(.counter(id: 7, action: .increment)) { $0.counters[id: 7]?.count = 1 }
    store.send(.counter(id: 7, action: .factTapped))
    scheduler.advance()
    store.receive(.counter(id: 7, action: .factResponse(.success("1 is a number")))) {
      $0.counters[id: 7]?.fact = "1 is a number"
    }
    store.send(.set(\.$name, "Blob")) { $0.name = "Blob" }
    store.send(.toggle) { $0.optional = nil }
    let issues = captureIssues { store.send(.optional(.increment)) }
    XCTAssertEqual(issues.count, 1)
    XCTAssert(issues[0].message.contains("an 'optional' reducer whose state is nil"))
  }

  // K35
  func testEffectsWithFailures() {
    enum Action: Equatable { case go, values([Int]), value(Int) }
    let queue = DispatchQueue.test
    let store = TestStore(
      initialState: [Int](),
      reducer: Reducer<[Int], Action, Void> { state, action, _ in
        switch action {
        case .go:
          return .concatenate(
            Effect<Int, FactError>(error: FactError()).replaceError(with: 1)
              .eraseToEffect(Action.value),
            Effect.future { $0(.success(2)) }.map(Action.value),
            .merge(
              Effect(value: .value(3)).delay(for: 1, scheduler: queue),
              .fireAndForget {}
            )
          )
        case .value(let value):
          state.append(value)
          return .none
        case .values:
          return .none
        }
      },
      environment: ())
    store.send(.go)
    store.receive(.value(1)) { $0 = [1] }
    store.receive(.value(2)) { $0 = [1, 2] }
    queue.advance(by: 1)
    store.receive(.value(3)) { $0 = [1, 2, 3] }
  }

  // K35
  @MainActor func testATaskTakesAClosureWithAListOfCaptures() async {
    // Not `Sendable`, as many actions of that time.
    final class Answer { let number: Int; init(_ number: Int) { self.number = number } }
    let number = 3
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, Answer?, Void> { state, action, _ in
        guard let action else {
          return Effect<Answer?, Never>.task { [number] in
            let answer = Answer(number)
            return answer
          }
        }
        state = action.number
        return .none
      },
      environment: ())
    await store.send(nil).finish()
    XCTAssertEqual(store.withState(\.self), 3)
  }

  // K35
  func testAFailureEndsTheEffectsAroundIt() {
    enum Action: Equatable { case concatenate, merge, nested, result(Result<Int, FactError>) }
    let queue = DispatchQueue.test
    let started = LockIsolated<[Int]>([])
    func value(_ value: Int) -> Effect<Int, FactError> {
      .future {
        started.withValue { $0.append(value) }
        $0(.success(value))
      }
    }
    let store = TestStore(
      initialState: 0,
      reducer: Reducer<Int, Action, Void> { _, action, _ in
        let failure = Effect<Int, FactError>(error: FactError())
        switch action {
        case .concatenate:
          return Effect.concatenate(value(1), failure, value(2)).catchToEffect(Action.result)
        case .merge:
          return Effect.merge(
            value(3).delay(for: 2, scheduler: queue), failure.delay(for: 1, scheduler: queue),
            value(4)
          ).catchToEffect(Action.result)
        case .nested:
          return .concatenate(
            Effect.concatenate(failure, value(5)).replaceError(with: 6)
              .map { .result(.success($0)) },
            Effect.concatenate(value(7), failure.mapError { $0 }, value(8))
              .catchToEffect(Action.result))
        case .result:
          return .none
        }
      },
      environment: ())
    store.send(.concatenate)
    store.receive(.result(.success(1)))
    store.receive(.result(.failure(FactError())))
    store.send(.merge)
    store.receive(.result(.success(4)))
    queue.advance(by: 1)
    store.receive(.result(.failure(FactError())))
    queue.advance(by: 1)
    store.send(.nested)
    store.receive(.result(.success(6)))
    store.receive(.result(.success(7)))
    store.receive(.result(.failure(FactError())))
    XCTAssertEqual(started.value, [1, 3, 4, 7])
  }

  // K35
  @MainActor func testALiveStore() {
    let store = Store(
      initialState: CounterState(), reducer: counterReducer, environment: environment)
    store.send(.increment)
    XCTAssertEqual(store.withState(\.count), 1)
  }
}
