// One run of an explorer: a made-up life of a feature.

import Rondo
import RondoScheduling
import RondoTestStore

/// Something that happens to a feature from outside.
enum RunStep<Action> {
  /// The user sends an action. The simpler ones differ from it in their values only; the simplest is
  /// the first. They are found while a script is followed.
  case action(Action, simpler: [Action])
  /// A call is answered, with one of the outcomes that it can have.
  case answer(PendingCall.ID, outcome: Int, method: String, text: String)
  /// Time goes on to what is due next; if that is several things, to one of them.
  case time(item: Int, isLastOfInstant: Bool, by: Duration)
  /// Time goes on to what is due next, and something else comes first then.
  case arrival(by: Duration)
  /// An effect is cancelled.
  case cancel(effect: Int)
}

/// The steps that are possible next. The first one is taken where nothing else is chosen.
private struct StepOptions {
  /// Whether nothing is left to happen, unless the user does something, or something fails.
  let isAtRest: Bool
  /// Whether the run may end here: all that could still happen are faults.
  let mayEnd: Bool
  let ready: Range<Int>
  let answers: [(call: PendingCall, outcome: Int)]
  let actions: Range<Int>
  /// The number of actions that are passed over to come to the first one.
  let rotation: Int
  let due: [TestTimeline.DueItem]
  /// The instant that time may come to before what is due then; `nil` where it makes no difference.
  let arrival: TestInstant?
  let cancellations: Int
  /// The number of all but those that are ready.
  let outsideCount: Int

  var count: Int { (mayEnd ? 1 : 0) + ready.count + outsideCount }

  /// The place of an action among those that can be sent.
  func actionNumber(_ index: Int) -> Int { (index + rotation) % actions.count }
}

/// Why a run has failed.
struct RunFailure {
  enum Kind: Hashable {
    case always(Int)
    case eventually(Int)
    case everyStep(Int)
    /// Something has not led to what it is to lead to.
    case consequence(Int)
    case inFlight
    case model(Int)
    case issue
  }

  var kind: Kind
  /// Details: the state, a difference, the message of an issue.
  var detail: String
}

/// Runs a feature once, where a chooser says what happens next.
final class ExplorerRun<State: Equatable, Action> {
  /// The steps of the run that came from outside; kept while a script or an order is followed.
  private(set) var trace: [RunStep<Action>] = []
  /// The answers among these steps; kept while the text of the run is.
  private(set) var answers: [PendingOutcome] = []
  /// The number of calls of each endpoint before each step; kept while a script is followed.
  private(set) var callCounts: [[Int]] = []
  /// Whether anything has happened before what was there first had come to an end.
  private(set) var hasOvertaken = false
  private(set) var failure: RunFailure?
  /// The value of the model that the feature does not agree with.
  private(set) var expected: Any = ()
  private(set) var sentCount = 0
  private var facts: RunFacts = []
  /// The places that the run has come to; kept where the search is guided, and where there are goals.
  private(set) var visits: [OrderVisit] = []
  /// The first thing in the explorer that makes no sense; `nil` if there is none.
  var misuse: CallBook.Misuse? { book.misuse }
  let chooser: OrderChooser

  private let explorer: Explorer<State, Action>
  let actionLimit: Int
  private let script: [RunStep<Action>]?
  private let keepsTrace: Bool
  private let book = CallBook()
  private let store: TestStore<State, Action>
  private let models: [ModelRun<State, Action>]
  private let hasModels: Bool
  private let conditions: [ExploredCondition]
  private let issues = IssueCollector()
  private let states: StateTable<State>?
  private let numberOfState: ((UnsafePointer<State>, _ step: UInt64) -> UInt64)?
  private let goals: GoalTable?
  private let reach: ReachTable<Action>?
  private let isGuided: Bool
  /// For each consequence of the explorer, whether it is still to come.
  private var isPending: [Bool]
  /// The state before the next action, and what compares it with the state after; kept where steps are asked.
  private var before: (state: State, checks: [(_ action: Action, _ new: State) -> Bool])?
  private var calledAt: [PendingCall.ID: TestInstant] = [:]
  /// The instant that time has come to, before what is due then.
  private var arrivedAt: TestInstant?
  private var history: RunHistory?
  /// The calls that wait, with the effects that have made them and numbers for them.
  private var callers: [Caller] = []
  private var stateNumber: UInt64 = 0
  /// The number of the state when the last piece of a step was noted.
  private var notedState: UInt64 = 0
  private var scriptIndex = 0
  private var faultCount = 0
  private var hasHungCall = false
  private var lastActionAt = TestInstant(offset: .zero)
  /// The instant from which on the patience is counted: that of the last action, or of the last long wait.
  private var patientSince = TestInstant(offset: .zero)
  /// The items of the timeline that are due behind the patience, and began to wait in it; with whether they wait for
  /// longer than it.
  private var longWaits: [UInt64: Bool] = [:]
  /// The number of other things that have gone on behind the patience.
  private var overtimeCount = 0
  private var insertionCount: UInt64 = 0
  /// The actions that can be sent next.
  private var actions: [Action] = []
  private var isOver = false
  /// Whether nothing was left to happen but what comes from outside, when this was last asked.
  private var isAtRest = false

