// Cancellation ids inside the closures of effects.

import RondoAnimation
import RondoScheduling
import Synchronization

/// Runs a piece of an effect's closure under a cancellation id.
///
/// ```swift
/// .run { send in
///   await withTaskCancellation(id: CancelID.countdown) {
///     for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
///   }
///   await send(.stopped)
/// }
/// ```
///
/// The id is one of the feature that returned the effect, the same that
/// `cancellable(id:cancelInFlight:)` and `cancel(id:)` use. The piece runs in a
/// task of its own, which is cancelled by the id, with the effect, and with the calling task. The
/// closure goes on behind it.
///
/// Outside of an effect's closure the id is one of the process, which `Task.cancel(id:)` cancels there.
///
/// - Parameters:
///   - id: The id that cancels the piece.
///   - cancelInFlight: Whether what runs under the id is cancelled first.
///   - operation: The piece.
/// - Returns: What the piece returns.
/// - Throws: What the piece throws.
nonisolated(nonsending) public func withTaskCancellation<Success: Sendable, Failure: Error>(
  id: some Hashable & Sendable,
  cancelInFlight: Bool = false,
  operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Success
) async throws(Failure) -> Success {
  guard let frame = SourceFrame.current else {
    return try await TasksOfProcess.run(TypedCancellationID(id), cancelInFlight, operation)
  }
  frame.reportIfEnded(asksFor: "withTaskCancellation(id:)")
  // The id is known before the piece begins: what the piece lets others do may cancel it at once.
  let cancellation = LateCancellation()
  let piece = CancellablePiece { cancellation.cancel() }
  let id = TypedCancellationID(id)
  if frame.isExplored { await frame.letOthersGoFirst() }
  frame.mailbox.post(.ask(frame) { piece.begin(id, cancelInFlight, of: frame, $0) })
  let result = await runPiece(on: #isolation, cancellation, frame.executor, operation)
  if frame.isExplored { await frame.letOthersGoFirst() }
  frame.mailbox.post(.ask(frame) { piece.end($0) })
  return try result.get()
}

/// Runs a piece of code in a task of its own, which can be cancelled from its first line on.
private func runPiece<Success: Sendable, Failure: Error>(
  on isolation: isolated (any Actor)?, _ cancellation: LateCancellation,
  _ executor: (any TaskExecutor)?,
  _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Success
) async -> Result<Success, Failure> {
  await withTaskCancellationHandler(
    operation: {
      let task = startPiece(on: isolation, cancellation, executor, operation)
      cancellation.attach { task.cancel() }
      return await task.value
    }, onCancel: { cancellation.cancel() }, isolation: isolation)
}

/// Starts the task of a piece of code, on the isolation of the caller and at once, but for tests with an executor.
private func startPiece<Success: Sendable, Failure: Error>(
  on isolation: isolated (any Actor)?, _ cancellation: LateCancellation,
  _ executor: (any TaskExecutor)?,
  _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Success
) -> Task<Result<Success, Failure>, Never> {
  if let executor {
    return Task(executorPreference: executor) { await result(of: operation, on: isolation) }
  }
  // A piece that is a part of very many others begins later: each that begins at once takes some stack.
  guard pieceDepth.current < 8 else {
    return Task { await result(of: operation, on: isolation) }
  }
  return pieceDepth.with(pieceDepth.current + 1) {
    Task.immediate {
      cancellation.attachCurrentTask()
      return await result(of: operation, on: isolation)
    }
  }
}

/// The number of pieces that are beginning on the stack of the thread, one inside of another.
private var pieceDepth: ThreadLocal<UInt> { ThreadLocal(\.pieceDepth) }

private func result<Success, Failure: Error>(
  of operation: nonisolated(nonsending) () async throws(Failure) -> Success,
  on isolation: isolated (any Actor)?
) async -> Result<Success, Failure> {
  do throws(Failure) {
    return .success(try await operation())
  } catch {
    return .failure(error)
  }
}

extension Task where Success == Never, Failure == Never {
  /// Cancels what runs under an id, in the feature whose effect's closure this is called in, and in
  /// its children. It is handled in order with what the closure sends.
  ///
  /// Outside of an effect's closure it cancels what runs under the id outside of all effects. If there
  /// is nothing, this is reported.
  public static func cancel(
    id: some Hashable & Sendable,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard let frame = SourceFrame.current else {
      guard !TasksOfProcess.cancel(TypedCancellationID(id)) else { return }
      reportIssue(
        """
        Task.cancel(id:) was called outside of an effect's closure, where nothing runs under the id. \
        Call it inside '.run', or return '.cancel(id:)' from the reducer.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    frame.reportIfEnded(asksFor: "Task.cancel(id:)")
    let id = TypedCancellationID(id)
    let cancellation = Message.stop(frame) { interpreter in
      guard frame.isAttached else { return }
      let id = ScopedID(id: id, path: frame.path)
      let effect = interpreter.journal?.number(of: frame)
      interpreter.whileAnswering(effect) { interpreter.cancel(id) }
      // The effects of what the closure has sent before are not started yet. What it starts itself from now on stays.
      interpreter.changeBehindSent(by: frame, repeats: true) { interpreter in
        guard !frame.isCancelled else { return }
        interpreter.whileAnswering(effect) { interpreter.cancel(id, exceptBelow: frame) }
      }
    }
    guard frame.isExplored else { return frame.mailbox.post(cancellation) }
    frame.mailbox.isolation.postAfterOthers { frame.mailbox.post(cancellation) }
  }
}

/// The cancellation of a task that may be asked for before there is the task.
private final class LateCancellation: Sendable {
  private let state = Mutex<(isCancelled: Bool, cancel: (@Sendable () -> Void)?)>((false, nil))

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel
    }
    cancel?()
  }

  func attach(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// Attaches the task that calls this, which is still being started. Another cancellation is attached when there is a
  /// handle of it. One that has been taken before holds the task until it is done: an `UnsafeCurrentTask` is a counted
  /// reference, and a task that has ended may be cancelled.
  func attachCurrentTask() {
    withUnsafeCurrentTask { task in
      guard let task else { return }
      let held = Unchecked(task)
      attach { held.value.cancel() }
    }
  }
}

/// A piece of a closure that runs under an id: its frame, once that has been made.
private final class CancellablePiece: @unchecked Sendable {
  // @unchecked: the frame is used on the host's isolation only.
  private let cancel: @Sendable () -> Void
  private var frame: PieceFrame?

  init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }

  func begin(
    _ id: CancellationID, _ cancelInFlight: Bool, of parent: SourceFrame, _ interpreter: Interpreter
  ) {
    guard parent.isAttached else { return interpreter.cancelWork(cancel) }
    if cancelInFlight {
      interpreter.whileAnswering(parent) {
        interpreter.cancelOthers(ScopedID(id: id, path: parent.path), under: parent)
      }
      guard parent.isAttached else { return interpreter.cancelWork(cancel) }
    }
    parent.expectChild()
    let frame = PieceFrame(cancel: cancel, under: parent)
    interpreter.registry.insert(frame, id)
    self.frame = frame
  }

  func end(_ interpreter: Interpreter) {
    guard let frame = frame.take(), frame.isAttached else { return }
    interpreter.finish(frame)
  }
}

private final class PieceFrame: Frame {
  private let cancel: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void, under parent: Frame) {
    self.cancel = cancel
    super.init(under: parent)
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    if cancelled { interpreter.cancelWork(cancel) }
  }
}

/// The pieces that run under a cancellation id outside of all effects.
private enum TasksOfProcess {
  private static let tasks = Mutex<[AnyHashable: [UInt64: @Sendable () -> Void]]>([:])

  nonisolated(nonsending) static func run<Success: Sendable, Failure: Error>(
    _ id: some Hashable & Sendable, _ cancelInFlight: Bool,
    _ operation: nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    let cancellation = LateCancellation()
    let number = Stamp().number
    // At once: of two that begin side by side, one cancels the other.
    let earlier = tasks.withLock { tasks in
      let earlier = cancelInFlight ? tasks.removeValue(forKey: id) : nil
      tasks[id, default: [:]][number] = { cancellation.cancel() }
      return earlier
    }
    earlier?.values.forEach { $0() }
    let result = await runPiece(on: #isolation, cancellation, nil, operation)
    tasks.withLock { tasks in
      tasks[id]?[number] = nil
      if tasks[id]?.isEmpty == true { tasks[id] = nil }
    }
    return try result.get()
  }

  /// Cancels what runs under an id. Returns whether there is something.
  @discardableResult
  static func cancel(_ id: some Hashable & Sendable) -> Bool {
    let cancellations = tasks.withLock { $0.removeValue(forKey: id) }
    cancellations?.values.forEach { $0() }
    return cancellations != nil
  }
}
