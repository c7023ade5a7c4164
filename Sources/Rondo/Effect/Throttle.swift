// `throttle`: at most one value in an interval.

import RondoAnimation
import RondoScheduling

extension Effect {
  /// Lets at most one value through per interval.
  ///
  /// The first value passes at once. Of those that follow within the interval, the latest (or the
  /// first of them) passes at its end, and a new interval begins. All effects under the same id
  /// share the interval. It ends with the child whose effect has opened it, unless a value of an
  /// effect that is not the child's waits for its end.
  ///
  /// - Parameters:
  ///   - id: The id that the interval is kept under, scoped like those of
  ///     `cancellable(id:cancelInFlight:)`.
  ///   - interval: The interval. A negative one is reported and treated as zero.
  ///   - scheduler: The scheduler that measures the time.
  ///   - latest: Whether the last value of an interval passes at its end, or the first.
  public func throttle<S: Scheduler>(
    id: some Hashable & Sendable,
    for interval: S.SchedulerTimeType.Stride,
    scheduler: S,
    latest: Bool,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let position = SourcePosition(fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: nonNegative(interval, of: "throttle(id:for:)", at: position), tolerance: nil,
      scheduler: scheduler, options: nil)
    return modified {
      ThrottleNode($0, id: TypedCancellationID(id), latest: latest, timing, at: position)
    }
  }
}

final class ThrottleNode: TimedNode {
  let latest: Bool

  init(
    _ child: EffectNode, id: CancellationID, latest: Bool, _ timing: ScheduledWork.Timing,
    at position: SourcePosition
  ) {
    self.latest = latest
    super.init(child, id: id, timing, at: position)
  }

  override var label: String { "throttle[\(id.base)]" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    interpreter.hasMemory = true
    let frame = ThrottleFrame(self, under: parent)
    interpreter.journal?.didStart(frame)
    return frame
  }
}

private final class ThrottleFrame: Frame {
  let node: ThrottleNode
  override var pendingWork: String? { firstChild == nil ? "throttle" : nil }
  override var effectKind: String? { "throttle" }
  override var label: String? { "throttle" }
  override var position: SourcePosition? { node.position }
  var scopedID: ScopedID { ScopedID(id: node.id, path: path) }
  /// The window that an emission waits in, when it does not pass at once.
  private weak var window: ThrottleWindow?
  override var dueTarget: AnyObject { window ?? self }

  init(_ node: ThrottleNode, under parent: Frame) {
    self.node = node
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    guard let window = interpreter.throttles[scopedID] else {
      let window = ThrottleWindow(scopedID, node.timing)
      interpreter.throttles[scopedID] = window
      window.open(for: self, interpreter)
      return .pass
    }
    var emission = emission
    emission.inherited = HeldTransaction()
    self.window = window
    window.keep(emission, of: self, latest: node.latest, interpreter)
    return .absorb
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    if cancelled { interpreter.throttles[scopedID]?.forget(self) }
  }
}
