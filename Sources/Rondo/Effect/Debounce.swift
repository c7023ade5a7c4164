// `debounce`: an effect that starts when no other one has been started for a while.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// Starts the effect once nothing has been started under the same id for a while.
  ///
  /// Each start under the id cancels the effect before, whether that one waits or runs.
  ///
  /// ```swift
  /// case .queryChanged:
  ///   return .send(.search)
  ///     .debounce(id: CancelID.search, for: .milliseconds(300), scheduler: queue)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id, also for `cancel(id:)`.
  ///   - interval: The time to wait. A negative one is reported and treated as zero.
  ///   - scheduler: The scheduler that the effect waits on.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public func debounce<S: Scheduler>(
    id: some Hashable & Sendable,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: nonNegative(interval, of: "debounce(id:for:)", at: position), tolerance: nil,
      scheduler: scheduler, options: options)
    return modified { DebounceNode($0, id: TypedCancellationID(id), timing, at: position) }
  }
}

/// A node that waits on a scheduler, under an id.
class TimedNode: ModifierNode {
  let id: CancellationID
  let timing: ScheduledWork.Timing

  private let madeAt: SourcePosition

  init(
    _ child: EffectNode, id: CancellationID, _ timing: ScheduledWork.Timing,
    at position: SourcePosition
  ) {
    self.id = id
    madeAt = position
    self.timing = timing
    super.init(child)
  }

  override var position: SourcePosition? { madeAt }
}

final class DebounceNode: TimedNode {
  override var label: String { "debounce[\(id.base)]" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.cancelOthers(ScopedID(id: id, path: parent.path), under: parent)
    guard parent.isAttached, let child else { return nil }
    let frame = DebounceFrame(self, child, under: parent)
    interpreter.registry.insert(frame, id)
    interpreter.journal?.didStart(frame)
    frame.work = ScheduledWork(for: frame, timing, interpreter)
    return nil
  }
}

/// An effect that is to be started when its time has come.
private final class DebounceFrame: Frame, DueTarget {
  private let madeAt: SourcePosition?
  private var child: EffectNode?
  var work: ScheduledWork?

  override var pendingWork: String? { child == nil ? nil : "debounce" }
  override var effectKind: String? { "debounce" }
  override var label: String? { "debounce" }
  override var position: SourcePosition? { madeAt }

  init(_ node: DebounceNode, _ child: EffectNode, under parent: Frame) {
    madeAt = node.position
    self.child = child
    super.init(under: parent)
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: HeldTransaction, _ interpreter: Interpreter
  ) {
    guard isAttached, let child = child.take() else { return }
    interpreter.step(answers: transaction) {
      interpreter.push(child, under: self)
    }
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    child = nil
    work.take()?.cancel()
  }
}
