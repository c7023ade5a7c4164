// The task of an effect's closure: where it runs, and when it begins.

import RondoScheduling
import Synchronization

extension SourceFrame {
  /// Starts the task of the closure, on the isolation of the host.
  ///
  /// It begins at once: the closure runs up to its first suspension before this returns, and what it sends until
  /// then is in the queue of the machine. Where another store, its reducer or a closure that observes is at work
  /// further up the stack, it begins in a later turn. On the executor of a test store it waits for the test.
  func startTask(
    _ priority: TaskPriority?, _ body: @escaping SourceNode.TaskBody, _ interpreter: Interpreter,
    isDetached: Bool
  ) -> Task<Void, Never> {
    if let executor {
      return Task(name: node.name, executorPreference: executor, priority: priority) {
        Self.runningCount.add(1, ordering: .relaxed)
        await WaitOrigin.$current.withValue(self) { await body(self) }
        Self.runningCount.subtract(1, ordering: .relaxed)
        if self.isExplored { await self.letOthersGoFirst() }
        self.end()
      }
    }
    let kind = TaskKind(isDetached: isDetached)
    guard let actor = mailbox.isolation.actor else {
      guard interpreter.mayBegin(self) else {
        return startTask(on: nil, kind.later, priority, body)
      }
      return begin(interpreter) { self.startTask(on: nil, kind, priority, body) }
    }
    guard isRunning(on: actor.unownedExecutor) else {
      guard actor === MainActor.shared, isOnMainQueue() else {
        // A scheduler or a callback has brought the machine to another thread than that of its closures.
        return startTask(awayFrom: actor, kind, priority, body)
      }
      guard interpreter.mayBegin(self) else {
        return startTask(assumedOn: actor, kind.later, priority, body)
      }
      return begin(interpreter) {
        MainQueueJob.start { self.startTask(assumedOn: actor, kind, priority, body) }
      }
    }
    guard interpreter.mayBegin(self) else {
      return startTask(assumedOn: actor, kind.later, priority, body)
    }
    return begin(interpreter) { startTask(assumedOn: actor, kind, priority, body) }
  }

  /// Lets the closure begin, and measures it in a debug build.
  private func begin(
    _ interpreter: Interpreter, _ start: () -> Task<Void, Never>
  ) -> Task<Void, Never> {
    // Outside of a lock closures begin on several threads at once.
    let beginning = mailbox.lock == nil ? interpreter.beginningTask : BeginningTask()
    mailbox.whileLocked { willBegin(beginning) }
    // The interpreter finds it by what it sends.
    guard mailbox.lock == nil else { return start() }
    return interpreter.whileBeginning(self) {
      #if DEBUG
        guard let time = interpreter.machine.closureTime else { return start() }
        let home = time.place
        return time.measure(start) { [self] in
          reportLongBeginning($0, on: home, goesOn: true)
        } report: {
          reportLongBeginning($0, on: home)
        }
      #else
        return start()
      #endif
    }
  }

  private struct TaskKind {
    /// Whether it has nothing of the task of the caller, such as its task-local values.
    let isDetached: Bool
    /// Whether it begins in a later turn, and not at once.
    var isLate = false

    var later: Self { Self(isDetached: isDetached, isLate: true) }
  }

  /// Starts the task where the caller is known to run on the actor.
  private func startTask<Host: Actor>(
    assumedOn actor: Host, _ kind: TaskKind, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    actor.assumeIsolated { startTask(on: $0, kind, priority, body) }
  }

  /// Starts the task, which goes to the actor first.
  private func startTask(
    awayFrom actor: any Actor, _ kind: TaskKind, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    guard kind.isDetached else {
      return Task(name: node.name, priority: priority) { await self.runLater(body, on: actor) }
    }
    return Task.detached(name: node.name, priority: priority) {
      await self.runDetached(body, isLate: true, on: actor)
    }
  }

