// The steps of a test: what is sent, what is received, and how far time goes on in between.

import RondoRecording

/// The steps that a test has to make for a feature to do what was recorded.
///
/// A test has virtual time, in which only what waits on a clock takes time, and in which what is due
/// comes in order. So every action gets a place in that time, from the times that its effect has asked
/// for. Actions are in the order in which they were recorded, but for answers that virtual time brings
/// earlier: one of an endpoint that took its time in the recording, for example. Answers of one time
/// whose order was not that of the starts of their effects are received in any order: on threads it
/// was chance.
struct TestSteps {
  /// An action of the test with the commit that made its change of the state.
  struct Item {
    var action: RecordingLine.Action
    var moment: History.Moment
  }

  enum Step {
    case send(Item)
    case receive(Item)
    /// Answers that may come in any order.
    case receiveInAnyOrder([Item])
    /// The task of a user's action is cancelled.
    case cancel(RecordingLine.Action)
    /// Time goes on. By nothing, what is due now is let through.
    case advance(Duration)
    /// The answer behind it came later in the recording than in a test, and cannot be moved.
    case early(RecordingLine.Action)
    /// The closure of an effect has thrown an error that nobody has caught.
    case failure(effect: Int)
  }

  /// Steps in which the feature reports issues, which the test has to expect.
  struct ExpectedIssues {
    /// The positions of the steps among those of all blocks.
    var steps: ClosedRange<Int>
    var messages: [String]
  }

  /// Steps whose changes of the state are told together.
  struct Block {
    var steps: [Step] = []
    /// The commits, in the order in which they were made.
    var commits: [RecordingLine.Commit] = []
    /// Whether one of its actions has no commit in the recording.
    var isIncomplete = false
  }

  private(set) var blocks: [Block] = []
  /// Whether an effect was in flight at the end.
  private(set) var leavesEffects = false

  /// The problems of a test that cannot do everything as it was recorded, in words.
  private(set) var problems: [String] = []

  /// The steps that have to report issues, in order. They do not overlap.
  private(set) var issues: [ExpectedIssues] = []

  /// The actions that are sent and received, and the effects that were cancelled before they sent
  /// one, in the order of the test.
  private(set) var calls: [Call] = []

  /// A time at which an effect may have called an endpoint.
  struct Call {
    /// The action that came of it; `nil` if the effect was cancelled before, and was not waiting.
    var action: RecordingLine.Action?
    /// The effect; `nil` for an action of the user.
    var effect: Int?
    /// The line of the effect in the sources of the feature; `nil` for an action of the user.
    var source: String?
    /// The count of waits that the effect had come through.
    var waits = 0
  }

  init(_ history: History) {
    var plan = TestPlan(history)
    leavesEffects = plan.leavesEffects
    problems = plan.problems
    // The order of a test store is that of a test already.
    if history.begin.host != "TestStore" { plan.sort() }
    calls = plan.calls
    var asked = TestPlan.Time.zero
    for entries in plan.blocks {
      var block = Block()
      for group in entries.split(byJoining: \.isWithPrevious) {
        let first = group[0]
        if first.place.time > asked {
          block.steps.append(.advance(.nanoseconds(first.place.time - asked)))
          asked = first.place.time
        } else if group.contains(where: \.isAtOnce) {
          block.steps.append(.advance(.zero))
        }
        block.steps += group.filter(\.isEarly).map { .early($0.item.action) }
        let items = group.filter { $0.failure == nil }.map(\.item)
        if first.isCancellation {
          block.steps.append(.cancel(first.item.action))
        } else if items.count > 1 {
          block.steps.append(.receiveInAnyOrder(items))
        } else if let item = items.first {
          block.steps.append(item.action.effect == nil ? .send(item) : .receive(item))
        }
        block.steps += group.compactMap(\.failure).map { .failure(effect: $0) }
      }
      let commits = entries.filter { !$0.isCancellation && $0.failure == nil }
        .map(\.item.moment.commit)
      block.isIncomplete = commits.contains { $0 == nil }
      block.commits = Dictionary(
        commits.compactMap { $0.map { ($0.commit, $0) } }, uniquingKeysWith: { first, _ in first }
      ).values.sorted { $0.commit < $1.commit }
      blocks.append(block)
    }
    addIssues(plan.reports, history)
  }

  // MARK: Issues

  /// An issue, and the code that has reported it.
  struct Report {
    enum Origin: Equatable {
      /// The reducer, at work with an action.
      case action(Int)
      /// The closure of an effect, by an error.
      case effect(Int)
    }

    var origin: Origin
    var message: String
  }

