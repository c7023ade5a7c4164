// Everything that one `send` has started: a handle for the caller, and the root of its frames.

import Dispatch
import RondoAnimation
import Synchronization

/// Everything that sending one action has started: its effects, the actions that they emit, the
/// effects of those.
///
/// ```swift
/// let task = store.send(.refresh)
/// await task.finish()
/// ```
///
/// A handle keeps nothing running and cancels nothing when it is released. Where the action has
/// started nothing, the handle is ended from the beginning and costs nothing.
public struct StoreTask: Sendable {
  // Only its mailbox, and the state behind its lock, are used here.
  let root: RootFrame?

  init(_ root: RootFrame?) {
    self.root = root
  }

  /// Suspends until all of it has ended or was cancelled. When the waiting task is cancelled, so is
  /// all of it.
  ///
  /// When it returns, the state has changed, and observers have been shown the last change.
  nonisolated(nonsending) public func finish() async {
    guard let root, !root.hasShownEnd else { return }
    await finish(root, on: #isolation)
  }

  /// Waits on the isolation of the caller. A hop away from it and back may wake two threads.
  private func finish(_ root: RootFrame, on isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler(
      operation: {
        _ = isolation
        await WaitingRoom(before: root).passThrough()
      }, onCancel: { cancel() }, isolation: isolation)
  }

  /// Cancels all of it. Actions that have arrived in the store already are still handled, but what
  /// they return is not started.
  ///
  /// May be called from anywhere; it takes effect before anything that is emitted later is handled.
  public func cancel() {
    guard let root, root.markCancelled() else { return }
    root.mailbox.post(.cancel(root))
  }

  /// Whether it was cancelled before it had ended.
  public var isCancelled: Bool { root?.isCancelled ?? false }

  /// Whether nothing of it is left.
  public var isFinished: Bool { root?.isEnded ?? true }
}

/// Everything that one `send` has started: its effects, the actions they emit, their effects.
///
/// It is also the executor of a ``WaitingRoom``, in which tasks wait for the end. It runs their
/// jobs at the end and not before. These jobs only leave the room, so a late one may run at the
/// same time as the others.
package final class RootFrame: ActionFrame, SerialExecutor, @unchecked Sendable {
  // @unchecked: off the host's isolation only `completion`, which has a lock, and constants are used.
  private let completion = Mutex(Completion())
  /// Whether ``StoreTask/cancel()`` was called. Nothing starts or is answered from then on, though the
  /// message may still be on its way.
  private let isMarked = Atomic(false)

  private struct Completion {
    var isEnded = false
    /// Whether observers have been shown everything that came before the end.
    var hasShownEnd = false
    var isCancelled = false
    /// The first task that waits. There is rarely another, so most need no array.
    var waiter: UnownedJob?
    var otherWaiters: [UnownedJob] = []
  }

  /// The root that has ended behind this one, as long as observers have seen neither end.
  final var nextEndedRoot: RootFrame?

  /// A note of the host about the `send`, kept as long as anything of it is in flight.
  package final var note: AnyObject?

  init(action: @autoclosure () -> Any?, _ transaction: HeldTransaction, _ interpreter: Interpreter)
  {
    super.init(rootOf: action(), transaction, interpreter)
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    completion.withLock { completion in
      completion.isEnded = true
      completion.isCancelled = completion.isCancelled || cancelled
    }
    interpreter.keepEnded(self)
    if !cancelled { interpreter.machine.didEnd(self) }
  }

  /// Lets those go on who wait for the end.
  func didShowEnd() {
    let (waiter, others) = completion.withLock { completion in
      completion.hasShownEnd = true
      return (completion.waiter.take(), exchange(&completion.otherWaiters, with: []))
    }
    if let waiter { run(waiter) }
    others.forEach(run)
  }

  var isCancelled: Bool { completion.withLock(\.isCancelled) }
  package var isEnded: Bool { completion.withLock(\.isEnded) }
  var hasShownEnd: Bool { completion.withLock(\.hasShownEnd) }

  /// Whether ``markCancelled()`` was called.
  var isMarkedCancelled: Bool { isMarked.load(ordering: .acquiring) }

  /// Whether effects that belong to it may still be started.
  var mayStartEffects: Bool { isAttached && !isMarkedCancelled }

  /// Records a cancellation before it has reached the host. Returns whether there was anything left
  /// to cancel.
  func markCancelled() -> Bool {
    completion.withLock { completion in
      guard !completion.isEnded else { return false }
      completion.isCancelled = true
      isMarked.store(true, ordering: .releasing)
      return true
    }
  }

  // MARK: As an executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = completion.withLock { completion in
      guard !completion.hasShownEnd else { return true }
      if completion.waiter == nil {
        completion.waiter = job
      } else {
        completion.otherWaiters.append(job)
      }
      return false
    }
    // The end was shown meanwhile. The job does not run on this thread, which is still on its way
    // into the room.
    if isOver { DispatchQueue.global().async { self.run(job) } }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// An actor in which tasks wait for the end of a root: no task can enter it before.
///
/// A task that is resumed by a continuation goes to its own executor through the concurrent pool,
/// and each of the two steps may have to wake a thread. A task that leaves an actor goes there at
/// once.
actor WaitingRoom {
  private nonisolated let root: RootFrame

  init(before root: RootFrame) {
    self.root = root
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { root.asUnownedSerialExecutor() }

  /// Returns when the root has ended or was cancelled.
  func passThrough() {}
}
