// Costs that are counted rather than timed, and are therefore the same on a busy machine:
// allocations, instructions, and bytes that are kept.

import Foundation

/// The cost of one operation of a workload, at one size.
package struct Count: Codable, Equatable {
  package var workload: String
  package var size: Int
  package var allocations: Double
  /// `nil` for workloads whose threads take turns as they like.
  package var instructions: Double?

  package init(workload: String, size: Int, allocations: Double, instructions: Double? = nil) {
    self.workload = workload
    self.size = size
    self.allocations = allocations
    self.instructions = instructions
  }

  /// The count without the digits that nobody compares.
  fileprivate var rounded: Count {
    var count = self
    count.allocations = (allocations * 1_000).rounded() / 1_000
    count.instructions = instructions.map { $0.rounded() }
    return count
  }
}

/// One row as it is now, with the growth of the process's memory over a run.
package struct Counted {
  package var count: Count
  package var isSingleThreaded: Bool
  /// The growth of the memory in use, in bytes.
  package var kept: Int

  package init(count: Count, isSingleThreaded: Bool, kept: Int) {
    self.count = count
    self.isSingleThreaded = isSingleThreaded
    self.kept = kept
  }
}

/// The counts of the time when the file was last written. A row may grow by a tolerance, no more.
package struct Counts: Codable {
  /// The share that a count may grow by. Compilers and C libraries differ by some of it.
  package var tolerance = 0.1
  /// The same for workloads whose threads take turns as they like.
  package var toleranceOfThreads = 0.25
  package var rows: [Count] = []

  package init(rows: [Count] = []) {
    self.rows = rows
  }

  package init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }

  /// The row of a workload at a size.
  package func row(like count: Count) -> Count? {
    rows.first { $0.workload == count.workload && $0.size == count.size }
  }

  /// Replaces all rows of the workloads that the new rows belong to.
  package mutating func replace(by new: [Count]) {
    let workloads = Set(new.map(\.workload))
    rows = rows.filter { !workloads.contains($0.workload) } + new
  }

  /// The text of the file. Each row is a line, so that a changed row is a changed line in a diff.
  package var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let lines = try rows.map {
        "    " + String(decoding: try encoder.encode($0.rounded), as: UTF8.self)
      }
      return """
        {
          "tolerance": \(tolerance),
          "toleranceOfThreads": \(toleranceOfThreads),
          "rows": [
        \(lines.joined(separator: ",\n"))
          ]
        }

        """
    }
  }
}
