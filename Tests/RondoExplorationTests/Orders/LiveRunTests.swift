// Runs of a live store, each of which has to be among the explored orders (X3).

import Foundation
import RondoTesting
import RondoSeededRandomness
import Synchronization
import Testing

@Suite(.serialized) struct LiveRunTests {
  @Test(
    arguments: Soak.arguments(
      [LiveFeature.cancelled, .chained, .restarted, .grouped, .streamed], more: [.sideBySide]))
  @MainActor func everyLiveRunIsAmongTheExploredOrders(feature: LiveFeature) async {
    let (explored, _) = await outcomes(OrderSearch(limit: 10_000)) {
      let store = TestStore(initialState: feature.initialState) { feature }
      store.exhaustivity = .off
      await store.send(.start)
      await store.finish()
      await store.skipReceivedActions(strict: false)
      return store.state.log
    }
    // In the long form other threads keep the processors busy.
    let load = Load(threadCount: Soak.isOn ? 4 : 0)
    var recorded: Set<[String]> = []
    for _ in 0..<LiveFeature.runCount {
      let store = Store(initialState: feature.initialState) { feature }
      await Jitter.$isOn.withValue(true) { await store.send(.start).finish() }
      recorded.insert(store.state.log)
    }
    load.end()
    #expect(!recorded.isEmpty)
    let outside = recorded.subtracting(explored)
    #expect(outside.isEmpty, "\(recorded.count) live orders, \(explored.count) explored ones")
    if Soak.isOn {
      print(
        "\(feature): \(recorded.count) orders in \(LiveFeature.runCount) live runs, "
          + "\(explored.count) explored, \(outside.count) outside")
    }
  }
}

/// Threads that keep the processor busy, so that effects are interrupted where they seldom are.
final class Load: Sendable {
  private let isOver = Atomic(false)

  init(threadCount: Int) {
    for _ in 0..<threadCount {
      // Not a queue's: effects run on those.
      Thread.detachNewThread { [self] in
        var random = SystemRandomNumberGenerator()
        while !isOver.load(ordering: .relaxed) { _ = random.next() }
      }
    }
  }

  func end() { isOver.store(true, ordering: .relaxed) }
}

/// Delays of chance, so that effects come in many orders.
enum Jitter {
  /// Whether effects are delayed: they are in live runs only.
  @TaskLocal static var isOn = false
  /// Whether effects of programs sleep for some microseconds before each step, which gives far more orders. Only
  /// long forms do.
  @TaskLocal static var sleeps = false

  /// Keeps the thread busy for a while, or gives it up, or neither.
  static func pass() {
    guard isOn else { return }
    switch Int.random(in: 0..<4) {
    case 0: break
    case 1: for _ in 0..<Int.random(in: 1...20) { sched_yield() }
    default:
      var random = SystemRandomNumberGenerator()
      for _ in 0..<Int.random(in: 1...500) { _ = random.next() }
    }
  }
}

/// Features whose effects run side by side in different ways.
enum LiveFeature: String, Reducer, Sendable {
  case sideBySide, cancelled, chained, restarted, grouped, streamed

  static let runCount = Soak.count(6, long: 200)

  struct State: Equatable {
    var log: [String] = []
    var startCount = 0
  }
  enum Action: Equatable {
    case start, again, stop
    case said(String)
  }

  var initialState: State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return started
    case .again:
      state.log.append("again")
      return Self.speaker("n", 2).cancellable(id: "work", cancelInFlight: true)
    case .stop:
      state.log.append("stop")
      return .cancel(id: "work")
    case .said(let word):
      state.log.append(word)
      return .none
    }
  }

  private static func speaker(_ name: String, _ count: Int) -> Effect<Action> {
    .run { send in
      for index in 1...count {
        Jitter.pass()
        await send(.said("\(name)\(index)"))
      }
    }
  }

  private var started: Effect<Action> {
    switch self {
    case .sideBySide:
      .merge(Self.speaker("a", 2), Self.speaker("b", 2), Self.speaker("c", 1))
    case .cancelled:
      .merge(
        Self.speaker("a", 4).cancellable(id: "work"),
        .run { send in
          Jitter.pass()
          await send(.stop)
        })
    case .chained:
      .merge(.concatenate(Self.speaker("a", 1), Self.speaker("b", 1)), Self.speaker("c", 2))
    case .restarted:
      .merge(
        Self.speaker("a", 3).cancellable(id: "work"),
        .run { send in
          Jitter.pass()
          await send(.again)
        })
    case .grouped:
      .run { send in
        await withTaskGroup { group in
          for name in ["a", "b", "c"] {
            group.addTask {
              Jitter.pass()
              await send(.said(name))
            }
          }
        }
        await send(.said("end"))
      }
    case .streamed:
      .run { send in
        let (words, continuation) = AsyncStream<String>.makeStream()
        async let speaking: Void = {
          for word in ["1", "2"] {
            continuation.yield(word)
            Jitter.pass()
            await send(.said("sent \(word)"))
          }
          continuation.finish()
        }()
        for await word in words {
          Jitter.pass()
          await send(.said("got \(word)"))
        }
        await speaking
      }
    }
  }
}
