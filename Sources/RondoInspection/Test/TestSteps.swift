// The steps of a test: what is sent, what is received, and how far time goes on in between.

import RondoRecording

/// The steps that a test has to make for a feature to do what was recorded.
///
/// A test has virtual time, in which only what waits on a clock takes time, and in which what is due
/// comes in order. So every action gets a place in that time, from the times that its effect has asked
/// for. Actions are in the order in which they were recorded, but for answers that virtual time brings
/// earlier: one of an endpoint that took its time in the recording, and one of two waits of equal
/// length whose ends came the other way round.
struct TestSteps {
  enum Step {
    case send(RecordingLine.Action, History.Moment)
    case receive(RecordingLine.Action, History.Moment)
    /// Time goes on by so many seconds. With zero, what is due now is let through.
    case advance(Double)
    /// The answer behind it came later in the recording than in a test, and cannot be moved.
    case early(RecordingLine.Action)
  }

  private(set) var steps: [Step] = []
  /// Whether an effect was in flight at the end.
  private(set) var leavesEffects = false

  init(_ history: History) {
    var plan = TestPlan(history)
    leavesEffects = plan.leavesEffects
    plan.sort()
    var asked = TestPlan.Time.zero
    for batch in plan.batches {
      if batch.key.time > asked {
        steps.append(.advance(TestPlan.seconds(batch.key.time - asked)))
        asked = batch.key.time
      } else if batch.isAtOnce {
        steps.append(.advance(0))
      }
      if batch.isEarly { steps.append(.early(batch.actions[0])) }
      steps += batch.actions.map {
        $0.effect == nil ? .send($0, batch.moment) : .receive($0, batch.moment)
      }
    }
  }
}

/// The places of actions in the time of a test.
private struct TestPlan {
  /// A time of the test, in nanoseconds.
  typealias Time = Int

