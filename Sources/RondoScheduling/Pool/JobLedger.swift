// A list of the jobs that have not ended, and of the tasks that wait for them.

/// The jobs of the concurrent pool that wait for a thread or run on one.
///
/// A wait is for the jobs that were added before it, and for the jobs that those add. It is not for
/// the jobs of others: in a process with many tests the wait would never end. So each job has an
/// *epoch*. A wait begins a new epoch. A job that is added by another job has the epoch of that job.
/// A chain of jobs that add each other for ever leaves its epoch after a number of links.
struct JobLedger<Job: AnyObject & Sendable, Waiter: Sendable> {
  /// The number of links after which a job no longer counts as the cause of the next one.
  static var longestChain: Int { 50 }

  private var epoch = 0
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var waits: [Int: Wait] = [:]
  private var lastWait = 0

  private struct Entry {
    let job: Job
    let epoch: Int
    var link = 0
    /// Whether nobody waits for the job, because it takes too long.
    var isLong = false
  }

  private struct Wait {
    let epoch: Int
    /// The job that waits itself, if it is one. It is not waited for.
    let own: ObjectIdentifier?
    /// The number of jobs that are waited for.
    var count = 0
    /// The number of jobs that have been added since the wait began, and are waited for.
    var added = 0
    /// The task that is suspended until no job is left.
    var waiter: Waiter?

    func isFor(_ entry: Entry) -> Bool {
      entry.epoch <= epoch && !entry.isLong && ObjectIdentifier(entry.job) != own
    }
  }

  /// The cause of a job.
  enum Cause: Sendable {
    case job(Job)
    /// Work of the main actor, which may be done for anybody who waits.
    case mainActor
    case unknown
  }

  /// The jobs that somebody may wait for.
  var jobs: [Job] { entries.values.filter { !$0.isLong }.map(\.job) }

  var isAnyoneSuspended: Bool { waits.values.contains { $0.waiter != nil } }

  // MARK: Jobs

  mutating func add(_ job: Job, _ cause: Cause) {
    let entry = entry(for: job, cause)
    entries[ObjectIdentifier(job)] = entry
    for id in waits.keys where waits[id]!.isFor(entry) {
      waits[id]!.count += 1
      waits[id]!.added += 1
    }
  }

  private func entry(for job: Job, _ cause: Cause) -> Entry {
    switch cause {
    case .job(let cause):
      if let cause = entries[ObjectIdentifier(cause)], !cause.isLong,
        cause.link < Self.longestChain
      {
        return Entry(job: job, epoch: cause.epoch, link: cause.link + 1)
      }
    case .mainActor:
      if let epoch = waits.values.map(\.epoch).min() { return Entry(job: job, epoch: epoch) }
    case .unknown:
      break
    }
    return Entry(job: job, epoch: epoch)
  }

  /// Removes a job that has come to its end.
  ///
  /// - Returns: Those who are to go on.
  mutating func remove(_ job: Job) -> [Waiter] {
    guard let entry = entries.removeValue(forKey: ObjectIdentifier(job)) else { return [] }
    return stopWaiting(for: entry)
  }

  /// Takes note of a job that takes too long: nobody waits for it any more.
  ///
  /// - Returns: Those who are to go on.
  mutating func setLong(_ job: Job) -> [Waiter] {
    guard let entry = entries[ObjectIdentifier(job)] else { return [] }
    entries[ObjectIdentifier(job)]!.isLong = true
    return stopWaiting(for: entry)
  }

  private mutating func stopWaiting(for entry: Entry) -> [Waiter] {
    var ready: [Waiter] = []
    for id in waits.keys where waits[id]!.isFor(entry) {
      waits[id]!.count -= 1
      if waits[id]!.count == 0, let waiter = waits[id]!.waiter.take() { ready.append(waiter) }
    }
    return ready
  }

  // MARK: Waits

  /// Begins to wait for the jobs that have been added so far.
  ///
  /// - Parameter own: The job that waits, if it is one. It is not waited for.
  /// - Returns: The number of the wait.
  mutating func beginWait(own: Job?) -> Int {
    var wait = Wait(epoch: epoch, own: own.map { ObjectIdentifier($0) })
    wait.count = entries.values.count { wait.isFor($0) }
    epoch += 1
    lastWait += 1
    waits[lastWait] = wait
    return lastWait
  }

  mutating func endWait(_ id: Int) { waits[id] = nil }

  /// Whether a job that is waited for has not come to its end.
  func isBusy(_ wait: Int) -> Bool { waits[wait]!.count > 0 }

  /// The number of jobs that are waited for and were added since the wait began.
  func addedCount(_ wait: Int) -> Int { waits[wait]!.added }

  /// Suspends a task until no job that is waited for is left.
  ///
  /// - Returns: Whether there is one. If there is none, the task is not kept.
  mutating func suspend(_ wait: Int, _ waiter: Waiter) -> Bool {
    guard isBusy(wait) else { return false }
    waits[wait]!.waiter = waiter
    return true
  }
}
