// The time of the database, as far as a process knows it.

import Foundation
import Synchronization

/// The time of the database, between two bounds: an answer that tells it was given after it was asked for, and
/// before it came. The clock of the computer says what time it is until the first answer, and is not asked after that.
///
/// A timer that is set by the later bound and fires by the earlier one is never early.
final class StoresTime: Sendable {
  /// The time since this value was made.
  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async -> Void
  private let bounds: Mutex<Bounds>

  private struct Bounds {
    /// The time of the database at the moment in which this value was made, in seconds since 2001: no earlier
    /// than the first, and no later than the second.
    var earliest: Double
    var latest: Double
    /// The last time that the database has told.
    var answer = -Double.infinity
    /// The last times that were given, which never go back.
    var given = (earliest: -Double.infinity, latest: -Double.infinity)
  }

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try? await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    let now = Date().timeIntervalSinceReferenceDate
    bounds = Mutex(Bounds(earliest: now, latest: now))
  }

  /// Takes a time of the database. One that is older than another is not used: its answer was overtaken.
  ///
  /// - Parameter asked: The moment at which it was asked for.
  func set(_ now: Date, asked: Duration) {
    let (told, came) = (now.timeIntervalSinceReferenceDate, elapsed())
    bounds.withLock { bounds in
      guard told > bounds.answer else { return }
      let isFirst = bounds.answer == -.infinity
      bounds.answer = told
      let (earliest, latest) = (told - came.timeInterval, told - asked.timeInterval)
      let (low, high) = (max(earliest, bounds.earliest), min(latest, bounds.latest))
      // Both answers are right, unless a clock has gone faster or slower meanwhile.
      let agree = !isFirst && low <= high
      (bounds.earliest, bounds.latest) = agree ? (low, high) : (earliest, latest)
      // Before the first answer only the time of this computer was known.
      if isFirst { bounds.given = (-.infinity, -.infinity) }
    }
  }

  /// Does something that may take so long. After that it is cancelled, and the error is a ``DurableTimeout``.
  func within<Value: Sendable>(
    _ limit: Duration?, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await body() }
      group.addTask { [sleep] in
        await sleep(limit)
        return nil
      }
      defer { group.cancelAll() }
      if let first = try await group.next(), let value = first { return value }
      try Task.checkCancellation()
      throw DurableTimeout(time: limit)
    }
  }

  /// The time that the database has reached.
  var now: Date {
    let elapsed = elapsed().timeInterval
    return bounds.withLock { bounds in
      bounds.given.earliest = max(bounds.given.earliest, bounds.earliest + elapsed)
      return Date(timeIntervalSinceReferenceDate: bounds.given.earliest)
    }
  }

  /// The time that the database has not passed: that of a turn, which timers are set from.
  var upcoming: Date {
    let elapsed = elapsed().timeInterval
    return bounds.withLock { bounds in
      bounds.given.latest = max(bounds.given.latest, bounds.latest + elapsed)
      return Date(timeIntervalSinceReferenceDate: bounds.given.latest)
    }
  }
}