  /// A place in time. Waits that end at one time end in the order in which they began.
  struct Key: Comparable {
    var time: Time = 0
    /// The number of the wait, or of the action of the user, that led there.
    var turn = 0

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.time, lhs.turn) < (rhs.time, rhs.turn)
    }
  }

  /// The actions of one commit.
  struct Batch {
    var key: Key
    var actions: [RecordingLine.Action]
    var moment: History.Moment
    /// Whether something due at once has to be let through before.
    var isAtOnce: Bool
    var isEarly = false
  }

  private struct Wait {
    /// The time of the recording at which it ends.
    var until: Double?
    var due: Key
    /// Whether it ends as soon as time is asked to go on.
    var isAtOnce = false
  }

  private(set) var batches: [Batch] = []
  private var running: Set<Int> = []
  var leavesEffects: Bool { !running.isEmpty }

  /// The time of the test up to which the recording has been looked at.
  private var now: Time = 0
  /// The time of the recording that `now` belongs to.
  private var recorded = 0.0
  /// The time up to which a test store has moved its time itself.
  private var advanced: Time = 0
  private var lastTurn = 0
  private var isAtOnce = false

  /// The places of the actions, and those that effects have come to.
  private var actions: [Int: Key] = [:]
  private var effects: [Int: Key] = [:]
  private var starts: [Int: Key] = [:]
  /// The action of each effect.
  private var origins: [Int: Int] = [:]
  private var parents: [Int: Int] = [:]
  /// The place of the effect that has done something last, and the action of that effect.
  private var last: (key: Key, action: Int?) = (Key(), nil)
  private var waits: [Int: [Wait]] = [:]
  /// The waits of effects that are over, in order.
  private var past: [Int: [Wait]] = [:]

  init(_ history: History) {
    let moments = Dictionary(
      history.moments.flatMap { moment in moment.actions.map { ($0.action, moment) } },
      uniquingKeysWith: { first, _ in first })
    for (_, line) in history.file.lines {
      switch line {
      case .action(let action):
        if let moment = moments[action.action] { add(action, moment) }
      case .effectStarted(let start):
        running.insert(start.effect)
        let cause =
          start.parent.flatMap { effects[$0] } ?? start.action.flatMap { actions[$0] } ?? Key()
        // One of several in a row starts when the one before it has ended.
        let isNext = last.action != nil && last.action == start.action
        let key = isNext ? max(cause, last.key) : cause
        effects[start.effect] = key
        starts[start.effect] = key
        origins[start.effect] = start.action
        // A parent has started before, so that there are no circles.
        parents[start.effect] = start.parent.flatMap { $0 < start.effect ? $0 : nil }
      case .effectWaits(let wait): begin(wait)
      case .effectResumed(let resumption):
        end(resumption.effect, at: resumption.since ?? resumption.at)
        recorded = max(recorded, resumption.since ?? resumption.at)
        noteProgress(of: resumption.effect)
      case .emission(let emission): noteProgress(of: emission.effect)
      case .effectEnded(let end):
        running.remove(end.effect)
        waits[end.effect] = nil
        if end.how != .cancelled { noteProgress(of: end.effect) }
      case .advance(let advance):
        // A test store says itself how far time went on.
        advanced = Self.sum(advanced, Self.nanoseconds(advance.by))
        now = max(now, advanced)
        isAtOnce = true
        recorded = max(recorded, advance.at)
      default:
        continue
      }
    }
  }

  private mutating func noteProgress(of effect: Int) {
    guard let key = effects[effect] else { return }
    last = (key, origins[effect])
    // The answer of an operator comes no earlier than the answer that it was made from.
    var above = parents[effect]
    while let parent = above {
      effects[parent] = max(effects[parent] ?? Key(), key)
      above = parents[parent]
    }
  }

  private mutating func nextTurn() -> Int {
    lastTurn += 1
    return lastTurn
  }

  private mutating func add(_ action: RecordingLine.Action, _ moment: History.Moment) {
    let key: Key
    if let effect = action.effect {
      // Of several waits at once, the end of the last one alone is recorded.
      for wait in waits[effect] ?? [] {
        guard let until = wait.until, until <= action.at else { continue }
        effects[effect] = max(effects[effect] ?? Key(), wait.due)
      }
      key = effects[effect] ?? Key()
      now = max(now, key.time)
    } else {
      pass(to: action.at)
      key = Key(time: now, turn: nextTurn())
    }
    actions[action.action] = key
    recorded = max(recorded, action.at)
    if let last = batches.last, last.moment.commit != nil,
      last.moment.commit?.commit == moment.commit?.commit
    {
      batches[batches.count - 1].actions.append(action)
    } else {
      batches.append(Batch(key: key, actions: [action], moment: moment, isAtOnce: isAtOnce))
      isAtOnce = false
    }
  }

  // MARK: Waits

  private mutating func begin(_ wait: RecordingLine.EffectWait) {
    let effect = wait.effect
    let turn = nextTurn()
    let since = wait.since ?? wait.at
    var due = effects[effect] ?? Key()
    // A scheduler that is asked for no time lets things through at once. Other waits without a time
    // end with something else.
    guard let duration = wait.duration ?? wait.until.map({ $0 - wait.at }) else {
      waits[effect, default: []].append(
        Wait(
          until: wait.on == .scheduler ? wait.at : nil, due: Key(time: due.time, turn: turn),
          isAtOnce: wait.on == .scheduler))
      return
    }
    let ends = past[effect] ?? []
    if wait.on == .clock, let last = ends.last?.until, since < last - 1e-6 {
      // A deadline that was reckoned from an earlier reading of the clock, as that of a timer is.
      due = ends.last { ($0.until ?? .infinity) <= since }?.due ?? starts[effect] ?? Key()
    }
    due = Key(time: Self.sum(due.time, Self.nanoseconds(duration)), turn: turn)
    waits[effect, default: []].append(
      Wait(until: wait.until, due: due, isAtOnce: duration <= 0))
  }

  private mutating func end(_ effect: Int, at time: Double) {
    for wait in waits.removeValue(forKey: effect) ?? [] {
      guard let until = wait.until, time >= until - 0.001 else {
        // It was ended by something else.
        effects[effect] = max(effects[effect] ?? Key(), last.key)
        continue
      }
      if wait.isAtOnce { isAtOnce = true }
      effects[effect] = max(effects[effect] ?? Key(), wait.due)
      now = max(now, wait.due.time)
      past[effect, default: []].append(wait)
    }
  }

  /// Lets the time pass that has passed before an action of the user.
  private mutating func pass(to time: Double) {
    let milliseconds = ((time - recorded) * 1000).rounded(.down)
    guard milliseconds >= 1, milliseconds < 1e12,
      let next = waits.values.joined().filter({ $0.until != nil }).map(\.due.time).min()
    else { return }
    // A wait that is due then had not ended in the recording, and must not in the test.
    now = max(now, min(now + Int(milliseconds) * 1_000_000, next - 1_000_000))
  }

  // MARK: Order

  /// Puts answers where virtual time brings them.
  mutating func sort() {
    var sorted: [Batch] = []
    for var batch in batches {
      var index = sorted.count
      while batch.actions[0].effect != nil, index > 0, batch.key < sorted[index - 1].key {
        guard !batch.moment.touchesSame(as: sorted[index - 1].moment) else {
          batch.isEarly = true
          break
        }
        index -= 1
      }
      sorted.insert(batch, at: index)
    }
    batches = sorted
  }

  static func nanoseconds(_ seconds: Double) -> Time {
    guard seconds.isFinite, seconds > 0 else { return 0 }
    return Int((min(seconds, 9e8) * 1e9).rounded())
  }

  /// A sum that stays in bounds, whatever a recording says.
  private static func sum(_ time: Time, _ duration: Time) -> Time {
    min(time + duration, 4_000_000_000_000_000_000)
  }

  static func seconds(_ time: Time) -> Double { Double(time) / 1e9 }
}

extension History.Moment {
  /// Whether the changes of two commits cannot be made in the other order.
  fileprivate func touchesSame(as other: Self) -> Bool {
    guard let commit, let other = other.commit else { return true }
    return commit.changes.contains { change in
      other.changes.contains { other in
        guard
          let (name, otherName) = zip(change.path, other.path).first(where: { $0 != $1 })
        else { return true }
        // An element may have another position then.
        return Int(name) != nil || Int(otherName) != nil
      }
    }
  }
}