  /// - Parameters:
  ///   - actionLimit: How many actions are sent.
  ///   - script: What is to happen, in place of what the chooser says. What cannot happen is left out.
  ///   - states: The states of all runs, which this one adds its own to.
  ///   - numberOfState: A number for a state, in place of its number among `states`.
  ///   - history: The history that is written where the moments of the run are compared with those
  ///     of others.
  ///   - memories: The memories of servers in all runs, where moments are compared.
  ///   - goals: What the runs are to come to.
  ///   - reach: What any run has come to.
  ///   - isGuided: Whether the places are wanted that the run comes to.
  ///   - isRecorded: Whether the run is recorded, where a folder for recordings is named.
  init(
    _ explorer: Explorer<State, Action>, _ chooser: OrderChooser, actionLimit: Int,
    script: [RunStep<Action>]? = nil, states: StateTable<State>? = nil,
    numberOfState: ((UnsafePointer<State>, _ step: UInt64) -> UInt64)? = nil,
    history: RunHistory? = nil, memories: MemoryTable? = nil, goals: GoalTable? = nil,
    reach: ReachTable<Action>? = nil,
    isGuided: Bool = false, isRecorded: Bool = false
  ) {
    self.explorer = explorer
    self.chooser = chooser
    self.actionLimit = actionLimit
    self.script = script
    (self.states, self.goals, self.reach, self.isGuided) = (states, goals, reach, isGuided)
    self.numberOfState = numberOfState
    conditions = explorer.conditions
    isPending = [Bool](repeating: false, count: explorer.consequences.count)
    keepsTrace = script != nil || chooser.keepsSteps
    hasModels = explorer.makeModels.count > 0
    models = hasModels ? explorer.makeModels.map { $0() } : []
    let book = book
    book.faultKinds = explorer.faultKinds
    if history != nil { book.table = memories }
    store = DependencyValues.current.withFreshDefaults.whileInForce {
      TestSettings.with(\.chooser, chooser) { explorer.makeStore(book, explorer.endpoints, nil) }
    }
    self.history = history
    if let history { store.follow(in: history) }
    if isRecorded { store.keepRecordingIfAsked() }
  }

  func run() {
    guard let history else { return runSteps() }
    history.surroundings = { [unowned self] in numberOfSurroundings() }
    history.didNote = { [unowned self] in noteCalls(of: $0, $1) }
    let usesHiddenMemory = HiddenMemory.isUsed(by: runSteps)
    chooser.trace.end = mixed(history.moment, 1)
    chooser.trace.isComparable =
      history.isComparable && !usesHiddenMemory && !store.hasMemoryBesideHistory
    // The work that effects still do when the store is released is not recorded.
    store.stopFollowing()
    self.history = nil
  }

  private func runSteps() {
    withIssueReporters([issues]) {
      withUnsafePointer(to: store.currentState) { noteState($0, isInitial: true) }
      store.didHandle = { [unowned self] in didHandle($0, $1) }
      check(.always)
      if !explorer.stepConditions.isEmpty { watchSteps() }
      withUnsafePointer(to: store.currentState) { noteConsequences($0) }
      store.whileStepping(mayOthersRun: { [unowned self] in isAnythingPossibleOutside }, takeSteps)
      isOver = true
      store.didHandle = nil
      if sentCount > 0 { facts.insert(.hasSentActions) }
      if isAtRest, store.timeline.nextDueInstant != nil { facts.insert(.isCutShort) }
      reach?.note(facts, calls: book.callCounts(explorer.endpoints.count))
      if isAtRest { effectsOutOfSight = store.effectsOutOfSight(besides: book.callers) }
      book.close()
    }
  }

