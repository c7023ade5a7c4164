// The machine of a store: owns the state, runs the reducer, queues actions, makes commits.

import RondoAnimation
import RondoScheduling

/// A state, its reducer, and the effects in flight, on the isolation that its host gives it.
///
/// The machine is synchronous, and is used on one isolation. Effects that use other threads or actors
/// send messages to its ``Mailbox``.
///
/// A **drain** begins with an action from outside, or with messages that have arrived, and handles
/// actions in the order in which they were queued until none is left. See ``Phase``.
///
/// An action that starts nothing checks plain flags and counts only. Access to a property of a
/// generic type costs generic code a look-up, so that is done only where needed.
final class Machine<State, Action>: EffectHost {
  // A pointer, because the reducer changes the state in place while other code may read it, through
  // `readableAddress`.
  private let statePointer: UnsafeMutablePointer<State>
  private let reduce: (inout State, Action) -> Effect<Action>

  /// The dependencies in force where the machine was made. They are in force while it reduces, too.
  var dependencies = DependencyValues.current {
    didSet { hasDependencies = !dependencies.isEmpty }
  }
  @exclusivity(unchecked) private var hasDependencies = false

  // Unchecked, this and those below: no access lasts while other code runs, and the checks would
  // cost every action time.
  @exclusivity(unchecked) private(set) var phase = Phase.idle
  /// The phase that the machine goes to at the end of a drain: `idle`, unless a loop was cut or the
  /// host was released meanwhile.
  @exclusivity(unchecked) private var following = Phase.idle

  // Unchecked, because a queue calls no code that could access it again.
  @exclusivity(unchecked) private var queue = Queue<Envelope>()
  @exclusivity(unchecked) private var outermostRoot: RootFrame?
  @exclusivity(unchecked) private var count: LoopCount
  /// The root of an effect of an earlier action that is being started again. What the effect answers at
  /// once is dropped, since it has been handled before.
  @exclusivity(unchecked) private var restartingRoot: RootFrame?

  // MARK: Effects

  /// The isolation that the machine lives on; `nil` where its owner makes it when it is first needed.
  private var isolation: (any HostIsolation)?
  // unowned(unsafe): the owner holds the machine, and closes it before it is released itself.
  unowned(unsafe) private var owner: (any MachineOwner)?
  /// The place where the closures of effects run.
  private let execution: EffectExecution
  @exclusivity(unchecked) private(set) var existingInterpreter: Interpreter?

  // MARK: Observing

  /// The entry among the machines that are at work on the main actor, for a machine that lives
  /// there.
  private let mainActorWork: MainActorWork?

  /// Whether ``didChange`` is to be called, once, when the state has changed.
  @exclusivity(unchecked) var isTracked = false
  /// Called when a state has changed while ``isTracked``, or when another state has replaced one
  /// that is observed field by field.
  var didChange: (() -> Void)?
  /// Reads the identity of a state that is observed field by field.
  private let identity: FieldIdentity?

  private var subscribers = Subscribers<State, Action>()
  @exclusivity(unchecked) private var isSubscribed = false
  private lazy var areEqual = StateComparison(of: State.self)
  // Unchecked: its methods call no code but the copying and comparing of states.
  @exclusivity(unchecked) private var draft = CommitDraft<State, Action>()
  /// Whether there is an action in the draft. It is stored here, because every action asks for it, and a
  /// property of a generic type costs a look-up.
  @exclusivity(unchecked) private var hasDraft = false

  /// Whether a copy of the state is kept while the reducer runs, for code that reads it meanwhile.
  /// A store learns this from the first such read: a state of which a copy is kept is copied again
  /// when it changes.
  @exclusivity(unchecked) private var keepsStateBefore = false
  private var stateBefore: UnsafeMutablePointer<State>?

  /// The place where the host was made, for messages.
  let position: SourcePosition?

