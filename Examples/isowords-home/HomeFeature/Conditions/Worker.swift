// The queue on which the clients do their work, after the wait that is imposed on them.

import Dispatch
import Rondo

/// Does a client's work on a queue.
///
/// All waiting and all work goes through a scheduler, and none through a task. So on a live queue
/// the main thread is never kept waiting, and on virtual time everything happens in one order,
/// without anybody who would have to be waited for.
struct Worker: Sendable {
  let queue: AnySchedulerOf<DispatchQueue>
  let conditions: Conditions

  /// Does some work once the source has taken its time.
  ///
  /// - Parameters:
  ///   - endpoint: The name of the effect in messages and recordings, as the endpoint is called.
  ///   - source: The source that takes its time.
  ///   - work: The work.
  func answer<Answer: Sendable>(
    _ endpoint: String,
    from source: Source,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping @Sendable () -> Answer
  ) -> Effect<Answer> {
    Effect<Void>.send(())
      .delay(for: .init(conditions.latency(of: source)), scheduler: queue)
      .flatMap { [queue] in
        .future { callback in queue.schedule { callback(work()) } }
      }
      .named(endpoint, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
