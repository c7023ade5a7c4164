// From a recording to the places of its actions in the time of a test.

import RondoHistory
import RondoRecording

/// The places of actions in the time of a test.
struct TestPlan {
  /// A time of the test, in nanoseconds.
  typealias Time = Int

  /// An action and its place.
  struct Entry {
    var place: Place
    var item: TestSteps.Item
    /// Whether something due at once has to be let through before.
    var isAtOnce: Bool
    var isEarly = false
    /// Whether it and the entry before it may come in any order.
    var isWithPrevious = false
    /// Whether the task of the action is cancelled here, in place of the action.
    var isCancellation = false
    /// The effect that has failed here, in place of the action.
    var failure: Int?

    /// Whether the user does it, and so chooses its time.
    var isOfUser: Bool { isCancellation || failure == nil && item.action.effect == nil }
  }

  /// Times that the test chooses, by the numbers of the entries.
  struct Choices {
    /// The time by which a user's action comes later than it would, or earlier.
    var pauses: [Int: Time] = [:]
    /// The time that an endpoint takes for its answer.
    var latencies: [Int: Time] = [:]
  }

  /// Something that a test would bring before what was recorded before it.
  struct Violation {
    /// Its position in the recording.
    var position: Int
    var place: Place
    /// The place that has to come first.
    var other: Place
  }

  private struct Wait {
    /// The time of the recording at which it ends.
    var until: Double?
    var due: Place
    /// Whether it ends as soon as time is asked to go on.
    var isAtOnce = false
  }

  private(set) var entries: [Entry] = []
  /// The time that an endpoint takes for its answer, by the number of the action.
  private(set) var latencies: [Int: Time] = [:]
  private var running: Set<Int> = []
  var leavesEffects: Bool { !running.isEmpty }

  /// The time of the test up to which the recording has been looked at.
  private var now: Time = 0
  /// The time of the recording that `now` belongs to.
  private var recorded = 0.0
  /// The time up to which a test store has moved its time itself.
  private var advanced: Time = 0
  private var lastTurn = 0
  /// Whether the next answer needs what is due now to be let through.
  private var isAtOnce = false
  /// Whether a test store has let through what was due.
  private var hasAdvanced = false
  /// All places. They refer to each other without retaining, so that a long row is released one by one.
  private var places: [Place] = [.start]

  /// The places of the actions, and those that effects have come to.
  private var actions: [Int: Place] = [:]
  private var effects: [Int: Place] = [:]
  private var starts: [Int: Place] = [:]
  /// The action of each effect.
  private var actionOfEffect: [Int: Int] = [:]
  private var parents: [Int: Int] = [:]
  /// The effect that has sent each action; those of the user have none.
  private var senders: [Int: Int] = [:]
  /// The user's actions whose tasks were cancelled.
  private var cancelledTasks: Set<Int> = []
  /// The lines of the effects in the sources.
  private var sources: [Int: String] = [:]
  /// The effects that were cancelled while they did not wait, and the places that they had come to.
  private var cancelled: [(place: Place, call: TestSteps.Call)] = []
  /// The count of waits that the effect of each action had come through.
  private var waitsOfActions: [Int: Int] = [:]
  private(set) var problems: [String] = []
  /// The issues that the feature has reported.
  private(set) var reports: [TestSteps.Report] = []
  /// The issues whose origin is not known yet.
  private var issues: [RecordingLine.Issue] = []
  /// The action whose reducer is at work.
  private var reducing: Int?
  /// The effects that an action has cancelled.
  private var effectsCancelledBy: [Int: Set<Int>] = [:]
  /// The place of the effect that has done something last.
  private var last = Place.start
  /// The action whose effect has ended with the line before this one.
  private var ended: Int?
  private var waits: [Int: [Wait]] = [:]
  /// The waits of effects that are over, in order.
  private var endedWaits: [Int: [Wait]] = [:]

