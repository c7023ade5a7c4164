// A handle for everything that one `send` has started.

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
  nonisolated(nonsending) public func finish() async {
    guard let root, !root.isEnded else { return }
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
