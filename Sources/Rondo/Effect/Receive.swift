// `receive` and `delay`: answers that are delivered on a scheduler.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// Delivers the answers of the effect on a scheduler, in order.
  ///
  /// Each value is tagged by the ambient transaction that the scheduler runs its work in. That is
  /// what makes `receive(on: mainQueue.animation())` animate the change of state.
  ///
  /// Work that is to run at once cannot be taken off a scheduler. When the effect is cancelled,
  /// such work is emptied: a closure that holds nothing stays until its turn comes, and does
  /// nothing then. Work with a date, as of
  /// ``delay(for:tolerance:scheduler:options:fileID:filePath:line:column:)``, is taken off the
  /// scheduler.
  public func receive<S: Scheduler>(
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    return modified {
      ReceiveNode($0, "receive", at: position) {
        .soon(on: .recorded(scheduler)) { scheduler.schedule(options: options, $0) }
      }
    }
  }

  /// Delivers the answers of the effect some time later, in order. The effect itself starts at
  /// once.
  ///
  /// - Parameters:
  ///   - interval: The delay. A negative one is reported and treated as zero.
  ///   - tolerance: The time that the scheduler may be late; `nil` takes its minimum.
  ///   - scheduler: The scheduler that the answers are delivered on.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    let interval = nonNegative(interval, of: "delay(for:)", at: position)
    return modified {
      ReceiveNode($0, "delay", at: position) {
        .init(after: interval, tolerance: tolerance, scheduler: scheduler, options: options)
      }
    }
  }
}

final class ReceiveNode: ModifierNode {
  let name: String
  let timing: ScheduledWork.Timing
  private let madeAt: SourcePosition

  init(
    _ child: EffectNode, _ name: String, at position: SourcePosition,
    _ timing: () -> ScheduledWork.Timing
  ) {
    self.name = name
    madeAt = position
    self.timing = timing()
    super.init(child)
  }

  override var label: String { name }
  override var position: SourcePosition? { madeAt }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.hasMemory = true
    let frame = ReceiveFrame(self, under: parent)
    interpreter.journal?.didStart(frame)
    return frame
  }
}

/// Hands emissions to a scheduler, and delivers them when their work comes due.
private final class ReceiveFrame: Frame, DueTarget {
  private let node: ReceiveNode
  private var emissions = Queue<Emission>()
  private var pending: [ObjectIdentifier: ScheduledWork] = [:]

  override var pendingWork: String? { pending.isEmpty ? nil : node.name }
  override var effectKind: String? { node.name }
  override var label: String? { node.name }
  override var position: SourcePosition? { node.position }

  init(_ node: ReceiveNode, under parent: Frame) {
    self.node = node
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    var emission = emission
    emission.inherited = HeldTransaction()
    emissions.append(emission)
    expectChild()
    let work = ScheduledWork(for: self, node.timing, interpreter)
    if work.isPending { pending[ObjectIdentifier(work)] = work }
    return .absorb
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: HeldTransaction, _ interpreter: Interpreter
  ) {
    pending[ObjectIdentifier(work)] = nil
    // On a concurrent scheduler one piece of work may overtake another; emissions keep their order.
    guard isAttached, var emission = emissions.removeFirst() else { return }
    emission.transaction.merge(transaction)
    interpreter.deliver(emission, above: self)
    interpreter.finishChild(of: self)
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    for work in exchange(&pending, with: [:]).values { work.cancel() }
    emissions = Queue()
  }
}
