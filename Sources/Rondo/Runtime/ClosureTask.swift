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
    _ priority: TaskPriority.RawValue?, _ interpreter: Interpreter
  ) -> Task<Void, Never> {
    if let executor {
      return Task(
        name: node.name, executorPreference: executor,
        priority: priority.map(TaskPriority.init(rawValue:))
      ) {
        await self.run(on: nil)
        if self.isExplored { await self.letOthersGoFirst() }
        self.end()
      }
    }
    if mailbox.closuresRunOnMainActor {
      let isInJob = isRunning(on: MainActor.sharedUnownedExecutor)
      isLate = !(isInJob || isOnMainQueue()) || !interpreter.mayBegin(self)
      return begin(interpreter) { [self] in
        guard isInJob || isLate else {
          return MainQueueJob.start { self.startTaskOnMainActor(priority) }
        }
        return startTaskOnMainActor(priority)
      }
    }
    guard let actor = mailbox.actor else {
      isLate = !interpreter.mayBegin(self)
      return begin(interpreter) { [self] in
        newTask(priority) { await self.runAndEnd(on: nil) }
      }
    }
    guard isRunning(on: actor.unownedExecutor) else {
      // A scheduler or a callback has brought the machine to another thread than that of its closures.
      isLate = true
      return newTask(priority) { await self.runAndEnd(on: actor) }
    }
    isLate = !interpreter.mayBegin(self)
    return begin(interpreter) { [self] in startTask(assumedOn: actor, priority) }
  }

  /// Lets the closure begin, and measures it in a debug build.
  @inline(__always)
  private func begin(
    _ interpreter: Interpreter, _ start: () -> Task<Void, Never>
  ) -> Task<Void, Never> {
    guard !isLate else { return start() }
    guard mailbox.lock == nil else {
      beginsOutside()
      return start()
    }
    // The interpreter finds it by what it sends.
    return interpreter.whileBeginning(self) {
      #if DEBUG
        guard let time = interpreter.machine.closureTime else { return start() }
        let home = time.place
        return time.measure {
          let task = start()
          // The code that is told of a long one may cancel it.
          keep(task)
          return task
        } goesOn: { [self] in
          reportLongBeginning($0, on: home, goesOn: true)
        } report: {
          reportLongBeginning($0, on: home)
        }
      #else
        return start()
      #endif
    }
  }

  /// Starts the task on the main actor, wherever the caller is.
  private func startTaskOnMainActor(_ priority: TaskPriority.RawValue?) -> Task<Void, Never> {
    // A closure that is no literal of the call has a second one around it.
    guard node.name == nil, !isLate else {
      return newTask(priority) { @MainActor in await self.runAndEnd(on: MainActor.shared) }
    }
    let priority = priority.map(TaskPriority.init(rawValue:))
    // A loop that ends at once, since Swift 6.3 puts the calls in line in loops only. Elsewhere the task is made with a
    // preference for no executor, which each switch of actors looks up: a tenth of what an effect takes.
    var task: Task<Void, Never>
    repeat {
      task =
        if isDetached {
          Task.immediateDetached(priority: priority) { @MainActor in
            await self.runAndEnd(on: MainActor.shared)
          }
        } else {
          Task.immediate(priority: priority) { @MainActor in
            await self.runAndEnd(on: MainActor.shared)
          }
        }
    } while isLate
    return task
  }

  /// Starts the task where the caller is known to run on the actor.
  private func startTask<Host: Actor>(
    assumedOn actor: Host, _ priority: TaskPriority.RawValue?
  ) -> Task<Void, Never> {
    actor.assumeIsolated { actor in
      newTask(priority) { await self.runAndEnd(on: actor) }
    }
  }

  private func newTask(
    _ priority: TaskPriority.RawValue?,
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    let priority = priority.map(TaskPriority.init(rawValue:))
    return switch (isDetached, isLate) {
    case (false, false):
      Task.immediate(name: node.name, priority: priority, operation: operation)
    case (true, false):
      Task.immediateDetached(name: node.name, priority: priority, operation: operation)
    case (false, true): Task(name: node.name, priority: priority, operation: operation)
    case (true, true): Task.detached(name: node.name, priority: priority, operation: operation)
    }
  }

  /// Runs the closure to its end, and ends the effect. A closure that begins late, and is cancelled before, does not
  /// begin.
  @inline(__always)
  private func runAndEnd(on actor: isolated (any Actor)?) async {
    guard !isLate || !isCancelled else { return end() }
    if !isLate { noteBeginning() }
    await run(on: actor)
    end()
  }

  @inline(__always)
  private func run(on actor: isolated (any Actor)?) async {
    Self.runningCount.add(1, ordering: .relaxed)
    defer { Self.runningCount.subtract(1, ordering: .relaxed) }
    // Bound inside the task, because a task copies the values bound around it, which is slow.
    await WaitOrigin.$current.withValue(self) {
      _ = actor
      let reporters = isDetached ? mailbox.reporters : nil
      guard node.dependencies != nil || reporters != nil else { return await runBody(on: actor) }
      await IssueReporters.$override.withValue(reporters ?? IssueReporters.override) {
        _ = actor
        await DependencyValues.$inForce.withValue(.init(values: node.dependencies)) {
          _ = actor
          await runBody(on: actor)
        }
      }
    }
  }

  @inline(__always)
  private func runBody(on actor: isolated (any Actor)?) async {
    guard case .task(_, let body) = node.work else { return }
    do {
      try await body(self)
    } catch {
      reportUncaught(error)
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
    var isMissing = false
    machine.lendState { state, _ in isMissing = features.isMissing(frame, in: state) }
    return !isMissing
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
