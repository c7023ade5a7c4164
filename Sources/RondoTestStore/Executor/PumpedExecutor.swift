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

  fileprivate enum Item {
    case job(UnownedJob)
    /// Work of the machine: messages have arrived in its mailbox.
    case work(@Sendable () -> Void)
    /// The closure of an effect that has let others go first.
    case preempted(UnsafeContinuation<Void, Never>)
    /// A message of the closure of an effect that has let others go first, with all that the closure
    /// has done since: that comes behind the message.
    indirect case delayed(@Sendable () -> Void, task: UInt64, held: [Item])
  }

  fileprivate struct State {
    var items: [Item] = []
    /// An empty array, whose storage is used again for the next items.
    var spare: [Item] = []
    var isRetired = false
    /// Whether the first item has just let the others go first.
    var isFirstPreempted = false
    /// Called once, when an item has arrived.
    var didReceive: (@Sendable () -> Void)?
    /// The number of messages that have let others go first.
    var delayedCount = 0
    /// Whether the closure that runs has delayed a message, which is the first item.
    var isHolding = false
    /// The number of the task that runs.
    var runningTask: UInt64 = 0
    /// The isolation that runs the queue, where somebody asks whether all items come from there.
    var owner: UInt?
    /// Whether an item has come from elsewhere.
    var hasForeignItem = false
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
      if let owner = state.owner, owner != TestIsolation.currentNumber {
        state.hasForeignItem = true
      }
      state.append(item)
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
        case .delayed(let message, _, let held):
          message()
          state.withLock { _ = $0.release(held) }
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
      return last.pointer == job.pointer
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
    hand(over: items)
  }

  private func hand(over items: [Item]) {
    for item in items {
      switch item {
      case .work(let work): work()
      case .job(let job): globalConcurrentExecutor.enqueue(job)
      case .preempted(let continuation): continuation.resume()
      case .delayed(let message, _, let held):
        message()
        hand(over: held)
      }
    }
  }
}

// MARK: - In another order

extension PumpedExecutor {
  /// Whether an item has come from elsewhere than the isolation that runs the queue.
  var hasForeignItem: Bool { state.withLock { $0.hasForeignItem } }

  /// Watches from now on whether all items come from the isolation that runs the queue.
  ///
  /// - Parameter owner: A number for the isolation.
  func watchForForeignItems(owner: UInt) {
    state.withLock { $0.owner = owner }
  }

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
      return job.taskNumber
    }
  }

  /// Whether an item is a piece of a task.
  func isOfTask(at index: Int) -> Bool {
    state.withLock { state in
      if case .work = state.items[index] { false } else { true }
    }
  }

  /// The number of a task.
  func taskNumber(of task: Task<Void, Never>) -> UInt64 {
    pointer(in: task).map { rondo_taskNumber($0) } ?? 0
  }

  /// Whether the first item has just let the others go first.
  var hasFirstLetOthersGo: Bool { state.withLock { $0.isFirstPreempted } }

  /// Suspends the closure of an effect. It goes on when it is its turn.
  nonisolated(nonsending) func letOthersGoFirst() async {
    await withUnsafeContinuation { continuation in
      let isRetired = state.withLock { state in
        guard !state.isRetired else { return true }
        if state.isHolding {
          state.append(.preempted(continuation))
        } else {
          state.items.insert(.preempted(continuation), at: 0)
          state.isFirstPreempted = true
        }
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
  /// - Parameter didDelay: Called when it was the first of several messages. The next one waits in front
  ///   of the queue.
  /// - Returns: Whether it was a job whose task is not in the queue any more.
  func run(at index: Int, didDelay: () -> Void = {}) -> Bool {
    let item = state.withLock { state in
      state.isFirstPreempted = false
      return state.items.remove(at: index)
    }
    switch item {
    case .work(let work):
      work()
      return false
    case .job(let job):
      let task = job.taskNumber
      state.withLock { $0.runningTask = task }
      job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.isHolding = false }
      return !isWaiting(job)
    case .preempted(let continuation):
      // Resuming puts its job in the queue. Running that job belongs to this same step.
      let last = state.withLock { $0.items.count }
      continuation.resume()
      return count > last ? run(at: last) : false
    case .delayed(let message, _, let held):
      message()
      if state.withLock({ $0.release(held) }) { didDelay() }
      return false
    }
  }

  /// Whether a task has put itself in the queue.
  private func isWaiting(_ job: UnownedJob) -> Bool {
    state.withLock { state in
      state.items.contains { item in
        switch item {
        case .job(let other): other.pointer == job.pointer
        case .preempted, .delayed: true
        case .work: false
        }
      }
    }
  }
}

// MARK: - Delayed messages

extension PumpedExecutor {
  /// Whether the closure that runs has delayed a message.
  var isHolding: Bool { state.withLock { $0.isHolding } }

  /// Lets others go before a message that the closure of an effect is about to post. The closure goes on,
  /// but what comes of that waits for the message.
  func delay(_ message: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let item = Item.delayed(message, task: state.runningTask, held: [])
      if state.isHolding { return state.append(item) }
      state.items.insert(item, at: 0)
      state.delayedCount += 1
      (state.isHolding, state.isFirstPreempted) = (true, true)
    }
  }

  /// Posts the message at once that the closure which runs has delayed.
  func postDelayed() {
    while let message = takeDelayed() { message() }
  }

  private func takeDelayed() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.isHolding, case .delayed(let message, _, let held)? = state.items.first else {
        return nil
      }
      state.items.removeFirst()
      state.isFirstPreempted = false
      state.isHolding = state.release(held)
      return message
    }
  }
}

