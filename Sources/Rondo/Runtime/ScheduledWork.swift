// Something that an interpreter has put on a scheduler.

import RondoAnimation
import RondoScheduling
import Synchronization

/// The receiver of scheduled work that has come due.
protocol DueTarget: AnyObject {
  /// The frame that waits for the work, and sends what arrives because of it; `nil` where none does.
  var sender: Frame? { get }

  func didComeDue(_ work: ScheduledWork, _ transaction: HeldTransaction, _ interpreter: Interpreter)
}

extension DueTarget where Self: Frame {
  var sender: Frame? { self }
}

/// One piece of work on a scheduler, which comes due once or is cancelled.
///
/// Until then it keeps its target alive. Afterwards it holds nothing, so a scheduler that still
/// keeps it keeps an empty object.
final class ScheduledWork: Sendable {
  private let mailbox: Mailbox
  private let state: Mutex<State>

  private struct State: @unchecked Sendable {
    // @unchecked: the target is only handed on to its own isolation.
    var target: (any DueTarget)?
    var cancellable: AnyCancellable?
  }

  /// Puts work for a target on a scheduler.
  init(for target: any DueTarget, _ timing: Timing, _ interpreter: Interpreter) {
    mailbox = interpreter.mailbox
    state = Mutex(State(target: target))
    switch timing {
    case .soon(_, let schedule):
      willWait(for: target, timing, interpreter)
      schedule { [self] in comeDue() }
    case .later(_, _, let schedule):
      willWait(for: target, timing, interpreter)
      let origin = interpreter.recorder != nil ? ObjectIdentifier(target) : nil
      let cancellable = withWaitOrigin(origin) { schedule { [self] in comeDue() } }
      // Work that has come due already needs no cancellation.
      state.withLock { state in
        if state.target != nil { state.cancellable = cancellable }
      }
    }
  }

  private func willWait(
    for target: any DueTarget, _ timing: Timing, _ interpreter: Interpreter
  ) {
    guard let journal = interpreter.journal, let frame = target as? Frame else { return }
    journal.willWait(frame, on: .scheduler(name: timing.scheduler), for: timing.duration)
  }

  var isPending: Bool { state.withLock { $0.target != nil } }

  /// Takes the work off its scheduler.
  func cancel() {
    let state = state.withLock { exchange(&$0, with: State()) }
    state.cancellable?.cancel()
  }

  private func comeDue() {
    let state = state.withLock { exchange(&$0, with: State()) }
    guard let target = state.target else { return }
    mailbox.post(.due(target, self, HeldTransaction(.current)))
  }

  /// The time at which work comes due, on a scheduler whose type has been erased.
  enum Timing: Sendable {
    /// At the next opportunity. No scheduler can cancel such work.
    case soon(on: String?, @Sendable (@escaping @Sendable () -> Void) -> Void)
    /// After a duration.
    case later(Duration, on: String?, @Sendable (@escaping @Sendable () -> Void) -> AnyCancellable)

    /// The duration; `nil` for the next opportunity.
    var duration: Duration? {
      switch self {
      case .soon: nil
      case .later(let duration, _, _): duration
      }
    }

    /// The name of the scheduler, where the work was described while something was recorded.
    var scheduler: String? {
      switch self {
      case .soon(let name, _), .later(_, let name, _): name
      }
    }

    /// After an interval, which has been checked before. Zero or less means at the next
    /// opportunity.
    init<S: Scheduler>(
      after interval: S.SchedulerTimeType.Stride,
      tolerance: S.SchedulerTimeType.Stride?,
      scheduler: S,
      options: S.SchedulerOptions?
    ) {
      guard interval > .zero else {
        self = .soon(on: .recorded(scheduler)) { scheduler.schedule(options: options, $0) }
        return
      }
      self = .later(interval.duration, on: .recorded(scheduler)) {
        scheduler.scheduleOnce(
          after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, $0)
      }
    }
  }
}

extension String? {
  /// The name of a scheduler, which is looked up only while something is recorded.
  static func recorded(_ scheduler: some Scheduler) -> Self {
    RecordingsInProgress.isAny ? scheduler.nameForRecordings : nil
  }
}