  /// The observers of what the machine does; `nil` where there are none.
  @exclusivity(unchecked) var recorder: Recorder<State, Action>?

  /// Whether the rest of a loop without end is dropped, because a test could never end otherwise.
  private let dropsLoops: Bool

  /// A machine that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that the machine lives on; `nil` where ``setOwner(_:)`` follows.
  ///   - execution: The place where the closures of effects run.
  ///   - position: The place where the host was made, for messages.
  ///   - dropsLoops: Whether the rest of a loop without end is dropped.
  ///   - isOnMainActor: Whether it lives on the main actor, where its state may be observed.
  init(
    initialState: State, reducer: any Reducer<State, Action>, isolation: (any HostIsolation)? = nil,
    execution: EffectExecution = .concurrent, position: SourcePosition? = nil,
    dropsLoops: Bool = false, isOnMainActor: Bool = false
  ) {
    count = LoopCount(DependencyValues.current.loopLimit)
    statePointer = .allocate(capacity: 1)
    statePointer.initialize(to: initialState)
    reduce = reducer._prepare()
    self.isolation = isolation
    self.execution = execution
    self.position = position
    self.dropsLoops = dropsLoops
    mainActorWork = isOnMainActor ? MainActorWork() : nil
    identity = isOnMainActor ? FieldIdentity(ofState: State.self) : nil
    dependencies.isolateDefaults()
    hasDependencies = !dependencies.isEmpty
  }

  deinit {
    assert(existingInterpreter == nil || phase == .closed, "A machine is released while it lives.")
    if hasDraft { _ = draft.finish() }
    draft.deallocate()
    statePointer.deinitialize(count: 1)
    statePointer.deallocate()
  }

  /// Names the actor that makes the isolation when it is first needed. Most actors never need one.
  func setOwner(_ owner: any MachineOwner) {
    self.owner = owner
  }

  // MARK: State

  var state: State {
    _read { yield readableAddress.pointee }
  }

  /// The address of the state, for as long as the machine lives. While
  /// ``MainActorWork/isAnyReducing`` it has to be asked for by ``readableAddress``.
  var address: UnsafePointer<State> { UnsafePointer(statePointer) }

  /// The address of the state for a reader: while the reducer runs, that of the state before the
  /// action.
  ///
  /// The first such read finds no copy, unless the draft of a commit holds the state before this
  /// action. Then it gets the state as it is at that moment, which may be half changed, and is
  /// reported.
  var readableAddress: UnsafePointer<State> {
    guard phase == .reducing else { return address }
    if let stateBefore { return UnsafePointer(stateBefore) }
    let isFirst = !exchange(&keepsStateBefore, with: true)
    if let state = draft.stateBeforeOnlyAction { return state }
    if isFirst { reportReadOfHalfChangedState() }
    return address
  }

  private func reportReadOfHalfChangedState() {
    let message = """
      The state of a store was read while the store's reducer was changing it, for the first time. \
      What was read may be half changed. From now on the store keeps a copy of the state before each \
      action for such reads. In a reducer, read the state that it is given; elsewhere, read the store \
      before or after the action.
      """
    if let position { reportIssue(message, at: position) } else { reportIssue(message) }
  }

  // MARK: Phases

  private func move(to next: Phase) {
    assert(phase.canBecome(next), "A machine that is \(phase) cannot become \(next).")
    phase = next
  }

  private var isBusy: Bool {
    switch phase {
    case .idle, .paused, .closed: false
    case .heldBack, .reducing, .settling, .delivering: true
    }
  }

  func joinsWorkInProgress() -> Bool {
    holdBackWhileObserving()
    return isBusy
  }

  /// Begins a drain.
  @inline(__always)
  private func enter() {
    move(to: .settling)
    mainActorWork?.enter()
  }

  /// Ends a drain.
  @inline(__always)
  private func leave() {
    mainActorWork?.leave()
    if count.isUsed { count.begin(goesOn: isCut) }
    if following == .idle { move(to: .idle) } else { leaveEarly() }
  }

