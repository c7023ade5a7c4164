// The isolation of a test store: the thread that runs its queue.

import Rondo
import RondoAnimation
import RondoScheduling
import Synchronization

/// The isolation that a test store's machine lives on.
///
/// A test store is used by one test at a time, on any thread that the test runs on. While a method
/// of the store is at work there, it is the timelines' host on that thread. Effects run on this
/// very thread, so an action that they emit meanwhile is handled at once. An action that is emitted
/// from another thread waits in the executor's queue.
final class TestIsolation: HostIsolation, TimelineHost {
  let executor = PumpedExecutor()
  /// The chooser of the item that runs next; `nil` for first in, first out.
  let chooser: OrderChooser?
  private let timeline: TestTimeline
  /// The sleeps on immediate clocks, in line. The chooser of an order runs them as what is ready.
  let immediateSleeps = TestTimeline()

  /// The values that only the thread that runs the queue uses.
  private struct Own {
    var lastInsertion: UInt64 = 0
    /// Whether something has been put on another timeline than the store's since it was last asked.
    var hasPutSomethingElsewhere = false
    /// Whether a task has begun to sleep on an immediate clock since that was last asked.
    var hasSleptImmediately = false
    var knownTimelines: [KnownTimeline] = []
    var history: RunHistory?
    /// Whether something that is not in the executor's queue could happen now, in place of what an
    /// effect is about to do.
    var mayOthersRun: () -> Bool = { false }
  }

  // nonisolated(unsafe): used only on the thread that runs the queue.
  private nonisolated(unsafe) var own = Own()

  /// The summary of the run, where moments are compared.
  var history: RunHistory? {
    get { own.history }
    set { own.history = newValue }
  }

  /// The timelines, other than the store's, that effects have put something on.
  var foreignTimelines: [TestTimeline] { own.knownTimelines.compactMap(\.timeline) }

  private struct KnownTimeline {
    weak var timeline: TestTimeline?
  }

  /// The methods of a store that a timeline calls when it has woken effects.
  struct Store {
    /// Runs the queue. It returns whether all tasks that have run have ended, or sleep on timelines.
    var pump: () -> Bool
    /// Waits for tasks that have gone to the main actor.
    var settle: nonisolated(nonsending) () async -> Void
    /// Takes note that the effect at work is overtaken.
    var noteOvertaking: () -> Void
  }

  // nonisolated(unsafe): set before the first effect runs and when the store is released, and
  // used by the task that uses the store.
  nonisolated(unsafe) var store: Store?

  /// The task that has used the store last.
  private let user = Atomic<UInt>(0)

  init(timeline: TestTimeline, chooser: OrderChooser? = nil) {
    self.timeline = timeline
    self.chooser = chooser
    if chooser?.isForSteps == true { executor.watchForForeignItems(owner: number) }
  }

  /// A number for this isolation.
  private var number: UInt { UInt(bitPattern: ObjectIdentifier(self)) }

  /// The number of the isolation that the current thread is at work for; 0 where there is none.
  static var currentNumber: UInt {
    TimelineHosts.atWork.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
  }

  /// Whether anything has been put on the timeline since the last call, or since an effect last
  /// emitted an action. An item that was put there before comes from the feature's reaction to that
  /// action. The task that emitted the action does not wait for that item.
  @discardableResult
  func noteInsertions() -> Bool {
    let insertion = timeline.insertionCount
    defer { (own.lastInsertion, own.hasSleptImmediately) = (insertion, false) }
    return insertion != own.lastInsertion || own.hasSleptImmediately
  }

  var taskExecutor: (any TaskExecutor)? { executor }

  /// Runs code of the store, or effects, on the current thread.
  func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    try TimelineHosts.whileAtWork(self, body)
  }

  /// Remembers the current task as the user of the store.
  func noteUser() {
    user.store(currentTask(), ordering: .relaxed)
  }

  var timelineOfImmediateSleeps: TestTimeline? { chooser == nil ? immediateSleeps : nil }

  func didPutSomething(on timeline: TestTimeline) {
    guard timeline !== immediateSleeps else { return own.hasSleptImmediately = true }
    guard timeline !== self.timeline else { return }
    own.hasPutSomethingElsewhere = true
    guard !own.knownTimelines.contains(where: { $0.timeline === timeline }) else { return }
    own.knownTimelines.removeAll { $0.timeline == nil }
    own.knownTimelines.append(KnownTimeline(timeline: timeline))
  }

  /// Runs the effects that the test has woken by moving a clock or a scheduler that is not the
  /// store's.
  func runWhatWoke() -> Bool {
    // Another task might run at the same time as the one that uses the store.
    guard isUsedByThisTask, !runIfCurrent({}) else { return false }
    return store?.pump() ?? true
  }

  nonisolated(nonsending) func settle() async {
    guard isUsedByThisTask, !runIfCurrent({}) else { return }
    await store?.settle()
  }

  private var isUsedByThisTask: Bool {
    let task = currentTask()
    return task != 0 && task == user.load(ordering: .relaxed)
  }

  /// Whether anything has been put on another timeline than the store's since the last call.
  func takeInsertionsElsewhere() -> Bool {
    defer { own.hasPutSomethingElsewhere = false }
    return own.hasPutSomethingElsewhere
  }

  private var isCurrent: Bool {
    TimelineHosts.atWork === self
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard isCurrent else { return false }
    if chooser != nil, executor.isHolding {
      // The work runs without a suspension, so messages delayed before it are posted first.
      history?.giveUp()
      executor.postDelayed()
    }
    work()
    noteInsertions()
    _ = takeInsertionsElsewhere()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    executor.enqueue(work)
  }

  // MARK: Orders

  var isExploring: Bool { chooser != nil }

  /// Sets the question whether something that is not in the executor's queue could happen now. It is
  /// asked when an effect is about to send, because what the effect has done before may have made that
  /// possible.
  func setMayOthersRun(_ mayOthersRun: @escaping () -> Bool) {
    own.mayOthersRun = mayOthersRun
  }

  nonisolated(nonsending) func letOthersGoFirst() async {
    // On an actor, a suspension here would let other work of the actor run. The closure does not
    // expect that here.
    let actor: (any Actor)? = #isolation
    guard actor == nil, isCurrent else { return }
    guard !executor.isHolding else { return await executor.letOthersGoFirst() }
    guard isOvertaken() else { return }
    history?.noteLettingOthersGoFirst()
    await executor.letOthersGoFirst()
  }

  func postAfterOthers(_ post: @escaping @Sendable () -> Void) {
    guard isCurrent else { return post() }
    guard !executor.isHolding else { return executor.delay(post) }
    guard isOvertaken() else { return post() }
    executor.delay(post)
    history?.noteDelayedMessage()
  }

  /// Chooses whether another effect is faster than the one that runs.
  private func isOvertaken() -> Bool {
    guard let chooser else { return false }
    history?.notePassing()
    let others = executor.count
    guard others > 0 || own.mayOthersRun() else { return false }
    let moment = history?.momentInStep ?? 0
    guard chooser.isOvertaken(by: max(1, others), moment, executor.taskNumber(at:)) else {
      return false
    }
    store?.noteOvertaking()
    return true
  }
}

/// A number for the task that is running; zero outside of tasks.
private func currentTask() -> UInt {
  withUnsafeCurrentTask { $0.map { UInt(bitPattern: $0.hashValue) } ?? 0 }
}