  private let choices: Choices
  /// The actions that are answers of endpoints that the test writes, and so can take their time.
  private let answers: Set<Int>
  /// The effects that tick: whatever ends their waits is a tick.
  private var timers: Set<Int> = []
  private var turnsOfTimers: [Int: Int] = [:]
  /// The waits that had not ended in the recording and would in the test, with the entry at which they had not.
  private var overdue: [Violation] = []
  /// The places at which endpoints were called, by the actions that they have answered with.
  private var callsOfActions: [Int: Place] = [:]
  /// The effects that let one value through in an interval, and the values that began an interval.
  private var throttles: Set<Int> = []
  private var intervals: [(source: String?, at: Double, place: Place)] = []
  /// The lengths of these intervals, by the lines of the effects.
  private let lengths: [String: Time]

  /// - Parameters:
  ///   - answers: The numbers of the actions that endpoints of the test answer.
  ///   - choices: The times that the test chooses.
  private init(_ history: History, answers: Set<Int>, _ choices: Choices) {
    self.answers = answers
    self.choices = choices
    lengths = history.throttleLengths
    let moments = Dictionary(
      history.moments.flatMap { moment in moment.actions.map { ($0.action, moment) } },
      uniquingKeysWith: { first, _ in first })
    for (_, line) in history.file.lines { add(line, moments, history) }
    for effect in waits.keys.sorted() { noteOverdue(effect) }
    noteOtherIssues(history.begin)
  }

  // MARK: Lines

  /// Goes on by a line of the recording.
  ///
  /// - Parameter moments: The moments by the numbers of their actions.
  private mutating func add(
    _ line: RecordingLine, _ moments: [Int: History.Moment], _ history: History
  ) {
    let before = ended
    ended = nil
    noteReducer(line)
    switch line {
    case .action(let action):
      if let moment = moments[action.action] { add(action, moment) }
    case .effectStarted(let start): didStart(start, before)
    case .effectWaits(let wait): begin(wait)
    case .effectResumed(let resumption): didResume(resumption)
    case .emission(let emission):
      if let action = emission.action, answers.contains(action) { answer(action, emission.effect) }
      noteProgress(of: emission.effect)
    case .effectEnded(let end): didEnd(end, before, history)
    case .advance(let advance): didAdvance(advance)
    case .tool(let tool) where tool.did == .jump:
      problems.append(
        "the state behind commit \(tool.commit ?? 0), which a tool has put back at action \(tool.action ?? 0)"
      )
    default: break
    }
  }

  /// - Parameter before: The action whose effect has ended with the line before this one.
  private mutating func didStart(_ start: RecordingLine.EffectStart, _ before: Int?) {
    running.insert(start.effect)
    let parent = start.parent.flatMap { effects[$0] }
    let cause = parent ?? start.action.flatMap { actions[$0] } ?? .start
    // The next one of a concatenation starts as soon as the one before it has ended.
    let isNext = before != nil && before == start.action && last > cause
    let place =
      isNext
      ? keep(Place(behind: last, effect: start.effect))
      : keep(
        parent.map { Place(in: $0, effect: start.effect) }
          ?? Place(behind: cause, effect: start.effect))
    effects[start.effect] = place
    starts[start.effect] = place
    sources[start.effect] = start.place
    if start.kind == "timer" { timers.insert(start.effect) }
    if start.kind == "throttle" { throttles.insert(start.effect) }
    actionOfEffect[start.effect] = start.action
    // A parent has started before, so that there are no circles.
    parents[start.effect] = start.parent.flatMap { $0 < start.effect ? $0 : nil }
    ended = before
  }

  private mutating func didResume(_ resumption: RecordingLine.EffectResumption) {
    let time = resumption.since ?? resumption.at
    end(resumption.effect, at: time)
    recorded = max(recorded, time)
    noteProgress(of: resumption.effect)
  }

  /// - Parameter before: The action whose effect has ended with the line before this one.
  private mutating func didEnd(
    _ end: RecordingLine.EffectEnd, _ before: Int?, _ history: History
  ) {
    if end.by == .task { cancelTask(of: end, history) }
    // A test store does not end before the test.
    if end.by != .host { running.remove(end.effect) }
    if end.how == .failed { addFailure(of: end) }
    noteOverdue(end.effect)
    let isWaiting = waits.removeValue(forKey: end.effect)?.isEmpty == false
    if end.how == .cancelled, !isWaiting, let place = effects[end.effect] {
      let call = TestSteps.Call(
        effect: end.effect, source: sources[end.effect], waits: endedWaits[end.effect]?.count ?? 0)
      cancelled.append((place, call))
    }
    switch end.by {
    case .action(let action), .scope(let action):
      effectsCancelledBy[action, default: []].insert(end.effect)
    default: break
    }
    if end.how != .cancelled { noteProgress(of: end.effect) }
    ended = actionOfEffect[end.effect] ?? before
  }

