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

  /// Does some work once the source has taken its time. In recordings it has the place of the caller, by which
  /// the endpoints are told from each other.
  func answer<Answer: Sendable>(
    from source: Source,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ work: @escaping @Sendable () -> Answer
  ) -> Effect<Answer> {
    Effect<Void>.send(())
      .delay(
        for: .init(conditions.latency(of: source)), scheduler: queue,
        fileID: fileID, filePath: filePath, line: line, column: column
      )
      .flatMap { [queue] in
        .future(
          { callback in queue.schedule { callback(work()) } },
          fileID: fileID, filePath: filePath, line: line, column: column)
      }
  }
}
