// The turns of a machine: the queue of actions, the messages that have arrived, the bounds of loops.

import RondoAnimation
import RondoScheduling

/// A state machine, without its state: that is in the ``Cell`` that inherits from it.
///
/// The machine is synchronous, and is used on one isolation. Effects that use other threads or actors
/// send messages to its ``Mailbox``.
///
/// A **drain** begins with an action from outside, or with messages that have arrived, and handles
/// actions in the order in which they were queued until none is left. See ``Phase``.
///
/// It is not generic, because access to a property of a generic type costs a look-up.
package class Machine {
  /// The turn in progress, or what is left of the last one.
  // Unchecked: no access to a part of it lasts while code runs that could access that part again, and
  // the checks would cost every action time.
  @exclusivity(unchecked) final var turn: Turn

  /// Whether the rest of a loop without end is dropped, because a test could never end otherwise.
  final private let dropsLoops: Bool

  /// The place where the host was made, for messages.
  package final let position: SourcePosition?

  /// The reporters in force where the machine was made, if any were set. They are in force for what nobody has sent
  /// whose task could say more: for the closures and the loops that a message leads to.
  final let reporters = IssueReporters.override

  // MARK: Effects

  /// The isolation that the machine lives on; `nil` where that is an actor's.
  final private let isolation: (any HostIsolation)?
  /// The actor that the machine lives on. Its isolation is made when it is first needed: most actors
  /// need none.
  final private unowned var actor: (any Actor)?
  final private var home: HostActor?
  final private(set) var existingInterpreter: Interpreter?

  #if DEBUG
    /// Measures the closures of effects; `nil` where that is not wanted.
    final let closureTime: WorkTime?
  #endif

  // MARK: Observing

  /// The entry among the machines that are at work on the main actor, for a machine that lives
  /// there.
  final let mainActorWork: MainActorWork?
  /// Set on a thread while a machine with effects is at work there that does not live on the main actor.
  static var atWork: ThreadLocal<UInt> { ThreadLocal(\.machineAtWork) }
  /// Whether this machine has set it, and no other one further up the stack.
  final private var marksThread = false

  /// Called when a state has changed while ``Turn/isTracked``, or when another state has replaced one
  /// that is observed field by field.
  final var didChange: (() -> Void)?

  /// - Parameters:
  ///   - isolation: The isolation that the machine lives on; `nil` where ``setActor(_:_:)`` follows.
  ///   - position: The place where the host was made, for messages.
  ///   - limit: The bounds of one turn.
  ///   - dropsLoops: Whether the rest of a loop without end is dropped.
  ///   - isOnMainActor: Whether it lives on the main actor, where its state may be observed.
  ///   - home: The words for where it lives, if closures that hold that up are reported.
  init(
    isolation: (any HostIsolation)?, position: SourcePosition?, limit: LoopLimit, dropsLoops: Bool,
    isOnMainActor: Bool, home: String? = nil
  ) {
    turn = Turn(LoopCount(limit))
    self.isolation = isolation
    self.position = position
    self.dropsLoops = dropsLoops
    mainActorWork = isOnMainActor ? MainActorWork() : nil
    #if DEBUG
      closureTime =
        home == nil ? nil : WorkTime(DependencyValues.current.effectTimeLimit, of: home)
    #endif
  }

  deinit {
    assert(
      existingInterpreter == nil || turn.phase == .closed, "A machine is released while it lives.")
  }

  /// Sets the actor that the machine lives on, which owns the machine, and the one whose executor it has.
  final func setActor(_ actor: any Actor, _ home: HostActor) {
    self.actor = actor
    self.home = home
  }

  /// The interpreter of the machine's effects. It is made when it is first needed: by an effect, by a
  /// subscription, or by an action in the queue.
  final var interpreter: Interpreter {
    @inline(__always) get { existingInterpreter ?? makeInterpreter() }
  }

  @inline(never)
  final private func makeInterpreter() -> Interpreter {
    let interpreter = Interpreter(
      machine: self, isolation: isolation ?? ActorIsolation(actor!, home!))
    existingInterpreter = interpreter
    if isBusy { markThread() }
    return interpreter
  }

  // MARK: What the cell does

  /// Handles one action of the queue: reduces it, and starts its effect.
  func handle(_ envelope: Envelope) {
    preconditionFailure("\(type(of: self)) handles no actions.")
  }

  /// Calls a closure with the state and its type, to be read; not where there is no state.
  func lendState(_ body: (UnsafeMutableRawPointer, Any.Type) -> Void) {}

  /// Shows the draft of a commit to subscribers. There is one.
  func deliverDraft() {}

  /// Tells those who record that effects are about to be started under a frame.
  func willStartEffects(under parent: ActionFrame) {}

  /// Called when everything that a root has started has ended without being cancelled.
  func didEnd(_ root: RootFrame) {}

  /// Removes a subscriber.
  func unsubscribe(_ id: UInt64) {}

  /// Releases those who observe, because the host is gone.
  func releaseObservers() {}

  // MARK: Phases

  final func move(to next: Phase) {
    assert(turn.phase.canBecome(next), "A machine that is \(turn.phase) cannot become \(next).")
    turn.phase = next
  }

  final private var isBusy: Bool {
    switch turn.phase {
    case .idle, .paused, .closed: false
    case .heldBack, .reducing, .settling, .delivering: true
    }
  }

  /// Returns whether a message that is read now is part of a change in progress further up the stack.
  ///
  /// A closure that observes on the main actor counts as a change in progress from the first message on:
  /// what arrives is queued until the closure has returned.
  final private func joinsWorkInProgress() -> Bool {
    holdBackWhileObserving()
    return isBusy
  }

  /// Whether the closures of effects may begin now: not inside of the work of a reducer, of an observer, or of
  /// another machine.
  final var mayBeginClosures: Bool {
    guard turn.phase == .settling,
      mainActorWork != nil || marksThread || Self.atWork.current == 0
    else { return false }
    guard mainActorWork != nil || isOnMainQueue() else { return true }
    guard !ObserveToken.isRunning, MainActorWork.innermost === mainActorWork else { return false }
    return mainActorWork?.isOutermost ?? true
  }

  /// Begins a drain.
  @inline(__always)
  final private func enter() {
    move(to: .settling)
    if let mainActorWork {
      mainActorWork.enter()
    } else if existingInterpreter != nil {
      // Without an interpreter there is no effect that could begin inside of others.
      markThread()
    }
  }

  /// Lets other machines know that this one is at work on the thread.
  final private func markThread() {
    guard mainActorWork == nil, Self.atWork.current == 0 else { return }
    marksThread = true
    Self.atWork.current = 1
  }

  /// Ends a drain.
  @inline(__always)
  final private func leave() {
    mainActorWork?.leave()
    if marksThread {
      marksThread = false
      Self.atWork.current = 0
    }
    if turn.cause.isOfMessage { turn.cause.isOfMessage = false }
    if turn.count.isUsed { turn.count.begin(goesOn: isCut) }
    if turn.following == .idle { move(to: .idle) } else { leaveEarly() }
    // Those go on who wait for what has ended.
    if let existingInterpreter, !hasDraft { existingInterpreter.showEnds() }
  }

  /// Ends a drain that was cut, or whose host was released meanwhile.
  final private func leaveEarly() {
    if isClosing {
      existingInterpreter?.close()
      mainActorWork?.handOn()
      move(to: .closed)
    } else {
      turn.following = .idle
      move(to: .paused)
      interpreter.mailbox.postToLaterTurn(.run { _ in })
    }
  }

  /// Whether the host was released.
  final var isClosing: Bool { turn.following == .closed }

  /// Whether a loop without end was cut.
  final private var isCut: Bool { turn.following == .paused }

  /// Queues what is sent from now on, if a closure observes on the main actor, until that closure
  /// has returned. Changes do not wake the closure before.
  final func holdBackWhileObserving() {
    guard mainActorWork != nil, turn.phase == .idle, ObserveToken.isRunning else { return }
    move(to: .heldBack)
    ObserveToken.afterwards?.append { [self] in
      guard turn.phase == .heldBack else { return }
      move(to: .idle)
      drain {}
    }
  }

  // MARK: Sending

  /// Whether what comes now, on the isolation of the machine, is put behind the messages that wait.
  ///
  /// Whatever comes later is handled later. Only the closure of an effect that begins passes others, since what it sends is
  /// where the answer of a `.send` in its place would be. It passes no message of its own, posted on another thread, no
  /// cancellation by an id, and nothing that the thread of the machine has put behind others.
  ///
  /// - Parameter sender: The effect whose closure sends it, or calls the code that does.
  final func comesBehindOthers(from sender: SourceFrame? = nil) -> Bool {
    guard let interpreter = existingInterpreter else { return false }
    let mailbox = interpreter.mailbox
    guard !turn.arrived.isEmpty || !mailbox.isEmpty else { return false }
    guard let sender, sender === interpreter.stack.beginning else { return true }
    return turn.mustRead || mailbox.hasCancellations || sender.hasMessagesThatWait
  }

  /// Queues an action that is sent while another one is handled. It has a root of its own. Code that an effect calls
  /// while its closure begins sends in order with that closure.
  ///
  /// - Parameter action: A ``SendNode`` of the machine's action type.
  final func enqueue(_ action: EffectNode, _ transaction: HeldTransaction) -> RootFrame? {
    guard !isClosing else { return nil }
    let interpreter = interpreter
    // It counts one child from the beginning: the action in the turn.queue.
    let root = RootFrame(action: action.erasedOutput, transaction, interpreter)
    let origin = interpreter.journal.flatMap { ActionOrigin(nil, $0.didQueue()) }
    let envelope = Envelope(
      action: action, transaction: transaction,
      cause: Turn.Cause(floodDepth: turn.cause.floodDepth),
      root: root, origin: origin)
    if comesBehindOthers(from: interpreter.stack.beginning) {
      readBehindOthers(.run { [self] _ in if !isClosing { turn.queue.append(envelope) } })
    } else {
      turn.queue.append(envelope)
    }
    return root
  }

  /// Queues an action behind the messages that wait, and handles all of them.
  final func sendBehindOthers(_ action: EffectNode, _ transaction: HeldTransaction) -> RootFrame? {
    let root = enqueue(action, transaction)
    drain(after: readMessages)
    return root
  }

  /// Handles an action from outside in a drain of its own, with all actions that follow from it at once.
  ///
  /// - Parameters:
  ///   - handle: Handles the action.
  ///   - action: The action, for the root of what it has started.
  @inline(__always)
  final func begin(
    _ transaction: HeldTransaction, _ handle: () -> Void, action: () -> Any
  ) -> RootFrame? {
    enter()
    handle()
    // Most actions lead to nothing else.
    let isSettled = turn.queue.isEmpty && existingInterpreter == nil && !isCut
    let root = isSettled ? nil : settleOutermost(transaction, action)
    if hasDraft || hasWokenObservers { showCommits() }
    leave()
    return root
  }

  final private func settleOutermost(
    _ transaction: HeldTransaction, _ action: () -> Any
  ) -> RootFrame? {
    if !turn.queue.isEmpty { drainQueue() }
    var root: RootFrame?
    // Without an interpreter there are no messages, and no root, unless a loop was cut.
    if existingInterpreter != nil || isCut {
      readWhatMustBeRead()
      if isCut { keepRoot(of: action(), transaction) }
      root = closeOutermostRoot()
    }
    return root
  }

  /// Lets the root of the outermost `send` end. The drain has kept it open, so that it could not end
  /// before everything was queued.
  final private func closeOutermostRoot() -> RootFrame? {
    guard let root = turn.outermostRoot.take() else { return nil }
    interpreter.finishChild(of: root)
    return root
  }

  /// Keeps the root of the outermost `send` open for its actions that a cut has left in the queue.
  final private func keepRoot(of action: Any, _ transaction: HeldTransaction) {
    var left = Queue<Envelope>()
    while var envelope = turn.queue.removeFirst() {
      if envelope.root == nil, envelope.action.isSend {
        let root = turn.outermostRoot ?? RootFrame(action: action, transaction, interpreter)
        turn.outermostRoot = root
        root.expectChild()
        envelope.root = root
      }
      left.append(envelope)
    }
    turn.queue = left
  }

  // MARK: Receiving

  /// Takes an answer of an effect: a ``SendNode`` of the machine's action type.
  final func receive(_ answer: EffectNode, _ transaction: HeldTransaction, _ root: RootFrame) {
    guard root !== turn.restartingRoot, !isClosing else { return }
    root.expectChild()
    let interpreter = interpreter
    interpreter.sendingChild?.expectChild()
    let origin = interpreter.recorder.flatMap { ActionOrigin($0.emitter, $0.journal?.didArrive()) }
    var cause = turn.cause
    if let beginning = interpreter.stack.beginning {
      cause.isOfMessage = true
      // In a loop that fans out, what a closure sends has no end.
      if beginning.flood.hasBegun, cause.floodDepth <= 1 {
        cause.floodDepth += 1
        turn.count.allowAnother()
      }
    } else {
      // Nor has in a loop what an action sends.
      cause = cause.ofAnswer
      if turn.cause.hasAnswered, turn.cause.mayFanOut {
        cause.floodDepth = 2
        turn.count.allowAnother()
      }
      turn.cause.hasAnswered = true
    }
    let envelope = Envelope(
      action: answer, transaction: transaction, cause: cause, root: root, origin: origin,
      child: interpreter.sendingChild)
    turn.queue.append(envelope)
  }

  /// Puts a change in the queue, behind the actions and the changes that are there; where there are none, does nothing.
  ///
  /// - Returns: Whether there are any.
  final func changeBehindQueue(_ change: @escaping (Interpreter) -> Void) -> Bool {
    guard !turn.queue.isEmpty, !isClosing else { return false }
    let change = ChangeNode(change)
    turn.newChanges.append(change)
    turn.queue.append(
      Envelope(action: change, transaction: HeldTransaction(), cause: Turn.Cause()))
    return true
  }

  /// Takes an answer that has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame) {
    preconditionFailure("\(type(of: self)) takes no answers.")
  }

  /// Reads a message that was posted on the machine's own isolation, behind those that were posted
  /// before it. While the machine is busy, the message is part of the work in progress.
  final func read(_ message: Message) {
    if joinsWorkInProgress() {
      let interpreter = interpreter
      if comesBehindOthers(from: message.sender) {
        interpreter.countBehindOthers(message)
        readBehindOthers(message)
      } else {
        interpreter.handleAtOnce(message)
      }
    } else {
      drain {
        turn.cause.isOfMessage = true
        readMessages()
        interpreter.handle(message)
        drainQueue()
      }
    }
  }

  /// Reads all messages that have arrived. A main loop that runs inside a change reads them as part of
  /// that change, when what is in the queue has been handled.
  final func readAll() {
    if joinsWorkInProgress() {
      turn.mustRead = true
    } else {
      drain(after: readMessages)
    }
  }

  /// Puts a message behind those that wait. All of them are read before the drain in progress ends.
  final private func readBehindOthers(_ message: Message) {
    interpreter.mailbox.postLater(message)
    turn.mustRead = true
  }

  /// Reads the messages that have arrived, and settles each before the next: an effect that the action
  /// of one message cancels has nothing more to say in the next.
  final private func readMessages() {
    let interpreter = interpreter
    let isOfMessage = exchange(&turn.cause.isOfMessage, with: true)
    defer { turn.cause.isOfMessage = isOfMessage }
    repeat {
      turn.mustRead = false
      readArrived(interpreter)
      guard let messages = interpreter.mailbox.take() else { continue }
      turn.arrived = messages
      readArrived(interpreter)
      interpreter.mailbox.reuse(exchange(&turn.arrived, with: Queue()))
    } while turn.mustRead && !isCut
  }

  final private func readArrived(_ interpreter: Interpreter) {
    while let message = turn.arrived.removeFirst() {
      interpreter.mailbox.noteRead(message)
      interpreter.handle(message)
      drainQueue()
    }
  }

  final private func readWhatMustBeRead() {
    while !isCut, turn.mustRead { readMessages() }
  }

  // MARK: Draining

  /// Makes a change that is not part of one in progress, and handles everything that follows.
  ///
  /// The code inside does not see the ambient transaction, because the tag of an action is in its
  /// envelope. It does not see the dependencies in force around it either, nor the effect whose task it
  /// runs in: they belong to the effect that sends.
  final func drain(after change: () -> Void) {
    guard turn.phase != .closed else { return }
    assert(!isBusy, "The machine is changed from inside of its own turn.")
    enter()
    whileNothingIsInForce {
      change()
      settle()
      showCommits()
    }
    leave()
  }

  /// Handles what is in the queue, and the messages that the drain has to read.
  final private func settle() {
    drainQueue()
    readWhatMustBeRead()
  }

  /// Handles the actions that have been queued, unless a loop without end was cut.
  final private func drainQueue() {
    let isOfMessage = turn.cause.isOfMessage
    while !isCut, let envelope = turn.queue.removeFirst() {
      if !turn.newChanges.isEmpty { noteEffects() }
      if let change = envelope.action.asChange {
        make(change)
        continue
      }
      turn.cause = envelope.cause
      if isOfMessage { turn.cause.isOfMessage = true }
      if let child = envelope.child {
        if takeAnswer(of: child) { handle(envelope) }
      } else {
        handle(envelope)
      }
      if let root = envelope.root { interpreter.finishChild(of: root) }
      if turn.count.countAction(), turn.count.note(envelope.action.erasedOutput),
        !turn.queue.isEmpty
      {
        cut()
      }
    }
    turn.cause = Turn.Cause(isOfMessage: isOfMessage)
    // The count begins anew for the next actions.
    if turn.count.hasActions, !isCut { turn.count.beginActions() }
  }

  /// Notes which effects there are when what changes wait for begins to be handled. The changes spare these: they were
  /// started beside the closure that has asked, or behind it.
  final private func noteEffects() {
    for change in turn.newChanges { change.spared = interpreter.registry.lastSerial }
    turn.newChanges.removeAll()
  }

  /// Makes a change that has waited in the queue.
  final private func make(_ change: ChangeNode) {
    let interpreter = interpreter
    interpreter.step {
      interpreter.whileSparing(upTo: change.spared) { change.change(interpreter) }
    }
  }

  /// Counts an answer of a child as no longer in the queue. Returns whether the child is still there.
  final private func takeAnswer(of child: Frame) -> Bool {
    interpreter.step { interpreter.finishChild(of: child) }
    return !child.hasGoneWithChild
  }

  /// Shows the last commit of the drain, handles what observers have sent meanwhile, and so on.
  final private func showCommits() {
    // The state so far is shown before the rest of a loop that was cut.
    if isCut, hasDraft { return commit() }
    while !isCut, hasDraft || hasWokenObservers {
      commit()
      settle()
      if turn.count.countRound() {
        // A machine whose host was released meanwhile stays closing, and ends here, too.
        return cut()
      }
    }
  }

  /// Ends a loop without end, or a turn that takes too long: the rest of the queue waits for the next turn, or is
  /// dropped where a test could never end otherwise.
  final private func cut() {
    // In a test, what has an end comes to it.
    if dropsLoops, turn.count.goOnIfFlood() { return }
    if !isClosing { turn.following = .paused }
    if !turn.count.takeFlood() || dropsLoops {
      withIssueReporters(IssueReporters.override ?? reporters ?? IssueReporters.current) {
        turn.count.report(drops: dropsLoops, at: position)
      }
    }
    guard dropsLoops else { return }
    while let envelope = turn.queue.removeFirst() {
      if let child = envelope.child { _ = takeAnswer(of: child) }
      if let root = envelope.root { interpreter.finishChild(of: root) }
    }
    turn.newChanges = []
  }

  // MARK: Effects of an action

  /// Starts the effect that an action has returned.
  ///
  /// - Parameter action: The action, for the frames of its effects.
  final func start(
    _ node: EffectNode, _ transaction: HeldTransaction, _ root: RootFrame?, action: () -> Any
  ) {
    // An action that a cancelled root has queued is handled, but its effects are not started.
    guard !isClosing, (root ?? turn.outermostRoot)?.mayStartEffects ?? true else { return }
    if node.isSend {
      root?.expectChild()
      let origin = existingInterpreter?.journal.flatMap { ActionOrigin(nil, $0.didReturnSend()) }
      let envelope = Envelope(
        action: node, transaction: transaction, cause: turn.cause.ofAnswer, root: root,
        origin: origin)
      turn.queue.append(envelope)
    } else if let cancel = node.asCancel {
      interpreter.step { interpreter.cancel(cancel, nil) }
    } else {
      let parent = makeActionFrame(action, transaction, root)
      if interpreter.recorder != nil { willStartEffects(under: parent) }
      interpreter.run(node, under: parent)
    }
  }

  /// The frame for the effects of an action. The effects of the outermost `send` have its root for it.
  final private func makeActionFrame(
    _ action: () -> Any, _ transaction: HeldTransaction, _ root: RootFrame?
  ) -> ActionFrame {
    if let root = root ?? turn.outermostRoot {
      root.expectChild()
      return ActionFrame(action(), transaction, under: root)
    }
    let root = RootFrame(action: action(), transaction, interpreter)
    // The drain keeps it open until it ends.
    root.expectChild()
    turn.outermostRoot = root
    return root
  }

  /// Starts an effect of an action that was handled before. What it answers or asks for at once is
  /// dropped.
  final func restart(_ node: EffectNode, of action: Any) {
    guard !node.isSend, node.asCancel == nil else { return }
    let interpreter = interpreter
    let root = RootFrame(action: action, HeldTransaction(), interpreter)
    // The root has to live while the effect is started.
    root.expectChild()
    if interpreter.recorder != nil { willStartEffects(under: root) }
    let takeRequest = exchange(&interpreter.takeRequest, with: { _ in })
    // Actions that closures send are not dropped.
    let isHolding = interpreter.heldWork != nil
    if !isHolding { interpreter.heldWork = [] }
    turn.restartingRoot = root
    interpreter.run(node, under: root)
    turn.restartingRoot = nil
    interpreter.takeRequest = takeRequest
    if !isHolding { interpreter.step { interpreter.releaseHeldWork() } }
    interpreter.finishChild(of: root)
  }

  // MARK: Commits

  final var hasDraft: Bool { turn.draftCount > 0 }

  final var hasWokenObservers: Bool { mainActorWork?.hasWokenObservers ?? false }

  /// Shows a draft, and closures that have been woken, that do not carry the transaction of the next
  /// action.
  final func showDraft(ofOtherThan transaction: HeldTransaction) {
    if hasDraft || hasWokenObservers, turn.draftTransaction != transaction { commit() }
    while hasWokenObservers, turn.draftTransaction != transaction {
      commit()
      // Closures that wake one another without end go on in the commit of this action.
      if turn.count.countRound() {
        cut()
        break
      }
    }
  }

  /// Shows the draft, and runs the closures that have been woken.
  final private func commit() {
    move(to: .delivering)
    if hasDraft { deliverDraft() }
    if let mainActorWork, mainActorWork.hasWokenObservers {
      exchange(&mainActorWork.woken, with: WokenObservers()).run(turn.draftTransaction)
    }
    // Observers now hold the completions of what they show.
    if !turn.draftTransaction.isEmpty { turn.draftTransaction = HeldTransaction() }
    move(to: .settling)
  }

  // MARK: The end

  /// Ends the machine, on its own isolation, because the host is gone. It may be called anywhere,
  /// since a host may be released anywhere.
  ///
  /// A machine without an interpreter has nothing in flight, and nobody else can reach it. It needs no
  /// end.
  package final func hostWasReleased() {
    guard let existingInterpreter else { return }
    let machine = Unchecked(self)
    existingInterpreter.mailbox.isolation.runLast { machine.value.close() }
  }

  /// Cancels everything in flight, and accepts nothing any more.
  final func close() {
    guard turn.phase != .closed else { return }
    turn.following = .closed
    while turn.queue.removeFirst() != nil {}
    turn.newChanges = []
    existingInterpreter?.close()
    releaseObservers()
    withExtendedLifetime(didChange.take()) {}
    turn.isTracked = false
    switch turn.phase {
    case .idle, .heldBack, .paused:
      mainActorWork?.handOn()
      move(to: .closed)
    case .reducing, .settling, .delivering, .closed: break
    }
  }

  /// Stops with a message where the machine, or what it holds, contradicts itself.
  package func checkInvariants() {
    precondition(
      turn.phase != .idle || turn.queue.isEmpty, "A machine is idle with actions in its queue.")
    precondition(
      turn.phase != .idle || turn.outermostRoot == nil, "A machine is idle with an open root.")
    existingInterpreter?.checkInvariants()
  }
}

