// A workload and its floor, and how both are measured.

import Foundation

/// One row of the table: an operation, and beside it the least that any runtime must do for it.
struct Workload {
  let name: String
  /// The sizes to measure at, a row each: how many operations one run does, unless `operations` says
  /// otherwise.
  let sizes: [Int]
  /// How many operations one run of a size does.
  let operations: @Sendable (_ size: Int) -> Int
  /// The sizes whose allocations are counted and compared with those of an earlier day.
  let counted: [Int]
  /// Whether one thread does it all, so that its instructions can be counted as well.
  let isSingleThreaded: Bool
  /// What is to be reached, in words.
  let reach: String
  let body: @MainActor (_ size: Int, _ stopwatch: Stopwatch) async -> Void
  let floor: (@MainActor (_ size: Int, _ stopwatch: Stopwatch) async -> Void)?

  init(
    _ name: String,
    sizes: [Int],
    operations: @escaping @Sendable (_ size: Int) -> Int = { $0 },
    counted: [Int] = [],
    isSingleThreaded: Bool = false,
    reach: String,
    body: @escaping @MainActor (_ size: Int, _ stopwatch: Stopwatch) async -> Void,
    floor: (@MainActor (_ size: Int, _ stopwatch: Stopwatch) async -> Void)? = nil
  ) {
    self.name = name
    self.sizes = sizes
    self.operations = operations
    self.counted = counted
    self.isSingleThreaded = isSingleThreaded
    self.reach = reach
    self.body = body
    self.floor = floor
  }
}

/// A measured row.
struct Measurement: Codable {
  let name: String
  let size: Int
  /// Median nanoseconds per operation.
  let nanoseconds: Double
  let floorNanoseconds: Double?
  /// Allocations per operation, the fewest of all runs.
  let allocations: Double
  let floorAllocations: Double?
  /// The largest resident size that the process has had so far, in bytes.
  let peakMemory: Int
  /// What the process holds more than before, when all has ended, in bytes.
  let residue: Int
  let reach: String

  /// The workload's cost in floors. Over the median of the runs' own ratios, since a machine that
  /// slows down slows down both.
  let ratio: Double?
}

extension Workload {
  static let runs = 5

  @MainActor
  func measure(size: Int) async -> Measurement {
    _ = await run(body, size)
    if let floor { _ = await run(floor, size) }
    let heldBefore = Memory.inUse
    var own: [Stopwatch] = []
    var floors: [Stopwatch] = []
    for _ in 0..<Self.runs {
      if let floor { floors.append(await run(floor, size)) }
      own.append(await run(body, size))
    }
    let operations = Double(operations(size))
    let ratios = zip(own, floors).map { $0.nanoseconds / $1.nanoseconds }
    return Measurement(
      name: name,
      size: size,
      nanoseconds: median(own.map(\.nanoseconds)) / operations,
      floorNanoseconds: floor.map { _ in median(floors.map(\.nanoseconds)) / operations },
      allocations: Double(own.map(\.allocations).min() ?? 0) / operations,
      floorAllocations: floor.map { _ in
        Double(floors.map(\.allocations).min() ?? 0) / operations
      },
      peakMemory: Memory.peak,
      residue: Memory.inUse - heldBefore,
      reach: reach,
      ratio: floor.map { _ in median(ratios) })
  }

  @MainActor
  func run(
    _ body: @MainActor (Int, Stopwatch) async -> Void, _ size: Int
  ) async -> Stopwatch {
    let stopwatch = Stopwatch()
    await body(size, stopwatch)
    return stopwatch
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
