// Tests as users of the Composable Architecture write them compile and mean the same.

import RondoTestCompatibility
import RondoTesting
import XCTest

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

@MainActor
final class FamiliarSpellingTests: XCTestCase {
  private struct SomeError: Error {}

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
    let store = TestStore(initialState: Counter.State(), reducer: { Counter() }) {
      $0.continuousClock = ImmediateClock()
    }
    store.timeout = 2_000_000_000
    XCTAssertEqual(store.timeout, .seconds(2))
    let nanoseconds: UInt64 = store.timeout
    store.timeout = .seconds(3)
    XCTAssertEqual(nanoseconds, 2_000_000_000)
    XCTAssertEqual(store.timeout, .seconds(3))
  }

  // C13
  func testWithExhaustivity() async {
    let store = TestStoreOf<Counter>(initialState: Counter.State()) { Counter() }
    await store.withExhaustivity(.off) {
      await store.send(.ticking)
      await store.send(.increment)
      await store.skipInFlightEffects()
    }
    await store.finish()
  }
}