  /// Finds the steps in which issues are reported.
  ///
  /// The task of an effect reports to those who listen where it was started. So an issue that it reports, or
  /// a reducer that handles its action, is expected from there on.
  private mutating func addIssues(_ reports: [Report], _ history: History) {
    guard !reports.isEmpty else { return }
    let steps = blocks.flatMap(\.steps)
    var positions: [Report.Origin: Int] = [:]
    for (index, step) in steps.enumerated() {
      for item in step.items { positions[.action(item.action.action)] = index }
      if case .failure(let effect) = step { positions[.effect(effect)] = index }
    }
    /// The step in which something happens that a test notices by a later one.
    func cause(of index: Int) -> Int {
      steps[...index].lastIndex { step in
        switch step {
        case .send, .advance, .cancel: true
        case .receive, .receiveInAnyOrder, .early, .failure: false
        }
      } ?? 0
    }
    func start(of effect: Int) -> Int? {
      guard let action = history.effects[history.root(of: effect)]?.start.action else { return nil }
      return positions[.action(action)].map(cause)
    }
    for report in reports {
      guard let end = positions[report.origin] else { continue }
      var first = cause(of: end)
      let effect: Int? =
        switch report.origin {
        case .effect(let effect): effect
        case .action(let action): history.actions[action]?.effect
        }
      // Schedulers run timers in the step itself.
      if let effect, !["timer", "send"].contains(history.effects[effect]?.start.kind) {
        first = min(first, start(of: effect) ?? first)
      }
      issues.append(ExpectedIssues(steps: first...end, messages: [report.message]))
    }
    issues.sort { $0.steps.lowerBound < $1.steps.lowerBound }
    issues = issues.reduce(into: []) { merged, issue in
      guard let last = merged.last, last.steps.overlaps(issue.steps) else {
        merged.append(issue)
        return
      }
      let end = max(last.steps.upperBound, issue.steps.upperBound)
      merged[merged.count - 1] = ExpectedIssues(
        steps: last.steps.lowerBound...end, messages: last.messages + issue.messages)
    }
  }
}

extension TestSteps.Report.Origin: Hashable {}

extension TestSteps.Step {
  /// The actions of the step.
  var items: [TestSteps.Item] {
    switch self {
    case .send(let item), .receive(let item): [item]
    case .receiveInAnyOrder(let items): items
    case .advance, .cancel, .early, .failure: []
    }
  }
}

extension Array {
  /// The parts of the array, of which each goes on as long as its elements are joined to those before.
  fileprivate func split(byJoining isJoined: (Element) -> Bool) -> [[Element]] {
    reduce(into: []) { parts, element in
      if isJoined(element), !parts.isEmpty {
        parts[parts.count - 1].append(element)
      } else {
        parts.append([element])
      }
    }
  }
}

/// The places of actions in the time of a test.
private struct TestPlan {
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
  private var origins: [Int: Int] = [:]
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
  private var victims: [Int: Set<Int>] = [:]
  /// The place of the effect that has done something last.
  private var last = Place.start
  /// The action whose effect has ended with the line before this one.
  private var ended: Int?
  private var waits: [Int: [Wait]] = [:]
  /// The waits of effects that are over, in order.
  private var past: [Int: [Wait]] = [:]

  init(_ history: History) {
    let moments = Dictionary(
      history.moments.flatMap { moment in moment.actions.map { ($0.action, moment) } },
      uniquingKeysWith: { first, _ in first })
    for (_, line) in history.file.lines {
      let before = ended
      ended = nil
      noteReducer(line)
      switch line {
      case .action(let action):
        if let moment = moments[action.action] { add(action, moment) }
      case .effectStarted(let start):
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
        origins[start.effect] = start.action
        // A parent has started before, so that there are no circles.
        parents[start.effect] = start.parent.flatMap { $0 < start.effect ? $0 : nil }
        ended = before
      case .effectWaits(let wait): begin(wait)
      case .effectResumed(let resumption):
        end(resumption.effect, at: resumption.since ?? resumption.at)
        recorded = max(recorded, resumption.since ?? resumption.at)
        noteProgress(of: resumption.effect)
      case .emission(let emission): noteProgress(of: emission.effect)
      case .effectEnded(let end):
        if end.by == .task { cancelTask(of: end, history) }
        // A test store does not end before the test.
        if end.by != .host { running.remove(end.effect) }
        if end.how == .failed { addFailure(of: end) }
        noteOverdue(end.effect)
        let isWaiting = waits.removeValue(forKey: end.effect)?.isEmpty == false
        if end.how == .cancelled, !isWaiting, let place = effects[end.effect] {
          let call = TestSteps.Call(
            effect: end.effect, source: sources[end.effect], waits: past[end.effect]?.count ?? 0)
          cancelled.append((place, call))
        }
        switch end.by {
        case .action(let action), .scope(let action):
          victims[action, default: []].insert(end.effect)
        default: break
        }
        if end.how != .cancelled { noteProgress(of: end.effect) }
        ended = origins[end.effect] ?? before
      case .advance(let advance):
        // A test store says itself how far time went on.
        advanced = Self.sum(advanced, Self.nanoseconds(advance.by))
        now = max(now, advanced)
        hasAdvanced = true
        // It is written before time goes on.
        recorded = max(recorded, advance.at + max(0, advance.by))
      default:
        continue
      }
    }
    for effect in waits.keys.sorted() { noteOverdue(effect) }
    noteOtherIssues(history.begin)
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
    waitsOfActions[action.action] = past[end.effect]?.count
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
    guard origins[effect] == nil, parents[effect] == nil else { return }
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
      waitsOfActions[action.action] = past[effect]?.count
    } else {
      pass(to: action.at)
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
    pass(to: end.at)
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
      if let action = origins[effect] {
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
    let ends = past[effect] ?? []
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
      past[effect, default: []].append(wait)
    }
  }

