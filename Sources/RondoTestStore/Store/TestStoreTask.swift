// A handle for everything that one `send` of a test has started.

import Rondo
import RondoScheduling

/// Everything that sending one action to a ``TestStore`` has started: its effects, the actions that
/// they emit, the effects of those.
///
/// ```swift
/// let task = await store.send(.task)
/// …
/// await task.cancel()
/// ```
public struct TestStoreTask {
  private let handle: StoreTask
  private let root: RootFrame?
  private let store: any EffectPump

  init<State, Action>(_ root: RootFrame?, _ store: TestStore<State, Action>) {
    handle = store.machine.task(root)
    self.root = root
    self.store = store
  }

  /// Runs all of it to its end. If it cannot end, the test fails at once; see
  /// `TestStore.finish(timeout:)`.
  public nonisolated(nonsending) func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let root else { return }
    await store.finish(
      root, timeout: timeout, SourcePosition(fileID, filePath, line, column))
  }

  /// Cancels all of it, and runs what its closures do about that.
  public nonisolated(nonsending) func cancel() async {
    handle.cancel()
    store.pump()
  }

  /// Whether it was cancelled before it had ended.
  public var isCancelled: Bool { handle.isCancelled }

  /// Whether nothing of it is left.
  public var isFinished: Bool { handle.isFinished }
}

/// A test store, whatever its state and actions are.
protocol EffectPump: AnyObject {
  func pump()
  nonisolated(nonsending) func finish(
    _ root: RootFrame, timeout: Duration?, _ position: SourcePosition) async
}

extension TestStore: EffectPump {}