  /// A test store says itself how far time went on.
  private mutating func didAdvance(_ advance: RecordingLine.Advance) {
    advanced = Self.sum(advanced, Self.nanoseconds(advance.by))
    now = max(now, advanced)
    hasAdvanced = true
    // It is written before time goes on.
    recorded = max(recorded, advance.at + max(0, advance.by))
  }

  // MARK: Issues

  /// Notes whether a reducer is at work behind a line, and the issues that it reports.
  private mutating func noteReducer(_ line: RecordingLine) {
    switch line {
    case .action(let action): reducing = action.action
    case .issue(let issue):
      if let reducing {
        reports.append(TestSteps.Report(origin: .action(reducing), message: issue.message))
      } else {
        issues.append(issue)
      }
    case .drawn, .frame, .unknown: break
    default: reducing = nil
    }
  }

  /// Adds the failure of an effect, as a place where its error is reported.
  private mutating func addFailure(of end: RecordingLine.EffectEnd) {
    let source = sources[end.effect]
    guard let index = issues.lastIndex(where: { $0.place == nil || $0.place == source }) else {
      return
    }
    let message = issues.remove(at: index).message
    noteEarlier(end.effect)
    let place = place(of: end.effect, at: end.at)
    reports.append(TestSteps.Report(origin: .effect(end.effect), message: message))
    // Not an action; no other one has this number.
    let action = RecordingLine.Action(
      at: end.at, action: -end.effect, case: "", name: "the issue", value: RecordedNode(""),
      effect: end.effect)
    waitsOfActions[action.action] = endedWaits[end.effect]?.count
    recorded = max(recorded, end.at)
    entries.append(
      Entry(
        place: place,
        item: TestSteps.Item(action: action, moment: History.Moment(at: end.at, actions: [])),
        isAtOnce: hasAdvanced || isAtOnce, failure: end.effect))
    hasAdvanced = false
    isAtOnce = false
  }

  /// Notes issues that effects have reported without failing: nobody knows when a test has them. A test store
  /// has reported issues of its own, at lines of the test.
  private mutating func noteOtherIssues(_ begin: RecordingLine.Begin) {
    func file(_ place: String?) -> Substring? { place?.split(separator: ":").first }
    for issue in issues {
      let isOfTest =
        begin.host == "TestStore"
        && (begin.place == nil || issue.place == nil || file(issue.place) == file(begin.place))
      if !isOfTest { problems.append("an issue for the test to expect: \(issue.message)") }
    }
  }

  /// The place that an effect has come to with something that it does.
  private mutating func place(of effect: Int, at time: Double) -> Place {
    // Of several waits at once, the end of the last one alone is recorded.
    for wait in waits[effect] ?? [] {
      guard let until = wait.until, until <= time else { continue }
      effects[effect] = max(effects[effect] ?? .start, wait.due)
    }
    let place = effects[effect] ?? .start
    now = max(now, place.time)
    return place
  }

  /// Notes an effect whose wait ends in a test, and went on in the recording until it was cancelled, or
  /// to its end: the machine stood still.
  private mutating func noteOverdue(_ effect: Int) {
    guard let wait = waits[effect]?.last, wait.until != nil else { return }
    guard let entry = entries.last, wait.due < entry.place else { return }
    overdue.append(
      Violation(position: 2 * entries.count - 1, place: wait.due, other: entry.place))
    problems.append(
      "in a test \(name(of: effect)) wakes after \(Self.seconds(wait.due.time)) s; in the recording, "
        + "which was slow, it did not")
  }

  /// Notes an effect that sends an action, and had started before the recording.
  private mutating func noteEarlier(_ effect: Int) {
    guard actionOfEffect[effect] == nil, parents[effect] == nil else { return }
    let problem =
      "\(name(of: effect)) was in flight when the recording began; a test has to start it"
    if !problems.contains(problem) { problems.append(problem) }
  }