  /// Ends a drain that was cut, or whose host was released meanwhile.
  private func leaveEarly() {
    if isClosing {
      existingInterpreter?.close()
      mainActorWork?.handOn()
      move(to: .closed)
    } else {
      following = .idle
      move(to: .paused)
      interpreter.mailbox.postToLaterTurn(.run { _ in })
    }
  }

  /// Whether the host was released.
  private var isClosing: Bool { following == .closed }

  /// Whether a loop without end was cut.
  var isCut: Bool { following == .paused }

  /// Queues what is sent from now on, if a closure observes on the main actor, until that closure
  /// has returned. Changes do not wake the closure before.
  func holdBackWhileObserving() {
    guard mainActorWork != nil, phase == .idle, ObserveToken.isRunning else { return }
    move(to: .heldBack)
    ObserveToken.afterwards?.append { [self] in
      guard phase == .heldBack else { return }
      move(to: .idle)
      drain {}
    }
  }

  // MARK: Sending

  /// Queues an action, and drains the queue unless that is being done further up the stack.
  ///
  /// - Returns: The root of everything that the action has started; `nil` when nothing is in
  ///   flight.
  func send(_ action: Action, _ call: Transaction) -> RootFrame? {
    let ambient = Transaction.current
    let isTagged = !ambient.isEmpty || !call.isEmpty
    let transaction = isTagged ? HeldTransaction(ambient.merging(call)) : HeldTransaction()
    guard phase == .idle else { return enqueue(action, transaction) }
    if let existingInterpreter, existingInterpreter.hasMessagesThatWait {
      let root = enqueue(action, transaction)
      drain(after: existingInterpreter.readMessages)
      return root
    }
    guard isTagged else { return begin(action, transaction) }
    // The code around this call holds the completions of the ambient transaction in the same way.
    return call.whileHoldingCompletions {
      withAmbientTransaction(Transaction()) { begin(action, transaction) }
    }
  }

  /// Queues an action that is sent while another one is handled, behind the messages that wait. It has a
  /// root of its own.
  private func enqueue(_ action: Action, _ transaction: HeldTransaction) -> RootFrame? {
    guard !isClosing else { return nil }
    // It counts one child from the beginning: the action in the queue.
    let root = RootFrame(action: action, transaction, interpreter)
    let origin = recorder == nil ? nil : ActionOrigin(nil, interpreter.journal?.didQueue())
    let envelope = Envelope(
      action: SendNode(action), transaction: transaction, root: root, origin: origin)
    if interpreter.hasMessagesThatWait {
      interpreter.readBehindOthers(.run { [self] _ in queue.append(envelope) })
    } else {
      queue.append(envelope)
    }
    return root
  }

  /// Handles an action in a drain of its own, with all actions that follow from it at once.
  private func begin(_ action: Action, _ transaction: HeldTransaction) -> RootFrame? {
    enter()
    handle(action, transaction, root: nil, origin: nil)
    if !queue.isEmpty { drainQueue() }
    var root: RootFrame?
    // Without an interpreter there are no messages, and no root, unless a loop was cut.
    if existingInterpreter != nil || isCut {
      readWhatMustBeRead()
      if isCut { keepRoot(of: action, transaction) }
      root = closeOutermostRoot()
    }
    if hasDraft || hasWokenObservers { showCommits() }
    leave()
    if let existingInterpreter { finishTurn(existingInterpreter) }
    return root
  }

  /// Lets the root of the outermost `send` end. The drain has kept it open, so that it could not end
  /// before everything was queued.
  private func closeOutermostRoot() -> RootFrame? {
    guard let root = outermostRoot.take() else { return nil }
    interpreter.finishChild(of: root)
    return root
  }

