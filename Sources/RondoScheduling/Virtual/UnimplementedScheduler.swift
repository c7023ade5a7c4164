// A scheduler that must not be used.

/// Reports an issue with its name whenever it is used, and runs nothing.
///
/// Hand it to a feature in a test to prove that the feature does not need a scheduler on the way
/// that the test takes:
///
/// ```swift
/// let model = Model(mainQueue: .unimplemented("Model.mainQueue"))
/// model.cancelButtonTapped()
/// ```
public struct UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & Sendable,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible,
  SchedulerOptions: Sendable
{
  /// The name of this scheduler in the issues.
  public let name: String

  private let instant: SchedulerTimeType
  private let position: SourcePosition

  /// Creates a scheduler that reports its uses.
  ///
  /// - Parameters:
  ///   - name: The name in the issues: the property that it stands in for.
  ///   - now: The value of ``now``, which is given after the issue has been reported.
  ///   - fileID: The place to blame: by default where the scheduler is made.
  ///   - filePath: The same place as a path.
  ///   - line: The line in the file.
  ///   - column: The column in the line.
  public init(
    _ name: String,
    now: SchedulerTimeType,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.name = name
    instant = now
    position = SourcePosition(fileID, filePath, line, column)
  }

  public var now: SchedulerTimeType {
    report("Its time was asked for")
    return instant
  }

  public var minimumTolerance: SchedulerTimeType.Stride {
    report("Its minimum tolerance was asked for")
    return .zero
  }

  public func schedule(options: SchedulerOptions?, _ work: @escaping @Sendable () -> Void) {
    report("Work was scheduled")
  }

  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) {
    report("Work was scheduled for later")
  }

  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    report("Work was scheduled to repeat")
    return AnyCancellable {}
  }

  private func report(_ use: String) {
    reportIssue(
      """
      The unimplemented scheduler "\(name)" was used. \(use), and nothing has been run. \
      Hand in a test or an immediate scheduler if this use is meant.
      """,
      at: position
    )
  }
}

/// An unimplemented scheduler named by the scheduler that it stands in for.
public typealias UnimplementedSchedulerOf<Base: SchedulerTypes> =
  UnimplementedScheduler<Base.SchedulerTimeType, Base.SchedulerOptions>