/// Runs a body that sees nothing of the code around it: no dependencies, no transaction, and no effect.
func whileNothingIsInForce(_ body: () -> Void) {
  WaitOrigin.whileNone {
    DependencyValues.whileNoneIsInForce {
      withAmbientTransaction(Transaction(), body)
    }
  }
}

/// The values that a turn of a machine reads and changes.
struct Turn {
  var phase = Phase.idle
  /// The phase that the machine goes to at the end of a drain: `idle`, unless a loop was cut or the
  /// host was released meanwhile.
  var following = Phase.idle

  var queue = Queue<Envelope>()
  /// The root of the `send` in progress from outside, once there is one.
  var outermostRoot: RootFrame?
  /// The root of an effect of an earlier action that is being started again. What the effect answers at
  /// once is dropped, since it has been handled before.
  var restartingRoot: RootFrame?

  /// The messages that are being read.
  var arrived = Queue<Message>()
  /// Whether messages are to be read before the drain in progress ends.
  var mustRead = false
  /// The cause of what is handled now.
  var cause = Cause()
  /// The changes in the queue that were put there by what is handled now.
  var newChanges: [ChangeNode] = []

  var count: LoopCount

  /// Whether ``Machine/didChange`` is to be called, once, when the state has changed.
  var isTracked = false
  /// Whether anybody subscribes to commits.
  var isSubscribed = false
  /// The number of actions in the draft of the next commit.
  var draftCount = 0
  /// The transaction that all of them carry.
  var draftTransaction = HeldTransaction()

