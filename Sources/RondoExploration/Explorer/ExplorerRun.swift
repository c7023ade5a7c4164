// One run of an explorer: a made-up life of a feature.

import Rondo
import RondoScheduling
import RondoTestStore

/// Something that happens to a feature from outside.
enum RunStep<Action> {
  /// The user sends an action.
  case action(Action)
  /// A call is answered, with one of the outcomes that it can have.
  case answer(PendingCall.ID, outcome: Int, text: String)
  /// Time goes on to what is due next; if that is several things, to one of them.
  case time(item: Int, isLastOfInstant: Bool, by: Duration)
  /// An effect is cancelled.
  case cancel(effect: Int)
}

/// Why a run has failed.
struct RunFailure {
  enum Kind: Hashable {
    case always(Int)
    case eventually(Int)
    case model(Int)
    case issue
  }

  var kind: Kind
  /// Details: the state, a difference, the message of an issue.
  var detail: String
}

/// Runs a feature once, where a chooser says what happens next.
final class ExplorerRun<State: Equatable, Action> {
  /// The steps of the run that came from outside.
  private(set) var trace: [RunStep<Action>] = []
  /// The number of calls of each endpoint before each step; kept while a script is followed.
  private(set) var callCounts: [[Int]] = []
  /// Whether anything has happened before what was there first had come to an end.
  private(set) var hasOvertaken = false
  private(set) var failure: RunFailure?
  private(set) var sentCount = 0
  let chooser: OrderChooser

  private let explorer: Explorer<State, Action>
  let actionLimit: Int
  private let script: [RunStep<Action>]?
  private let book = CallBook()
  private let store: TestStore<State, Action>
  private let models: [ModelRun<State, Action>]
  private let issues = IssueCollector()
  private let didSee: (State) -> Void
  private var scriptIndex = 0
  private var faultCount = 0
  private var hasHungCall = false
  private var lastActionAt = TestInstant(offset: .zero)
  private var isOver = false

  /// - Parameters:
  ///   - actionLimit: How many actions are sent.
  ///   - script: What is to happen, in place of what the chooser says. What cannot happen is left out.
  ///   - didSee: Called with every state.
  init(
    _ explorer: Explorer<State, Action>, _ chooser: OrderChooser, actionLimit: Int,
    script: [RunStep<Action>]? = nil, didSee: @escaping (State) -> Void = { _ in }
  ) {
    self.explorer = explorer
    self.chooser = chooser
    self.actionLimit = actionLimit
    self.script = script
    self.didSee = didSee
    models = explorer.makeModels.map { $0() }
    let book = book
    store = DependencyValues.current.withFreshDefaults.whileInForce {
      OrderChooser.$current.withValue(chooser) { explorer.makeStore(book, explorer.endpoints) }
    }
  }

  func run() {
    withIssueReporters([issues]) {
      store.didRecord = { [unowned self] in didHandle($0) }
      check(.always, store.currentState)
      store.whileStepping {
        for _ in 0..<Self.stepLimit where failure == nil {
          guard takeStep() else {
            checkAtEnd()
            break
          }
        }
      }
      isOver = true
      store.didRecord = nil
    }
  }

  /// More steps than any run needs that comes to an end.
  private static var stepLimit: Int { 10_000 }

  // MARK: Steps

  /// The steps that are possible next. The first one is taken where nothing else is chosen.
  private struct Options {
    var ready: Range<Int>
    var answers: [(call: PendingCall, outcome: Int)]
    var actions: [Action]
    var due: [TestTimeline.DueItem]
    var cancellations: Int

    var count: Int { ready.count + outsideCount }
    var outsideCount: Int { answers.count + actions.count + due.count + cancellations }
  }

  /// - Returns: Whether there was one.
  private func takeStep() -> Bool {
    let options = options()
    guard options.count > 0 else { return false }
    var taken: Int
    if script != nil {
      guard let option = scriptedOption(options) else { return false }
      taken = option
      chooser.note(taken: taken, among: options.count)
    } else {
      taken = chooser.choose(among: options.count) { option in
        option < options.ready.count ? store.taskNumber(at: options.ready.lowerBound + option) : 0
      }
    }
    if !options.ready.isEmpty, taken > 0 { hasOvertaken = true }
    take(&taken, options)
    store.forgetActions()
    checkAfterStep()
    return true
  }

  private func take(_ taken: inout Int, _ options: Options) {
    if taken < options.ready.count {
      return store.runReady(
        options.ready.lowerBound + taken, mayOthersRun: options.outsideCount > 0)
    }
    taken -= options.ready.count
    if taken < options.answers.count {
      let (call, outcome) = options.answers[taken]
      return answer(call, outcome, isFirst: call.id == options.answers[0].call.id)
    }
    taken -= options.answers.count
    if taken < options.actions.count { return send(options.actions[taken]) }
    taken -= options.actions.count
    if taken < options.due.count { return goOn(options.due, taken) }
    taken -= options.due.count
    record(.cancel(effect: taken))
    faultCount += 1
    note("an effect is cancelled", origin: "a fault")
    store.cancel(store.closuresInFlight[taken])
  }

  private func record(_ step: RunStep<Action>) {
    trace.append(step)
    if script != nil { callCounts.append(book.callCounts(explorer.endpoints.count)) }
  }

