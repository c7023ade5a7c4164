import Foundation
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
