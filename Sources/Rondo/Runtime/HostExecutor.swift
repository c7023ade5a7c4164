// An executor for the closures of effects, on the isolation of their host.

import RondoAnimation
import Synchronization

/// Runs the closures of effects on the isolation of their host, between its turns, first in, first
/// out. No thread is woken for them.
///
/// What is enqueued while the host starts effects runs at the end of that turn; what is enqueued
/// later, by a timer, a continuation or another executor, takes a hop to the host.
final class HostExecutor: TaskExecutor {
  private let mailbox: Mailbox
  /// The jobs that wait. It is closed when the host is gone: closures, which are cancelled then, end on
  /// the concurrent pool.
  private let jobs = Inbox<UnownedJob>()

  /// Whether ``run()`` is at work, perhaps further up the stack, behind that of another host.
  private let isAtWork = Atomic(false)

  /// The mailbox of the host whose closures the current thread runs.
  private static let running = ThreadSlot()

  /// The number of jobs after which the host has a turn for other work.
  private static let longestRun = 1_000

  /// An executor for the host that reads a mailbox.
  init(for mailbox: Mailbox) {
    self.mailbox = mailbox
  }

  /// Whether the caller is the closure of an effect, and runs on the isolation of the host that reads
  /// a mailbox.
  static func isRunning(for mailbox: Mailbox) -> Bool {
    running.pointer == Unmanaged.passUnretained(mailbox).toOpaque()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    switch jobs.add(job) {
    case .wakesReader: runLater()
    case .waits: break
    case .refused: globalConcurrentExecutor.enqueue(job)
    }
  }

  /// Runs what is in the queue in a later turn of the host, never in the caller.
  func runLater() {
    // A scheduler may run work at once where the caller is on the host's isolation already.
    if mailbox.isolation.runIfCurrent({}) {
      Task.detached { [self] in mailbox.isolation.hop { self.run() } }
    } else {
      mailbox.isolation.hop { [self] in run() }
    }
  }

  /// Hands all jobs to the concurrent pool from now on. Called when the host is gone.
  func retire() {
    var jobs = jobs.close()
    while let job = jobs.removeFirst() { globalConcurrentExecutor.enqueue(job) }
  }

  /// Called on the host's isolation, in a turn that will call ``run()`` at its end: what is enqueued
  /// until then needs no hop.
  func expectRun() {
    jobs.expectReader()
  }

  /// Runs what is in the queue, and what that adds. To be called on the host's isolation, when no
  /// turn of the host is in progress.
  func run() {
    guard !isAtWork.exchange(true, ordering: .relaxed) else { return }
    defer { isAtWork.store(false, ordering: .relaxed) }
    let outer = Self.running.pointer
    Self.running.pointer = Unmanaged.passUnretained(mailbox).toOpaque()
    defer { Self.running.pointer = outer }
    DependencyValues.whileNoneIsInForce {
      withAmbientTransaction(Transaction()) { runAll() }
    }
  }

  private func runAll() {
    var count = 0
    while count < Self.longestRun, var taken = jobs.take(comesBack: true) {
      count += taken.count
      while let job = taken.removeFirst() { job.runSynchronously(on: asUnownedTaskExecutor()) }
      jobs.reuse(taken)
    }
    if count >= Self.longestRun { runLater() }
  }
}

// MARK: - The choice of the executor

/// A mark above effects whose closures run on the host's isolation.
final class CooperativeFrame: Frame {}

extension Interpreter {
  /// The executor for the closure of an effect below a frame; `nil` is the concurrent pool.
  func taskExecutor(below frame: Frame) -> (any TaskExecutor)? {
    if let executor = mailbox.isolation.taskExecutor { return executor }
    guard
      let execution,
      execution == .cooperative || hasCooperativeEffects && frame.isCooperative
    else { return nil }
    willAddJob()
    return hostExecutor
  }

  /// Called before a closure is cancelled: where it runs on the host's isolation, it goes on at the end
  /// of this turn, and nobody is woken for it.
  func willCancel(_ executor: (any TaskExecutor)?) {
    if let executor, executor === existingHostExecutor { willAddJob() }
  }

  private func willAddJob() {
    hostExecutor.expectRun()
    mustRunTasks = true
  }
}

extension Frame {
  fileprivate var isCooperative: Bool { lineage.contains { $0 is CooperativeFrame } }
}

extension Interpreter {
  /// Runs the closures that the turn has started.
  ///
  /// - Parameter isOnMainActor: Whether the host lives on the main actor, where others do as well.
  func runTasks(isOnMainActor: Bool) {
    mustRunTasks = false
    let executor = hostExecutor
    // Another store, its reducer or its subscriber, or an observing closure, may be at work further up
    // the stack. The closures of effects must not run in the middle of it.
    if isOnMainActor, ObserveToken.isRunning || MainActorWork.innermost != nil {
      executor.runLater()
    } else {
      executor.run()
    }
  }
}
