// `timeout`: an effect that ends when it has not answered for some time.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// Ends the effect when it has not answered for some time since its start or its last answer.
  /// What is left of it is cancelled.
  ///
  /// - Parameters:
  ///   - interval: The time. A negative one is reported and treated as zero.
  ///   - scheduler: The scheduler that measures the time.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: nonNegative(interval, of: "timeout(_:)", at: position), tolerance: nil,
      scheduler: scheduler, options: options)
    return modified { TimeoutNode($0, timing, at: position) }
  }
}

final class TimeoutNode: ModifierNode {
  let timing: ScheduledWork.Timing
  private let madeAt: SourcePosition

  init(_ child: EffectNode, _ timing: ScheduledWork.Timing, at position: SourcePosition) {
    self.timing = timing
    madeAt = position
    super.init(child)
  }

  override var label: String { "timeout" }
  override var position: SourcePosition? { madeAt }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    let frame = TimeoutFrame(timing, at: madeAt, under: parent)
    interpreter.journal?.didStart(frame)
    frame.restart(interpreter)
    return frame
  }
}

private final class TimeoutFrame: Frame, DueTarget {
  private let timing: ScheduledWork.Timing
  private var work: ScheduledWork?
  private let madeAt: SourcePosition
  override var effectKind: String? { "timeout" }
  override var position: SourcePosition? { madeAt }

  init(_ timing: ScheduledWork.Timing, at position: SourcePosition, under parent: Frame) {
    self.timing = timing
    madeAt = position
    super.init(under: parent, intercepts: true)
  }

  func restart(_ interpreter: Interpreter) {
    if let work {
      work.cancel()
      interpreter.journal?.didWait(self)
    }
    work = ScheduledWork(for: self, timing, interpreter)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    restart(interpreter)
    // A scheduler that runs work at once has run it already. Then this answer is the last one.
    return work?.isPending == true ? .pass : .passLast
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: HeldTransaction, _ interpreter: Interpreter
  ) {
    guard isAttached, work === self.work || self.work == nil else { return }
    interpreter.end(self)
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    work.take()?.cancel()
  }
}