  /// Takes note of the failure of the same run on another thread.
  func note(_ failure: RunFailure) { self.failure = self.failure ?? failure }

  /// Keeps the recording of the run, where there is one.
  ///
  /// - Returns: The path of its file.
  func pathOfRecording() -> String? { store.pathOfKeptRecording() }

  // MARK: Work that leaves

  /// The effects that wait, when nothing more can happen, for something that nobody here knows: other
  /// effects, or threads.
  private var effectsOutOfSight: [EffectInFlight] = []

  /// Waits whether an effect comes back that has left the queue, and takes note of it.
  ///
  /// - Parameter known: The places of effects that were waited for before.
  nonisolated(nonsending) func noteWorkThatLeaves(_ known: inout Set<String>) async {
    guard book.misuse == nil else { return }
    let effects = effectsOutOfSight.filter { effect in
      let place = effect.position.map { "\($0.filePath):\($0.line):\($0.column)" } ?? effect.label
      return known.insert(place).inserted || failure != nil
    }
    guard let first = effects.first,
      await store.waitForWorkFromElsewhere(for: explorer.timeForDepartures)
    else { return }
    noteDeparture(of: first)
  }

  private func noteDeparture(of effect: EffectInFlight?) {
    let name = effect.map { effect in
      "\(effect.label)\(effect.action.map { ", returned for \(summary(of: $0))," } ?? "")"
    }
    book.note(
      """
      \(name ?? "An effect") leaves the queue that an explorer runs effects on, and comes back by a thread: \
      through the main actor, 'Task { }', 'Task.detached', 'Task.sleep', a live clock or a queue. An \
      explorer cannot say in which order that happens. Let it sleep on a clock of its dependencies, use \
      child tasks, and put what needs a thread into an endpoint of a dependency with '.outcomes'.
      """, at: effect?.position ?? explorer.position)
  }

  /// More steps than any run needs that comes to an end.
  private static var stepLimit: Int { 10_000 }

  // MARK: Steps

  private func takeSteps() {
    for _ in 0..<Self.stepLimit {
      guard failure == nil, takeStep() else { return }
      if store.hasWorkComeFromElsewhere {
        let effects = store.effectsOutOfSight(besides: book.callers)
        return noteDeparture(of: effects.first)
      }
    }
    guard failure == nil else { return }
    book.note(
      """
      A run has made \(Self.stepLimit) steps and has not come to an end, so that nothing can be said of \
      all its orders. Either something in the feature goes on without end, or a timer ticks so often \
      that the time after the last action is too long: make it shorter by '.patience(…)'.
      """, at: explorer.position)
  }

  /// - Returns: Whether there was one.
  private func takeStep() -> Bool {
    if keepsTrace { noteTimeOfCalls() }
    let options = options()
    // The user may do nothing more. Before anything was done there is no end.
    isAtRest = options.isAtRest
    if options.isAtRest, sentCount > 0 || options.actions.isEmpty {
      checkAtEnd()
      guard failure == nil else { return false }
    }
    guard options.count > 0 else { return false }
    var taken: Int
    if script != nil {
      guard let option = scriptedOption(options) else { return false }
      taken = option
      chooser.note(taken: taken, among: options.count)
    } else {
      let moment = history?.moment ?? 0
      taken = chooser.choose(
        among: options.count, moment, option: { number(of: $0, options) }
      ) { option in
        let index = option - (options.mayEnd ? 1 : 0)
        guard options.ready.indices.contains(options.ready.lowerBound + index) else { return 0 }
        return store.taskNumber(at: options.ready.lowerBound + index)
      }
    }
    if options.mayEnd {
      guard taken > 0 else { return false }
      taken -= 1
    }
    if !options.ready.isEmpty, taken > 0 { hasOvertaken = true }
    take(&taken, options)
    history?.endStep()
    checkAfterStep()
    return true
  }

