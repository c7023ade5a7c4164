// Explorations beside everything that a program can mean (X3, X18).

import Foundation
import RondoSeededRandomness
import RondoTesting
import Testing

@testable import RondoExploration

@Suite struct MeaningTests {
  private static let programCount = Soak.count(14, long: 10_000)
  private static let firstSeed =
    ProcessInfo.processInfo.environment["RONDO_SEED"].flatMap { UInt64($0) } ?? 0

  // X18
  @Test func whatIsSaidOfAllOrdersIsTrueOfAllThatAProgramMeans() async {
    var (complete, runs, failures) = (0, 0, 0)
    var seed = Self.firstSeed
    while complete < Self.programCount, failures < 10 {
      defer { seed += 1 }
      // In the long form one program of twenty is large. Others that have more situations, or more orders, than
      // these are passed over.
      let isLarge = Soak.isOn && seed.isMultiple(of: 20)
      let program = RandomProgram.withEqualWaits(seed: seed, size: isLarge ? 5 : 3)
      let (situationLimit, orderLimit) = isLarge ? (60, 200) : (14, 30)
      guard let meaning = ProgramMeaning(of: program, actionCount: 2, limit: situationLimit)
      else { continue }
      let seen = RandomProgram.SeenStates()
      let coverage = await program.explorer(seen, again: true)
        .search(OrderSearch(limit: orderLimit, prunes: true), steps: 2).coverage
      runs += coverage.orderCount
      let besides = seen.all.subtracting(meaning.all)
      #expect(besides.isEmpty, "RONDO_SEED=\(seed): \(program)")
      if !besides.isEmpty { failures += 1 }
      guard coverage.isComplete else { continue }
      complete += 1
      // The long form takes minutes: its progress is seen.
      if complete.isMultiple(of: 1_000) {
        FileHandle.standardError.write(Data("\(complete) programs, \(runs) runs\n".utf8))
      }
      #expect(seen.last == meaning.last, "RONDO_SEED=\(seed): \(program)")
      #expect(seen.all == meaning.all, "RONDO_SEED=\(seed): \(program)")
      if seen.last != meaning.last { failures += 1 }
    }
    print("\(complete) of \(seed - Self.firstSeed) programs were explored wholly, in \(runs) runs")
  }

  /// Child tasks that cancel each other, pieces under an id, `try?`, timeouts, delays,
  /// and effects that give way to others. The user may begin with either action.
  // X18
  @Test func explorationsComeToWhatWideProgramsMean() async {
    let count = Soak.count(8, long: 5_000)
    var (complete, failures) = (0, 0)
    var seed = Self.firstSeed
    while complete < count, failures < 10 {
      defer { seed += 1 }
      let program = WideProgram(seed: seed, size: 3)
      let limit = Soak.isOn && seed.isMultiple(of: 20) ? 400 : 50
      guard let meaning = WideMeaning(of: program, actionCount: 2, limit: limit) else { continue }
      let seen = WideProgram.Seen()
      let coverage = await program.explorer(seen)
        .search(OrderSearch(limit: limit, prunes: true), steps: 2).coverage
      let isRight =
        coverage.isComplete
        ? seen.all == meaning.all && seen.last == meaning.last
        : seen.all.isSubset(of: meaning.all) && seen.last.isSubset(of: meaning.last)
      #expect(isRight, "RONDO_SEED=\(seed): \(program)")
      complete += coverage.isComplete ? 1 : 0
      failures += isRight ? 0 : 1
    }
    print("\(complete) of \(seed - Self.firstSeed) wide programs were explored wholly")
  }

  @Test func aSendOfOneSleeperComesBetweenTheSendsOfAnother() async throws {
    let program = RandomProgram(
      trees: [.merge([.run([.sleep(1), .add(1), .add(2)]), .run([.sleep(1), .add(3)])])],
      modulus: 1_009)
    let meaning = try #require(ProgramMeaning(of: program, actionCount: 1))
    // 1 2 3, 1 3 2 and 3 1 2.
    #expect(meaning.last.count == 3)
    #expect(try await ends(of: program, actionCount: 1) == meaning.last)
  }

  @Test func theUserActsBetweenAnyTwoSends() async throws {
    let program = RandomProgram(
      trees: [.run([.add(1), .add(2)]), .run([.add(5)] + (Soak.isOn ? [.add(6)] : []))],
      modulus: 1_009)
    let meaning = try #require(ProgramMeaning(of: program, actionCount: 3))
    #expect(try await ends(of: program, actionCount: 3) == meaning.last)
  }

  @Test func aCancellationInAClosureComesAfterWhatOthersDo() async throws {
    let program = RandomProgram(
      trees: [
        .run([.add(1), .cancel(0), .yield, .add(2)]),
        .cancellable(0, .run([.add(6), .add(7)]), inFlight: true),
      ], modulus: 1_009)
    let meaning = try #require(ProgramMeaning(of: program, actionCount: 2))
    #expect(try await ends(of: program, actionCount: 2) == meaning.last)
  }

  @Test func theUserActsAtTheInstantOfWhatIsDue() async throws {
    let program = RandomProgram(
      trees: [
        .debounce(0, .cancellable(0, .merge([.run([.add(1)]), .cancel(0)]), inFlight: true)),
        .merge([.cancellable(0, .run([.add(5)]), inFlight: true), .run([.sleep(1)])]),
      ], modulus: 1_009)
    let meaning = try #require(ProgramMeaning(of: program, actionCount: 2))
    #expect(try await ends(of: program, actionCount: 2) == meaning.last)
  }

  /// The states in which an exploration ends that is complete.
  private func ends(
    of program: RandomProgram, actionCount: Int
  ) async throws -> Set<RandomProgram.Feature.State> {
    let seen = RandomProgram.SeenStates()
    let coverage = await program.explorer(seen, again: actionCount > 1)
      .search(OrderSearch(limit: 20_000, prunes: true), steps: actionCount).coverage
    try #require(coverage.isComplete)
    return seen.last
  }
}