  private func startTask(
    on actor: isolated (any Actor)?, _ kind: TaskKind, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    switch (kind.isDetached, kind.isLate) {
    case (false, false):
      Task.immediate(name: node.name, priority: priority) {
        self.noteBeginning()
        await self.run(body, on: actor)
      }
    case (true, false):
      Task.immediateDetached(name: node.name, priority: priority) {
        self.noteBeginning()
        await self.runDetached(body, isLate: false, on: actor)
      }
    case (false, true):
      Task(name: node.name, priority: priority) {
        await self.runLater(body, on: actor)
      }
    case (true, true):
      Task.detached(name: node.name, priority: priority) {
        await self.runDetached(body, isLate: true, on: actor)
      }
    }
  }

  private func runDetached(
    _ body: SourceNode.TaskBody, isLate: Bool, on actor: isolated (any Actor)?
  ) async {
    guard !node.dependencies.isEmpty else {
      return isLate ? await runLater(body, on: actor) : await run(body, on: actor)
    }
    await DependencyValues.$ambient.withValue(node.dependencies) {
      isLate ? await runLater(body, on: actor) : await run(body, on: actor)
    }
  }

  private func runLater(_ body: SourceNode.TaskBody, on actor: isolated (any Actor)?) async {
    // A closure that is cancelled before it begins does not begin.
    guard !isCancelled else { return end() }
    await run(body, on: actor)
  }

  private func run(_ body: SourceNode.TaskBody, on actor: isolated (any Actor)?) async {
    Self.runningCount.add(1, ordering: .relaxed)
    defer { Self.runningCount.subtract(1, ordering: .relaxed) }
    // Bound inside the task, because a task copies the values bound around it, which is slow.
    await WaitOrigin.$current.withValue(self) {
      _ = actor
      await body(self)
    }
    end()
  }
}

extension Interpreter {
  /// Whether the closure of an effect may begin now: not inside of a reducer, of an observer, or of the work of
  /// another machine. That of a child which has gone with the action does not begin: it is about to be cancelled.
  fileprivate func mayBegin(_ frame: SourceFrame) -> Bool {
    // What begins outside of a lock has no state that a child could have left.
    guard frame.mailbox.lock == nil else { return machine.mayBeginOutside }
    guard machine.mayBeginClosures else { return false }
    guard let features, !features.isEmpty else { return true }
    return !machine.isOfMissingChild(frame, features)
  }
}

/// A job of the main actor, for code that the main queue runs.
///
/// A block of the main queue is on the main actor. But where the main queue is served by another thread than the
/// first one, as in an asynchronous main program, the concurrency library does not know that: it would not start a
/// task at once. Inside of a job it knows.
@globalActor
private actor MainQueueJob {
  static let shared = MainQueueJob()
  private static let executor = Executor()
  private static let isAtWork = Atomic(false)

  /// The executor that the job is handed to; while it is at work, that of the main actor, on which it runs.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    Self.isAtWork.load(ordering: .relaxed)
      ? MainActor.sharedUnownedExecutor : Self.executor.asUnownedSerialExecutor()
  }

  /// Runs a job where it is handed over.
  private final class Executor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      isAtWork.store(true, ordering: .relaxed)
      job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      isAtWork.store(false, ordering: .relaxed)
    }
  }

  private final class Result: Sendable {
    let task = Mutex<Task<Void, Never>?>(nil)
  }

  /// Starts a task from inside of a job. To be called on the main queue.
  static func start(
    _ startTask: @escaping @Sendable () -> Task<Void, Never>
  ) -> Task<Void, Never> {
    assert(isOnMainQueue(), "A job of the main actor is started on another thread.")
    // A job may be at work further up the stack.
    let outer = isAtWork.exchange(false, ordering: .relaxed)
    defer { isAtWork.store(outer, ordering: .relaxed) }
    let result = Result()
    Task { @MainQueueJob in
      let task = startTask()
      result.task.withLock { $0 = task }
    }
    return result.task.withLock { $0! }
  }
}