  private func take(_ taken: inout Int, _ options: StepOptions) {
    if taken < options.ready.count {
      return store.runReady(options.ready.lowerBound + taken)
    }
    taken -= options.ready.count
    if taken < options.answers.count {
      let (call, outcome) = options.answers[taken]
      return answer(call, outcome, isFirst: call.id == options.answers[0].call.id)
    }
    taken -= options.answers.count
    if taken < options.actions.count {
      history?.beginStep(number(ofAction: taken, options))
      return send(actions[options.actionNumber(taken)])
    }
    taken -= options.actions.count
    if taken < options.due.count { return goOn(options.due, taken) }
    taken -= options.due.count
    if let arrival = options.arrival {
      guard taken > 0 else { return arrive(at: arrival) }
      taken -= 1
    }
    if keepsTrace { recordCancel(of: taken) }
    faultCount += 1
    if keepsTrace { note("an effect", origin: "cancelled: a fault") }
    let effect = store.closuresInFlight[taken]
    history?.beginStep(8, of: history?.id(of: effect) ?? RunHistory.nobody)
    store.cancel(effect)
  }

  private func options() -> StepOptions {
    let mayFail = faultCount < explorer.faultLimit ?? .max
    let answers = answers(mayFail: mayFail)
    actions = sentCount < actionLimit ? actionsOfState() : []
    let actionCount = actions.count
    // After each action that was sent another is the first.
    let rotation = actionCount > 1 ? sentCount % actionCount : 0
    noteLongWaits()
    let isAnythingReady = !store.readyItems(mayOthersRun: false).isEmpty
    // Time does not pass while something is ready: computers are fast. What is due by now comes beside it.
    let now = store.timeline.now
    let due = isAnythingReady ? store.timeline.nextItems(dueBy: now) : due()
    let cancellations =
      explorer.faultKinds.contains(.cancellation) && mayFail ? store.closuresInFlight.count : 0
    // Then an answer, or the user, may come just before what is due, which is ready meanwhile.
    let mayArrive = !due.isEmpty && answers.count + actionCount + cancellations > 0
    let arrival = mayArrive ? store.timeline.nextDueInstant.flatMap { $0 > now ? $0 : nil } : nil
    if let arrival, !facts.contains(.hasInstants),
      store.timeline.waitingItems.contains(where: { $0.due > arrival })
    {
      facts.insert(.hasInstants)
    }
    let outsideCount =
      answers.count + actionCount + due.count + (arrival == nil ? 0 : 1) + cancellations
    let ready = store.readyItems(mayOthersRun: outsideCount > 0)
    if !ready.isEmpty || !due.isEmpty || !answers.isEmpty { facts.insert(.hasRunEffects) }
    let isAtRest =
      !isAnythingReady && due.isEmpty
      && answers.allSatisfy { $0.call.outcomes[$0.outcome].isRepetition }
    return StepOptions(
      isAtRest: isAtRest, mayEnd: isAtRest && actionCount == 0 && outsideCount > 0, ready: ready,
      answers: answers, actions: 0..<actionCount, rotation: rotation,
      due: due, arrival: arrival, cancellations: cancellations, outsideCount: outsideCount)
  }

  /// Whether anything could happen now beside what is ready.
  private var isAnythingPossibleOutside: Bool {
    let mayFail = faultCount < explorer.faultLimit ?? .max
    return !store.timeline.nextItems(dueBy: store.timeline.now).isEmpty
      || !answers(mayFail: mayFail).isEmpty
      || sentCount < actionLimit && !actionsOfState().isEmpty
      || explorer.faultKinds.contains(.cancellation) && mayFail && !store.closuresInFlight.isEmpty
  }

  /// The answers that calls can get now.
  private func answers(mayFail: Bool) -> [(call: PendingCall, outcome: Int)] {
    var answers: [(call: PendingCall, outcome: Int)] = []
    for call in book.waiting() {
      for (index, outcome) in call.outcomes.enumerated() {
        let isPossible =
          switch outcome.kind {
          case .success, .handling: true
          case .failure, .never: mayFail
          case .repetition: mayFail && explorer.faultKinds.contains(.twice)
          }
        if isPossible { answers.append((call, index)) }
      }
    }
    return answers
  }

  /// The actions that can be sent now.
  private func actionsOfState() -> [Action] {
    explorer.makeActions?(store.currentState) ?? []
  }

  /// The actions that come before one among those that can be sent, and are of the same case.
  private func simplerActions(than action: Action) -> [Action] {
    let text = summary(of: action, limit: 10_000)
    let name = text.prefix { $0 != "(" }
    return actionsOfState()
      .prefix { summary(of: $0, limit: 10_000) != text }
      .filter { summary(of: $0, limit: 10_000).prefix { $0 != "(" } == name }
  }

