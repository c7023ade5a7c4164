// What can be counted rather than timed, and is therefore the same on a busy machine: allocations,
// instructions, and what is kept.

import Foundation

/// What one operation of a workload takes, at one size.
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

  /// Without digits that nobody compares.
  fileprivate var rounded: Count {
    var count = self
    count.allocations = (allocations * 1_000).rounded() / 1_000
    count.instructions = instructions.map { $0.rounded() }
    return count
  }
}

/// One row as it is now, with what the process holds more when all has ended.
package struct Counted {
  package var count: Count
  package var isSingleThreaded: Bool
  /// In bytes.
  package var kept: Int

  package init(count: Count, isSingleThreaded: Bool, kept: Int) {
    self.count = count
    self.isSingleThreaded = isSingleThreaded
    self.kept = kept
  }
}

/// What was counted when the file was last written. A row may take so much more and no more.
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

  /// Puts rows in the place of all that were there of the same workloads.
  package mutating func replace(by new: [Count]) {
    let workloads = Set(new.map(\.workload))
    rows = rows.filter { !workloads.contains($0.workload) } + new
  }

  /// The file. It has a line for each row, so that a change of one is a line in a difference.
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
