// The ticks of a clock as an asynchronous sequence.

extension Clock {
  /// A sequence of this clock's current instant, again and again at an interval.
  ///
  /// ```swift
  /// for await instant in clock.timer(interval: .seconds(1)) {
  ///   elapsed = start.duration(to: instant)
  /// }
  /// ```
  ///
  /// Take the time from the instant: a tick that is late stands for all that were missed. The timer of a scheduler keeps
  /// each of them.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks; positive. A timer that cannot be is reported and has
  ///     no ticks.
  ///   - tolerance: How much later than its instant a tick is still in order.
  public func timer(
    interval: Duration,
    tolerance: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ClockTimer<Self> {
    if interval <= .zero {
      reportIssue(
        """
        A timer was asked to tick at an interval of zero or less. \
        It has no ticks; pass a positive interval.
        """,
        at: SourcePosition(fileID, filePath, line, column)
      )
    }
    return ClockTimer(clock: self, interval: interval, tolerance: tolerance)
  }
}

extension Clock where Duration == Swift.Duration {
  /// The same for a clock of which no more is known than that, `any Clock<Duration>`.
  @_disfavoredOverload
  public func timer(
    interval: Duration,
    tolerance: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> ClockTimer<AnyClock<Duration>> {
    AnyClock(self).timer(
      interval: interval, tolerance: tolerance,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// The ticks of a clock. Made by `Clock.timer(interval:tolerance:)`.
///
/// Each iteration has ticks of its own: the first one comes an interval after the first has been
/// asked for, each other one an interval after the instant of the one before, however late that
/// was taken. Of several that have passed by then only the last comes, as after a night in which the machine slept. It ends
/// when the task that iterates is cancelled.
public struct ClockTimer<Base: Clock>: AsyncSequence, Sendable {
  let clock: Base
  let interval: Base.Duration
  let tolerance: Base.Duration?

  public func makeAsyncIterator() -> Iterator {
    Iterator(timer: self)
  }

  /// One series of ticks.
  public struct Iterator: AsyncIteratorProtocol {
    let timer: ClockTimer
    private var last: Base.Instant?

    init(timer: ClockTimer) {
      self.timer = timer
    }

    /// Waits for the next tick; nil when the task has been cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Base.Instant? {
      guard timer.interval > .zero else { return nil }
      let now = timer.clock.now
      let last = last ?? now
      let intervals = last.duration(to: now) / timer.interval
      let due = last.advanced(
        by: timer.interval * Int(Swift.max(1, Swift.min(intervals.rounded(.down), 1e15))))
      self.last = due
      guard (try? await timer.clock.sleep(until: due, tolerance: timer.tolerance)) != nil else {
        return nil
      }
      return timer.clock.now
    }
  }
}
