import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct CounterTests {
  @Test
  func counting() async {
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    }

    await store.send(.incrementButtonTapped) {
      $0.count = 1
    }
    await store.send(.decrementButtonTapped) {
      $0.count = 0
    }
  }

  @Test
  func delegate() async {
    let store = TestStore(initialState: Counter.State(count: 9)) {
      Counter()
    }
    await store.send(\.incrementButtonTapped) {
      $0.count = 10
    }
    await store.receive(\.delegate.didReach, 10)
  }

  @Test
  func timer() async {
    let clock = TestClock()
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.continuousClock = clock
    }

    await store.send(.toggleTimerButtonTapped) { $0.isTimerOn = true }
    await clock.advance(by: .seconds(1))
    await store.receive(\.timerTick) { $0.count = 1 }
    await clock.advance(by: .seconds(2))
    await store.receive(\.timerTick) { $0.count = 2 }
    await store.receive(\.timerTick) { $0.count = 3 }
    await store.send(.toggleTimerButtonTapped) { $0.isTimerOn = false }
    await store.finish()
  }

  @Test
  func fact() async {
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.factClient.fetch = { "\($0) is a good number." }
    }

    await store.send(.factButtonTapped) {
      $0.isLoading = true
    }
    await store.receive(\.factResponse.success) {
      $0.isLoading = false
      $0.fact = "0 is a good number."
    }
  }

  @Test
  func failure() async {
    struct FactError: Equatable, Error {}
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    }
    store.dependencies.factClient.fetch = { @Sendable _ in throw FactError() }

    await store.send(.factButtonTapped) {
      $0.isLoading = true
    }
    await store.receive(\.factResponse.failure, timeout: .seconds(1)) {
      $0.isLoading = false
    }
  }

  @Test
  func cancellation() async {
    let store = TestStore(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.factClient.fetch = { _ in try await Task.never() }
    }
    await store.send(.factButtonTapped) { $0.isLoading = true }
    await store.send(.cancelButtonTapped) { $0.isLoading = false }
  }

  @Test
  func optional() async {
    let store = TestStore(initialState: OptionalCounter.State()) {
      OptionalCounter()
    }
    store.exhaustivity = .off
    await store.send(.toggleCounterButtonTapped)
    await store.send(.optionalCounter(.incrementButtonTapped)) {
      $0.optionalCounter?.count = 1
    }
    await store.send(\.optionalCounter.decrementButtonTapped) {
      $0.optionalCounter?.count = 0
    }
  }

  @Test
  func two() async {
    let id = UUID(0)
    let state = TwoCounters.State(
      counter1: Counter.State(id: id), counter2: Counter.State(id: id))
    let store = TestStore(initialState: state) {
      TwoCounters()
    }
    await store.send(.counter2(.incrementButtonTapped)) {
      $0.counter2.count = 1
    }
    #expect(store.state.sum == 1)
  }
}
