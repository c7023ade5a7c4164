// The queue that the effects of one test store run on, emptied by the test.

import RondoAnimation
import RondoConcurrencyShims
import Synchronization

/// A task executor without a thread: jobs wait in a queue, first in, first out, until the test runs
/// them, one after another, on its own thread.
///
/// It sees every job of a task that prefers it: of the closure of an effect, of child tasks that
/// the closure starts with `async let` or in a task group, of calls of actors without an executor
/// of their own. A task that waits has no job anywhere. A task that has left, for example to the
/// main actor, has no job here either: it comes back when it is put in this queue from elsewhere.
final class PumpedExecutor: TaskExecutor {
  private let state = Mutex(State())

  private enum Item {
    case job(UnownedJob)
    /// Work of the machine: messages have arrived in its mailbox.
    case work(@Sendable () -> Void)
    /// The closure of an effect that has let others go first.
    case preempted(UnsafeContinuation<Void, Never>)
  }

  private struct State {
    var items: [Item] = []
    /// An empty array, whose storage is used again for the next items.
    var spare: [Item] = []
    var isRetired = false
    /// Whether the first item has just let the others go first.
    var isFirstPreempted = false
    /// Called once, when an item has arrived.
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

  /// - Returns: Whether the item was added. It is not when the executor is retired.
  private func append(_ item: Item) -> Bool {
    let (isAppended, didReceive) = state.withLock { state in
      guard !state.isRetired else { return (false, nil as (@Sendable () -> Void)?) }
      state.items.append(item)
      return (true, state.didReceive.take())
    }
    didReceive?()
    return isAppended
  }

  /// Calls a closure when an item arrives, or at once if an item is there. The closure replaces the
  /// one that was given before.
  func notify(_ didReceive: (@Sendable () -> Void)?) {
    let isFilled = state.withLock { state in
      state.didReceive = state.items.isEmpty ? didReceive : nil
      return !state.items.isEmpty
    }
    if isFilled { didReceive?() }
  }

  // MARK: From the test

  /// Runs the items that wait, and those that they add, until the queue is empty.
  ///
  /// - Parameters:
  ///   - limit: The number of items after which it gives up.
  ///   - didRun: Called after every item. The argument is `true` if it was a job whose task is not
  ///     in the queue again.
  /// - Returns: The number of items that were run, and whether the queue is empty.
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
        case .preempted(let continuation):
          continuation.resume()
          didRun(false)
        }
      }
      items.removeAll(keepingCapacity: items.capacity <= 256)
      state.withLock { $0.spare = items }
    }
    return (count, false)
  }

  /// Whether a task has put itself in the queue, as the last item.
  private func isLast(_ job: UnownedJob) -> Bool {
    state.withLock { state in
      guard case .job(let last)? = state.items.last else { return false }
      return unsafeBitCast(last, to: Int.self) == unsafeBitCast(job, to: Int.self)
    }
  }

  /// Drops the items in the queue, so that they never run. A task that does not end is kept for as
  /// long as the process runs.
  func giveUp() {
    state.withLock { $0.items = [] }
  }

  /// Hands all jobs to the concurrent pool from now on: those that wait and those that still
  /// arrive. Called when the test is over.
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
      case .preempted(let continuation): continuation.resume()
      }
    }
  }
}

// MARK: - In another order

extension PumpedExecutor {
  /// The number of items that wait.
  var count: Int { state.withLock { $0.items.count } }

  /// The items that may be the next one. The item that has just let others go first is
  /// not, unless there is nothing else that could run.
  func candidates(mayOthersRun: Bool) -> Range<Int> {
    state.withLock { state in
      let areOthersThere = state.items.count > 1 || mayOthersRun
      return (state.isFirstPreempted && areOthersThere ? 1 : 0)..<state.items.count
    }
  }

  /// The number of the task that an item belongs to; 0 if it is not known.
  func taskNumber(at index: Int) -> UInt64 {
    state.withLock { state in
      guard state.items.indices.contains(index), case .job(let job) = state.items[index] else {
        return 0
      }
      return rondo_taskNumber(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    }
  }

  /// Whether an item is a job of the concurrency runtime.
  func isJob(at index: Int) -> Bool {
    state.withLock { state in
      if case .job = state.items[index] { true } else { false }
    }
  }

  /// The number of a task.
  func taskNumber(of task: Task<Void, Never>) -> UInt64 {
    rondo_taskNumber(unsafeBitCast(task, to: UnsafeMutableRawPointer.self))
  }

  /// Whether the first item has just let the others go first.
  var hasFirstLetOthersGo: Bool { state.withLock { $0.isFirstPreempted } }

  /// Suspends the closure of an effect. It goes on when it is its turn.
  nonisolated(nonsending) func letOthersGoFirst() async {
    await withUnsafeContinuation { continuation in
      let isRetired = state.withLock { state in
        guard !state.isRetired else { return true }
        state.items.insert(.preempted(continuation), at: 0)
        state.isFirstPreempted = true
        return false
      }
      if isRetired { continuation.resume() }
    }
  }

  /// Allows the item that has let others go first to be the next one: they have had their chance.
  func forgetPreemption() {
    state.withLock { $0.isFirstPreempted = false }
  }

  /// Runs an item that waits.
  ///
  /// - Returns: Whether it was a job whose task is not in the queue any more.
  func run(at index: Int) -> Bool {
    let item = state.withLock { state in
      state.isFirstPreempted = false
      return state.items.remove(at: index)
    }
    switch item {
    case .work(let work):
      work()
      return false
    case .job(let job):
      job.runSynchronously(on: asUnownedTaskExecutor())
      return !isWaiting(job)
    case .preempted(let continuation):
      // Resuming puts its job in the queue. Running that job belongs to this same step.
      let last = state.withLock { $0.items.count }
      continuation.resume()
      return count > last ? run(at: last) : false
    }
  }

  /// Whether a task has put itself in the queue.
  private func isWaiting(_ job: UnownedJob) -> Bool {
    state.withLock { state in
      state.items.contains { item in
        switch item {
        case .job(let other): unsafeBitCast(other, to: Int.self) == unsafeBitCast(job, to: Int.self)
        case .preempted: true
        case .work: false
        }
      }
    }
  }
}
