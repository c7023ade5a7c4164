// A leaf of the tree of running effects: work that emits values, from any thread.

import RondoAnimation
import RondoConcurrencyShims
import RondoScheduling
import Synchronization

/// Work that emits values and ends: the closure of a `.run`, a callback, a timer.
final class SourceNode: EffectNode {
  /// The name of the operator: `run`, `future`, `timer`, …
  let kind: String
  /// The name that the effect was given.
  let name: String?
  fileprivate let madeAt: SourcePosition
  let work: Work
  /// The dependencies in force where the effect was made, which are in force for its closure; `nil` where nothing is
  /// overridden there.
  let dependencies = DependencyValues.ambient

  enum Work {
    /// A closure in a task of its own.
    // A number, because the size of a priority is known at run time only.
    case task(priority: TaskPriority.RawValue?, body: TaskBody)
    /// A closure that takes the frame, and returns an object that cancels its work.
    case callback(@Sendable (SourceFrame) -> (any Cancellable)?)
  }

  /// A closure that runs in the effect's task.
  typealias TaskBody = nonisolated(nonsending) @Sendable (SourceFrame) async throws -> Void

  init(_ kind: String, _ name: String? = nil, at position: SourcePosition, _ work: Work) {
    self.kind = kind
    self.name = name
    madeAt = position
    self.work = work
  }

  override var label: String { name.map { "\(kind) \"\($0)\"" } ?? kind }
  override var position: SourcePosition? { madeAt }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    start(under: parent, as: nil, interpreter)
  }

  /// Starts the work, registered under a cancellation id if there is one.
  func start(under parent: Frame, as id: CancellationID?, _ interpreter: Interpreter) {
    let frame = SourceFrame(self, under: parent)
    // Work that is held begins when the host lets it, for no code that has sent.
    frame.isDetached =
      (interpreter.startsForMessage || interpreter.heldWork != nil) && frame.executor == nil
    if let id { interpreter.registry.insert(frame, id) }
    interpreter.journal?.didStart(frame)
    if interpreter.heldWork != nil {
      interpreter.heldWork?.append(frame)
    } else if let outside = interpreter.outside {
      outside.begin(frame, interpreter)
    } else {
      frame.begin(interpreter)
    }
  }
}

/// Running work that emits values and ends.
///
/// The work itself may run on any thread. It uses its frame to emit values, to say that it has
/// ended, and to find out whether it was cancelled.
@usableFromInline
final class SourceFrame: Frame, @unchecked Sendable {
  // @unchecked: off the host's isolation only the constants below and the atomics are used.

  let node: SourceNode
  /// Kept for its mailbox, and for messages about emissions that come too late.
  private let startedBy: ActionFrame
  private let lifetime = Lifetime()
  // Unchecked: it is read and set in one go.
  @exclusivity(unchecked) private var work = RunningWork.none
  /// Whether the task of the closure has nothing of the task of the caller, such as its task-local values.
  final var isDetached = false
  /// Whether the closure begins in a later turn, and not at once.
  final var isLate = false
  /// The executor that a test store runs the work on, if it is a closure.
  var executor: (any TaskExecutor)? { isTask ? mailbox.taskExecutor : nil }
  /// The values that the closure has sent.
  private(set) final var flood = Flood()
  private let pausing = Atomic(Flood.Duty.none)
  /// The number of messages of the work that wait in the mailbox.
  private let waitingCount = Atomic(0)

  private enum RunningWork {
    case none
    /// A closure before its first suspension, in a task that is still being started. The task lives until then.
    case beginning(UnsafeMutableRawPointer)
    /// A closure before its first suspension, outside of the lock of the host.
    case beginningOutside(BeginningTask)
    case task(Task<Void, Never>)
    case callback(any Cancellable)

    func cancel() {
      switch self {
      case .none: break
      case .beginning(let task): rondo_cancelTask(task)
      case .beginningOutside(let beginning): beginning.task?.cancel()
      case .task(let task): task.cancel()
      case .callback(let cancellable): cancellable.cancel()
      }
    }
  }

  /// The number of closures in the process that have begun and have not ended.
  static let runningCount = Atomic(0)

  /// The frame of the effect whose closure is running, for code inside the closure.
  static var current: SourceFrame? { WaitOrigin.current as? SourceFrame }

  var mailbox: Mailbox { startedBy.mailbox }

  /// Whether the work is a closure in a task.
  var isTask: Bool {
    if case .task = node.work { true } else { false }
  }