  private func options() -> Options {
    let mayFail = faultCount < explorer.faultLimit ?? .max
    let answers = book.waiting().flatMap { call in
      call.outcomes.indices
        .filter { mayFail || call.outcomes[$0].kind == .success }
        .map { (call: call, outcome: $0) }
    }
    let actions = sentCount < actionLimit ? actions() : []
    let isAnythingReady = !store.readyItems(mayOthersRun: false).isEmpty
    // Time does not pass while something is ready: computers are fast.
    let due = isAnythingReady ? [] : due(actionsAreLeft: !actions.isEmpty)
    let cancellations = explorer.cancels && mayFail ? store.closuresInFlight.count : 0
    var options = Options(
      ready: 0..<0, answers: answers, actions: actions, due: due, cancellations: cancellations)
    options.ready = store.readyItems(mayOthersRun: options.outsideCount > 0)
    return options
  }

  /// The actions that can be sent now: after each one that was sent another is the first.
  private func actions() -> [Action] {
    let state = store.currentState
    let actions = explorer.makeActions.flatMap { $0(state) }
    guard actions.count > 1 else { return actions }
    let first = sentCount % actions.count
    return Array(actions[first...] + actions[..<first])
  }

  private func due(actionsAreLeft: Bool) -> [TestTimeline.DueItem] {
    let end = lastActionAt.advanced(by: explorer.patience)
    return store.timeline.nextItems(dueBy: end)
  }

  private func send(_ action: Action) {
    record(.action(action))
    sentCount += 1
    lastActionAt = store.timeline.now
    chooser.set(isDeviating: false)
    store.begin(action)
  }

  private func answer(_ call: PendingCall, _ index: Int, isFirst: Bool) {
    let outcome = call.outcomes[index]
    let text = chooser.keepsSteps || script != nil ? outcome.text() : ""
    record(.answer(call.id, outcome: index, text: text))
    chooser.set(isDeviating: !isFirst)
    note(
      "call \(call.id.number) of \(explorer.nameOfEndpoint(call.id.endpoint)): \(text)",
      origin: "answered")
    if outcome.kind != .success { faultCount += 1 }
    if outcome.kind == .never {
      hasHungCall = true
      book.remove(call)
    } else {
      outcome.answer()
    }
  }

  private func goOn(_ items: [TestTimeline.DueItem], _ index: Int) {
    let before = store.timeline.now
    store.runDue(items[index], mayOthersRun: items.count > 1)
    record(
      .time(
        item: index, isLastOfInstant: items.count == 1,
        by: before.duration(to: store.timeline.now)))
  }

  private func note(_ text: @autoclosure () -> String, origin: String) {
    chooser.note(OrderStep(instant: store.timeline.now, text: text(), origin: origin))
  }

  // MARK: Scripts

  /// The option that the script says, or the first one where it says nothing more; `nil` at the end.
  private func scriptedOption(_ options: Options) -> Int? {
    if !options.ready.isEmpty { return 0 }
    while scriptIndex < script!.count {
      defer { scriptIndex += 1 }
      if let option = option(for: script![scriptIndex], options) { return option }
    }
    if !options.answers.isEmpty { return 0 }
    return options.due.isEmpty ? nil : options.answers.count + options.actions.count
  }

  private func option(for step: RunStep<Action>, _ options: Options) -> Int? {
    switch step {
    case .answer(let id, let outcome, let text):
      // In another order the same call may have another number.
      let same = options.answers.indices.filter { index in
        let (call, other) = options.answers[index]
        return call.id.endpoint == id.endpoint
          && (text.isEmpty ? other == outcome : call.outcomes[other].text() == text)
      }
      return same.first { options.answers[$0].call.id == id } ?? same.first
    case .action(let action):
      let text = summary(of: action, limit: 10_000)
      return options.actions.firstIndex { summary(of: $0, limit: 10_000) == text }
        .map { options.answers.count + $0 }
    case .time(let item, _, _):
      return item < options.due.count ? options.answers.count + options.actions.count + item : nil
    case .cancel(let effect):
      guard effect < options.cancellations else { return nil }
      return options.answers.count + options.actions.count + options.due.count + effect
    }
  }

  // MARK: Checking

  private func didHandle(_ record: RecordedAction<State, Action>) {
    guard !isOver, failure == nil else { return }
    didSee(record.newState)
    for model in models { model.apply(record.action) }
    check(.always, record.newState)
  }

  private func check(_ kind: Explorer<State, Action>.Condition.Kind, _ state: State) {
    for (index, condition) in explorer.conditions.enumerated()
    where condition.kind == kind && !condition.holds(state) {
      failure = RunFailure(
        kind: kind == .always ? .always(index) : .eventually(index), detail: dumped(state))
      return
    }
  }

  private func checkAfterStep() {
    if let issue = issues.issues.first {
      failure = failure ?? RunFailure(kind: .issue, detail: issue.message)
    }
    guard failure == nil, !models.isEmpty, store.readyItems(mayOthersRun: false).isEmpty else {
      return
    }
    for (index, model) in models.enumerated() {
      guard let difference = model.difference(store.currentState) else { continue }
      failure = RunFailure(kind: .model(index), detail: difference)
      return
    }
  }

  private func checkAtEnd() {
    guard !hasHungCall else { return }
    check(.eventually, store.currentState)
  }
}
