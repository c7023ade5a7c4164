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
    _ priority: TaskPriority?, _ body: @escaping SourceNode.TaskBody, _ interpreter: Interpreter
  ) -> Task<Void, Never> {
    if let executor {
      return Task(name: node.name, executorPreference: executor, priority: priority) {
        await WaitOrigin.$current.withValue(self) { await body(self) }
        if self.isExplored { await self.letOthersGoFirst() }
        self.end()
      }
    }
    let actor = mailbox.isolation.actor
    let isDetached = interpreter.startsForMessage
    guard interpreter.machine.mayBeginClosures else {
      guard let actor else { return startTask(on: nil, .later, priority, body) }
      guard isOnMainQueue() else {
        // A scheduler has brought the machine to another thread than its own.
        return Task(name: node.name, priority: priority) { await self.run(body, on: actor) }
      }
      return startTask(assumedOn: actor, .later, priority, body)
    }
    return interpreter.whileBeginning(self) {
      #if DEBUG
        guard let time = interpreter.machine.closureTime else {
          return beginTask(on: actor, isDetached, priority, body)
        }
        return time.measure {
          beginTask(on: actor, isDetached, priority, body)
        } report: {
          reportLongBeginning($0)
        }
      #else
        return beginTask(on: actor, isDetached, priority, body)
      #endif
    }
  }

  private func beginTask(
    on actor: (any Actor)?, _ isDetached: Bool, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    let kind = isDetached ? TaskKind.detached : .immediate
    guard let actor else { return startTask(on: nil, kind, priority, body) }
    guard !isRunning(on: actor.unownedExecutor) else {
      return startTask(assumedOn: actor, kind, priority, body)
    }
    return MainQueueJob.start { self.startTask(assumedOn: actor, kind, priority, body) }
  }

  /// Starts the task where the caller is known to run on the actor.
  private func startTask<Host: Actor>(
    assumedOn actor: Host, _ kind: TaskKind, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    actor.assumeIsolated { startTask(on: $0, kind, priority, body) }
  }

  private enum TaskKind {
    /// It begins at once, with the task-local values of the caller.
    case immediate
    /// It begins at once, without them.
    case detached
    /// It begins in a later turn.
    case later
  }

  private func startTask(
    on actor: isolated (any Actor)?, _ kind: TaskKind, _ priority: TaskPriority?,
    _ body: @escaping SourceNode.TaskBody
  ) -> Task<Void, Never> {
    switch kind {
    case .immediate:
      Task.immediate(name: node.name, priority: priority) {
        self.noteBeginning()
        await self.run(body, on: actor)
      }
    case .detached:
      Task.immediateDetached(name: node.name, priority: priority) {
        self.noteBeginning()
        let dependencies = self.node.dependencies
        guard !dependencies.isEmpty else { return await self.run(body, on: actor) }
        await DependencyValues.$ambient.withValue(dependencies) { await self.run(body, on: actor) }
      }
    case .later:
      Task(name: node.name, priority: priority) {
        guard !self.isCancelled else { return self.end() }
        await self.run(body, on: actor)
      }
    }
  }

  private func run(_ body: SourceNode.TaskBody, on actor: isolated (any Actor)?) async {
    // Bound inside the task, because a task copies the values bound around it, which is slow.
    await WaitOrigin.$current.withValue(self) {
      _ = actor
      await body(self)
    }
    end()
  }
}

extension Machine {
  /// Whether the closures of effects may begin now: not inside the work of another store, of a reducer, or of a
  /// closure that observes.
  fileprivate final var mayBeginClosures: Bool {
    guard isOnMainQueue() else { return mainActorWork == nil }
    guard !ObserveToken.isRunning else { return false }
    return mainActorWork?.isOutermost ?? (MainActorWork.innermost == nil)
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