  init(_ node: SourceNode, under parent: Frame) {
    self.node = node
    startedBy = parent.actionFrame
    super.init(under: parent)
  }

  // MARK: For the work, from any thread

  var isCancelled: Bool { lifetime.isCancelled }

  /// Whether the work has ended, cancelled or not.
  var isOver: Bool { lifetime.isOver }

  /// Emits a value, tagged by the ambient transaction and by that of the call.
  ///
  /// - Parameters:
  ///   - value: A ``SendNode``.
  ///   - isLast: Whether the work ends with it, in one step for those who wait for the value on another thread.
  func emit(_ value: EffectNode, _ call: Transaction = Transaction(), isLast: Bool = false) {
    switch lifetime.now {
    case .running:
      // Completions wait until the message has been read, and its change has been shown.
      mailbox.post(
        .emission(
          self, value, ambient: HeldTransaction(.current), call: HeldTransaction(call)),
        then: isLast && lifetime.end() ? .ended(self) : nil)
    case .ended:
      reportIssue(
        """
        \(description) sent \(summary(of: value.erasedOutput)) after it had ended, and the action was dropped. \
        Send before the effect's closure returns, or keep the closure waiting for the work that \
        sends.
        """,
        at: node.madeAt
      )
    case .cancelled, .over:
      break
    }
  }

  /// Reports that the closure asks for something after it has ended, and was not cancelled before.
  func reportIfEnded(asksFor call: StaticString) {
    guard lifetime.now == .ended else { return }
    reportIssue(
      """
      \(description) called \(call) after it had ended, so the call belongs to no effect. Make it \
      before the effect's closure returns, or keep the closure waiting for the work that calls it.
      """,
      at: node.madeAt)
  }

  /// Whether messages of the work wait in the mailbox.
  var hasMessagesThatWait: Bool { waitingCount.load(ordering: .acquiring) != 0 }

  /// Counts a message of the work that waits in the mailbox.
  func noteWaiting() {
    waitingCount.add(1, ordering: .releasing)
  }

  /// Counts a message that has waited as read.
  func noteRead() {
    waitingCount.subtract(1, ordering: .relaxed)
  }

  /// Whether ``pause()`` is to be called. Asked first, as ``isExplored`` is.
  var isToPause: Bool {
    pausing.load(ordering: .relaxed) != .none || (isCancelled && executor == nil)
  }

  /// Lets others go on, where the closure has sent so much that they wait, or sends on although it was cancelled.
  nonisolated(nonsending) func pause() async {
    if pausing.exchange(.none, ordering: .relaxed) == .reports { reportFlood() }
    await Task.yield()
  }

  private func reportFlood() {
    reportIssue(
      """
      \(description) has sent very many actions before its closure waited for anything, and nothing else could \
      happen meanwhile where the store lives. Let the closure wait between them, for what it sends. It goes on in \
      later turns. Where it is meant to send so much at once, raise the dependency 'loopLimit' of the store.
      """,
      at: node.madeAt)
  }

  /// Whether ``letOthersGoFirst()`` is to be called before a message. Asked first, because a call
  /// of an asynchronous function takes memory.
  var isExplored: Bool { mailbox.isExploring && !isCancelled }

  /// Lets other effects be faster than this one, where a test explores that.
  nonisolated(nonsending) func letOthersGoFirst() async {
    await mailbox.isolation.letOthersGoFirst()
  }

  /// Ends the work: it emits nothing more.
  func end() {
    if lifetime.end() { mailbox.post(.ended(self)) }
  }

  func reportUncaught(_ error: any Error) {
    guard !isCancelled, !(error is CancellationError) else { return }
    if mailbox.isRecorded { mailbox.post(.ask(self) { $0.journal?.didFail(self) }) }
    // A missing dependency is one mistake, and it has been reported.
    if let failure = error as? UnimplementedFailure, failure.isReported { return }
    reportIssue(
      """
      \(description) threw an error that nobody caught: \(error). \
      Give the effect a `catch`, or handle the error inside its closure.
      """,
      at: node.madeAt
    )
  }

  /// The effect as messages name it.
  var description: String {
    "\(node.label) returned for \(startedBy.actionName)"
  }

  // MARK: On the host's isolation

  override var pendingWork: String? { node.label }
  override var label: String? { node.label }
  override var effectKind: String? { node.kind }
  override var position: SourcePosition? { node.position }

  /// Lets the work begin, unless it has been cancelled meanwhile.
  func begin(_ interpreter: Interpreter) {
    if isAttached { startWork(interpreter) }
  }

