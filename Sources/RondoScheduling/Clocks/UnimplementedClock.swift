// A clock that must not be used.

/// Reports an issue with its name whenever it is used.
///
/// Hand it to a feature in a test to prove that the feature needs no clock on the way that the test
/// takes. Its time stands still; a sleep throws `CancellationError`, so that nothing runs after it.
///
/// `DurationType` is the type of its durations. It is always `Duration`:
/// `UnimplementedClock<Duration>`.
public struct UnimplementedClock<DurationType>: Clock {
  /// The instants are those of a test clock.
  public typealias Instant = TestClock<DurationType>.Instant

  /// The name of this clock in the issues.
  public let name: String

  private let position: SourcePosition

  /// The beginning of time, and a report that the time was asked for.
  public var now: Instant {
    report("Its time was asked for")
    return Instant(since: .zero)
  }

  /// Zero, and a report that the resolution was asked for.
  public var minimumResolution: Duration {
    report("Its resolution was asked for")
    return .zero
  }

  /// Reports its use.
  ///
  /// - Throws: `CancellationError`, always.
  public nonisolated(nonsending) func sleep(
    until deadline: Instant,
    tolerance: Duration? = nil
  ) async throws {
    report("A task was to sleep on it, and has been ended")
    throw CancellationError()
  }

  private func report(_ use: String) {
    reportIssue(
      """
      The unimplemented clock "\(name)" was used. \(use). \
      Hand in a test or an immediate clock if this use is meant.
      """,
      at: position
    )
  }
}

extension UnimplementedClock where DurationType == Duration {
  /// Creates a clock that reports its uses.
  ///
  /// - Parameters:
  ///   - name: The name in the issues: the property that it stands in for.
  ///   - fileID: The place to blame: by default where the clock is made.
  ///   - filePath: The same place as a path.
  ///   - line: The line in the file.
  ///   - column: The column in the line.
  public init(
    _ name: String = "UnimplementedClock",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.name = name
    position = SourcePosition(fileID, filePath, line, column)
  }
}