  /// Keeps the root of the outermost `send` open for its actions that a cut has left in the queue.
  private func keepRoot(of action: Action, _ transaction: HeldTransaction) {
    var left = Queue<Envelope>()
    while var envelope = queue.removeFirst() {
      if envelope.root == nil {
        let root = outermostRoot ?? RootFrame(action: action, transaction, interpreter)
        outermostRoot = root
        root.expectChild()
        envelope.root = root
      }
      left.append(envelope)
    }
    queue = left
  }

  /// Starts the effect of an action again. See ``HostedMachine/restart(_:in:)``.
  func restart(_ action: Action, in state: State) {
    drain {
      var copy = state
      let effect = dependencies.overridingCurrent { reduce(&copy, action) }
      guard let node = effect.node, !node.isSend, node.asCancel == nil else { return }
      let root = RootFrame(action: action, HeldTransaction(), interpreter)
      // The root has to live while the effect is started.
      root.expectChild()
      recorder?.willStart(under: root)
      let takeRequest = exchange(&interpreter.takeRequest, with: { _ in })
      restartingRoot = root
      interpreter.run(node, under: root)
      restartingRoot = nil
      interpreter.takeRequest = takeRequest
      interpreter.finishChild(of: root)
    }
  }

  // MARK: Receiving

  func receive(_ emission: Emission, _ root: RootFrame) {
    // Operators keep the types right on the way up; see `Effect.modified`.
    let action = emission.value as! Action
    receive(SendNode(action), emission.resolvedTransaction, root)
  }

  func receive(_ answer: EffectNode, _ transaction: HeldTransaction, _ root: RootFrame) {
    guard root !== restartingRoot, !isClosing else { return }
    root.expectChild()
    let origin =
      recorder == nil
      ? nil : ActionOrigin(interpreter.emitter, interpreter.journal?.didArrive())
    queue.append(
      Envelope(action: answer, transaction: transaction, root: root, origin: origin))
  }

  func didEnd(_ root: RootFrame) {}

  // MARK: Draining

  /// Makes a change that is not part of one in progress, and handles everything that follows.
  ///
  /// The code inside does not see the ambient transaction, because the tag of an action is in its
  /// envelope. It does not see the dependencies in force around it either: they belong to the
  /// effect that sends.
  func drain(after change: () -> Void) {
    guard phase != .closed else { return }
    assert(!isBusy, "The machine is changed from inside of its own turn.")
    enter()
    DependencyValues.whileNoneIsInForce {
      withAmbientTransaction(Transaction()) {
        change()
        settle()
        showCommits()
      }
    }
    leave()
    if let existingInterpreter { finishTurn(existingInterpreter) }
  }

  /// Handles what is in the queue, and the messages that the drain has to read.
  private func settle() {
    drainQueue()
    readWhatMustBeRead()
  }

  private func readWhatMustBeRead() {
    while !isCut, let existingInterpreter, existingInterpreter.mustRead {
      existingInterpreter.readMessages()
    }
  }

  /// Lets those go on who wait for what has ended, and runs the closures of effects that the turn has
  /// started, where they run on this isolation.
  @inline(__always)
  private func finishTurn(_ interpreter: Interpreter) {
    if !hasDraft { interpreter.showEnds() }
    if interpreter.mustRunTasks { interpreter.runTasks(isOnMainActor: mainActorWork != nil) }
  }

  /// Handles the actions that have been queued, unless a loop without end was cut.
  func drainQueue() {
    if count.hasActions { count.beginActions() }
    while !isCut, let envelope = queue.removeFirst() {
      let action = unsafeDowncast(envelope.action, to: SendNode<Action>.self).output
      handle(action, envelope.transaction, root: envelope.root, origin: envelope.origin)
      if let root = envelope.root { interpreter.finishChild(of: root) }
      if count.countAction(), count.note(action), !queue.isEmpty { cut() }
    }
  }