  private func name(of effect: Int) -> String {
    "the effect" + (sources[effect].map { " at \($0)" } ?? "")
  }

  private mutating func noteProgress(of effect: Int) {
    guard let place = effects[effect] else { return }
    last = place
    // The answer of an operator comes no earlier than the answer that it was made from.
    var above = parents[effect]
    while let parent = above {
      effects[parent] = max(effects[parent] ?? .start, place)
      above = parents[parent]
    }
  }

  private mutating func keep(_ place: Place) -> Place {
    places.append(place)
    return place
  }

  private mutating func nextTurn() -> Int {
    lastTurn += 1
    return lastTurn
  }

  private mutating func add(_ action: RecordingLine.Action, _ moment: History.Moment) {
    let place: Place
    if let effect = action.effect {
      noteEarlier(effect)
      place = self.place(of: effect, at: action.at)
      waitsOfActions[action.action] = endedWaits[effect]?.count
    } else {
      place = nextPlace(at: action.at)
    }
    actions[action.action] = place
    senders[action.action] = action.effect
    var around = action.effect
    while let effect = around {
      if throttles.contains(effect) {
        if effect != action.effect { noteInterval(before: place, of: effect) }
        intervals.append((sources[effect], action.at, place))
      }
      around = parents[effect]
    }
    recorded = max(recorded, action.at)
    let isLetThrough = hasAdvanced || action.effect != nil && isAtOnce
    entries.append(
      Entry(
        place: place, item: TestSteps.Item(action: action, moment: moment), isAtOnce: isLetThrough))
    hasAdvanced = false
    if action.effect != nil { isAtOnce = false }
  }

  /// Adds the cancellation of a user's task, where an effect that it has led to is the first to end.
  private mutating func cancelTask(of end: RecordingLine.EffectEnd, _ history: History) {
    guard let number = userAction(of: end.effect), let action = history.actions[number],
      cancelledTasks.insert(number).inserted
    else { return }
    let place = nextPlace(at: end.at)
    recorded = max(recorded, end.at)
    // It changes no state.
    let moment = History.Moment(at: end.at, actions: [])
    entries.append(
      Entry(
        place: place, item: TestSteps.Item(action: action, moment: moment), isAtOnce: hasAdvanced,
        isCancellation: true))
    hasAdvanced = false
  }

  /// The number of the user's action that an effect follows from.
  private func userAction(of effect: Int) -> Int? {
    var effect = effect
    var seen: Set<Int> = []
    while seen.insert(effect).inserted {
      if let action = actionOfEffect[effect] {
        guard let sender = senders[action] else { return actions[action] == nil ? nil : action }
        effect = sender
      } else if let parent = parents[effect] {
        effect = parent
      }
    }
    return nil
  }

  // MARK: Waits

  private mutating func begin(_ wait: RecordingLine.EffectWait) {
    let effect = wait.effect
    var turn = nextTurn()
    let since = wait.since ?? wait.at
    let begun = effects[effect] ?? .start
    var time = begun.time
    // A scheduler that is asked for no time lets things through at once. Other waits without a time
    // end with something else.
    guard let duration = wait.duration ?? wait.until.map({ $0 - wait.at }) else {
      waits[effect, default: []].append(
        Wait(
          until: wait.on == .scheduler ? wait.at : nil,
          due: keep(Place(time: time, turn: turn, begun: begun)),
          isAtOnce: wait.on == .scheduler))
      return
    }
    let ends = endedWaits[effect] ?? []
    if wait.on == .clock, let last = ends.last?.until, since < last - 1e-6 {
      // A deadline that was reckoned from an earlier reading of the clock, as that of a timer is.
      // That of a timer is the start of its effect, every time.
      let isStart = (ends.first?.until).map { since < $0 } ?? false
      let end = isStart ? nil : ends.last { ($0.until ?? .infinity) <= since }
      time = (end?.due ?? starts[effect])?.time ?? 0
    }
    var begunAt = begun
    if throttles.contains(effect), let interval = interval(of: effect, since: since) {
      (begunAt, time) = (interval, interval.time)
    }
    time = Self.sum(time, Self.nanoseconds(duration))
    // All ticks of a timer are in the line where the first one was put.
    if timers.contains(effect) {
      begunAt = starts[effect] ?? begun
      turn = turnsOfTimers[effect] ?? turn
      turnsOfTimers[effect] = turn
    }
    waits[effect, default: []].append(
      Wait(
        until: wait.until, due: keep(Place(time: time, turn: turn, begun: begunAt)),
        isAtOnce: duration <= 0))
  }