  /// The instant to which time goes on, where nothing waits for longer.
  private var endOfPatience: TestInstant { patientSince.advanced(by: explorer.patience) }

  /// The greatest number of things that go on before the end of a long wait, such as the ticks of a timer.
  private static var overtimeLimit: Int { 100 }

  /// The things that are due next, unless that is too long after the last action.
  private func due() -> [TestTimeline.DueItem] {
    var end = endOfPatience
    if !longWaits.isEmpty, overtimeCount < Self.overtimeLimit {
      for item in store.timeline.waitingItems where longWaits[item.number] != nil {
        end = max(end, item.due)
      }
    }
    return store.timeline.nextItems(dueBy: end)
  }

  /// Takes note of waits that the last step has begun.
  private func noteLongWaits() {
    let count = store.timeline.insertionCount
    guard count != insertionCount else { return }
    defer { insertionCount = count }
    let (now, patience) = (store.timeline.now, explorer.patience)
    guard now < lastActionAt.advanced(by: patience) else { return }
    for item in store.timeline.waitingItems
    where item.number > insertionCount && item.due > endOfPatience {
      longWaits[item.number] = item.due > now.advanced(by: patience)
    }
  }

  private func send(_ action: Action) {
    if keepsTrace { recordAction(action) }
    sentCount += 1
    lastActionAt = store.timeline.now
    patientSince = lastActionAt
    overtimeCount = 0
    store.begin(action)
  }

  private func answer(_ call: PendingCall, _ index: Int, isFirst: Bool) {
    let outcome = call.outcomes[index]
    if keepsTrace { recordAnswer(call, index, isFirst: isFirst) }
    if outcome.kind.isFault { faultCount += 1 }
    if let reach { reach.noteOutcome(index, of: call) }
    if let history { beginAnswer(call, index, history) }
    store.didLetSomethingGoFirst()
    if outcome.kind == .never {
      hasHungCall = true
      book.remove(call)
    } else if let next = outcome.answer() {
      book.replace(call, with: next)
    } else {
      book.remove(call)
    }
  }

  private func goOn(_ items: [TestTimeline.DueItem], _ index: Int) {
    let before = store.timeline.now
    store.runDue(items[index])
    if let isLonger = longWaits.removeValue(forKey: items[index].number) {
      if isLonger { patientSince = store.timeline.now }
    } else if store.timeline.now > endOfPatience {
      overtimeCount += 1
    }
    if keepsTrace {
      recordTime(index, isLast: items.count == 1, by: before.duration(to: store.timeline.now))
    }
  }

  /// Lets time come to an instant, before what is due then.
  private func arrive(at instant: TestInstant) {
    let duration = store.timeline.now.duration(to: instant)
    if keepsTrace { record(.arrival(by: duration)) }
    history?.beginArrival(at: instant)
    arrivedAt = instant
    store.timeline.arrive(at: instant.offset)
  }

  // MARK: The trace

  // Functions of their own: the types of the trace cost generic code a look-up, even where it is not kept.

  @inline(never)
  private func recordAction(_ action: Action) {
    record(.action(action, simpler: script != nil ? simplerActions(than: action) : []))
    chooser.set(isDeviating: false)
  }

  @inline(never)
  private func recordAnswer(_ call: PendingCall, _ index: Int, isFirst: Bool) {
    let outcome = call.outcomes[index]
    let text = outcome.text()
    record(.answer(call.id, outcome: index, method: outcome.method, text: text))
    if chooser.keepsSteps { answers.append(outcome) }
    chooser.set(isDeviating: !isFirst)
    let answer = text.isEmpty ? outcome.method : text
    note(
      "call \(call.id.number) of \(explorer.nameOfEndpoint(call.id.endpoint))"
        + (text.isEmpty && outcome.isHandling ? "" : ": \(answer)"),
      origin: origin(of: outcome, call))
  }

  /// The words of a timeline for an answer: whether it is a fault, and whether it comes late.
  private func origin(of outcome: PendingOutcome, _ call: PendingCall) -> String {
    let now = store.timeline.now
    guard outcome.kind == .success, outcome.method == "answer" else { return outcome.origin }
    if arrivedAt == now, !store.timeline.nextItems(dueBy: now).isEmpty {
      return "\(outcome.origin) just when time is up"
    }
    let wait = calledAt[call.id].map { $0.duration(to: now) } ?? .zero
    return wait > .zero ? "\(outcome.origin) late, after \(wait)" : outcome.origin
  }

