// The examples of Documentation/Testing.md.

import Dispatch
import RondoTesting
import Testing

private struct Facts: Reducer {
  struct State: Equatable {
    var count = 0
    var fact: String?
  }
  enum Action: Equatable {
    case increment, factTapped
    case fact(String)
  }
  var fact: @Sendable (Int) async throws -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .factTapped:
      let count = state.count
      return .run { [fact] send in
        await send(.fact(try await fact(count)), animation: .default)
      }
    case .fact(let text):
      state.fact = text
      return .none
    }
  }
}

private struct Search: Reducer {
  struct State: Equatable {
    var query = ""
    var results: [String] = []
  }
  enum Action: Equatable {
    case queryChanged(String)
    case results([String])
  }
  enum CancelID { case search }
  var queue: AnySchedulerOf<DispatchQueue>
  var clock: TestClock<Duration>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run { send in
        try await clock.sleep(for: .milliseconds(100))
        await send(.results([query]))
      }
      .debounce(id: CancelID.search, for: .milliseconds(200), scheduler: queue)
    case .results(let results):
      state.results = results
      return .none
    }
  }
}

private struct DependentSearch: Reducer {
  @Dependency(\.mainQueue) var queue
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout Search.State, action: Search.Action) -> Effect<Search.Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run { send in
        try await clock.sleep(for: .milliseconds(100))
        await send(.results([query]))
      }
      .debounce(id: Search.CancelID.search, for: .milliseconds(200), scheduler: queue)
    case .results(let results):
      state.results = results
      return .none
    }
  }
}

private struct SharedCounter: Reducer {
  struct State: Equatable {
    @Shared(.inMemory("count")) var count = 0
  }
  enum Action {
    case increment, saveTapped
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      @Shared(.inMemory("log")) var log: [String] = []
      $log.withLock { $0.append("incremented") }
      state.$count.withLock { $0 += 1 }
      return .none
    case .saveTapped:
      return .run { [count = state.$count] _ in count.withLock { $0 = 0 } }
    }
  }
}

@Suite struct DocumentationTests {
  // C12
  @Test func sharedValues() async {
    @Shared(.inMemory("log")) var log: [String] = []
    let store = TestStore(initialState: SharedCounter.State()) { SharedCounter() }
    await store.send(.increment) { [$log] in
      $0.$count.withLock { $0 = 1 }
      $log.withLock { $0 = ["incremented"] }
    }
    await store.send(.saveTapped)
    store.assert { $0.$count.withLock { $0 = 0 } }
  }

  @Test func facts() async {
    let store = TestStore(initialState: Facts.State()) {
      Facts(fact: { "\($0) is a number" })
    }
    await store.send(.increment) { $0.count = 1 }
    await store.send(.factTapped)
    await store.receive(.fact("1 is a number"), animation: .default) {
      $0.fact = "1 is a number"
    }
  }

  @Test func searchByDependencies() async {
    let store = TestStore(initialState: Search.State()) { DependentSearch() }
    await store.send(.queryChanged("b")) { $0.query = "b" }
    await store.advance(by: .milliseconds(300))
    await store.receive(.results(["b"])) { $0.results = ["b"] }
  }

  @Test func search() async {
    let timeline = TestTimeline()
    let store = TestStore(initialState: Search.State(), timeline: timeline) {
      Search(queue: timeline.scheduler.eraseToAnyScheduler(), clock: timeline.clock)
    }
    await store.send(.queryChanged("b")) { $0.query = "b" }
    await store.advance(by: .milliseconds(299))
    await store.advance(by: .milliseconds(1))
    await store.receive(.results(["b"])) { $0.results = ["b"] }
  }
}