  /// Shows the last commit of the drain, handles what observers have sent meanwhile, and so on.
  private func showCommits() {
    // After a cut, one last commit shows the actions that were handled before it.
    if isCut, hasDraft { return commit() }
    while !isCut, hasDraft || hasWokenObservers {
      commit()
      settle()
      if count.countRound() {
        // A machine whose host was released meanwhile stays closing, and ends here, too.
        return cut()
      }
    }
  }

  /// Ends a loop without end: the rest of the queue waits for the next turn, or is dropped where a
  /// test could never end otherwise.
  private func cut() {
    if !isClosing { following = .paused }
    let drops = dropsLoops
    count.report(drops: drops, at: position)
    guard drops else { return }
    while let envelope = queue.removeFirst() {
      if let root = envelope.root { interpreter.finishChild(of: root) }
    }
  }

  /// Handles one action: notes it for the next commit, runs the reducer, starts the effect, and ends
  /// the effects of children that the action has removed.
  ///
  /// - Parameters:
  ///   - root: See ``Envelope/root``.
  ///   - origin: See ``Envelope/origin``.
  private func handle(
    _ action: Action, _ transaction: HeldTransaction, root: RootFrame?, origin: ActionOrigin?
  ) {
    if hasDraft || isTracked || isSubscribed || hasWokenObservers {
      addToDraft(action, transaction)
      // An observer may have released the store.
      guard !isClosing else { return }
    }
    let effect = reduce(action, transaction, root, origin)
    if hasWokenObservers { draft.transaction = transaction }
    if let node = effect.node { start(node, of: action, transaction, root) }
    if let existingInterpreter { endMissingChildren(existingInterpreter) }
  }

  /// Starts the effect that an action has returned.
  private func start(
    _ node: EffectNode, of action: Action, _ transaction: HeldTransaction, _ root: RootFrame?
  ) {
    // An action that a cancelled root has queued is handled, but its effects are not started.
    guard !isClosing, (root ?? outermostRoot)?.mayStartEffects ?? true else { return }
    if node.isSend {
      root?.expectChild()
      let origin = recorder == nil ? nil : ActionOrigin(nil, interpreter.journal?.didReturnSend())
      queue.append(Envelope(action: node, transaction: transaction, root: root, origin: origin))
    } else if let cancel = node.asCancel {
      interpreter.step { interpreter.cancel(cancel, nil) }
    } else {
      let parent = makeActionFrame(action, transaction, root)
      recorder?.willStart(under: parent)
      interpreter.run(node, under: parent)
    }
  }

  /// The frame for the effects of an action. The effects of the outermost `send` have its root for it.
  private func makeActionFrame(
    _ action: Action, _ transaction: HeldTransaction, _ root: RootFrame?
  ) -> ActionFrame {
    if let root = root ?? outermostRoot {
      root.expectChild()
      return ActionFrame(action, transaction, under: root)
    }
    let root = RootFrame(action: action, transaction, interpreter)
    // The drain keeps it open until it ends.
    root.expectChild()
    outermostRoot = root
    return root
  }

  private func endMissingChildren(_ interpreter: Interpreter) {
    guard let features = interpreter.features, !features.isEmpty else { return }
    interpreter.whileEndingChildren {
      features.endMissing(in: UnsafeMutableRawPointer(statePointer), interpreter)
    }
  }

  // MARK: Reducing

  /// Runs the reducer in its phase. Keeps the state before for readers, tells the recorder, and wakes observers
  /// where another state has replaced one that is observed field by field.
  @inline(__always)
  private func reduce(
    _ action: Action, _ transaction: HeldTransaction, _ root: RootFrame?, _ origin: ActionOrigin?
  ) -> Effect<Action> {
    let id = identity?(address)
    let keepsStateBefore = keepsStateBefore
    if keepsStateBefore { keepStateBefore() }
    move(to: .reducing)
    mainActorWork?.willReduce()
    let effect =
      if let recorder {
        recorder.record(action, transaction.value, root, origin, address) {
          reduceState(action)
        }
      } else {
        reduceState(action)
      }
    mainActorWork?.didReduce()
    move(to: .settling)
    if keepsStateBefore { forgetStateBefore() }
    if let id, identity!(address) != id { didChange?() }
    return effect
  }

