// Counts the workloads, and compares the counts with a file or writes them to it.

import RondoBenchmarkCounts
import Foundation

extension Counts {
  /// Counts the workloads, and compares the counts with a file or writes them to it.
  ///
  /// - Returns: Whether no cost is too high.
  @MainActor
  static func run(_ options: Options, _ path: String) async throws -> Bool {
    let file = URL(filePath: path)
    var counts = Counts()
    if !options.updatesCounts || FileManager.default.fileExists(atPath: path) {
      counts = try Counts(contentsOf: file)
    }
    guard Memory.inUse > 0 else {
      print("Nothing is counted: allocations can be counted on Linux with glibc only.")
      return true
    }
    let instructions = try Callgrind.count()
    if instructions == nil { print("Instructions are not counted: there is no valgrind.") }

    var comparison = CountsComparison(with: counts)
    var rows: [Count] = []
    print(header)
    for workload in allWorkloads.filter(options.picks) {
      var counted = await workload.count()
      for index in counted.indices {
        let key = Callgrind.key(workload.name, counted[index].count.size)
        counted[index].count.instructions = instructions?[key]
        print(line(counted[index], before: counts.row(like: counted[index].count)))
      }
      comparison.add(counted)
      rows += counted.map(\.count)
    }
    if options.updatesCounts {
      counts.replace(by: rows)
      try Data(counts.text.utf8).write(to: file, options: .atomic)
      return true
    }
    for problem in comparison.problems { print("too much: \(problem)") }
    return comparison.problems.isEmpty
  }

  private static let header = [
    "workload".padded(24), "size".padded(-8), "alloc/op".padded(-10), "before".padded(-10),
    "instr/op".padded(-11), "before".padded(-11), "kept KiB".padded(-9),
  ].joined(separator: " ")

  private static func line(_ row: Counted, before: Count?) -> String {
    [
      row.count.workload.padded(24), "\(row.count.size)".padded(-8),
      Table.number(row.count.allocations, 2).padded(-10),
      (before.map { Table.number($0.allocations, 2) } ?? "new").padded(-10),
      (row.count.instructions.map { Table.number($0, 1) } ?? "").padded(-11),
      (before?.instructions.map { Table.number($0, 1) } ?? "").padded(-11),
      Table.number(Double(row.kept) / 1_024, 1).padded(-9),
    ].joined(separator: " ")
  }
}

extension Workload {
  /// Counts a run of each size, after one that fills caches.
  @MainActor
  func count() async -> [Counted] {
    var result: [Counted] = []
    for size in counted {
      for _ in 0..<2 { _ = await run(body, size) }
      var (allocations, kept) = (Int64.max, Int.max)
      // Kept bytes count only if every run keeps them: a thread's first allocations are not a leak.
      for _ in 0..<3 {
        let heldBefore = Memory.inUse
        allocations = min(allocations, await run(body, size).allocations)
        kept = min(kept, Memory.inUse - heldBefore)
      }
      let count = Count(
        workload: name, size: size, allocations: Double(allocations) / Double(operations(size)))
      result.append(Counted(count: count, isSingleThreaded: isSingleThreaded, kept: kept))
    }
    return result
  }
}
