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
    _ priority: TaskPriority.RawValue?, _ body: @escaping SourceNode.TaskBody,
    _ interpreter: Interpreter, isDetached: Bool
  ) -> Task<Void, Never> {
    if let executor {
      return Task(
        name: node.name, executorPreference: executor,
        priority: priority.map(TaskPriority.init(rawValue:))
      ) {
        await self.run(body, reporters: nil, on: nil)
        if self.isExplored { await self.letOthersGoFirst() }
        self.end()
      }
    }
    var start = TaskStart(node.name, priority, isDetached: isDetached)
    if mailbox.isOnMainActor {
      let isInJob = isRunning(on: MainActor.sharedUnownedExecutor)
      start.isLate = !(isInJob || isOnMainQueue()) || !interpreter.mayBegin(self)
      return begin(interpreter, start) { start in
        guard isInJob || start.isLate else {
          return MainQueueJob.start { self.startTaskOnMainActor(start, body) }
        }
        return startTaskOnMainActor(start, body)
      }
    }
    guard let actor = mailbox.actor else {
      start.isLate = !interpreter.mayBegin(self)
      return begin(interpreter, start) { start in
        start { await self.run(body, start, on: nil) }
      }
    }
    guard isRunning(on: actor.unownedExecutor) else {
      // A scheduler or a callback has brought the machine to another thread than that of its closures.
      start.isLate = true
      return start { [start] in await self.run(body, start, on: actor) }
    }
    start.isLate = !interpreter.mayBegin(self)
    return begin(interpreter, start) { self.startTask(assumedOn: actor, $0, body) }
  }

  /// Lets the closure begin, and measures it in a debug build.
  private func begin(
    _ interpreter: Interpreter, _ kind: TaskStart, _ start: (TaskStart) -> Task<Void, Never>
  ) -> Task<Void, Never> {
    guard !kind.isLate else { return start(kind) }
    guard mailbox.lock == nil else {
      // Outside of a lock closures begin on several threads at once.
      let beginning = BeginningTask()
      mailbox.whileLocked { willBegin(beginning) }
      return start(kind)
    }
    willBegin(interpreter.beginningTask)
    // The interpreter finds it by what it sends.
    return interpreter.whileBeginning(self) {
      #if DEBUG
        guard let time = interpreter.machine.closureTime else { return start(kind) }
        let home = time.place
        return time.measure {
          start(kind)
        } goesOn: { [self] in
          reportLongBeginning($0, on: home, goesOn: true)
        } report: {
          reportLongBeginning($0, on: home)
        }
      #else
        return start(kind)
      #endif
    }
  }

  /// Starts the task on the main actor, wherever the caller is.
  private func startTaskOnMainActor(
    _ start: TaskStart, _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    // The closures that begin at once are literals of the call: any other has a second one around it.
    switch (start.isDetached, start.isLate) {
    case (false, false):
      Task.immediate(name: start.name, priority: start.taskPriority) { @MainActor in
        await self.run(body, start, on: MainActor.shared)
      }
    case (true, false):
      Task.immediateDetached(name: start.name, priority: start.taskPriority) { @MainActor in
        await self.run(body, start, on: MainActor.shared)
      }
    case (_, true): start { @MainActor in await self.run(body, start, on: MainActor.shared) }
    }
  }

  /// Starts the task where the caller is known to run on the actor.
  private func startTask<Host: Actor>(
    assumedOn actor: Host, _ start: TaskStart, _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    actor.assumeIsolated { actor in
      start { await self.run(body, start, on: actor) }
    }
  }

  /// Runs the closure to its end, and ends the effect. A closure that begins late, and is cancelled before, does not
  /// begin.
  @inline(__always)
  private func run(
    _ body: SourceNode.TaskBody, _ start: TaskStart, on actor: isolated (any Actor)?
  ) async {
    guard !start.isLate || !isCancelled else { return end() }
    if !start.isLate { noteBeginning() }
    await run(body, reporters: start.isDetached ? mailbox.reporters : nil, on: actor)
    end()
  }

  @inline(__always)
  private func run(
    _ body: SourceNode.TaskBody, reporters: [any IssueReporter]?, on actor: isolated (any Actor)?
  ) async {
    Self.runningCount.add(1, ordering: .relaxed)
    defer { Self.runningCount.subtract(1, ordering: .relaxed) }
    // Bound inside the task, because a task copies the values bound around it, which is slow.
    await WaitOrigin.$current.withValue(self) {
      _ = actor
      guard !node.dependencies.isEmpty || reporters != nil else {
        return await runBody(body, on: actor)
      }
      await IssueReporters.$override.withValue(reporters ?? IssueReporters.override) {
        _ = actor
        await DependencyValues.$ambient.withValue(node.dependencies) {
          _ = actor
          await runBody(body, on: actor)
        }
      }
    }
  }

  @inline(__always)
  private func runBody(_ body: SourceNode.TaskBody, on actor: isolated (any Actor)?) async {
    do {
      try await body(self)
    } catch {
      reportUncaught(error)
    }
  }
}

/// A way in which a task is started.
private struct TaskStart: Sendable {
  let name: String?
  private let priority: TaskPriority.RawValue?
  /// Whether it has nothing of the task of the caller, such as its task-local values.
  let isDetached: Bool
  /// Whether it begins in a later turn, and not at once.
  var isLate = false

  init(_ name: String?, _ priority: TaskPriority.RawValue?, isDetached: Bool) {
    self.name = name
    self.priority = priority
    self.isDetached = isDetached
  }

  var taskPriority: TaskPriority? { priority.map(TaskPriority.init(rawValue:)) }

  func callAsFunction(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    switch (isDetached, isLate) {
    case (false, false): Task.immediate(name: name, priority: taskPriority, operation: operation)
    case (true, false):
      Task.immediateDetached(name: name, priority: taskPriority, operation: operation)
    case (false, true): Task(name: name, priority: taskPriority, operation: operation)
    case (true, true): Task.detached(name: name, priority: taskPriority, operation: operation)
    }
  }
}

extension Interpreter {
  /// Whether the closure of an effect may begin now: not inside of a reducer, of an observer, or of the work of
  /// another machine. That of a child which has gone with the action does not begin: it is about to be cancelled.
  fileprivate func mayBegin(_ frame: SourceFrame) -> Bool {
    // A host with a lock has no state, so there is no child that could have gone.
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
