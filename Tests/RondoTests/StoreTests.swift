import Dispatch
import Rondo
import Testing

struct Counter: Reducer {
  struct State: Equatable {
    var count = 0
    var log: [String] = []
  }
  enum Action {
    case increment, run, chain(Int), tagged, delayed, note(String)
  }
  var scheduler: AnySchedulerOf<DispatchQueue> = .immediate

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .run:
      return .run { send in await send(.increment) }
    case .chain(let n):
      state.count += 1
      return n == 0 ? .none : .send(.chain(n - 1))
    case .tagged:
      return .merge(.send(.note("a")).animation(), .send(.note("b")))
    case .delayed:
      return .concatenate(
        .send(.note("now")).delay(for: .seconds(1), scheduler: scheduler),
        .send(.note("then")).receive(on: scheduler.animation()))
    case .note(let text):
      state.log.append(text)
      return .none
    }
  }
}

@MainActor @Suite struct StoreTests {
  // R1
  @Test func sendHandlesTheActionBeforeItReturns() {
    let store = Store(initialState: Counter.State()) { Counter() }
    store.send(.increment)
    #expect(store.count == 1)
  }

  @Test func run() async {
    let store = Store(initialState: Counter.State()) { Counter() }
    await store.send(.run).finish()
    #expect(store.count == 1)
  }

  @Test func chain() async {
    let store = Store(initialState: Counter.State()) { Counter() }
    store.send(.chain(1_000_000))
    #expect(store.count == 1_000_001)
  }

  @Test func tagged() async {
    let store = Store(initialState: Counter.State()) { Counter() }
    var tags: [String] = []
    let c = store.subscribe { tags.append("\($0.newState.log) \($0.transaction)") }
    store.send(.tagged)
    withAnimation { _ = store.send(.increment) }
    #expect(tags == ["[] untagged", "[\"a\"] .default", "[\"a\", \"b\"] untagged", "[\"a\", \"b\"] .default"])
    _ = c
  }

  @Test func delayed() async {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: Counter.State()) { Counter(scheduler: scheduler.eraseToAnyScheduler()) }
    var tags: [String] = []
    let c = store.subscribe { tags.append("\($0.newState.log) \($0.transaction)") }
    let task = store.send(.delayed, animation: .default)
    scheduler.advance(by: .seconds(1))
    #expect(tags == ["[] .default", "[\"now\"] untagged", "[\"now\", \"then\"] .default"])
    #expect(task.isFinished)
    _ = c
  }

  @Test func deep() {
    var left = Effect<Counter.Action>.send(.increment)
    var right = left
    var maps = left
    for _ in 0..<100_000 {
      left = left.concatenate(with: .send(.increment))
      right = Effect.send(.increment).merge(with: right)
      maps = maps.map { $0 }
    }
    struct R: Reducer {
      let effects: [Effect<Counter.Action>]
      func reduce(into state: inout Int, action: Counter.Action) -> Effect<Counter.Action> {
        if case .chain(let n) = action { return effects[n] }
        state += 1
        return .none
      }
    }
    let store = Store(initialState: 0) { R(effects: [left, right, maps]) }
    store.send(.chain(0))
    #expect(store.state == 100_001)
    store.send(.chain(1))
    #expect(store.state == 200_002)
    store.send(.chain(2))
    #expect(store.state == 200_003)
  }
}
