// Tests as users of the Composable Architecture write them compile and mean the same.

import RondoTestCompatibility
import RondoTesting
import XCTest

@Reducer
struct FamiliarFeature {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var isLoading = false
    var fact: String?
  }
  enum Action {
    case decrementButtonTapped
    case incrementButtonTapped
    case factButtonTapped
    case factResponse(Result<String, any Error>)
    case timerTicked
    case task
    case delegate(Delegate)

    @CasePathable
    enum Delegate: Equatable { case saved(Int) }
  }
  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(FactClient.self) var factClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .decrementButtonTapped:
        state.count -= 1
        return .send(.delegate(.saved(state.count)))
      case .incrementButtonTapped:
        state.count += 1
        return .none
      case .factButtonTapped:
        state.isLoading = true
        return .run { [count = state.count] send in
          await send(.factResponse(Result { try await self.factClient.fetch(count) }))
        }
      case .factResponse(.success(let fact)):
        state.isLoading = false
        state.fact = fact
        return .none
      case .factResponse(.failure):
        state.isLoading = false
        return .none
      case .timerTicked:
        state.count += 1
        return .none
      case .task:
        return .run { send in
          for await _ in self.clock.timer(interval: .seconds(1)) {
            await send(.timerTicked)
          }
        }
        .cancellable(id: CancelID.timer)
      case .delegate:
        return .none
      }
    }
  }
}

/// A feature from before 1.0.
private struct EarlierFeature: ReducerProtocol {
  struct State: Equatable {
    var number: Int?
  }
  enum Action {
    case load, loaded(Int)
  }
  struct Client: TestDependencyKey {
    var next: @Sendable (Int?) -> Int
    static let testValue = Self(next: XCTUnimplemented("next", placeholder: 1))
  }
  var client = Client { number in number.map { $0 + 1 } ?? 0 }

  var body: some ReducerProtocolOf<Self> {
    Reduce { state, action -> EffectTask<Action> in
      switch action {
      case .load:
        return .task { [number = state.number] in .loaded(client.next(number)) }
      case .loaded(let number):
        state.number = number
        return .none
      }
    }
  }
}

struct FactClient: Sendable {
  var fetch: @Sendable (Int) async throws -> String
}

extension FactClient: TestDependencyKey {
  static let testValue = FactClient(fetch: unimplemented("FactClient.fetch"))
}

@MainActor
final class FamiliarSpellingTests: XCTestCase {
  private struct SomeError: Error {}

  // C13
  func testCounter() async {
    let store = TestStore(initialState: FamiliarFeature.State(count: 1)) {
      FamiliarFeature()
    }
    await store.send(.incrementButtonTapped) {
      $0.count = 2
    }
    await store.send(.decrementButtonTapped) { state in
      state.count = 1
    }
    await store.receive(\.delegate.saved, 1)
    await store.send(\.decrementButtonTapped) { $0.count = 0 }
    await store.receive(\.delegate)
    XCTAssertEqual(store.state.count, 0)
  }

  // C13
  func testSuccess() async throws {
    let store = TestStore(initialState: FamiliarFeature.State(), reducer: FamiliarFeature.init) {
      $0[FactClient.self].fetch = { "\($0) is a number" }
    }
    await store.send(.factButtonTapped) { $0.isLoading = true }
    await store.receive(\.factResponse.success) {
      $0.isLoading = false
      $0.fact = "0 is a number"
    }
  }

  // C13
  func testFailure() async throws {
    let store = TestStore(initialState: FamiliarFeature.State()) {
      FamiliarFeature()
    } withDependencies: {
      $0[FactClient.self].fetch = { _ in throw SomeError() }
      $0.continuousClock = ImmediateClock()
    }
    store.exhaustivity = .off(showSkippedAssertions: false)
    await store.send(.factButtonTapped)
    await store.receive(\.factResponse.failure, timeout: .seconds(1)) {
      $0.isLoading = false
    }
    store.dependencies[FactClient.self].fetch = { _ in "!" }
    await store.send(.factButtonTapped)
    await store.receive(\.factResponse, timeout: 1_000_000)
    await store.skipReceivedActions(strict: false)
    store.assert { $0.fact = "!" }
  }

  // C13
  func testTimer() async {
    let clock = TestClock()
    let store = TestStore(initialState: FamiliarFeature.State()) {
      FamiliarFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    let task = await store.send(.task)
    await clock.advance(by: .seconds(1))
    await store.receive(\.timerTicked) { $0.count = 1 }
    await clock.advance(by: .seconds(2))
    await store.receive(\.timerTicked) { $0.count = 2 }
    await store.receive(\.timerTicked) { $0.count = 3 }
    await task.cancel()
    await store.finish(timeout: .seconds(1))
  }

  // C13
  func testSpellingsBeforeCaseKeyPaths() async {
    let store = TestStore(initialState: EarlierFeature.State()) { EarlierFeature() }
    store.useMainSerialExecutor = true
    await store.send(.load)
    await store.receive(/EarlierFeature.Action.loaded, timeout: .nanoseconds(NSEC_PER_SEC)) {
      $0.number = 0
    }
    await store.send(.load)
    await store.receive(/EarlierFeature.Action.loaded) {
      XCTModify(&$0.number) { $0 += 1 }
    }
  }

  // C13
  func testModifying() {
    var result: Result<Int, any Error>? = .success(1)
    XCTModify(&result, case: \.success) { $0 += 1 }
    XCTAssertEqual(result?[case: \.success], 2)
    let issues = captureIssues {
      var nothing: Int?
      XCTModify(&nothing) { $0 += 1 }
      XCTModify(&result, case: \.failure, "No failure.") { $0 = SomeError() }
      XCTModify(&result) { _ in throw SomeError() }
    }
    XCTAssertEqual(issues.count, 3)
    XCTAssertTrue(issues[1].message.hasPrefix("No failure.\n"))
    XCTAssertEqual(result?[case: \.success], 2)
  }

  // C13
  func testTimeout() {
    let store = TestStore(initialState: FamiliarFeature.State()) { FamiliarFeature() }
    store.timeout = 2_000_000_000
    XCTAssertEqual(store.timeout, .seconds(2))
    let nanoseconds: UInt64 = store.timeout
    store.timeout = .seconds(3)
    XCTAssertEqual(nanoseconds, 2_000_000_000)
    XCTAssertEqual(store.timeout, .seconds(3))
  }

  // C13
  func testWithExhaustivity() async {
    let store = TestStoreOf<FamiliarFeature>(initialState: FamiliarFeature.State()) {
      FamiliarFeature()
    }
    await store.withExhaustivity(.off) {
      await store.send(.task)
      await store.send(.incrementButtonTapped)
      await store.skipInFlightEffects()
    }
    await store.finish()
  }
}