  /// Takes note of when calls were made, for the timeline.
  private func noteTimeOfCalls() {
    for call in book.waiting() where calledAt[call.id] == nil {
      calledAt[call.id] = store.timeline.now
    }
  }

  @inline(never)
  private func recordTime(_ item: Int, isLast: Bool, by duration: Duration) {
    record(.time(item: item, isLastOfInstant: isLast, by: duration))
  }

  @inline(never)
  private func recordCancel(of effect: Int) {
    record(.cancel(effect: effect))
  }

  private func record(_ step: RunStep<Action>) {
    trace.append(step)
    if script != nil { callCounts.append(book.callCounts(explorer.endpoints.count)) }
  }

  private func note(_ text: @autoclosure () -> String, origin: String) {
    chooser.note(OrderStep(instant: store.timeline.now, text: text(), origin: origin))
  }

  // MARK: Moments

  private func noteState(_ state: UnsafePointer<State>, isInitial: Bool) {
    if let goals, goals.isAnyOpen {
      for place in goals.places(of: state) { noteVisit(place) }
    }
    guard states != nil || numberOfState != nil else { return }
    let step = mixed(stateNumber, history?.numberOfStep ?? 0)
    var isNew = false
    if let states {
      let count = states.count
      stateNumber = states.number(of: state, after: step)
      isNew = states.count > count
    } else if let numberOfState {
      stateNumber = numberOfState(state, step)
    }
    if isGuided, stateNumber > 0 {
      noteVisit(.state(Int(stateNumber)), isNew ? StateProperty.all(of: state.pointee) : [])
    }
    guard let history else { return }
    if stateNumber == 0 { history.giveUp() }
    history.didHandleAction(stateNumber, isInitial: isInitial)
  }

  private func noteVisit(_ place: OrderVisit.Place, _ properties: [StateProperty] = []) {
    visits.append(
      OrderVisit(
        place: place, actionCount: sentCount, choiceCount: chooser.choiceCount,
        properties: properties))
  }

  /// The maker of a call.
  private struct Caller {
    let id: PendingCall.ID
    var effect = RunHistory.nobody
    /// The effect whose callback waits, where the call was made outside of a closure that runs.
    var callback: (any AnyObject & Sendable)?
    let hash: UInt64
  }

  /// Takes note of the calls that the step in progress has made.
  private func noteCalls(of effect: Int, _ step: UInt64) {
    for (index, call) in book.takeNew().enumerated() {
      let number = UInt64(index + 256)
      if call.caller is any WaitObserver {
        callers.append(Caller(id: call.id, effect: effect, hash: mixed(step, number)))
      } else {
        // It is made of the state, too, as the effect is whose beginning has made the call.
        let hash = mixed(mixed(step, notedState), number)
        callers.append(Caller(id: call.id, callback: call.caller, hash: hash))
      }
    }
    notedState = stateNumber
  }

  private func beginAnswer(_ call: PendingCall, _ outcome: Int, _ history: RunHistory) {
    guard let index = callers.firstIndex(where: { $0.id == call.id }) else {
      return history.giveUp()
    }
    let caller = callers[index]
    history.beginStep(mixed(number(of: call), UInt64(outcome)), of: caller.effect)
  }

  /// A number for all that this run knows beside the store.
  private func numberOfSurroundings() -> UInt64 {
    var sum = mixed(store.numberOfMemory, UInt64(sentCount) << 32 | UInt64(faultCount))
    sum = mixed(mixed(sum, lastActionAt.number), patientSince.number)
    sum = mixed(sum, UInt64(longWaits.count) << 32 | UInt64(overtimeCount))
    if hasHungCall { sum = mixed(sum, 9) }
    for (index, isPending) in isPending.enumerated() where isPending {
      sum = mixed(sum, UInt64(18 + index))
    }
    guard let memory = book.numberOfMemory() else {
      history?.giveUp()
      return 0
    }
    if memory != 0 { sum = mixed(sum, memory) }
    for call in book.waiting() { sum &+= mixed(number(of: call), 10) }
    guard hasModels else { return sum }
    for model in models {
      guard let number = model.number() else {
        history?.giveUp()
        return 0
      }
      sum = mixed(sum, UInt64(bitPattern: Int64(number)))
    }
    return sum
  }

