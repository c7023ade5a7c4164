// The mailbox that carries messages of running effects to the isolation of their machine, and the ways to that
// isolation.

import RondoAnimation
import RondoConcurrencyShims
import RondoScheduling
import Synchronization

/// Messages that were posted from anywhere and have not been read yet.
///
/// The first message asks for a hop to the host, which then reads all that have arrived: a hop may
/// cost tens of microseconds, so it is shared. A message posted on the host's own isolation is read
/// at once, behind those that wait.
final class Mailbox: Sendable {
  let isolation: any HostIsolation
  // Kept here, because every effect asks for them.
  let actor: (any Actor)?
  let closuresRunOnMainActor: Bool
  let taskExecutor: (any TaskExecutor)?
  let isExploring: Bool
  /// See ``Machine/reporters``.
  let reporters: [any IssueReporter]?
  /// The isolation, where it is a lock. The work of effects is outside of it.
  let lock: LockIsolation?
  private let messages = Inbox<Message>()
  /// The number of cancellations by an id that wait.
  private let cancellationCount = Atomic(0)
  /// The thread of the main actor, while the closure of an effect begins there; 0 at other times.
  private let beginningThread = Atomic<UInt>(0)
  private let clocks = Mutex<[ObserverClock]?>(nil)

  // nonisolated(unsafe): used on the host's isolation only. The interpreter sets it when it is
  // made, by `open(for:)`, and clears it when it is closed, by `close()`, which breaks the cycle.
  nonisolated(unsafe) private var reader: Machine?

  init(isolation: any HostIsolation, reporters: [any IssueReporter]?) {
    self.isolation = isolation
    self.reporters = reporters
    actor = isolation.actor
    closuresRunOnMainActor = actor === MainActor.shared
    taskExecutor = isolation.taskExecutor
    isExploring = isolation.isExploring
    lock = isolation as? LockIsolation
  }

  /// Makes a change on the isolation, where the caller may be outside of its lock.
  func whileLocked(_ change: () -> Void) {
    if let lock { _ = lock.runIfCurrent(change) } else { change() }
  }

  /// Lets the closure of an effect begin on this thread.
  func whileBeginning<Result>(_ begin: () -> Result) -> Result {
    guard closuresRunOnMainActor else { return begin() }
    let outer = beginningThread.exchange(rondo_thread(), ordering: .relaxed)
    defer { beginningThread.store(outer, ordering: .relaxed) }
    return begin()
  }

  /// The machine, if the closure of an effect of it begins on this thread of the main actor.
  private var machineThatBegins: Machine? {
    // The question to Dispatch takes longer than to read a message.
    beginningThread.load(ordering: .relaxed) == rondo_thread() ? reader : nil
  }

  /// Whether effects are to tell of what they wait for.
  var isRecorded: Bool { observerClocks != nil }

  /// The clocks of those who record; `nil` where nobody does.
  var observerClocks: [ObserverClock]? {
    get { clocks.withLock { $0 } }
    set { clocks.withLock { $0 = newValue } }
  }

  /// Sets the reader of the messages. To be called on the host's isolation.
  func open(for machine: Machine) {
    reader = machine
  }

  /// Drops all messages, now and from now on. To be called on the host's isolation.
  func close() {
    reader = nil
    // Messages refer to this mailbox, so they may not stay in it.
    withExtendedLifetime(messages.close()) {}
  }

  /// Hands a message to the machine, in the order in which messages are posted, and perhaps another one behind it, so
  /// that no reader has one of them alone. Does nothing when the mailbox is closed.
  func post(_ message: Message, then last: Message? = nil) {
    if let machine = machineThatBegins {
      machine.read(message)
    } else if !isolation.runIfCurrent({ withReader { $0.read(message) } }) {
      return postLater(message, then: last)
    }
    if let last { post(last) }
  }

  /// Whether no messages wait to be taken.
  var isEmpty: Bool { messages.isEmpty }

  /// Whether cancellations by an id wait.
  var hasCancellations: Bool { cancellationCount.load(ordering: .acquiring) != 0 }

  /// Notes that a message is read which has waited.
  func noteRead(_ message: Message) {
    message.sender?.noteRead()
    if case .stop = message { cancellationCount.subtract(1, ordering: .relaxed) }
  }

  /// Hands a message to the machine after a hop, wherever the caller is.
  func postLater(_ message: Message, then last: Message? = nil) {
    message.sender?.noteWaiting()
    last?.sender?.noteWaiting()
    if case .stop = message { cancellationCount.add(1, ordering: .releasing) }
    if messages.add(message, then: last) == .wakesReader {
      isolation.hop { [self] in readAll() }
    }
  }