  /// Lets the time pass that has passed before an action of the user.
  private mutating func pass(to time: Double) {
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
    guard let victims = victims[action.action] else { return false }
    var next = effect
    while let effect = next {
      if victims.contains(effect) { return true }
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

/// A place in the time of a test: a moment, and the order of jobs in it.
///
/// A job is queued by a user's action or by the end of a wait, and does what follows from it: it starts
/// effects, whose jobs are queued behind it, and these send actions, which start more effects. Jobs
/// run in the order in which they were queued. Waits that end at one time end in the order in which
/// they began.
private final class Place: Comparable, Sendable {
  static let start = Place(time: 0, turn: 0)

  let time: TestPlan.Time
  /// The number of the user's action, of the wait, or of the effect.
  private let number: Int
  /// The place in which the wait began; `nil` for what is no end of a wait.
  private unowned let begun: Place?
  /// The place that queued the job; `nil` for a user's action and for the end of a wait.
  private unowned let cause: Place?
  /// The count of jobs since the user's action or the end of the wait.
  private let depth: Int
  /// The user's action, or the end of a wait, that everything here follows from; `nil` for such a one.
  private unowned let ancestor: Place?

  /// The place of a user's action, or of the end of a wait.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - turn: The number of the action or of the wait.
  ///   - begun: The place in which the wait began.
  init(time: TestPlan.Time, turn: Int, begun: Place? = nil) {
    self.time = time
    self.begun = begun
    number = turn
    cause = nil
    ancestor = nil
    depth = 0
  }

  /// The place of an effect whose job is queued by another job.
  init(behind cause: Place, effect: Int) {
    self.cause = cause
    time = cause.time
    number = effect
    begun = nil
    ancestor = cause.root
    depth = cause.depth + 1
  }

  /// The place of an effect that is a part of another one, and starts with it.
  init(in parent: Place, effect: Int) {
    cause = parent.cause ?? parent
    time = parent.time
    number = effect
    begun = nil
    ancestor = parent.root
    depth = parent.cause == nil ? parent.depth + 1 : parent.depth
  }

  /// The user's action, or the end of a wait, that everything here follows from.
  var root: Place { ancestor ?? self }

  static func == (lhs: Place, rhs: Place) -> Bool { lhs === rhs }

  static func < (lhs: Place, rhs: Place) -> Bool {
    var (lhs, rhs) = (lhs, rhs)
    // The order of two waits that began in one place.
    var turns: (Int, Int)?
    while lhs !== rhs {
      if lhs.time != rhs.time { return lhs.time < rhs.time }
      let (left, right) = (lhs.root, rhs.root)
      if left === right { return isBefore(lhs, rhs) }
      if left.begun == nil, right.begun == nil { return left.number < right.number }
      turns = (left.begun == nil ? 0 : left.number, right.begun == nil ? 0 : right.number)
      (lhs, rhs) = (left.begun ?? left, right.begun ?? right)
    }
    return turns.map { $0.0 < $0.1 } ?? false
  }

  /// Whether a job runs before another one that follows from the same root.
  private static func isBefore(_ lhs: Place, _ rhs: Place) -> Bool {
    if lhs.depth != rhs.depth { return lhs.depth < rhs.depth }
    var (lhs, rhs) = (lhs, rhs)
    while let left = lhs.cause, let right = rhs.cause, left !== right { (lhs, rhs) = (left, right) }
    return lhs.number < rhs.number
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
        guard
          let (name, otherName) = zip(change.path, other.path).first(where: { $0 != $1 })
        else { return true }
        // An element may have another position then.
        return Int(name) != nil || Int(otherName) != nil
      }
    }
  }
}
