// Every planted bug is found, and the table in the documentation says how soon (X11).

import Foundation
import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoExploration

@Suite struct PlantedBugTests {
  @Test func thereAreManyPlantedBugs() {
    #expect(PlantedBug.all.count == 40)
    #expect(Set(PlantedBug.all.map(\.name)).count == PlantedBug.all.count)
  }

  @Test(arguments: stride(from: 0, to: 40, by: Soak.isOn ? 1 : 5).map { PlantedBug.all[$0] })
  func everyPlantedBugIsFound(bug: PlantedBug) async {
    #expect(await bug.ordersNeeded(OrderSearch(limit: 20_000, prunes: true)) != nil)
  }

  @Test func aFailureIsSmallerThanTheRunThatWasFound() async {
    // By default every fourth bug.
    for index in stride(from: 1, to: PlantedBug.all.count, by: Soak.isOn ? 1 : 4) {
      let bug = PlantedBug.all[index]
      let (found, smallest) = await bug.sizes()
      #expect(smallest <= 8, "\(bug): \(found) choices became \(smallest) steps")
    }
  }

  @Test func theTableInTheDocumentationIsTrue() async throws {
    // By default two rows.
    let indices = stride(from: 0, to: PlantedBug.all.count, by: Soak.isOn ? 1 : 20)
    let table = BugTable(bugs: indices.map { PlantedBug.all[$0] })
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/Exploration.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    let lines = await table.lines()
    let missing = lines.filter { !text.contains($0) }
    #expect(
      missing.isEmpty && (!Soak.isOn || text.contains(lines.joined(separator: "\n"))),
      "Write this into \(page.lastPathComponent):\n\(lines.joined(separator: "\n"))")
  }
}

/// The table of planted bugs, or some rows of it.
struct BugTable {
  let bugs: [PlantedBug]
  private let seeds: [UInt64] = [1, 2, 3]
  private let limit = 2_000

  func lines() async -> [String] {
    var lines = [
      "| bug | first in, first out | few deviations | random | priorities | partial orders | all | steps left | orders of two actions |",
      "|---|---|---|---|---|---|---|---|---|",
    ]
    for bug in bugs {
      let usual = await bug.ordersNeeded(OrderSearch(limit: 1))
      let few = await bug.ordersNeeded(OrderSearch(limit: limit, plan: .fewDeviations))
      let mixed = await bug.ordersNeeded(
        OrderSearch(limit: 20_000, prunes: true, isGuided: true))
      let (found, smallest) = await bug.sizes()
      let columns = [
        bug.name, usual == nil ? "–" : "found", number(few),
        await median(bug, .randomWalk), await median(bug, .changingPriorities),
        await median(bug, .partialOrder), number(mixed), "\(smallest) of \(found)",
        orders(await bug.coverage()),
      ]
      lines.append("| \(columns.joined(separator: " | ")) |")
    }
    return lines
  }

  /// The number of all orders, and of those that had to be run.
  private func orders(_ coverage: ExplorationCoverage) -> String {
    let runs = coverage.orderCount
    guard coverage.isComplete else { return "more than \(runs)" }
    let all = Int(exactly: coverage.standsFor) ?? .max
    return all == runs ? "\(all)" : "\(all) by \(runs)"
  }

  private func number(_ orders: Int?) -> String { orders.map { "\($0)" } ?? "–" }

  private func median(_ bug: PlantedBug, _ sampling: OrderSearch.Sampling) async -> String {
    var counts: [Int] = []
    for seed in seeds {
      // The first order of every search is first in, first out.
      let search = OrderSearch(limit: limit, seed: seed, plan: .sampled(sampling))
      counts.append(await bug.ordersNeeded(search) ?? .max)
    }
    let median = counts.sorted()[seeds.count / 2]
    return median == .max ? "–" : "\(median)"
  }
}
