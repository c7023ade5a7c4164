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
  // Only its mailbox, its lifetime, and what is behind its lock, are used here.
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
    guard let root, root.noteCancellation() else { return }
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
  // @unchecked: off the host's isolation only these two, and constants, are used.
  private let lifetime = Lifetime()
  /// The tasks that wait for the end; `nil` when observers have been shown everything that came before it.
  private let waiters = Mutex<Waiters?>(Waiters())

  private struct Waiters {
    /// There is rarely another, so most need no array.
    var first: UnownedJob?
    var others: [UnownedJob] = []
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
    if cancelled { lifetime.finish() } else { lifetime.end() }
    interpreter.keepEnded(self)
    if !cancelled { interpreter.machine.didEnd(self) }
  }

  /// Lets those go on who wait for the end.
  func didShowEnd() {
    guard let waiters = waiters.withLock({ $0.take() }) else { return }
    if let first = waiters.first { run(first) }
    waiters.others.forEach(run)
  }

  /// Whether it was cancelled. Nothing starts or is answered from then on, though the message may still be on its way.
  var isCancelled: Bool { lifetime.isCancelled }
  package var isEnded: Bool { lifetime.isOver }
  var hasShownEnd: Bool { waiters.withLock { $0 == nil } }

  /// Whether effects that belong to it may still be started.
  var mayStartEffects: Bool { isAttached && !isCancelled }

  /// Notes a cancellation before it has reached the host. Returns whether there was anything left to cancel.
  func noteCancellation() -> Bool {
    lifetime.cancel()
    return !lifetime.isOver
  }

  // MARK: As an executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isOver = waiters.withLock { waiters in
      if waiters != nil, waiters?.first == nil {
        waiters?.first = job
      } else {
        waiters?.others.append(job)
      }
      return waiters == nil
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
