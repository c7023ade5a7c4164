import Foundation
import RondoHomeFeature
import Rondo
import RondoSeededRandomness
import Testing

@testable import RondoHomeProgram

/// Somebody at the keyboard for a long time, with faults all around.
@MainActor @Suite struct SimulationTests {
  private static let timeBetweenRests = Duration.seconds(Soak.isOn ? 600 : 60)

  /// The seconds of a simulation: a minute, or `RONDO_SOAK` hours.
  private static let seconds = Soak.count(60, long: 3_600)

  /// A simulation that several tests look at.
  private static let first = report(seed: 11)

  private static func report(seed: UInt64) -> Simulation.Report {
    let directory = TemporaryFolder()
    let simulation = Simulation(
      seed: seed, directory: directory.path, timeBetweenRests: timeBetweenRests)
    simulation.run(for: .seconds(seconds))
    simulation.stop()
    return simulation.report
  }

  @Test(arguments: Soak.arguments([11], more: [1, 2, 3]))
  func nothingIsEverStuck(seed: UInt64) {
    let report = seed == 11 ? Self.first : Self.report(seed: seed)
    #expect(report.problems == [], "with the seed \(seed)")
    #expect(report.keys > Self.seconds / 20)
    #expect(report.failures > 0)
    // At rest only the time left is written.
    #expect(report.bytesAtRest < 200 * report.secondsAtRest / 60)
  }

  @Test func whatNeverComesToAnEndIsFound() {
    let directory = TemporaryFolder()
    let simulation = Self.stuck(directory.path)
    simulation.run(for: Self.timeUntilRest)
    #expect(simulation.report.problems.contains { $0.hasSuffix("is in flight") })
    #expect(simulation.report.problems.contains { $0.hasSuffix("still load") })
  }

  @Test func aSimulationThatFindsSomethingHasAStatusThatSaysSo() async {
    await #expect(processExitsWith: .exitCode(70)) {
      await MainActor.run {
        let directory = TemporaryFolder()
        Program.run(Self.stuck(directory.path), for: Self.timeUntilRest)
      }
    }
  }

  private static let timeUntilRest = Duration.seconds(Soak.isOn ? 600 : 30)

  /// A simulation with a server that never says how the week went.
  private static func stuck(_ directory: String) -> Simulation {
    Simulation(seed: 1, directory: directory, timeBetweenRests: timeUntilRest) {
      $0.server.weekInReview = { _ in .future { _ in } }
    }
  }

  @Test func aSeedHasOneRun() {
    #expect(Self.report(seed: 11) == Self.first)
  }
}
