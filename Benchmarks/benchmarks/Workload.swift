// A workload and its floor, and how both are measured.

import Foundation

/// One row of the table: an operation, and beside it the least that any runtime must do for it.
struct Workload {
  let name: String
  /// The sizes to measure at, a row each. A size is the number of operations of one run, unless
  /// `operations` says otherwise.
  let sizes: [Int]
  /// The number of operations that one run of a size does.
  let operations: @Sendable (_ size: Int) -> Int
  /// The sizes whose allocations are counted and compared with those of an earlier day.
  let counted: [Int]
  /// Whether one thread does it all, so that its instructions can be counted as well.
  let isSingleThreaded: Bool
  /// The goal in words, such as `< 5 ms`.
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
  /// The growth of the process's memory over one run, in bytes.
  let residue: Int
  let reach: String

  /// The workload's time divided by that of its floor. It is the median of the ratios of single
  /// runs, since a machine that slows down slows down both.
  let ratio: Double?
}

extension Workload {
  static let runs = 5
  /// A run repeats a short workload until so many nanoseconds have been measured, because a single
  /// wake-up of a thread that comes late would be most of it.
  private static let leastNanoseconds = 50e6

  /// Measures some runs of a size beside as many of the floor, after a warm-up.
  @MainActor
  func measure(size: Int) async -> Measurement {
    _ = await run(body, size)
    if let floor { _ = await run(floor, size) }
    let heldBefore = Memory.inUse
    _ = await run(body, size)
    let residue = Memory.inUse - heldBefore
    var own: [Cost] = []
    var floors: [Cost] = []
    for _ in 0..<Self.runs {
      if let floor { floors.append(await cost(floor, size)) }
      own.append(await cost(body, size))
    }
    let ratios = zip(own, floors).map { $0.nanoseconds / $1.nanoseconds }
    return Measurement(
      name: name,
      size: size,
      nanoseconds: median(own.map(\.nanoseconds)),
      floorNanoseconds: floor.map { _ in median(floors.map(\.nanoseconds)) },
      allocations: own.map(\.allocations).min() ?? 0,
      floorAllocations: floor.map { _ in floors.map(\.allocations).min() ?? 0 },
      peakMemory: Memory.peak,
      residue: residue,
      reach: reach,
      ratio: floor.map { _ in median(ratios) })
  }

  /// Runs a size again and again, for somebody who watches from outside.
  @MainActor
  func profile(size: Int, for time: Duration, floor runsFloor: Bool) async {
    guard let body = runsFloor ? floor : body else { return }
    let end = ContinuousClock.now + time
    let stopwatch = Stopwatch()
    var count = 0.0
    repeat {
      await body(size, stopwatch)
      count += Double(operations(size))
    } while ContinuousClock.now < end
    let nanoseconds = Table.number(stopwatch.nanoseconds / count, 1)
    print("\(name) \(size): \(nanoseconds) ns/op, \(Int(count)) operations")
  }

  /// The cost of one operation.
  private struct Cost {
    let nanoseconds: Double
    let allocations: Double
  }

  @MainActor
  private func cost(
    _ body: @MainActor (Int, Stopwatch) async -> Void, _ size: Int
  ) async -> Cost {
    let stopwatch = Stopwatch()
    var count = 0.0
    repeat {
      await body(size, stopwatch)
      precondition(stopwatch.nanoseconds > 0, "\(name) has measured nothing.")
      count += Double(operations(size))
    } while stopwatch.nanoseconds < Self.leastNanoseconds
    return Cost(
      nanoseconds: stopwatch.nanoseconds / count,
      allocations: Double(stopwatch.allocations) / count)
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
