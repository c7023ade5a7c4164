// What can be counted rather than timed, and is therefore the same on a busy machine: allocations,
// instructions, and what is kept.

import Foundation

/// What one operation of a workload takes, at one size.
struct Count: Codable {
  var workload: String
  var size: Int
  var allocations: Double
  /// `nil` for workloads whose threads take turns as they like.
  var instructions: Double?
}

/// What was counted when the file was last written. A row may take so much more and no more.
struct Counts: Codable {
  /// The share that a count may grow by. Compilers and C libraries differ by some of it.
  var tolerance = 0.1
  /// The same for workloads whose threads take turns as they like.
  var toleranceOfThreads = 0.25
  var rows: [Count] = []
}

extension Counts {
  /// Counts the workloads, and compares them with a file or writes that.
  ///
  /// - Returns: Whether everything is as it was.
  @MainActor
  static func run(_ options: Options, _ path: String) async throws -> Bool {
    let file = URL(filePath: path)
    var counts = Counts()
    if !options.updatesCounts || FileManager.default.fileExists(atPath: path) {
      counts = try JSONDecoder().decode(Counts.self, from: Data(contentsOf: file))
    }
    guard Memory.inUse > 0 else {
      print("Nothing is counted: allocations can be counted on Linux with glibc only.")
      return true
    }
    let instructions = try Callgrind.count()
    if instructions == nil { print("Instructions are not counted: there is no valgrind.") }

    var comparison = CountsComparison(with: counts)
    var rows: [Count] = []
    print(CountsComparison.header)
    for workload in allWorkloads where options.filter.map(workload.name.contains) ?? true {
      var counted = await workload.count()
      for index in counted.indices {
        let key = Callgrind.key(workload.name, counted[index].count.size)
        counted[index].count.instructions = instructions?[key]
      }
      comparison.add(counted)
      rows += counted.map(\.count)
    }
    if options.updatesCounts {
      let new = Set(rows.map(\.workload))
      counts.rows = counts.rows.filter { !new.contains($0.workload) } + rows
      try counts.write(to: file)
      return true
    }
    for problem in comparison.problems { print("too much: \(problem)") }
    return comparison.problems.isEmpty
  }

  /// Writes a row to a line, so that a change of one is a line in a difference.
  private func write(to file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let lines = try rows.map {
      "    " + String(decoding: try encoder.encode($0.rounded), as: UTF8.self)
    }
    let text = """
      {
        "tolerance": \(tolerance),
        "toleranceOfThreads": \(toleranceOfThreads),
        "rows": [
      \(lines.joined(separator: ",\n"))
        ]
      }

      """
    try Data(text.utf8).write(to: file, options: .atomic)
  }
}

extension Count {
  /// Without digits that nobody compares.
  fileprivate var rounded: Count {
    var count = self
    count.allocations = (allocations * 1_000).rounded() / 1_000
    count.instructions = instructions.map { $0.rounded() }
    return count
  }
}

/// One row as it is now, with what the process holds more when all has ended, in bytes.
struct Counted {
  var count: Count
  var isSingleThreaded: Bool
  var kept: Int
}

extension Workload {
  /// Counts a run of each size, after one that fills caches.
  @MainActor
  func count() async -> [Counted] {
    var result: [Counted] = []
    for size in counted {
      for _ in 0..<2 { _ = await run(body, size) }
      var (allocations, kept) = (Int64.max, Int.max)
      // What is kept counts only if every run keeps it: a thread's first allocations are not a leak.
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

/// Compares counts with those of a file, row by row.
struct CountsComparison {
  let counts: Counts
  private(set) var problems: [String] = []

  /// What a process may hold more after a run than before: a cache that has grown, but not a word
  /// for each of 10,000 operations.
  static let keptTolerance = 64 * 1_024

  init(with counts: Counts) {
    self.counts = counts
  }

  static let header = [
    "workload".padded(24), "size".padded(-8), "alloc/op".padded(-10), "before".padded(-10),
    "instr/op".padded(-11), "before".padded(-11), "kept KiB".padded(-9),
  ].joined(separator: " ")

  /// Takes the rows of a workload, in ascending order of size.
  mutating func add(_ rows: [Counted]) {
    for row in rows { add(row) }
    for (small, large) in zip(rows, rows.dropFirst()) {
      compareGrowth(small.count, large.count, "allocations", \.allocations)
      if let before = small.count.instructions, let after = large.count.instructions {
        if after > before * 1.5 {
          fail(large.count, "instructions per operation grow with the size", before, after)
        }
      }
    }
  }

  private mutating func compareGrowth(
    _ small: Count, _ large: Count, _ what: String, _ value: (Count) -> Double
  ) {
    guard value(large) > value(small) * 1.5 + 0.5 else { return }
    fail(large, "\(what) per operation grow with the size", value(small), value(large))
  }

  private mutating func add(_ row: Counted) {
    let now = row.count
    let before = counts.rows.first { $0.workload == now.workload && $0.size == now.size }
    print(
      [
        now.workload.padded(24), "\(now.size)".padded(-8),
        Table.number(now.allocations, 2).padded(-10),
        (before.map { Table.number($0.allocations, 2) } ?? "new").padded(-10),
        (now.instructions.map { Table.number($0, 1) } ?? "").padded(-11),
        (before?.instructions.map { Table.number($0, 1) } ?? "").padded(-11),
        Table.number(Double(row.kept) / 1_024, 1).padded(-9),
      ].joined(separator: " "))
    if row.kept > Self.keptTolerance {
      fail(now, "bytes are kept after all has ended", 0, Double(row.kept))
    }
    guard let before else { return }
    // A twentieth of an allocation more may be a cache that grows.
    let tolerance = row.isSingleThreaded ? counts.tolerance : counts.toleranceOfThreads
    if now.allocations > before.allocations * (1 + tolerance) + 0.05 {
      fail(now, "more allocations per operation", before.allocations, now.allocations)
    }
    if let now = now.instructions, let before = before.instructions,
      now > before * (1 + counts.tolerance)
    {
      fail(row.count, "more instructions per operation", before, now)
    }
  }

  private mutating func fail(_ count: Count, _ what: String, _ before: Double, _ after: Double) {
    let numbers = "\(Table.number(before, 2)) -> \(Table.number(after, 2))"
    problems.append("\(count.workload) at \(count.size): \(what): \(numbers)")
  }
}

extension String {
  /// Filled with spaces to a width: on the right, or on the left where the width is negative.
  fileprivate func padded(_ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? spaces + self : self + spaces
  }
}
