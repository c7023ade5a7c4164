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
  private let state = Mutex(State())

  private struct State {
    var jobs: [UnownedJob] = []
    /// An empty array, whose memory is used again.
    var spare: [UnownedJob] = []
    /// Whether a turn, or a hop, is sure to run what is in the queue.
    var isAwaited = false
    /// Whether the host is gone. Its closures, which are cancelled, end on the concurrent pool.
    var isRetired = false
  }

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
    let (isRetired, needsHop) = state.withLock { state in
      guard !state.isRetired else { return (true, false) }
      state.jobs.append(job)
      return (false, !exchange(&state.isAwaited, with: true))
    }
    if isRetired { globalConcurrentExecutor.enqueue(job) }
    if needsHop { runLater() }
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
    let jobs = state.withLock { state in
      state.isRetired = true
      return exchange(&state.jobs, with: [])
    }
    jobs.forEach { globalConcurrentExecutor.enqueue($0) }
  }

  /// Called on the host's isolation, in a turn that will call ``run()`` at its end: what is enqueued
  /// until then needs no hop.
  func expectRun() {
    state.withLock { $0.isAwaited = true }
  }

  /// Runs what is in the queue, and what that adds. To be called on the host's isolation, when no
  /// turn of the host is in progress.
  func run() {
    guard !Self.isRunning(for: mailbox) else { return }
    let outer = Self.running.pointer
    Self.running.pointer = Unmanaged.passUnretained(mailbox).toOpaque()
    defer { Self.running.pointer = outer }
    DependencyValues.whileNoneIsInForce {
      withAmbientTransaction(Transaction()) { runAll() }
    }
  }

  private func runAll() {
    var count = 0
    while count < Self.longestRun, var jobs = takeJobs() {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      count += jobs.count
      jobs.removeAll(keepingCapacity: jobs.capacity <= 256)
      state.withLock { $0.spare = jobs }
    }
    if count >= Self.longestRun { runLater() }
  }

  /// The jobs in the queue; `nil` where there is none, and the next one has to ask for a run.
  private func takeJobs() -> [UnownedJob]? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isAwaited = false
        return nil
      }
      swap(&state.jobs, &state.spare)
      defer { state.spare = [] }
      return state.spare
    }
  }
}

// MARK: - The choice of the executor

/// The place where a store runs the closures of effects.
public enum EffectExecution: Sendable {
  /// The concurrent pool: each closure runs on a thread of the pool, beside the store.
  case concurrent

  /// The store's own isolation: the closures take turns there, one after another, and no thread is
  /// woken for them. See ``Effect/cooperative()``.
  case cooperative
}

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
    hostExecutor.expectRun()
    mustRunTasks = true
    return hostExecutor
  }
}

extension Frame {
  fileprivate var isCooperative: Bool { lineage.contains { $0 is CooperativeFrame } }
}
