// Waiting for tasks that run elsewhere, without guessing how long they take and without a hang.

import RondoScheduling

extension TestTimeline {
  /// Lets other tasks run until so many things wait on the timeline.
  ///
  /// A test calls it before it moves time: then it is certain, not only likely, that the task has
  /// gone to sleep. It ends, by throwing, when the test runs into its time limit.
  nonisolated(nonsending) func untilWaiting(_ count: Int = 1) async throws {
    while waiting.count != count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

extension Task {
  /// The value, as ``value`` gives it; but a test that runs into its time limit cancels the task,
  /// so that one which sleeps by mistake cannot hang the run.
  var end: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}
