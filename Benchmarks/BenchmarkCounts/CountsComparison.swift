// Finds the costs that are too high.

import Foundation

/// Compares counts with those of an earlier day, row by row.
package struct CountsComparison {
  private let counts: Counts
  /// One line for each cost that is higher than it may be.
  package private(set) var problems: [String] = []

  /// The growth of memory that is allowed over a run, in bytes: enough for a cache that has grown,
  /// but not for a word for each of 10,000 operations.
  package static let keptTolerance = 64 * 1_024

  package init(with counts: Counts) {
    self.counts = counts
  }

  /// Takes the rows of a workload, in ascending order of size.
  package mutating func add(_ rows: [Counted]) {
    for row in rows { add(row) }
    for (small, large) in zip(rows.map(\.count), rows.map(\.count).dropFirst()) {
      // Half an allocation more may come from memory that is allocated only once.
      if large.allocations > small.allocations * 1.5 + 0.5 {
        fail(
          large, "allocations per operation grow with the size",
          small.allocations, large.allocations)
      }
      if let before = small.instructions, let after = large.instructions, after > before * 1.5 {
        fail(large, "instructions per operation grow with the size", before, after)
      }
    }
  }

  private mutating func add(_ row: Counted) {
    let now = row.count
    if row.kept > Self.keptTolerance {
      fail(now, "bytes are kept after all has ended", 0, Double(row.kept))
    }
    guard let before = counts.row(like: now) else { return }
    let tolerance = row.isSingleThreaded ? counts.tolerance : counts.toleranceOfThreads
    // A twentieth of an allocation more may be a cache that grows.
    if now.allocations > before.allocations * (1 + tolerance) + 0.05 {
      fail(now, "more allocations per operation", before.allocations, now.allocations)
    }
    if let after = now.instructions, let before = before.instructions,
      after > before * (1 + counts.tolerance)
    {
      fail(now, "more instructions per operation", before, after)
    }
  }

  private mutating func fail(_ count: Count, _ what: String, _ before: Double, _ after: Double) {
    let numbers = String(format: "%.2f -> %.2f", before, after)
    problems.append("\(count.workload) at \(count.size): \(what): \(numbers)")
  }
}