  init(_ count: LoopCount) {
    self.count = count
  }
}

/// A change that waits for what is before it: in the queue, or among the nodes that are to be started.
final class ChangeNode: EffectNode {
  let change: (Interpreter) -> Void
  /// The last effect that was registered before what the change waits for in the queue was handled.
  var spared: UInt64 = 0

  init(_ change: @escaping (Interpreter) -> Void) {
    self.change = change
  }

  override var asChange: ChangeNode? { self }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    change(interpreter)
    interpreter.finishChild(of: parent)
  }
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

extension Turn {
  /// The cause of an action, of effects, or of a step.
  struct Cause {
    /// Whether it is a message, and not code that sends. What starts because of it has nothing of the task of that code, such
    /// as its task-local values.
    var isOfMessage = false
    /// The number of closures, up to two, that this is a consequence of and that have led to it by a value behind their
    /// first one; two behind an action whose effect has done so at once.
    var floodDepth: UInt8 = 0
    /// Whether the effect of the action has answered at once.
    var hasAnswered = false
    /// The number of actions of the turn, up to eight, that have led to it by answering at once.
    var generation: UInt8 = 0

    /// Whether what the effect of the action answers at once has an end, since the action is no part of a loop.
    var mayFanOut: Bool { floodDepth == 0 && generation < 8 }

    /// The cause of an answer.
    var ofAnswer: Self {
      var cause = self
      cause.hasAnswered = false
      if generation < 8 { cause.generation += 1 }
      return cause
    }
  }
}

/// An action that waits to be handled, with its transaction and its origin. A queue holds all three as
/// one value, so that no action gets the transaction of another one.
///
/// The action stays in its box, because a ``Machine`` is not generic and does not know its type.
struct Envelope {
  /// A ``SendNode`` of the machine's action type, or a ``ChangeNode``, which needs nothing of the rest.
  let action: EffectNode
  let transaction: HeldTransaction
  let cause: Turn.Cause

  /// The root of the effects that the action starts. `nil` stands for the root of the outermost `send` in
  /// progress, which is made when it is first needed.
  var root: RootFrame?

  /// The effect that has answered; kept only for a machine with a ``Recorder``.
  var origin: ActionOrigin?

  /// The frame of the child whose closure sent the action before its first suspension. If the child has gone when the
  /// action is handled, the action is dropped.
  var child: Frame?
}
