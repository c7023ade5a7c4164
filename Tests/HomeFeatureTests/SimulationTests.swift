import Foundation
import HomeFeature
import Rondo
import Testing

@testable import HomeProgram

/// Somebody at the keyboard for a long time, with faults all around.
@MainActor @Suite struct SimulationTests {
  /// A quarter of an hour here; `RONDO_SIMULATED_HOURS=24` for a day.
  private static let seconds =
    ProcessInfo.processInfo.environment["RONDO_SIMULATED_HOURS"]
    .flatMap(Int.init).map { $0 * 3_600 } ?? 900

  @Test(arguments: [1, 2])
  func nothingIsEverStuck(seed: UInt64) {
    let directory = TemporaryDirectory()
    let simulation = Simulation(seed: seed, directory: directory.path)
    simulation.run(for: .seconds(Self.seconds))
    simulation.stop()
    #expect(simulation.report.problems == [], "with the seed \(seed)")
    #expect(simulation.report.keys > Self.seconds / 20)
    #expect(simulation.report.failures > 0)
  }

  @Test func whatNeverComesToAnEndIsFound() {
    let directory = TemporaryDirectory()
    let simulation = Self.stuck(directory.path)
    simulation.run(for: .seconds(600))
    #expect(simulation.report.problems.contains { $0.hasSuffix("is in flight") })
    #expect(simulation.report.problems.contains { $0.hasSuffix("still load") })
  }

  @Test func aSimulationThatFindsSomethingHasAStatusThatSaysSo() async {
    await #expect(processExitsWith: .exitCode(70)) {
      await MainActor.run {
        let directory = TemporaryDirectory()
        Program.run(Self.stuck(directory.path), hours: 1)
      }
    }
  }

  /// A simulation with a server that never says how the week went.
  private static func stuck(_ directory: String) -> Simulation {
    Simulation(seed: 1, directory: directory) {
      $0.server.weekInReview = { _ in .future { _ in } }
    }
  }

  @Test func atRestOnlyTheTimeLeftIsWritten() {
    let directory = TemporaryDirectory()
    let simulation = Simulation(seed: 3, directory: directory.path)
    simulation.run(for: .seconds(900))
    #expect(simulation.report.bytesAtRest < 200 * simulation.report.secondsAtRest / 60)
  }

  @Test func aSeedHasOneRun() {
    let reports = (0..<2).map { _ in
      let directory = TemporaryDirectory()
      let simulation = Simulation(seed: 4, directory: directory.path)
      simulation.run(for: .seconds(300))
      return simulation.report
    }
    #expect(reports[0] == reports[1])
  }
}