  /// Notes a value that a test would hold back, because the interval before it has not ended.
  private mutating func noteInterval(before place: Place, of effect: Int) {
    guard let source = sources[effect], let length = lengths[source],
      let last = intervals.last(where: { $0.source == source })
    else { return }
    let end = keep(
      Place(time: Self.sum(last.place.time, length), turn: 0, begun: last.place))
    guard place < end else { return }
    overdue.append(Violation(position: 2 * entries.count, place: place, other: end))
  }

  /// The place of the value that began an interval.
  private func interval(of effect: Int, since time: Double) -> Place? {
    intervals.filter { $0.source == sources[effect] }.min { abs($0.at - time) < abs($1.at - time) }?
      .place
  }

  private mutating func end(_ effect: Int, at time: Double) {
    for wait in waits.removeValue(forKey: effect) ?? [] {
      // A timer keeps its pace, however late its last tick was.
      guard let until = wait.until, time >= until - 0.001 || timers.contains(effect) else {
        // It was ended by something else.
        effects[effect] = max(effects[effect] ?? .start, last)
        continue
      }
      if wait.isAtOnce { isAtOnce = true }
      effects[effect] = max(effects[effect] ?? .start, wait.due)
      now = max(now, wait.due.time)
      endedWaits[effect, default: []].append(wait)
    }
  }

  /// The place of an action of the user, behind the time that has passed before it.
  private mutating func nextPlace(at time: Double) -> Place {
    let entry = entries.count
    // The times of a recording have six decimals.
    let milliseconds = (((time - recorded) * 1e6).rounded() / 1000).rounded(.down)
    let next = waits.values.joined().filter { $0.until != nil }.map(\.due.time).min()
    if milliseconds < 1e12, next != nil || choices.pauses[entry] != nil {
      let pause = max(0, Int(milliseconds)) * 1_000_000 + (choices.pauses[entry] ?? 0)
      // A wait that is due then had not ended in the recording, and must not in the test.
      now = max(now, min(now + pause, (next ?? .max) - Self.step))
    }
    return keep(Place(time: now, turn: nextTurn(), entry: entry))
  }

  /// Lets the effect come to an answer of an endpoint, which may take its time.
  private mutating func answer(_ action: Int, _ effect: Int) {
    let entry = entries.count
    let place = effects[effect] ?? .start
    callsOfActions[action] = place
    guard let latency = choices.latencies[entry], latency > 0 else {
      effects[effect] = keep(Place(answerAt: place, entry: entry))
      return
    }
    latencies[action] = latency
    effects[effect] = keep(
      Place(
        time: Self.sum(place.time, latency), turn: nextTurn(), begun: place, entry: entry))
  }

  // MARK: Choices

  /// The least time between two steps that have nothing to do with each other.
  private static let step = 1_000_000

