// Operators that involve a scheduler.

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
    line: UInt = #line
  ) -> Self {
    modified {
      ReceiveNode($0, "receive", at: SourcePlace(fileID: fileID, line: line)) {
        .soon { scheduler.schedule(options: options, $0) }
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
    let site = OperatorSite("delay(for:)", fileID, filePath, line, column)
    let interval = site.checked(interval)
    return modified {
      ReceiveNode($0, "delay", at: site.place) {
        .init(after: interval, tolerance: tolerance, scheduler: scheduler, options: options)
      }
    }
  }

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
  ///   - id: The id, also for ``cancel(id:)``.
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
    let site = OperatorSite("debounce(id:for:)", fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: site.checked(interval), tolerance: nil, scheduler: scheduler, options: options)
    return modified { DebounceNode($0, id: TypedCancellationID(id), timing, at: site.place) }
  }

  /// Lets at most one value through per interval.
  ///
  /// The first value passes at once. Of those that follow within the interval, the latest (or the
  /// first of them) passes at its end, and a new interval begins. All effects under the same id
  /// share the interval.
  ///
  /// - Parameters:
  ///   - id: The id that the interval is kept under, scoped like those of
  ///     ``cancellable(id:cancelInFlight:)``.
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
    let site = OperatorSite("throttle(id:for:)", fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: site.checked(interval), tolerance: nil, scheduler: scheduler, options: nil)
    return modified {
      ThrottleNode($0, id: TypedCancellationID(id), latest: latest, timing, at: site.place)
    }
  }

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
    let site = OperatorSite("timeout(_:)", fileID, filePath, line, column)
    let timing = ScheduledWork.Timing(
      after: site.checked(interval), tolerance: nil, scheduler: scheduler, options: options)
    return modified { TimeoutNode($0, timing) }
  }

  /// An effect that answers with the scheduler's time at every interval, until it is cancelled.
  ///
  /// Starting a timer cancels the one that runs under the same id.
  ///
  /// ```swift
  /// return Effect.timer(id: CancelID.clock, every: .seconds(1), on: mainQueue)
  ///   .map { _ in .ticked }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The id that the timer runs under, also for ``cancel(id:)``.
  ///   - interval: The interval. One that is not positive is reported, and the effect does nothing.
  ///   - tolerance: The time that a tick may be late; `nil` takes the scheduler's minimum.
  ///   - scheduler: The scheduler that ticks.
  ///   - options: Options of the scheduler; `nil` takes its own.
  public static func timer<S: Scheduler>(
    id: some Hashable & Sendable,
    every interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride? = nil,
    on scheduler: S,
    options: S.SchedulerOptions? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self where Output == S.SchedulerTimeType {
    guard interval > .zero else {
      reportIssue(
        """
        A timer was made with an interval of \(interval.duration), at which it would never stop to tick. \
        Use an interval greater than zero. The timer does nothing.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
      return .none
    }
    let site = EffectSite(
      kind: "timer", fileID: fileID, filePath: filePath, line: line, column: column)
    let node = SourceNode(
      site,
      .callback { frame in
        frame.willWait(on: .scheduler, for: interval.duration, since: .zero)
        return scheduler.schedule(
          after: scheduler.now.advanced(by: interval), interval: interval,
          tolerance: tolerance ?? scheduler.minimumTolerance, options: options
        ) {
          frame.emit(scheduler.now)
          frame.willWait(on: .scheduler, for: interval.duration, since: .zero)
        }
      })
    return Self(node: node).cancellable(id: id, cancelInFlight: true)
  }
}

/// The call of an operator, for messages.
private struct OperatorSite {
  let name: String
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(
    _ name: String, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
  ) {
    self.name = name
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

  /// The interval, or zero in place of a negative one, which is reported.
  func checked<Stride: Comparable & SignedNumeric & SchedulerTimeIntervalConvertible>(
    _ interval: Stride
  ) -> Stride {
    guard interval < .zero else { return interval }
    reportIssue(
      """
      \(name) was given a negative interval, \(interval.duration). \
      Use zero or more; zero is used now.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
    return .zero
  }
}

// MARK: - receive, delay

final class ReceiveNode: ModifierNode {
  let name: String
  let timing: ScheduledWork.Timing
  private let madeAt: SourcePlace

  init(
    _ child: EffectNode, _ name: String, at place: SourcePlace,
    _ timing: () -> ScheduledWork.Timing
  ) {
    self.name = name
    madeAt = place
    self.timing = timing()
    super.init(child)
  }

  override var label: String { name }
  override var sourcePlace: SourcePlace? { madeAt }

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
  override var sourcePlace: SourcePlace? { node.sourcePlace }

  init(_ node: ReceiveNode, under parent: Frame) {
    self.node = node
    super.init(under: parent, intercepts: true)
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    var emission = emission
    emission.inherited = Transaction()
    emissions.append(emission)
    active += 1
    let work = ScheduledWork(for: self, node.timing, interpreter)
    if work.isPending { pending[ObjectIdentifier(work)] = work }
    return .absorb
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: Transaction, _ interpreter: Interpreter
  ) {
    pending[ObjectIdentifier(work)] = nil
    // On a concurrent scheduler one piece of work may overtake another; emissions keep their order.
    guard isAttached, var emission = emissions.removeFirst() else { return }
    emission.transaction.merge(transaction)
    interpreter.deliver(emission, above: self)
    interpreter.finishChild(of: self)
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    for work in exchange(&pending, with: [:]).values { work.cancel() }
    emissions = Queue()
  }
}

// MARK: - debounce

final class DebounceNode: ModifierNode {
  let id: CancellationID
  let timing: ScheduledWork.Timing

  private let madeAt: SourcePlace

  init(
    _ child: EffectNode, id: CancellationID, _ timing: ScheduledWork.Timing, at place: SourcePlace
  ) {
    self.id = id
    madeAt = place
    self.timing = timing
    super.init(child)
  }

  override var label: String { "debounce[\(id.base)]" }
  override var sourcePlace: SourcePlace? { madeAt }

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
  private let madeAt: SourcePlace?
  private var child: EffectNode?
  var work: ScheduledWork?

  override var pendingWork: String? { child == nil ? nil : "debounce" }
  override var effectKind: String? { "debounce" }
  override var sourcePlace: SourcePlace? { madeAt }

  init(_ node: DebounceNode, _ child: EffectNode, under parent: Frame) {
    madeAt = node.sourcePlace
    self.child = child
    super.init(under: parent)
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: Transaction, _ interpreter: Interpreter
  ) {
    guard isAttached, let child = child.take() else { return }
    interpreter.perform(inherited: transaction) {
      interpreter.start(child, under: self)
    }
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    child = nil
    work.take()?.cancel()
    super.didDetach(cancelled: cancelled, interpreter)
  }
}

// MARK: - throttle

final class ThrottleNode: ModifierNode {
  let id: CancellationID
  let latest: Bool
  let timing: ScheduledWork.Timing

  private let madeAt: SourcePlace

  init(
    _ child: EffectNode, id: CancellationID, latest: Bool, _ timing: ScheduledWork.Timing,
    at place: SourcePlace
  ) {
    self.id = id
    madeAt = place
    self.latest = latest
    self.timing = timing
    super.init(child)
  }

  override var label: String { "throttle[\(id.base)]" }
  override var sourcePlace: SourcePlace? { madeAt }

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
  override var sourcePlace: SourcePlace? { node.sourcePlace }
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
      window.open(interpreter)
      return .pass
    }
    var emission = emission
    emission.inherited = Transaction()
    self.window = window
    window.keep(emission, of: self, latest: node.latest, interpreter)
    return .absorb
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    if cancelled { interpreter.throttles[scopedID]?.forget(self) }
  }
}

// MARK: - timeout

final class TimeoutNode: ModifierNode {
  let timing: ScheduledWork.Timing

  init(_ child: EffectNode, _ timing: ScheduledWork.Timing) {
    self.timing = timing
    super.init(child)
  }

  override var label: String { "timeout" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    let frame = TimeoutFrame(timing, under: parent)
    interpreter.journal?.didStart(frame)
    frame.restart(interpreter)
    return frame
  }
}

private final class TimeoutFrame: Frame, DueTarget {
  private let timing: ScheduledWork.Timing
  private var work: ScheduledWork?
  override var effectKind: String? { "timeout" }

  init(_ timing: ScheduledWork.Timing, under parent: Frame) {
    self.timing = timing
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
    return .pass
  }

  func didComeDue(
    _ work: ScheduledWork, _ transaction: Transaction, _ interpreter: Interpreter
  ) {
    guard isAttached, work === self.work || self.work == nil else { return }
    interpreter.end(self)
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    work.take()?.cancel()
  }
}
