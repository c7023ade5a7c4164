// The steps of a test: what is sent, what is received, and how far time goes on in between.

import RondoHistory
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

  /// The time that endpoints take for their answers, by the numbers of the actions.
  private(set) var latencies: [Int: Duration] = [:]

  /// - Parameter answers: The numbers of the actions that are answers of endpoints of the test.
  init(_ history: History, answers: Set<Int> = []) {
    var plan = TestPlan.best(history, answers: answers)
    latencies = plan.latencies.mapValues { .nanoseconds($0) }
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
  func split(byJoining isJoined: (Element) -> Bool) -> [[Element]] {
    reduce(into: []) { parts, element in
      if isJoined(element), !parts.isEmpty {
        parts[parts.count - 1].append(element)
      } else {
        parts.append([element])
      }
    }
  }
}