  /// The plan in which as much as possible comes in the order of the recording.
  ///
  /// Time passes in a test by what was asked for, and in a recording more slowly. So the times of the user's
  /// actions, and those that endpoints take, are chosen: where a test would bring something too early, it or
  /// what it follows from comes later, or what has to come first comes earlier.
  static func best(_ history: History, answers: Set<Int>) -> TestPlan {
    var choices = Choices()
    var plan = TestPlan(history, answers: answers, choices)
    // The order of a test store is that of a test already.
    guard history.begin.host != "TestStore" else { return plan }
    var attempts = 2_000_000 / max(1, history.file.lines.count)
    // Violations that no choice mends.
    var left: Set<Int> = []
    /// Makes the first change behind which the violation is gone. Returns whether there is one; otherwise some of
    /// the changes are tried with another one behind them.
    func mend(
      _ violation: Violation, in plan: TestPlan, _ choices: Choices, depth: Int
    ) -> (Choices, TestPlan)? {
      var tried: [(choices: Choices, plan: TestPlan)] = []
      guard let first = depth == 0 ? violation : plan.firstViolation(except: left) else {
        return nil
      }
      let remedies = plan.remedies(for: first).prefix(depth == 0 ? attempts : widthOfPairs)
      for change in remedies where attempts > 0 {
        attempts -= 1
        var changed = choices
        change(&changed)
        let other = TestPlan(history, answers: answers, changed)
        guard let next = other.firstViolation(except: left), next.position <= violation.position
        else { return (changed, other) }
        tried.append((changed, other))
      }
      guard depth == 0 else { return nil }
      for attempt in tried.prefix(widthOfPairs) {
        if let mended = mend(violation, in: attempt.plan, attempt.choices, depth: 1) {
          return mended
        }
      }
      return nil
    }
    while attempts > 0, let violation = plan.firstViolation(except: left) {
      if let mended = mend(violation, in: plan, choices, depth: 0) {
        (choices, plan) = mended
      } else {
        left.insert(violation.position)
      }
    }
    return plan
  }

  /// The number of changes that are tried with another one behind them, and of those.
  private static let widthOfPairs = 6

  private func firstViolation(except left: Set<Int>) -> Violation? {
    var last: Place?
    var first = overdue.filter { !left.contains($0.position) }.min { $0.position < $1.position }
    for (index, entry) in entries.enumerated() where 2 * index < first?.position ?? .max {
      let place = entry.place
      guard let before = last, place < before else {
        last = place
        continue
      }
      // Entries that follow at once from the same action or wait may come in any order.
      if place.time == before.time, place.root === before.root { continue }
      if left.contains(2 * index) { continue }
      first = Violation(position: 2 * index, place: place, other: before)
    }
    return first
  }

  /// Changes of the choices that may mend a violation, the best ones first.
  private func remedies(for violation: Violation) -> [(inout Choices) -> Void] {
    let (late, early) = (violation.place.choices, violation.other.choices)
    let deficit = max(0, violation.other.time - violation.place.time)
    let (own, others) = (late.filter { !early.contains($0) }, early.filter { !late.contains($0) })
    // Delaying an earlier action of the user also delays everything that follows from it.
    let before = entries.indices.prefix(violation.position / 2 + 1).reversed().prefix(30)
    let pauses = before.filter { entries[$0].isOfUser && !early.contains($0) && !own.contains($0) }
      .prefix(4)
    func change(_ entry: Int, by time: Time) -> (inout Choices) -> Void {
      let isUser = entries.indices.contains(entry) && entries[entry].isOfUser
      return { choices in
        if isUser {
          choices.pauses[entry, default: 0] += time
        } else {
          choices.latencies[entry] = max(0, (choices.latencies[entry] ?? 0) + time)
        }
      }
    }
    var remedies: [(inout Choices) -> Void] = []
    for step in [Self.step, Self.step / 100] {
      let time = deficit + step
      for entry in own.prefix(1) { remedies.append(change(entry, by: time)) }
      for entry in others.prefix(4) { remedies.append(change(entry, by: -time)) }
      for entry in own.dropFirst().prefix(4) { remedies.append(change(entry, by: time)) }
      for entry in pauses { remedies.append(change(entry, by: time)) }
    }
    return remedies
  }

  // MARK: Order

  /// Puts answers where virtual time brings them.
  mutating func sort() {
    var sorted: [Entry] = []
    for var entry in entries {
      var index = sorted.count
      while entry.item.action.effect != nil, index > 0, entry.place < sorted[index - 1].place {
        let other = sorted[index - 1]
        // Answers that follow from one action are received in any order, whatever they change.
        let isConflict =
          entry.place.root !== other.place.root
          && entry.item.moment.conflicts(with: other.item.moment)
        guard !isConflict, !cancels(entry.item.action, other.item.action.effect) else {
          entry.isEarly = true
          break
        }
        index -= 1
      }
      entry.isWithPrevious = index < sorted.count && sorted[index].isWithPrevious
      sorted.insert(entry, at: index)
      for crossed in sorted.indices.dropFirst(index + 1) {
        guard sorted[crossed].place.time == entry.place.time,
          sorted[crossed].item.action.effect != nil
        else { break }
        sorted[crossed].isWithPrevious = true
      }
    }
    entries = sorted
  }

