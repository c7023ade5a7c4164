// The queue that the effects of one test store run on, emptied by the test.

import RondoAnimation
import Synchronization

/// A task executor without a thread: jobs wait in a queue, first in, first out, until the test runs
/// them, one after another, on its own thread.
///
/// It sees every job of a task that prefers it: of the closure of an effect, of what that starts
/// with `async let` or in a task group, of calls of actors without an executor of their own. A task
/// that waits has no job anywhere. Neither has one that has left, to the main actor, say: it comes
/// back by being put in this queue from elsewhere.
final class PumpedExecutor: TaskExecutor {
  private let state = Mutex(State())

  private enum Item {
    case job(UnownedJob)
    /// Letters have arrived in the machine's mailbox.
    case work(@Sendable () -> Void)
  }

  private struct State {
    var items: [Item] = []
    /// An empty array that has been used, for the next items.
    var spare: [Item] = []
    var isRetired = false
    /// Called once, when something has arrived.
    var didReceive: (@Sendable () -> Void)?
  }

  // MARK: From anywhere

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !append(.job(job)) {
      globalConcurrentExecutor.enqueue(job)
    }
  }

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    if !append(.work(work)) { work() }
  }

  /// - Returns: Whether there is somebody who runs it.
  private func append(_ item: Item) -> Bool {
    let (isAppended, didReceive) = state.withLock { state in
      guard !state.isRetired else { return (false, nil as (@Sendable () -> Void)?) }
      state.items.append(item)
      return (true, state.didReceive.take())
    }
    didReceive?()
    return isAppended
  }

  /// Has a closure called when something arrives; at once if something is here. It replaces the one
  /// that was given before.
  func notify(_ didReceive: (@Sendable () -> Void)?) {
    let isFilled = state.withLock { state in
      state.didReceive = state.items.isEmpty ? didReceive : nil
      return !state.items.isEmpty
    }
    if isFilled { didReceive?() }
  }

  // MARK: From the test

  /// Runs what waits, and what it puts in the queue, until the queue is empty.
  ///
  /// - Parameters:
  ///   - limit: After how many jobs to give up.
  ///   - didRun: Called after everything that has been run, with whether it was a job whose task is
  ///     not in the queue again.
  /// - Returns: How many jobs have been run, and whether the queue is empty.
  func drain(
    limit: Int, didRun: (_ isOutOfQueue: Bool) -> Void
  ) -> (count: Int, isEmpty: Bool) {
    var count = 0
    while count < limit {
      var items = state.withLock { state -> [Item] in
        guard !state.items.isEmpty else { return [] }
        swap(&state.items, &state.spare)
        defer { state.spare = [] }
        return state.spare
      }
      guard !items.isEmpty else { return (count, true) }
      for item in items {
        count += 1
        switch item {
        case .work(let work):
          work()
          didRun(false)
        case .job(let job):
          job.runSynchronously(on: asUnownedTaskExecutor())
          didRun(!isLast(job))
        }
      }
      items.removeAll(keepingCapacity: items.capacity <= 256)
      state.withLock { $0.spare = items }
    }
    return (count, false)
  }

  /// Whether a task has put itself in the queue, and nothing after it.
  private func isLast(_ job: UnownedJob) -> Bool {
    state.withLock { state in
      guard case .job(let last)? = state.items.last else { return false }
      return unsafeBitCast(last, to: Int.self) == unsafeBitCast(job, to: Int.self)
    }
  }

  /// Never runs what is in the queue. A task that does not end is kept for as long as the process runs.
  func giveUp() {
    state.withLock { $0.items = [] }
  }

  /// Hands over to the concurrent pool what may still arrive when the test is over.
  func retire() {
    let items = state.withLock { state in
      state.isRetired = true
      let items = state.items
      state.items = []
      return items
    }
    for item in items {
      switch item {
      case .work(let work): work()
      case .job(let job): globalConcurrentExecutor.enqueue(job)
      }
    }
  }
}
