import ComposableArchitecture
import Foundation
import XCTest

@testable import Features

@MainActor
final class CounterXCTests: XCTestCase {
  override func invokeTest() {
    withMainSerialExecutor {
      super.invokeTest()
    }
  }

  func testCounting() async {
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.factClient.fetch = { "\($0) is a good number." }
    }
    await store.send(.incrementButtonTapped) {
      $0.count = 1
    }
    await store.send(.factButtonTapped) {
      $0.isLoading = true
    }
    await store.receive(\.factResponse.success) {
      $0.isLoading = false
      $0.fact = "1 is a good number."
    }
    XCTAssertNoDifference(store.state.count, 1)
  }

  func testShared() async {
    let store = TestStore(initialState: StatsTab.State()) {
      StatsTab()
    }
    await store.send(.incrementButtonTapped) {
      $0.$stats.withLock { $0.increment() }
    }
  }

  func testSharedAgain() async {
    let store = TestStore(initialState: StatsTab.State()) {
      StatsTab()
    }
    XCTAssertEqual(store.state.stats.count, 0)
    await store.send(.incrementButtonTapped) {
      $0.$stats.withLock { $0.increment() }
    }
  }

  func testFailure() async {
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    }
    XCTExpectFailureOrNot()
    await store.send(.decrementButtonTapped) {
      $0.count = -1
    }
  }

  private func XCTExpectFailureOrNot() {
    XCTAssertTrue(isTesting)
    let unchecked = UncheckedSendable(NSObject())
    XCTAssertNotNil(unchecked.wrappedValue)
  }
}