  private func number(of call: PendingCall) -> UInt64 {
    let caller = callers.first { $0.id == call.id }
    let number = mixed(caller?.hash ?? 0, call.progress)
    // The callback of an effect that was cancelled does nothing any more.
    guard let callback = caller?.callback,
      !store.allInFlight.contains(where: { $0.isOrigin(callback) })
    else { return number }
    return mixed(number, 20)
  }

  /// A number for an action: its place among those that can be sent in this state.
  private func number(ofAction index: Int, _ options: StepOptions) -> UInt64 {
    mixed(UInt64(options.actionNumber(index)), 11)
  }

  /// A number for an option, the same wherever it stands among the others.
  private func number(of option: Int, _ options: StepOptions) -> UInt64 {
    guard let history else { return 0 }
    var index = option - (options.mayEnd ? 1 : 0)
    guard index >= 0 else { return 16 }
    if index < options.ready.count {
      return mixed(history.hash(ofItemAt: options.ready.lowerBound + index), 12)
    }
    index -= options.ready.count
    if index < options.answers.count {
      let (call, outcome) = options.answers[index]
      return mixed(number(of: call), UInt64(13 + outcome))
    }
    index -= options.answers.count
    if index < options.actions.count { return number(ofAction: index, options) }
    index -= options.actions.count
    if index < options.due.count {
      return mixed(history.hash(ofDue: options.due[index].number), 14)
    }
    index -= options.due.count
    if options.arrival != nil {
      guard index > 0 else { return 17 }
      index -= 1
    }
    return mixed(history.hash(of: store.closuresInFlight[index]), 15)
  }

  // MARK: Scripts

  /// The option that the script says, or the first one where it says nothing more; `nil` at the end.
  private func scriptedOption(_ options: StepOptions) -> Int? {
    if !options.ready.isEmpty { return 0 }
    while scriptIndex < script!.count {
      defer { scriptIndex += 1 }
      if let option = option(for: script![scriptIndex], options) {
        return option + (options.mayEnd ? 1 : 0)
      }
    }
    guard !options.mayEnd else { return nil }
    let answer = options.answers.firstIndex { call, outcome in
      !call.outcomes[outcome].isRepetition
    }
    if let answer { return answer }
    return options.due.isEmpty ? nil : options.answers.count + options.actions.count
  }

  private func option(for step: RunStep<Action>, _ options: StepOptions) -> Int? {
    switch step {
    case .answer(let id, let outcome, let method, let text):
      // In another order the same call may have another number.
      let same = options.answers.indices.filter { index in
        let (call, other) = options.answers[index]
        guard call.id.endpoint == id.endpoint, call.outcomes[other].method == method else {
          return false
        }
        return text.isEmpty ? other == outcome : call.outcomes[other].text() == text
      }
      return same.first { options.answers[$0].call.id == id } ?? same.first
    case .action(let action, _):
      let text = summary(of: action, limit: 10_000)
      return options.actions.indices
        .first { summary(of: actions[options.actionNumber($0)], limit: 10_000) == text }
        .map { options.answers.count + $0 }
    case .time(let item, _, _):
      return item < options.due.count ? options.answers.count + options.actions.count + item : nil
    case .arrival:
      guard options.arrival != nil else { return nil }
      return options.answers.count + options.actions.count + options.due.count
    case .cancel(let effect):
      guard effect < options.cancellations else { return nil }
      return options.outsideCount - options.cancellations + effect
    }
  }

  // MARK: Checking

  private func didHandle(_ action: Action, _ state: UnsafePointer<State>) {
    guard !isOver, failure == nil else { return }
    let changes = store.takeSharedChanges()
    if !changes.isEmpty { facts.insert(.changesSharedValues) }
    noteState(state, isInitial: false)
    if let reach, reach.isCaseMissing { reach.noteHandled(action) }
    if hasModels { for model in models { model.apply(action) } }
    noteConsequences(state)
    check(.always, state)
    if let before { checkStep(from: before.state, before.checks, action, state.pointee, changes) }
  }

  /// Keeps what is compared from before every action.
  @inline(never)
  private func watchSteps() {
    before = (store.currentState, [])
    store.willHandle { [weak self] in
      guard let self, !isOver, failure == nil, let state = before?.state else { return }
      // Changes that effects have made since the last action are no part of the step.
      if !store.takeSharedChanges().isEmpty { facts.insert(.changesSharedValues) }
      before?.checks = explorer.stepConditions.map { $0.begin(state) }
    }
  }

