// Types as cancellation ids, as features had them before `enum CancelID { case … }`.

import Rondo
import RondoScheduling

/// The cancellation id of a type: `CancelID.self`.
@usableFromInline
struct TypeIdentifier: Hashable, Sendable, CustomStringConvertible {
  let type: Any.Type

  @usableFromInline
  init(_ type: Any.Type) {
    self.type = type
  }

  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.type == rhs.type }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }

  @usableFromInline
  var description: String { "\(typeName(type)).self" }
}

extension Effect {
  /// Lets the effect be cancelled by a type: `.cancellable(id: CancelID.self)`.
  ///
  /// The same as `cancellable(id:cancelInFlight:)` with a value. In new features prefer a case of
  /// an `enum CancelID`: one type can hold several.
  public func cancellable(id: Any.Type, cancelInFlight: Bool = false) -> Self {
    cancellable(id: TypeIdentifier(id), cancelInFlight: cancelInFlight)
  }

  /// An effect that cancels what is running under a type, in this feature and its children.
  public static func cancel(id: Any.Type) -> Self {
    cancel(id: TypeIdentifier(id))
  }

  /// An effect that cancels what is running under any of some types.
  public static func cancel(ids: [Any.Type]) -> Self {
    cancel(ids: ids.map(TypeIdentifier.init))
  }

  /// Starts the effect once nothing has been started under the same type for a while.
  ///
  /// - Parameters:
  ///   - id: The type, also for `cancel(id:)`.
  ///   - interval: The time to wait. A negative one is reported and treated as zero.
  ///   - scheduler: The scheduler that the effect waits on.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public func debounce<S: Scheduler>(
    id: Any.Type,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    debounce(
      id: TypeIdentifier(id), for: interval, scheduler: scheduler, options: options,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Lets at most one value through per interval, which all effects under the same type share.
  ///
  /// - Parameters:
  ///   - id: The type that the interval is kept under.
  ///   - interval: The interval. A negative one is reported and treated as zero.
  ///   - scheduler: The scheduler that measures the time.
  ///   - latest: Whether the last value of an interval passes at its end, or the first.
  public func throttle<S: Scheduler>(
    id: Any.Type,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    throttle(
      id: TypeIdentifier(id), for: interval, scheduler: scheduler, latest: latest,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// An effect that answers with the scheduler's time at every interval, until it is cancelled by
  /// the type.
  ///
  /// - Parameters:
  ///   - id: The type that the timer runs under, also for `cancel(id:)`.
  ///   - interval: The interval. One that is not positive is reported, and the effect does nothing.
  ///   - tolerance: The time that a tick may be late; `nil` takes the scheduler's minimum.
  ///   - scheduler: The scheduler that ticks.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public static func timer<S: Scheduler>(
    id: Any.Type,
    every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self where Output == S.SchedulerTimeType {
    timer(
      id: TypeIdentifier(id), every: interval, tolerance: tolerance, on: scheduler,
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

/// Runs a piece of an effect's closure under a type as its cancellation id.
///
/// - Parameters:
///   - id: The type that cancels the piece.
///   - cancelInFlight: Whether what runs under the type is cancelled first.
///   - operation: The piece.
/// - Returns: What the piece returns.
/// - Throws: What the piece throws.
nonisolated(nonsending) public func withTaskCancellation<Success: Sendable, Failure: Error>(
  id: Any.Type,
  cancelInFlight: Bool = false,
  operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Success
) async throws(Failure) -> Success {
  try await withTaskCancellation(
    id: TypeIdentifier(id), cancelInFlight: cancelInFlight, operation: operation)
}

extension Task where Success == Never, Failure == Never {
  /// Cancels what runs under a type, in the feature whose effect's closure this is called in, and in
  /// its children.
  public static func cancel(
    id: Any.Type,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    cancel(
      id: TypeIdentifier(id), fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