  @inline(__always)
  private func reduceState(_ action: Action) -> Effect<Action> {
    guard hasDependencies else { return reduce(&statePointer.pointee, action) }
    return dependencies.overridingCurrent { reduce(&statePointer.pointee, action) }
  }

  private func keepStateBefore() {
    let copy = UnsafeMutablePointer<State>.allocate(capacity: 1)
    copy.initialize(to: statePointer.pointee)
    stateBefore = copy
  }

  private func forgetStateBefore() {
    guard let copy = stateBefore.take() else { return }
    copy.deinitialize(count: 1)
    copy.deallocate()
  }

  // MARK: Commits

  private var hasWokenObservers: Bool { mainActorWork?.hasWokenObservers ?? false }

  /// Puts an action into the draft of the next commit. A draft with another transaction is shown
  /// before.
  private func addToDraft(_ action: Action, _ transaction: HeldTransaction) {
    if hasDraft || hasWokenObservers, draft.transaction != transaction { commit() }
    while hasWokenObservers, draft.transaction != transaction {
      commit()
      // Closures that wake one another without end go on in the commit of this action.
      if count.countRound() {
        cut()
        break
      }
    }
    guard hasDraft || isTracked || isSubscribed else { return }
    if !hasDraft {
      hasDraft = true
      draft.begin(address, transaction)
    }
    draft.keep(action)
  }

  /// Shows the draft, and runs the closures that have been woken.
  private func commit() {
    move(to: .delivering)
    deliverDraft()
    if let mainActorWork, mainActorWork.hasWokenObservers {
      exchange(&mainActorWork.woken, with: WokenObservers()).run(draft.transaction)
    }
    // Observers now hold the completions of what they show.
    if !draft.transaction.isEmpty { draft.transaction = HeldTransaction() }
    move(to: .settling)
  }

  /// Hands the draft to subscribers, as a commit.
  private func deliverDraft() {
    guard hasDraft else { return }
    hasDraft = false
    let hasChanges = !draft.isEqual(to: address, areEqual)
    // Taken out of the draft first: an object in the old state may use the store when it is released.
    if isSubscribed { showDraft(hasChanges: hasChanges) } else { _ = draft.finish() }
    if hasChanges, isTracked {
      isTracked = false
      didChange?()
    }
  }

  /// Shows the draft to the subscribers.
  private func showDraft(hasChanges: Bool) {
    let actions = draft.takeActions()
    let transaction = draft.transaction.value
    let oldState = draft.finish()
    // A copy: subscribers may come and go while they are called.
    let subscribers = subscribers
    subscribers.deliver(
      Commit(
        oldState: oldState, newState: state, actions: actions, transaction: transaction,
        hasChanges: hasChanges))
  }

  /// Calls a closure with every commit from now on.
  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    isSubscribed = true
    return subscribers.add(receive)
  }

  func unsubscribe(_ id: UInt64) {
    let removed = subscribers.remove(id)
    isSubscribed = !subscribers.isEmpty
    withExtendedLifetime(removed) {}
  }

  // MARK: Checking

  /// Stops with a message where the machine, or what it holds, contradicts itself.
  func checkInvariants() {
    precondition(phase != .idle || queue.isEmpty, "A machine is idle with actions in its queue.")
    precondition(phase != .idle || outermostRoot == nil, "A machine is idle with an open root.")
    precondition(phase == .reducing || stateBefore == nil, "A copy of the state has been left.")
    precondition(isSubscribed == !subscribers.isEmpty, "The flag of subscribers is wrong.")
    precondition(hasDependencies == !dependencies.isEmpty, "The flag of dependencies is wrong.")
    precondition(hasDraft == draft.isOpen, "The flag of the draft is wrong.")
    existingInterpreter?.checkInvariants()
  }
}