  private func checkStep(
    from old: State, _ checks: [(Action, State) -> Bool], _ action: Action, _ new: State,
    _ changes: [SharedChange]
  ) {
    before = (new, [])
    guard failure == nil else { return }
    let comparison = SharedComparison()
    for (index, check) in checks.enumerated() {
      comparison.begin(expected: [:], actual: [:])
      let holds = comparison.whileInForce { check(action, new) }
      if explorer.stepConditions[index].comparesStates,
        let change = changes.first(where: { comparison.read.contains($0.id) })
      {
        noteSharedStep(index, action, change)
      }
      guard !holds else { continue }
      let before = Dictionary(uniqueKeysWithValues: changes.map { ($0.id, $0.before) })
      comparison.begin(expected: before, actual: [:])
      let oldText = comparison.whileInForce { dumped(old) }
      failure = RunFailure(
        kind: .everyStep(index),
        detail: "\(summary(of: action)) has led from\n\n\(oldText)\n\nto\n\n\(dumped(new))")
      return
    }
  }

  private func noteSharedStep(_ index: Int, _ action: Action, _ change: SharedChange) {
    book.note(
      """
      '.everyStep' reads a shared value that \(summary(of: action)) has changed: \(change.description). Both \
      states show the value after it. Name what is compared, so that the value before is kept: \
      '.everyStep(of: { $0.… }) { old, action, new in … }'.
      """, at: explorer.stepConditions[index].position)
  }

  /// Takes note of what is to come, and of what has come.
  private func noteConsequences(_ state: UnsafePointer<State>) {
    for index in isPending.indices {
      let consequence = explorer.consequences[index]
      let hasCause = !isPending[index] && consequence.cause.holds(state)
      if hasCause { reach?.noteCause(index) }
      guard hasCause || isPending[index] else { continue }
      isPending[index] = !consequence.result.holds(state)
    }
  }

  private func check(_ kind: ExploredCondition.Kind) {
    withUnsafePointer(to: store.currentState) { check(kind, $0) }
  }

  private func check(_ kind: ExploredCondition.Kind, _ state: UnsafePointer<State>) {
    guard let broken = conditions.firstIndex(where: { $0.kind == kind && !$0.holds(state) })
    else { return }
    failure = RunFailure(
      kind: kind == .always ? .always(broken) : .eventually(broken), detail: dumped(state.pointee))
  }

  private func checkAfterStep() {
    if let issue = issues.issues.first {
      failure = failure ?? RunFailure(kind: .issue, detail: issue.message)
    }
    guard hasModels, failure == nil, store.readyItems(mayOthersRun: false).isEmpty else {
      return
    }
    for (index, model) in models.enumerated() {
      guard let difference = model.difference(store.currentState) else { continue }
      failure = RunFailure(kind: .model(index), detail: difference)
      expected = model.expected()
      return
    }
  }

  /// Whether a call waits, and may get none of its answers any more.
  private var isAnyCallWithoutAnswer: Bool {
    book.waiting().contains { call in call.outcomes.contains { !$0.isRepetition } }
  }

  private func checkAtEnd() {
    guard !hasHungCall, !isAnyCallWithoutAnswer else { return }
    facts.insert(.hasAskedAtEnd)
    check(.eventually)
    if failure == nil, let broken = isPending.firstIndex(of: true) {
      failure = RunFailure(kind: .consequence(broken), detail: dumped(store.currentState))
    }
    if failure == nil, explorer.finishes { checkThatNothingIsInFlight() }
    if let due = store.timeline.nextDueInstant {
      failure?.detail += """


        Something is still due after \(due.offset), for which the run has not waited: it waits for what begins within \
        \(explorer.patience) of the last action. If it is to come first, raise that by '.patience(…)'.
        """
    }
  }

  private func checkThatNothingIsInFlight() {
    let effects = store.allInFlight
    guard !effects.isEmpty else { return }
    let lines = effects.map { effect in
      let action = effect.action.map { " of \(summary(of: $0))" } ?? ""
      let place = effect.position.map { ", \($0.fileID):\($0.line)" } ?? ""
      return "- \(effect.label)\(action)\(place)"
    }
    failure = RunFailure(kind: .inFlight, detail: lines.joined(separator: "\n"))
  }
}