  /// Whether an action has cancelled an effect, or one that the effect is a part of.
  private func cancels(_ action: RecordingLine.Action, _ effect: Int?) -> Bool {
    guard let cancelledEffects = effectsCancelledBy[action.action] else { return false }
    var next = effect
    while let effect = next {
      if cancelledEffects.contains(effect) { return true }
      next = parents[effect]
    }
    return false
  }

  /// The actions and the cancelled effects, in the order of their places.
  var calls: [TestSteps.Call] {
    let calls = entries.map { entry in
      let effect = entry.item.action.effect
      return (
        callsOfActions[entry.item.action.action] ?? entry.place,
        TestSteps.Call(
          action: entry.item.action, effect: effect, source: effect.flatMap { sources[$0] },
          waits: waitsOfActions[entry.item.action.action] ?? 0)
      )
    }
    .enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    var merged: [TestSteps.Call] = []
    var others = cancelled.sorted { $0.place < $1.place }[...]
    for (place, call) in calls {
      while let other = others.first, other.place < place {
        merged.append(other.call)
        others.removeFirst()
      }
      merged.append(call)
    }
    return merged + others.map(\.call)
  }

  /// The shortest rows of entries that no commit and no group of any order reaches out of.
  var blocks: [[Entry]] {
    var ends: [Int: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let commit = entry.item.moment.commit { ends[commit.commit] = index }
    }
    var end = 0
    var isJoined: [Bool] = []
    for (index, entry) in entries.enumerated() {
      isJoined.append(index <= end && index > 0 || entry.isWithPrevious)
      end = max(end, entry.item.moment.commit.flatMap { ends[$0.commit] } ?? index)
    }
    return zip(entries, isJoined).map { ($0, $1) }.split { $0.1 }.map { $0.map(\.0) }
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

extension RecordedChange {
  /// The number that the change adds; `nil` where it does something else.
  fileprivate var difference: Int? {
    guard let old = old?.value.flatMap({ Int($0) }), let new = new?.value.flatMap({ Int($0) })
    else {
      return nil
    }
    let (difference, overflows) = new.subtractingReportingOverflow(old)
    return overflows ? nil : difference
  }

  /// The change that adds the same number in another state.
  func moved(to state: RecordedNode) -> RecordedChange {
    guard let difference, let value = state[path]?.value, value != old?.value,
      let number = Int(value)
    else { return self }
    let (sum, overflows) = number.addingReportingOverflow(difference)
    guard !overflows else { return self }
    return RecordedChange(path: path, old: RecordedNode(value), new: RecordedNode("\(sum)"))
  }
}

extension History {
  /// The lengths of the intervals in which throttles let one value through, by the lines of the effects.
  fileprivate var throttleLengths: [String: TestPlan.Time] {
    var lengths: [String: TestPlan.Time] = [:]
    for case (_, .effectWaits(let wait)) in file.lines {
      if let duration = wait.duration, let start = effects[wait.effect]?.start,
        start.kind == "throttle", let place = start.place
      {
        lengths[place] = TestPlan.nanoseconds(duration)
      }
    }
    return lengths
  }
}

extension History.Moment {
  /// Whether the changes of two actions cannot be made in the other order.
  ///
  /// It is not known which action of several in a commit made which change: any of them may have made
  /// all of it. The changes of one commit are compared together, in any order.
  fileprivate func conflicts(with other: Self) -> Bool {
    guard let commit, let other = other.commit, commit.commit != other.commit else { return false }
    return commit.changes.contains { change in
      other.changes.contains { other in
        if change.path == other.path, change.difference != nil, other.difference != nil {
          return false
        }
        guard
          let (name, otherName) = zip(change.path, other.path).first(where: { $0 != $1 })
        else { return true }
        // An element may have another position then.
        return Int(name) != nil || Int(otherName) != nil
      }
    }
  }
}