extension PumpedExecutor.State {
  mutating func append(_ item: PumpedExecutor.Item) {
    if delayedCount > 0, hold(item) { return }
    items.append(item)
  }

  /// Puts an item behind a delayed message, if that is what it comes of.
  private mutating func hold(_ item: PumpedExecutor.Item) -> Bool {
    guard let index = isHolding ? 0 : items.firstIndex(where: { $0.holds(item) }),
      case .delayed(let message, let task, let held) = items[index]
    else { return false }
    items[index] = .delayed(message, task: task, held: held + [item])
    return true
  }

  /// Puts the items in the queue that have waited for a message. If one is such a message itself, those
  /// behind it wait for that.
  ///
  /// - Returns: Whether one was.
  @discardableResult
  mutating func release(_ held: [PumpedExecutor.Item]) -> Bool {
    delayedCount -= 1
    for (index, item) in held.enumerated() {
      guard case .delayed(let message, let task, _) = item else {
        items.append(item)
        continue
      }
      delayedCount += 1
      let rest = Array(held.dropFirst(index + 1))
      items.insert(.delayed(message, task: task, held: rest), at: 0)
      return true
    }
    return false
  }
}

extension PumpedExecutor.Item {
  /// Whether another item is a job of the task that has delayed this message.
  fileprivate func holds(_ other: Self) -> Bool {
    guard case .delayed(_, let task, _) = self, case .job(let job) = other else { return false }
    return job.taskNumber == task
  }
}

extension UnownedJob {
  /// The job in memory; `nil` where it is not known.
  fileprivate var pointer: UnsafeMutableRawPointer? { RondoTestStore.pointer(in: self) }

  /// The number of the task that the job is a piece of; 0 where it is not known.
  fileprivate var taskNumber: UInt64 { pointer.map { rondo_taskNumber($0) } ?? 0 }
}

/// The pointer that a job or a task consists of; `nil` where it is something else.
private func pointer<Handle>(in handle: Handle) -> UnsafeMutableRawPointer? {
  guard MemoryLayout<Handle>.size == MemoryLayout<UnsafeMutableRawPointer>.size else { return nil }
  return unsafeBitCast(handle, to: UnsafeMutableRawPointer.self)
}
