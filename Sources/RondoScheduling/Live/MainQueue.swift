// The main queue: whether this code runs on it, and how a loop that is not Dispatch's own serves it.

import RondoAnimation

/// Whether the caller runs on the main queue: top-level code, a block of the main queue, the main
/// actor.
///
/// `Thread.isMainThread` does not tell on Linux: after the first suspension of an asynchronous main
/// program the main actor is served by another thread. Dispatch knows. The answer costs some 10 ns.
package func isOnMainQueue() -> Bool {
  MainThread.isCurrent
}

#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
  import RondoConcurrencyShims

  /// The main queue, and with it the main actor, as something that any main loop can wait for.
  ///
  /// A program whose first thread runs the loop of a toolkit, of GTK, SDL or its own, runs no work of
  /// the main queue: nobody takes it. Let the loop wait for ``fileDescriptor`` beside its own events,
  /// and call ``runPending(fileID:filePath:line:column:)`` when it can be read. The main actor then runs on that thread, between two
  /// events, and a program with nothing to do sleeps.
  ///
  /// ```swift
  /// var sources = [pollfd(fd: MainQueue.fileDescriptor, events: Int16(POLLIN), revents: 0)]
  /// while isRunning {
  ///   poll(&sources, 1, -1)
  ///   MainQueue.runPending()
  /// }
  /// ```
  ///
  /// All that Dispatch brings to the main queue comes this way: tasks of the main actor, clocks and
  /// `Task.sleep`, timers, `DispatchQueue.main` and sources on it. What is added to `RunLoop.main` does
  /// not: that is another loop, which nobody runs here. Use `DispatchQueue.main` as the scheduler.
  ///
  /// The program needs a main function that is not asynchronous: Dispatch takes the first thread away
  /// from one that is, when it is suspended for the first time.
  public enum MainQueue {
    /// A descriptor that can be read while work of the main queue waits. It is the same one always.
    ///
    /// Wait until it can be read, with `poll`, `epoll` or what a toolkit has for descriptors. Do not
    /// read from it or close it. Where Dispatch has no descriptor this is -1, which `poll` takes for
    /// no descriptor at all, and an issue is reported.
    public static var fileDescriptor: Int32 {
      let descriptor = rondo_mainQueueDescriptor()
      if descriptor < 0 {
        reportIssue(
          "Dispatch has no descriptor for its main queue in this version. Build with Swift 6.2 or "
            + "later, or call 'dispatchMain()' in place of a loop of your own.")
      }
      return descriptor
    }

    /// Runs the work that waits on the main queue now, and returns. It does not wait for any.
    ///
    /// Work that the work itself adds is left for the next call, and ``fileDescriptor`` can be read
    /// again then: work that goes on for ever does not keep a loop from its other events.
    ///
    /// Call it on the first thread of the program, from the loop. A loop that a piece of this work runs
    /// inside of itself may call it, too, but nothing runs then: the work of a serial queue does not
    /// run inside of another piece, and is done once that one returns. Start such a loop from an event
    /// of the toolkit to have the main actor served in it.
    ///
    /// A call on another thread runs nothing and reports an issue.
    public static func runPending(
      fileID: StaticString = #fileID,
      filePath: StaticString = #filePath,
      line: UInt = #line,
      column: UInt = #column
    ) {
      guard rondo_isFirstThread() else {
        return reportIssue(
          "MainQueue.runPending() was called on a thread that does not serve the main queue, and has "
            + "run nothing. Call it from the loop of the program's first thread.",
          fileID: fileID, filePath: filePath, line: line, column: column)
      }
      // Set back before the work runs: what is added meanwhile sets it again.
      var count: UInt64 = 0
      _ = read(rondo_mainQueueDescriptor(), &count, MemoryLayout.size(ofValue: count))
      rondo_runMainQueue()
    }
  }
#endif
