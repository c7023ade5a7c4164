// Live runs of programs beside all that they can mean and all that exploration comes to (X17, X18).

import Rondo
import RondoSeededRandomness
import RondoTesting
import Testing

@testable import RondoExploration

@Suite(.serialized) struct LiveProgramTests {
  /// Programs of which many things happen at once: the names say what their effects are.
  static let varied: [LiveProgram] = [
    LiveProgram("three speakers", [.merge([adding(1, 2, 3), adding(4, 5, 6), adding(7, 8)])]),
    LiveProgram(
      "a group",
      [.group([steps(1, 2, 3), steps(4, 5, 6), steps(7, 8)])]),
    LiveProgram(
      "a concatenation beside others",
      [.merge([.concatenate([adding(1, 2), adding(3)]), adding(4, 5, 6), adding(7, 8)])]),
    LiveProgram(
      "a cancellation beside others",
      [
        .merge([
          .cancellable(0, adding(1, 2, 3, 4), inFlight: false),
          .run(steps(5, 6) + [.cancel(0)]), adding(7, 8),
        ])
      ]),
  ]

  /// Effects that begin with the same wait.
  static let waiting: [LiveProgram] = [
    LiveProgram("two and one", [.merge([waking(1, 2), waking(3)])]),
    LiveProgram("two and two", [.merge([waking(1, 2), waking(3, 4)])]),
    LiveProgram("three", [.merge([waking(1), waking(2), waking(3)])]),
    LiveProgram("a group", [.group([[.sleep(1)] + steps(1, 2), [.sleep(1)] + steps(3)])]),
    LiveProgram(
      "a concatenation", [.merge([.concatenate([waking(1), adding(2)]), waking(3, 4)])]),
    LiveProgram(
      "a cancellation",
      [
        .merge([
          .cancellable(0, waking(1, 2), inFlight: false), .run([.sleep(1), add(3), .cancel(0)]),
        ])
      ]),
    LiveProgram(
      "a cancellation at once",
      [.merge([.cancellable(0, waking(1, 2), inFlight: false), .run([.sleep(1), .cancel(0)])])]),
    LiveProgram(
      "a start",
      [.merge([.run([.sleep(1), .start(1)]), waking(1, 2)]), adding(3, 4)]),
    LiveProgram(
      "a restart",
      [
        .merge([
          .cancellable(0, waking(1, 2), inFlight: false), .run([.sleep(1), .start(1)]),
        ]),
        .cancellable(0, adding(5), inFlight: true),
      ]),
    LiveProgram(
      "an error", [.merge([.run([.sleep(1), add(1), .throwError]), waking(2, 3)])]),
  ]

  /// Numbers of which each order has a sum of its own.
  private static let words = [
    104_729, 611_953, 15_485, 224_737, 350_377, 479_909, 746_773, 882_377,
  ]

  private static func add(_ number: Int) -> RandomProgram.Step { .add(words[number - 1]) }
  private static func steps(_ numbers: Int...) -> [RandomProgram.Step] { numbers.map(add) }
  private static func adding(_ numbers: Int...) -> RandomProgram.Tree { .run(numbers.map(add)) }
  private static func waking(_ numbers: Int...) -> RandomProgram.Tree {
    .run([.sleep(1)] + numbers.map(add))
  }

  /// At least 200 orders are seen live, each of them among those that are explored.
  // X17
  @Test(.enabled(if: Soak.isOn), arguments: varied)
  @MainActor func manyLiveOrdersAreAllAmongTheExplored(program: LiveProgram) async throws {
    try await expectLiveRunsAreExplored(
      program, runCount: 3_000 * Soak.factor, loadCount: 3, atLeast: 200)
  }

  /// The short form: few orders, few runs.
  // X17
  @Test @MainActor func liveOrdersAreAmongTheExplored() async throws {
    let program = LiveProgram(
      "two speakers", [.merge([Self.adding(1, 2), Self.adding(3), Self.adding(4)])])
    try await expectLiveRunsAreExplored(program, runCount: 20, loadCount: 0, atLeast: 1)
  }

  // X18
  @Test(.enabled(if: Soak.isOn), arguments: waiting)
  @MainActor func liveRunsWithEqualWaitsAreAmongTheExplored(program: LiveProgram) async throws {
    try await expectLiveRunsAreExplored(
      program, runCount: 3_000 * Soak.factor, loadCount: 1, atLeast: 2)
  }

  @MainActor private func expectLiveRunsAreExplored(
    _ live: LiveProgram, runCount: Int, loadCount: Int, atLeast leastCount: Int
  ) async throws {
    let program = live.program
    let seen = RandomProgram.SeenStates()
    let coverage = await program.explorer(seen)
      .search(OrderSearch(limit: 200_000, prunes: true), steps: 1).coverage
    try #require(coverage.isComplete, "\(coverage)")
    let meaning = try #require(ProgramMeaning(of: program, actionCount: 1, limit: 200_000))
    #expect(seen.last == meaning.last)
    let load = Load(threadCount: loadCount)
    var counts: [RandomProgram.Feature.State: Int] = [:]
    for _ in 0..<runCount {
      let store = Store(initialState: RandomProgram.Feature.State()) {
        RandomProgram.Feature(program: program)
      } withDependencies: {
        $0.continuousClock = MillisecondClock()
      }
      await Jitter.$isOn.withValue(true) {
        await Jitter.$sleeps.withValue(leastCount >= 200) {
          await store.send(.start(0)).finish()
        }
      }
      counts[store.state, default: 0] += 1
    }
    load.end()
    let outside = Set(counts.keys).subtracting(seen.last)
    #expect(outside.isEmpty, "\(live): \(outside.map { ($0, counts[$0] ?? 0) })")
    #expect(counts.count >= leastCount, "\(live): \(counts.count) of \(seen.last.count)")
    guard Soak.isOn else { return }
    print(
      "\(live): \(counts.count) of \(seen.last.count) ends in \(runCount) live runs, "
        + "\(outside.count) outside")
  }
}

/// A program that runs live.
struct LiveProgram: Sendable, CustomStringConvertible {
  let description: String
  let program: RandomProgram

  init(_ description: String, _ trees: [RandomProgram.Tree]) {
    self.description = description
    program = RandomProgram(trees: trees, modulus: 1_000_003)
  }
}

/// A live clock on which a second of a program takes a millisecond.
private struct MillisecondClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now

  var now: Instant { start.advanced(by: (ContinuousClock.now - start) * 1_000) }
  var minimumResolution: Duration { .seconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await ContinuousClock().sleep(until: start.advanced(by: (deadline - start) / 1_000))
  }
}