  func startWork(_ interpreter: Interpreter) {
    switch node.work {
    case .task(let priority, _):
      // A task that has nothing of the caller's has its priority all the same.
      let task = startTask(
        priority ?? (isDetached ? Task.basePriority?.rawValue : nil), interpreter)
      keep(task)
      // It may have been cancelled before the handle was known.
      if isCancelled { task.cancel() }
      if executor != nil { interpreter.started?.append(StartedEffect(self, task)) }
    case .callback(let begin):
      let origin = interpreter.recorder != nil ? ObjectIdentifier(self) : nil
      let cancellable = (node.dependencies ?? DependencyValues()).whileInForceIfAny {
        withWaitOrigin(origin) { begin(self) }
      }
      guard let cancellable else { return }
      // It may have ended, or been cancelled, inside of its own closure.
      var isKept = false
      mailbox.whileLocked {
        isKept = isAttached
        if isKept { work = .callback(cancellable) }
      }
      if !isKept { cancellable.cancel() }
    }
  }

  /// Called before the task of the closure is started that begins at once, outside of the lock of the host.
  func beginsOutside() {
    // Outside of a lock closures begin on several threads at once, so each has an object of its own.
    let beginning = BeginningTask()
    mailbox.whileLocked { if isAttached { work = .beginningOutside(beginning) } }
  }

  /// Keeps the task of the closure, to cancel it. It may have ended, or been cancelled, before its first suspension.
  func keep(_ task: Task<Void, Never>) {
    mailbox.whileLocked { work = isAttached ? .task(task) : .none }
  }

  /// Called by the task of the closure, when it begins while it is being started.
  func noteBeginning() {
    guard mailbox.lock != nil else {
      if case .none = work, let task = rondo_currentTask() { work = .beginning(task) }
      return
    }
    withUnsafeCurrentTask { task in
      guard let task else { return }
      mailbox.whileLocked {
        if case .beginningOutside(let beginning) = work { beginning.task = task }
      }
      // It may have been cancelled outside of the lock, before there was a task.
      if isCancelled { task.cancel() }
    }
  }

  /// Counts a value that the closure has sent. Behind very many of them, it is to let others go on.
  func countSent(_ interpreter: Interpreter) {
    let isBeginning = interpreter.stack.beginning === self
    guard isBeginning || executor == nil else { return }
    let machine = interpreter.machine
    // Nobody waits for a closure outside of a lock: one that goes on until it is cancelled lets the caller have the
    // handle that cancels it.
    let hasLock = mailbox.lock != nil
    let most = hasLock ? 1_000 : machine.turn.count.mostInARow
    let duty = flood.countSent(
      most: most, isWaitedFor: isBeginning && !hasLock, at: machine.turn.count.time)
    guard let duty else { return }
    pausing.store(duty, ordering: .relaxed)
    // A closure that calls `post` cannot pause.
    if duty == .reports, flood.isTenTimes(most) { reportFlood() }
  }

  /// Lets the closure let others go on behind what it sends now: its cancellation is on its way.
  func noteComingCancellation() {
    pausing.store(.pauses, ordering: .relaxed)
  }

  // By itself, because a closure takes memory.
  private func cancelOutside(_ work: RunningWork, _ interpreter: Interpreter) {
    guard case .beginningOutside(let beginning) = work else {
      return interpreter.cancelWork { work.cancel() }
    }
    // Another closure may begin before the lock is free. The handle holds its task.
    guard let task = beginning.task else { return }
    interpreter.cancelWork { task.cancel() }
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    if cancelled, !lifetime.cancel() { lifetime.finish() }
    let work = exchange(&work, with: .none)
    guard cancelled else { return }
    if mailbox.lock == nil { work.cancel() } else { cancelOutside(work, interpreter) }
  }
}

/// The task of a closure that begins outside of a lock.
///
/// An object, because the size of a handle is known at run time only: a frame with one inside could not be laid out
/// before.
final class BeginningTask {
  var task: UnsafeCurrentTask?
}

extension SourceFrame: WaitObserver {
  func willWait(on kind: WaitKind, for duration: Duration?, since age: (() -> Duration)?) {
    guard let clocks = mailbox.observerClocks else { return }
    let time = EventTime(clocks, ago: age)
    mailbox.post(.ask(self) { $0.journal?.willWait(self, on: kind, for: duration, since: time) })
  }

  func didWait() {
    guard let clocks = mailbox.observerClocks else { return }
    let time = EventTime(clocks)
    mailbox.post(.ask(self) { $0.journal?.didWait(self, since: time) })
  }
}