extension Machine {
  /// The interpreter of the machine's effects. It is made when it is first needed: by an effect, by a
  /// subscription, or by an action in the queue.
  var interpreter: Interpreter {
    if let existingInterpreter { return existingInterpreter }
    let interpreter = Interpreter(host: self, isolation: isolation ?? owner!.makeIsolation())
    interpreter.execution = execution
    existingInterpreter = interpreter
    return interpreter
  }

  /// Ends the machine, on its own isolation, because the host is gone. It may be called anywhere,
  /// since a host may be released anywhere.
  ///
  /// A machine without an interpreter has nothing in flight, and nobody else can reach it. It needs no
  /// end.
  func hostWasReleased() {
    guard let existingInterpreter else { return }
    let machine = Unchecked(self)
    existingInterpreter.mailbox.isolation.runLast { machine.value.close() }
  }

  /// Cancels everything in flight, and accepts nothing any more.
  private func close() {
    guard phase != .closed else { return }
    following = .closed
    while queue.removeFirst() != nil {}
    existingInterpreter?.close()
    let released = (exchange(&subscribers, with: Subscribers()), didChange.take())
    isSubscribed = false
    isTracked = false
    withExtendedLifetime(released) {}
    switch phase {
    case .idle, .heldBack, .paused:
      mainActorWork?.handOn()
      move(to: .closed)
    case .reducing, .settling, .delivering, .closed: break
    }
  }
}

/// An actor that owns a machine, and the isolation of both.
protocol MachineOwner: AnyObject {
  func makeIsolation() -> any HostIsolation
}

/// The phases of a machine. A machine is in one of them at any time.
///
/// ```text
///   heldBack ◀──▶ idle ◀──▶ settling ◀──▶ reducing
///                        ▲     ▲
///                        ▼     ▼
///                   paused     delivering
/// ```
///
/// From `idle`, `heldBack`, `settling` and `paused` a machine may become `closed`, for good.
enum Phase: UInt8 {
  /// Nothing is in progress: the next action or message begins a drain.
  case idle

  /// A closure that observes is running, and an action or a message has come. Actions are queued until
  /// the closure returns.
  case heldBack

  /// A reducer is changing the state. What it sends is queued.
  case reducing

  /// Effects are being started and ended, between two reductions. What they answer is queued.
  case settling

  /// A commit is being shown to subscribers and to closures that observe. What they send is queued.
  case delivering

  /// A loop without end was cut. The actions that are left wait for the next turn of the isolation.
  case paused

  /// The host was released. Nothing is accepted any more.
  case closed

  /// Whether a machine may go from this phase to another one.
  func canBecome(_ next: Phase) -> Bool {
    switch (self, next) {
    case (.idle, .settling), (.settling, .idle): true
    case (.idle, .heldBack), (.heldBack, .idle): true
    case (.settling, .reducing), (.reducing, .settling): true
    case (.settling, .delivering), (.delivering, .settling): true
    case (.settling, .paused), (.paused, .settling): true
    case (.idle, .closed), (.heldBack, .closed), (.settling, .closed), (.paused, .closed): true
    default: false
    }
  }
}

/// An action with its transaction and its origin. Every queue holds envelopes, so that a tag
/// neither gets lost nor reaches another action.
///
/// The action stays in the box that it was sent in, which costs a machine less than moving it: a
/// machine is generic code, and code that is not generic handles its envelopes.
struct Envelope {
  /// A ``SendNode`` of the machine's action type.
  let action: EffectNode
  let transaction: HeldTransaction

  /// The root that the effects of the action belong to; `nil` is the outermost `send` in progress,
  /// whose root is made when it is first needed.
  var root: RootFrame?

  /// The effect that has answered; kept only for a machine with a ``Recorder``.
  var origin: ActionOrigin?
}
