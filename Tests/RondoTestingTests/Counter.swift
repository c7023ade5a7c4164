// The feature that most of these tests are about.

import Dispatch
import Foundation
import RondoTesting

struct Counter: Reducer {
  struct State: Equatable {
    var count = 0
    var log: [String] = []
  }

  enum Action: Equatable {
    case increment, decrement
    case counted(Int)
    case note(String)
    case run, runTwo, animated, sleep, sleepTwice, chain(Int), nothing
    case delayed, debounced(String), ticking, stopTicking
    case own(Work)
  }

  /// An effect that a test brings along.
  struct Work: Equatable, Sendable, CustomStringConvertible {
    var effect: Effect<Action>
    var description: String { "work" }
    init(_ effect: Effect<Action>) { self.effect = effect }
    init(_ work: @escaping @Sendable (Send<Action>) async throws -> Void) {
      effect = .run(name: "work", operation: work)
    }
    static func == (lhs: Self, rhs: Self) -> Bool { true }
  }

  enum CancelID: Hashable { case sleep, timer, search }

  var timeline = TestTimeline()

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let (clock, scheduler) = (timeline.clock, timeline.scheduler)
    switch action {
    case .nothing:
      return .none
    case .increment:
      state.count += 1
      return .none
    case .decrement:
      state.count -= 1
      return .none
    case .counted(let count):
      state.count = count
      return .none
    case .note(let text):
      state.log.append(text)
      return .none
    case .run:
      return .run(name: "one") { send in await send(.increment) }
    case .runTwo:
      return .merge(.run { await $0(.note("a")) }, .run { await $0(.note("b")) })
    case .animated:
      return .run { send in await send(.increment, animation: .default) }
    case .sleep:
      return .run(name: "sleep") { send in
        try await clock.sleep(for: .seconds(1))
        await send(.increment)
      }
      .cancellable(id: CancelID.sleep)
    case .sleepTwice:
      return .run { send in
        for _ in 0..<2 {
          try await clock.sleep(for: .milliseconds(500))
          await send(.increment)
        }
      }
    case .chain(let count):
      state.count += 1
      return count == 0 ? .none : .send(.chain(count - 1))
    case .delayed:
      return .send(.increment).delay(for: .seconds(2), scheduler: scheduler)
    case .debounced(let text):
      return .send(.note(text))
        .debounce(id: CancelID.search, for: .milliseconds(300), scheduler: scheduler)
    case .ticking:
      return Effect<DispatchQueue.SchedulerTimeType>.timer(
        id: CancelID.timer, every: .seconds(1), on: scheduler
      ).map { _ in .increment }
    case .stopTicking:
      return .cancel(id: CancelID.timer)
    case .own(let work):
      return work.effect
    }
  }
}

/// A store of the counter whose effects go by its time.
func makeStore(
  _ state: Counter.State = .init(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) -> TestStoreOf<Counter> {
  let timeline = TestTimeline()
  return TestStore(
    initialState: state, timeline: timeline, reducer: { Counter(timeline: timeline) },
    fileID: fileID, filePath: filePath, line: line)
}
