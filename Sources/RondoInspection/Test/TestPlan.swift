// From a recording to the places of its actions in the time of a test.

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
  }

  private struct Wait {
    /// The time of the recording at which it ends.
    var until: Double?
    var due: Place
    /// Whether it ends as soon as time is asked to go on.
    var isAtOnce = false
  }

  private(set) var entries: [Entry] = []
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

  init(_ history: History) {
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
    case .emission(let emission): noteProgress(of: emission.effect)
    case .effectEnded(let end): didEnd(end, before, history)
    case .advance(let advance): didAdvance(advance)
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
    guard let wait = waits[effect]?.last, wait.until != nil, wait.due.time < now else { return }
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
      advance(to: action.at)
      place = keep(Place(time: now, turn: nextTurn()))
    }
    actions[action.action] = place
    senders[action.action] = action.effect
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
    advance(to: end.at)
    recorded = max(recorded, end.at)
    // It changes no state.
    let moment = History.Moment(at: end.at, actions: [])
    entries.append(
      Entry(
        place: keep(Place(time: now, turn: nextTurn())),
        item: TestSteps.Item(action: action, moment: moment), isAtOnce: hasAdvanced,
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
    let turn = nextTurn()
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
    time = Self.sum(time, Self.nanoseconds(duration))
    waits[effect, default: []].append(
      Wait(
        until: wait.until, due: keep(Place(time: time, turn: turn, begun: begun)),
        isAtOnce: duration <= 0))
  }

  private mutating func end(_ effect: Int, at time: Double) {
    for wait in waits.removeValue(forKey: effect) ?? [] {
      guard let until = wait.until, time >= until - 0.001 else {
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

  /// Lets the time pass that has passed before an action of the user.
  private mutating func advance(to time: Double) {
    // The times of a recording have six decimals.
    let milliseconds = (((time - recorded) * 1e6).rounded() / 1000).rounded(.down)
    guard milliseconds >= 1, milliseconds < 1e12,
      let next = waits.values.joined().filter({ $0.until != nil }).map(\.due.time).min()
    else { return }
    // A wait that is due then had not ended in the recording, and must not in the test.
    now = max(now, min(now + Int(milliseconds) * 1_000_000, next - 1_000_000))
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
        entry.place,
        TestSteps.Call(
          action: entry.item.action, effect: effect, source: effect.flatMap { sources[$0] },
          waits: waitsOfActions[entry.item.action.action] ?? 0)
      )
    }
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

extension History.Moment {
  /// Whether the changes of two actions cannot be made in the other order.
  ///
  /// It is not known which action of several in a commit made which change: any of them may have made
  /// all of it. The changes of one commit are compared together, in any order.
  fileprivate func conflicts(with other: Self) -> Bool {
    guard let commit, let other = other.commit, commit.commit != other.commit else { return false }
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