  /// Hands a message to the machine in a later turn of the host, also where the host's scheduler
  /// runs work at once.
  func postToLaterTurn(_ message: Message) {
    // A hop that was asked for before may have come to nothing: while the machine was at work.
    _ = messages.add(message)
    let isInside = LockIsolated(true)
    isolation.hop { [self] in
      if isInside.withLock({ $0 }) {
        Task.detached { [self] in
          guard closuresRunOnMainActor else { return isolation.hop { self.readAll() } }
          // The hop would stay in the pool.
          await MainActor.run { readAll() }
        }
      } else {
        readAll()
      }
    }
    isInside.withLock { $0 = false }
  }

  /// Lets the machine read, where a hop has come to.
  private func readAll() {
    guard isolation.hasArrived({ [self] in readAll() }) else { return }
    withReader { $0.readAll() }
  }

  /// Keeps the machine alive while it is at work.
  private func withReader(_ body: (Machine) -> Void) {
    guard let reader else { return }
    withExtendedLifetime(reader) { body(reader) }
  }

  /// Takes the messages that have arrived; `nil` where there are none.
  func take() -> Queue<Message>? { messages.take() }

  /// Takes back a queue that was taken and is empty by now, to use its memory again.
  func reuse(_ queue: Queue<Message>) { messages.reuse(queue) }
}

/// One message for an interpreter.
enum Message: @unchecked Sendable {
  // @unchecked: a message is read on the host's isolation only. Its sender gives away what it
  // carries, and frames are touched nowhere else.

  /// A running effect has emitted the value in a ``SendNode``, inside an ambient transaction and
  /// with the transaction of the call.
  case emission(SourceFrame, EffectNode, ambient: HeldTransaction, call: HeldTransaction)
  /// A running effect has ended.
  case ended(SourceFrame)
  /// Scheduled work has come due, inside an ambient transaction.
  case due(any DueTarget, ScheduledWork, HeldTransaction)
  /// Everything that a `send` has started is to be cancelled.
  case cancel(RootFrame)
  /// A subscriber is to be removed.
  case unsubscribe(UInt64)
  /// The closure of an effect asks for a change.
  case ask(SourceFrame, (Interpreter) -> Void)
  /// The closure of an effect asks for a change that cancels what runs under an id.
  case stop(SourceFrame, (Interpreter) -> Void)
  /// Any other work.
  case run((Interpreter) -> Void)

  /// The effect whose closure has posted the message, perhaps on the host's isolation.
  var sender: SourceFrame? {
    switch self {
    case .emission(let source, _, _, _), .ended(let source), .ask(let source, _),
      .stop(let source, _):
      source
    case .due, .cancel, .unsubscribe, .run: nil
    }
  }
}

// MARK: - The isolation

/// The isolation of a machine, with the ways to run work on it from elsewhere.
package protocol HostIsolation: Sendable {
  /// Runs work now if the caller is on the isolation already. Returns whether it was.
  func runIfCurrent(_ work: () -> Void) -> Bool

  /// Runs work on the isolation soon.
  func hop(_ work: @escaping @Sendable () -> Void)

  /// Whether a hop has come to the isolation. Where it has not, the work is brought there by another way.
  func hasArrived(_ work: @escaping @Sendable () -> Void) -> Bool

  /// Runs the last work of a machine whose host has been released. The caller may be anywhere.
  func runLast(_ work: @escaping @Sendable () -> Void)

  /// The actor that the closures of effects run on. They hold it. `nil` where there is none: they begin where they
  /// are started, and go on in the concurrent pool.
  var actor: (any Actor)? { get }

  /// An executor for the closures of effects in place of the actor, in tests.
  var taskExecutor: (any TaskExecutor)? { get }

  /// Whether ``letOthersGoFirst()`` is to be called.
  var isExploring: Bool { get }

  /// Called by the closure of an effect before it sends a message. If every effect had a thread of
  /// its own, another effect could be faster at this point. The closure may be suspended here until
  /// other effects have gone first.
  nonisolated(nonsending) func letOthersGoFirst() async

  /// Posts a message of the closure of an effect that cannot be suspended here. The message may be posted
  /// later, when other effects have gone first, and before any other message of the closure.
  func postAfterOthers(_ post: @escaping @Sendable () -> Void)
}

extension HostIsolation {
  package var actor: (any Actor)? { nil }

  package var taskExecutor: (any TaskExecutor)? { nil }

  package var isExploring: Bool { false }

  package nonisolated(nonsending) func letOthersGoFirst() async {}

  package func postAfterOthers(_ post: @escaping @Sendable () -> Void) { post() }

  package func hasArrived(_ work: @escaping @Sendable () -> Void) -> Bool { true }

  package func runLast(_ work: @escaping @Sendable () -> Void) {
    if runIfCurrent(work) { return }
    hop { if hasArrived(work) { work() } }
  }
}

/// Whether the caller runs on a serial executor: on the actor that it belongs to.
package func isRunning(on executor: UnownedSerialExecutor) -> Bool {
  // An executor is a reference to an object and one to what it implements.
  let (object, implementation) = unsafeBitCast(
    executor, to: (UnsafeRawPointer?, UnsafeRawPointer?).self)
  return rondo_isCurrentExecutor(object, implementation)
}