/// Runs a closure. Work that it puts on a test timeline is marked with an origin, for messages.
func withWaitOrigin<Result>(_ origin: ObjectIdentifier?, _ body: () -> Result) -> Result {
  guard let origin else { return body() }
  return WaitOrigin.$current.withValue(ScheduledOrigin(origin), operation: body)
}

extension WaitOrigin {
  /// Runs a body that is no effect's.
  static func whileNone(_ body: () -> Void) {
    guard current != nil else { return body() }
    $current.withValue(nil, operation: body)
  }
}

/// A child that has opened windows of throttles, which end with it.
protocol ThrottleOwner: AnyObject {
  func add(_ window: ThrottleWindow)
  func remove(_ window: ThrottleWindow)
}

/// The interval of a throttle that is running, with the emission that waits for its end.
final class ThrottleWindow: DueTarget {
  private let id: ScopedID
  /// The child whose emission has opened it; `nil` where that is no child's.
  private var owner: (any ThrottleOwner)?
  private let timing: ScheduledWork.Timing
  private var work: ScheduledWork?
  private var kept: (emission: Emission, frame: Frame)?
  /// The time at which it was opened, for those who record.
  private var opened: EventTime?

  var sender: Frame? { kept?.frame }

  init(_ id: ScopedID, _ timing: ScheduledWork.Timing) {
    self.id = id
    self.timing = timing
  }

  /// Begins the interval behind an emission that has passed a frame.
  func open(for frame: Frame, _ interpreter: Interpreter) {
    setOwner(interpreter.features?.throttleOwner(of: frame))
    opened = interpreter.mailbox.observerClocks.map { EventTime($0) }
    work = ScheduledWork(for: self, timing, interpreter)
  }

  func close() {
    work.take()?.cancel()
    setOwner(nil)
  }

  private func setOwner(_ new: (any ThrottleOwner)?) {
    guard new !== owner else { return }
    new?.add(self)
    exchange(&owner, with: new)?.remove(self)
  }

  private func end(_ interpreter: Interpreter) {
    _ = interpreter.throttles.removeValue(forKey: id)
    close()
  }

  /// Ends the interval, because its child has gone with everything in flight. Where an emission of another
  /// feature waits, the interval goes on as that feature's.
  func endWithOwner(_ interpreter: Interpreter) {
    guard interpreter.throttles[id] === self else { return }
    guard let frame = kept?.frame, frame.isAttached else { return end(interpreter) }
    setOwner(interpreter.features?.throttleOwner(of: frame))
  }

  func keep(
    _ emission: Emission, of frame: Frame, latest: Bool, _ interpreter: Interpreter
  ) {
    guard latest || kept == nil else { return }
    frame.expectChild()
    interpreter.journal?.willWait(
      frame, on: .scheduler(name: timing.scheduler), for: opened == nil ? nil : timing.duration,
      since: opened)
    let replaced = exchange(&kept, with: (emission, frame))
    guard let replaced else { return }
    interpreter.journal?.didWait(replaced.frame)
    interpreter.finishChild(of: replaced.frame)
  }

  func forget(_ frame: Frame) {
    guard kept?.frame === frame else { return }
    // Released when the access has ended: the value may end another throttle.
    let forgotten = kept.take()
    withExtendedLifetime(forgotten) {}
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: HeldTransaction, _ interpreter: Interpreter
  ) {
    guard interpreter.throttles[id] === self else { return }
    guard let (kept, frame) = kept.take(), frame.isAttached else { return end(interpreter) }
    var emission = kept
    emission.transaction.merge(transaction)
    open(for: frame, interpreter)
    interpreter.deliver(emission, above: frame)
    interpreter.finishChild(of: frame)
  }
}

/// An interval, or zero in place of a negative one, which is reported.
///
/// - Parameters:
///   - name: The operator that was given the interval.
///   - position: The place of the call.
func nonNegative<Stride: Comparable & SignedNumeric & SchedulerTimeIntervalConvertible>(
  _ interval: Stride, of name: String, at position: SourcePosition
) -> Stride {
  guard interval < .zero else { return interval }
  reportIssue(
    """
    \(name) was given a negative interval, \(interval.duration). \
    Use zero or more; zero is used now.
    """,
    at: position)
  return .zero
}
