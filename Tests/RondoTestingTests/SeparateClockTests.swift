// Effects of a test store that sleep on a clock that the test moves itself.

import RondoScheduling
@testable import RondoTestStore
import RondoSeededRandomness
import Testing

@Suite(.timeLimit(.minutes(20))) struct SeparateClockTests {
  let clock = TestClock()
  let store = TestStore(initialState: Counter.State()) { Counter() }

  /// Sleeps a second on the clock, does something, sleeps another second, and sends `increment`.
  private func sendSleeping(_ between: @escaping @Sendable () async -> Void) async {
    await store.send(
      .own(
        .init { [clock] send in
          try await clock.sleep(for: .seconds(1))
          await between()
          try await clock.sleep(for: .seconds(1))
          await send(.increment)
        }))
  }

  // T4
  @Test func timeWaitsForAnEffectThatTakesATurnOnTheMainActor() async {
    await sendSleeping { await MainActor.run {} }
    await clock.advance(by: .seconds(2))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func timeWaitsForAnEffectThatAwaitsAnOrdinaryTask() async {
    await sendSleeping { await Task.detached {}.value }
    await clock.advance(by: .seconds(2))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func timeWaitsForAnEffectWhoseChildrenSleep() async {
    await sendSleeping { [clock] in
      async let one: Void? = try? clock.sleep(for: .seconds(1))
      async let two: Void? = try? clock.sleep(for: .seconds(2))
      _ = await (one, two)
    }
    await clock.advance(by: .seconds(4))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func timeWaitsForATaskThatFeedsAStreamOfAnEffect() async {
    let ticks = AsyncStream<Void> { [clock] continuation in
      let task = Task {
        for _ in 0..<3 {
          try await clock.sleep(for: .seconds(1))
          continuation.yield()
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
    await store.send(.own(.init { send in for await _ in ticks { await send(.increment) } }))
    await clock.advance(by: .seconds(3))
    for count in 1...3 {
      await store.receive(.increment) { $0.count = count }
    }
  }

  // T4
  @Test func timeWaitsForATaskOfTheTestBesideAnEffect() async throws {
    await sendSleeping {}
    let task = Task { [clock] in
      for _ in 0..<2 { try await clock.sleep(for: .seconds(1)) }
      return clock.now.offset
    }
    await clock.advance(by: .seconds(2))
    await store.receive(.increment) { $0.count = 1 }
    #expect(try await task.value == .seconds(2))
  }

  // T4
  @Test func effectsOfOneInstantGoOnInTheirOrder() async {
    for text in ["a", "b", "c"] {
      await store.send(
        .own(
          .init { [clock] send in
            try await clock.sleep(for: .seconds(1))
            if text == "a" { await MainActor.run {} }
            await send(.note(text))
          }))
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.note("a")) { $0.log = ["a"] }
    await store.receive(.note("b")) { $0.log = ["a", "b"] }
    await store.receive(.note("c")) { $0.log = ["a", "b", "c"] }
  }

  // T4
  @Test func twoStoresOfOneClockGoOn() async {
    let other = TestStore(initialState: Counter.State()) { Counter() }
    let work = Counter.Work { [clock] send in
      try await clock.sleep(for: .seconds(1))
      await send(.increment)
    }
    await store.send(.own(work))
    await other.send(.own(work))
    await clock.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    await other.receive(.increment) { $0.count = 1 }
  }

  // T4
  @Test func everyEffectWakesAtEveryInstantOfItsOwn() async {
    await forEachSeed(20) { random in
      await expectAllWakings(effects: 1...6, steps: 6, moves: false, &random)
    }
  }
}

private struct Step {
  var milliseconds: Int
  var detour: Detour

  static func random(upTo count: Int, using random: inout some RandomNumberGenerator) -> [Step] {
    (0..<Int.random(in: 1...count, using: &random)).map { _ in
      Step(
        milliseconds: .random(in: 1...5, using: &random),
        detour: Detour.allCases.randomElement(using: &random) ?? .none)
    }
  }

  /// Work that takes the steps, and tells of the milliseconds that have passed at each waking.
  static func work(
    _ steps: [Step], on clock: TestClock<Duration>,
    didWake: @escaping @Sendable (_ now: Int) -> Void
  ) -> Counter.Work {
    .init { _ in
      for step in steps {
        try await clock.sleep(for: .milliseconds(step.milliseconds))
        didWake(Int(clock.now.offset / .milliseconds(1)))
        await step.detour.take()
      }
    }
  }
}

/// A place where an effect may go between two waits.
private enum Detour: CaseIterable {
  case none, yield, child, mainActor

  func take() async {
    switch self {
    case .none: break
    case .yield: await Task.yield()
    case .child:
      async let child: Void = Task.yield()
      await child
    case .mainActor: await MainActor.run {}
    }
  }
}

/// The same on the main actor, where a clock that moves gives turns only if there may be new tasks.
@MainActor @Suite(.timeLimit(.minutes(20))) struct MainActorClockTests {
  // T4
  @Test func everyEffectWakesAtEveryInstantWhileOthersBegin() async {
    await forEachSeed(Soak.isOn ? 50 : 20) { random in
      await expectAllWakings(effects: 1...8, steps: 4, moves: true, &random)
    }
  }
}

/// Expects effects to wake at every instant that they wait for.
///
/// - Parameter moves: Whether time passes while they begin, so that a new effect, and one that has slept before,
///   meet the same advance.
private nonisolated(nonsending) func expectAllWakings(
  effects: ClosedRange<Int>, steps count: Int, moves: Bool, _ random: inout Randomness
) async {
  let clock = TestClock()
  let store = TestStore(initialState: Counter.State()) { Counter() }
  store.exhaustivity = .off
  let wakings = LockIsolated<[String]>([])
  var expected: [String] = []
  var now = 0
  for name in 0..<Int.random(in: effects, using: &random) {
    let steps = Step.random(upTo: count, using: &random)
    var instant = now
    for step in steps {
      instant += step.milliseconds
      expected.append("\(name) at \(instant)")
    }
    await store.send(
      .own(
        Step.work(steps, on: clock) { now in
          wakings.withValue { $0.append("\(name) at \(now)") }
        }))
    if moves, Bool.random(using: &random) {
      let step = Int.random(in: 0...3, using: &random)
      await clock.advance(by: .milliseconds(step))
      now += step
    }
  }
  await clock.advance(by: .milliseconds(30))
  #expect(wakings.value.sorted() == expected.sorted())
}
