// Names that features from before 1.0 of the Composable Architecture use. Each stands for one of today.

import Rondo

/// The same as `Reducer`.
public typealias ReducerProtocol = Reducer

/// The same as `ReducerOf`.
public typealias ReducerProtocolOf<R: Reducer> = Reducer<R.State, R.Action>

/// The same as `Effect`.
public typealias EffectTask = Effect

/// The same as `Effect`, whose type of failures may be named: `EffectPublisher<Action, Never>`.
public typealias EffectPublisher<Action, each Failure> = Effect<Action>

extension Effect {
  /// An effect that answers with a value at once. The same as `send(_:)`.
  public init(value: Output) {
    self = .send(value)
  }

  /// An effect that answers with what an asynchronous closure returns.
  public static func task(
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable () async throws -> Output,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    .concurrentFuture(
      priority: priority, operation, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
