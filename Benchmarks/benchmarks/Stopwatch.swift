// Times the measured part of a workload, and counts its allocations.

import RondoAllocationCounter

/// The stopwatch of a workload: everything outside of ``measure(_:)`` is preparation.
@MainActor
final class Stopwatch {
  private(set) var nanoseconds = 0.0
  private(set) var allocations: Int64 = 0

  func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
    let allocationsBefore = allocation_count()
    let start = ContinuousClock.now
    measurement_begins()
    defer { stop(start, allocationsBefore) }
    return try body()
  }

  func measure<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    let allocationsBefore = allocation_count()
    let start = ContinuousClock.now
    measurement_begins()
    defer { stop(start, allocationsBefore) }
    return try await body()
  }

  private func stop(_ start: ContinuousClock.Instant, _ allocationsBefore: Int64) {
    measurement_ends()
    let duration = ContinuousClock.now - start
    let (seconds, attoseconds) = duration.components
    nanoseconds += Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    allocations += allocation_count() - allocationsBefore
  }
}
