// A summary of what has led to everything in flight, so that moments of runs can be compared.

import Rondo
import RondoConcurrencyShims
import RondoScheduling

/// Gives every moment of a run a number: moments with equal numbers go on in the same ways.
///
/// The closure of an effect cannot be looked into. But it does what it does because of what it was
/// made of (an action in a state) and of what has happened to it since (calls that were answered,
/// sleeps that ended, a cancellation). The history of an effect is a number of all that. A moment is the
/// state, the histories of the effects in flight, what is ready and what is due. The order in which
/// two effects made steps that neither notices is not part of it: such steps commute.
///
/// Effects may share memory that nothing here knows of. ``HiddenMemory`` notices some of it. The search
/// that compares moments notices the rest, when equal moments do not go on in the same way.
package final class RunHistory {
  private struct FollowedEffect {
    let effect: StartedEffect?
    var hash: UInt64
    var isCancelled = false
  }

  /// All effects of the run; those that may still do something are in `live`.
  private var effects: [FollowedEffect] = []
  private var live: [Int] = []
  /// The effects that tasks belong to.
  private var tasks: [(number: UInt64, effect: Int)] = []
  /// The items of the executor's queue, in its order.
  private var items: [Item] = []

  private struct Item {
    var hash: UInt64
    var effect: Int
    /// The history of its effect, where it is in the middle of a step and has let others go first.
    var interrupted: UInt64?
  }

  /// The items that have been put on the timeline.
  private var due: [(number: UInt64, hash: UInt64)] = []
  private var lastInsertion: UInt64 = 0

  /// The effect that makes the step in progress; `nobody` for the user, a server or time.
  private var current = RunHistory.nobody
  /// A number for the step in progress and what it depends on.
  private var step: UInt64 = 0
  private var state: UInt64 = 0
  /// The state before the step, or before the piece of it that is in progress.
  private var stateBefore: UInt64 = 0
  private var hasHandledAction = false
  private var hasLetOthersGoFirst = false
  private var now = TestInstant(offset: .zero)

  /// Whether moments of this run can be compared with others.
  package private(set) var isComparable = true

  /// A number for all else that a moment consists of.
  package var surroundings: () -> UInt64 = { 0 }
  /// Called when a step has been taken note of, with its effect and a number for it.
  package var didNote: (_ effect: Int, _ hash: UInt64) -> Void = { _, _ in }

  package static let nobody = -1

  private var run: Run?

  /// The parts of the store whose run is followed.
  private struct Run {
    let executor: PumpedExecutor
    let timeline: TestTimeline
    let takeStarted: () -> [StartedEffect]
  }

  /// A history that follows no run yet.
  package init() {}

  /// Forgets the run before, and follows another one. The memory of the one before is used again.
  func begin(
    _ executor: PumpedExecutor, _ timeline: TestTimeline,
    takeStarted: @escaping () -> [StartedEffect]
  ) {
    end()
    run = Run(executor: executor, timeline: timeline, takeStarted: takeStarted)
    lastInsertion = timeline.insertionCount
    current = RunHistory.nobody
    (step, state, stateBefore) = (0, 0, 0)
    (hasHandledAction, hasLetOthersGoFirst, isComparable) = (false, false, true)
    now = TestInstant(offset: .zero)
  }

  /// Lets go of the run, so that its effects and its store can be released.
  func end() {
    effects.removeAll(keepingCapacity: true)
    live.removeAll(keepingCapacity: true)
    tasks.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    due.removeAll(keepingCapacity: true)
    run = nil
    surroundings = { 0 }
    didNote = { _, _ in }
  }

  /// Gives up comparing moments of this run.
  package func giveUp() {
    isComparable = false
  }

  // MARK: Steps

  /// Takes note of the state after an action.
  package func didHandleAction(_ state: UInt64, isInitial: Bool = false) {
    self.state = state
    if isInitial { stateBefore = state } else { hasHandledAction = true }
  }

  /// Begins a step that something outside of the effects makes.
  ///
  /// - Parameters:
  ///   - number: A number for what happens.
  ///   - effect: The effect that it happens to.
  package func beginStep(_ number: UInt64, of effect: Int = RunHistory.nobody) {
    current = effect
    if effect == RunHistory.nobody {
      step = number
    } else {
      mixIn(number, effect)
    }
  }

  /// Begins a step in which something that is ready runs.
  func beginItem(at index: Int) {
    guard items.indices.contains(index) else { return giveUp() }
    let item = items.remove(at: index)
    current = item.effect
    if let interrupted = item.interrupted, effects[current].hash == interrupted {
      // The step goes on as it would have without the others.
      step = effects[current].hash
    } else if current == RunHistory.nobody {
      step = item.hash
    } else {
      mixIn(item.hash, current)
    }
  }

  /// Begins a step in which something that is due runs.
  func beginDue(_ number: UInt64, at instant: TestInstant) {
    now = instant
    current = RunHistory.nobody
    step = mixed(hash(ofDue: number), instant.number)
  }

  /// Takes note of a place in the middle of a step where others may go first.
  func notePassing() {
    guard current != RunHistory.nobody else { return giveUp() }
    note()
    mixIn(1, current)
  }

  /// Takes note that others do go first there.
  func noteLettingOthersGoFirst() {
    hasLetOthersGoFirst = true
  }

  /// Takes note of a message that the effect at work has put in front of the queue.
  func noteDelayedMessage() {
    items.insert(Item(hash: mixed(step, 3), effect: current), at: 0)
  }

  /// Takes note of time that has come to an instant, before what is due then.
  package func beginArrival(at instant: TestInstant) {
    now = instant
    current = RunHistory.nobody
    step = instant.number
  }

  /// Ends a step.
  package func endStep() {
    note()
    current = RunHistory.nobody
    for index in live.indices.reversed() {
      let id = live[index]
      guard let effect = effects[id].effect else { continue }
      if !effects[id].isCancelled, effect.isCancelled {
        effects[id].isCancelled = true
        effects[id].hash = mixed(effects[id].hash, 2)
      }
      guard effect.isOver else { continue }
      live.remove(at: index)
      tasks.removeAll { $0.effect == id }
    }
  }

  private func mixIn(_ number: UInt64, _ effect: Int) {
    let hash = mixed(
      mixed(effects[effect].hash, number), now.number)
    effects[effect].hash = hash
    step = hash
  }

  // MARK: What a step has brought about

  /// Gives numbers to everything that is there since the last call.
  private func note() {
    guard let run else { return }
    // The effect that the reducer has returned depends on the state, too.
    let context = hasHandledAction ? mixed(step, stateBefore) : step
    hasHandledAction = false
    stateBefore = state
    var count: UInt64 = 16
    func next(_ start: UInt64) -> UInt64 {
      count += 1
      return mixed(start, count)
    }
    for started in run.takeStarted() {
      tasks.append((run.executor.taskNumber(of: started.task), add(started, next(context))))
    }
    if hasLetOthersGoFirst {
      hasLetOthersGoFirst = false
      items.insert(Item(hash: mixed(step, 3), effect: current, interrupted: step), at: 0)
    }
    let ready = run.executor.count
    if ready != items.count { noteReady(run.executor, ready, context, step) }
    noteDue(run.timeline, context)
    didNote(current, step)
  }

  private func noteReady(
    _ executor: PumpedExecutor, _ count: Int, _ context: UInt64, _ own: UInt64
  ) {
    guard count > items.count else { return giveUp() }
    let first = items.count
    for index in first..<count {
      let ordinal = UInt64(index - first + 64)
      let number = executor.taskNumber(at: index)
      guard number != 0 else {
        // A task that has yielded is put in the queue by a job that has no number.
        if current == RunHistory.nobody || !executor.isOfTask(at: index) { giveUp() }
        items.append(Item(hash: mixed(own, ordinal), effect: current))
        continue
      }
      if let known = tasks.last(where: { $0.number == number })?.effect {
        items.append(
          Item(hash: mixed(known == current ? own : context, ordinal), effect: known))
      } else {
        // A task that the effect has started, or one that is nobody's.
        let effect =
          current == RunHistory.nobody ? add(nil, mixed(context, ordinal)) : current
        tasks.append((number, effect))
        items.append(Item(hash: mixed(own, ordinal), effect: effect))
      }
    }
  }

  private func noteDue(_ timeline: TestTimeline, _ context: UInt64) {
    let last = timeline.insertionCount
    guard last != lastInsertion else { return }
    var ordinal: UInt64 = 128
    for item in timeline.waitingItems where item.number > lastInsertion {
      ordinal += 1
      due.append((item.number, mixed(item.isSleeper ? step : context, ordinal)))
    }
    lastInsertion = last
  }

  private func add(_ effect: StartedEffect?, _ hash: UInt64) -> Int {
    effects.append(FollowedEffect(effect: effect, hash: hash))
    live.append(effects.count - 1)
    return effects.count - 1
  }

  // MARK: Numbers

  /// A number for the step in progress.
  package var numberOfStep: UInt64 { step }

  /// A number for this moment in the middle of a step; 0 where it cannot be compared.
  var momentInStep: UInt64 {
    let moment = moment
    return moment == 0 ? 0 : mixed(moment, 1) | 1
  }

  /// A number for this moment; 0 where it cannot be compared.
  package var moment: UInt64 {
    guard isComparable, let run else { return 0 }
    var sum = mixed(surroundings(), state)
    sum = mixed(sum, now.number)
    guard isComparable else { return 0 }
    for id in live { sum &+= mixed(effects[id].hash, 4) }
    for item in items { sum &+= mixed(item.hash, 5) }
    if run.executor.hasFirstLetOthersGo, let first = items.first { sum &+= mixed(first.hash, 6) }
    if !due.isEmpty { sum &+= hash(of: run.timeline.waitingItems) }
    return sum | 1
  }

  private func hash(of waiting: [TestTimeline.WaitingItem]) -> UInt64 {
    if due.count > 2 * waiting.count + 8 {
      due.removeAll { item in !waiting.contains { $0.number == item.number } }
    }
    var sum: UInt64 = 0
    var rank: UInt64 = 0
    for item in waiting {
      if item.isForAtOnce { rank += 1 }
      let hash = mixed(
        hash(ofDue: item.number), item.due.number)
      sum &+= mixed(hash, item.isForAtOnce ? rank + 7 : 7)
    }
    return sum
  }

  /// A number for something that is ready.
  package func hash(ofItemAt index: Int) -> UInt64 {
    items.indices.contains(index) ? items[index].hash : 0
  }

  /// A number for something that is due.
  package func hash(ofDue number: UInt64) -> UInt64 {
    due.first { $0.number == number }?.hash ?? 0
  }

  /// A number for an effect in flight.
  package func hash(of effect: EffectInFlight) -> UInt64 {
    id(of: effect).map { effects[$0].hash } ?? 0
  }

  /// The effect that this history knows as one in flight.
  package func id(of effect: EffectInFlight) -> Int? {
    live.first { effects[$0].effect?.isSame(as: effect) == true }
  }
}

/// Mixes two numbers into one. Where either is another, the result is another, but for chance.
package func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
  var hash = (first ^ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
  hash = (hash ^ (hash >> 32)) &+ second &* 0xD6E8_FEB8_6659_FD93
  hash = (hash ^ (hash >> 29)) &* 0x94D0_49BB_1331_11EB
  return hash ^ (hash >> 32)
}

extension TestInstant {
  /// A number for the time since the beginning.
  package var number: UInt64 {
    let attoseconds = offset.attoseconds
    return mixed(
      UInt64(truncatingIfNeeded: attoseconds), UInt64(truncatingIfNeeded: attoseconds >> 64))
  }
}
