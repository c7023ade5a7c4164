// Starts effects, carries their emissions to the host, and cancels them.

import RondoAnimation
import RondoScheduling

/// Runs trees of effects, iteratively, on one isolation.
///
/// Its main structures are the tree of ``Frame``s (what is in flight), a stack of nodes that are to
/// be started next, and a registry of cancellation ids.
final class Interpreter {
  /// The owner, which takes the emissions.
  // unowned(unsafe): the owner holds the interpreter, and closes it before it is released itself.
  unowned(unsafe) let machine: Machine
  let mailbox: Mailbox
  /// The frame above all roots. It never ends.
  let top = Frame()
  let registry = CancellationRegistry()
  /// The features below the one at the root that have something in flight, or an interval of a `throttle`; `nil` until
  /// there is one.
  var features: (any FeatureRegistry)?
  var throttles: [ScopedID: ThrottleWindow] = [:]

  /// Notes who sends what, for those who observe the machine; `nil` where nobody does.
  var recorder: EffectRecorder?

  /// The closures that were started since a host has looked; `nil` where no host asks.
  var started: [StartedEffect]?
  /// Whether an operator was used that remembers what has come through it.
  var hasMemory = false
  /// The journal, while somebody records the machine.
  var journal: EffectJournal? { recorder?.journal }

  /// The closures of effects that wait for the host; `nil` where they begin when they are started.
  var heldWork: [SourceFrame]?
  /// Takes what effects ask the host for; `nil` where the host takes nothing.
  var takeRequest: ((any HostRequest) -> Void)?

  /// Called when an effect dismisses the feature at the root; set by hosts that want to know.
  var didDismissRoot: (() -> Void)?

  // The roots that have ended, and whose end observers have not seen yet: a list.
  // `showEnds` takes the list apart: one that is released as a whole would take the stack.
  private var firstEndedRoot: RootFrame?
  private var lastEndedRoot: RootFrame?

  /// The transaction for what the nodes that are started in this step answer at once: that of the message that has
  /// started them; `nil` for that of the action that returned them, where an action starts them, or a cancellation.
  private var answers: HeldTransaction? = HeldTransaction()

  /// The nodes that are to be started, and what starts them.
  // Unchecked: no access to a part of it calls code that could access it again.
  @exclusivity(unchecked) var stack = NodeStack()
  /// The closures that begin outside of the lock of the host, where it has one.
  let outside: OutsideWork?
  /// The frame of the child whose closure begins, while that sends: it is there until what is sent is handled.
  private(set) var sendingChild: Frame?
  /// Whether a child is gone, and what it has in flight is ended.
  private(set) var isEndingChild = false

  init(machine: Machine, isolation: any HostIsolation) {
    self.machine = machine
    mailbox = Mailbox(isolation: isolation, reporters: machine.reporters)
    outside = mailbox.lock.map(OutsideWork.init)
    mailbox.open(for: machine)
  }

  // MARK: Starting

  /// Starts the effect of an action as a child of a frame, which counts it already.
  func run(_ node: EffectNode, under parent: Frame) {
    step(answers: nil) {
      if stack.isStarting { push(node, under: parent) } else { node.start(under: parent, self) }
    }
  }

  /// Puts a node on the stack. It is started after the nodes that the step in progress has put
  /// there before, and ahead of all that were waiting when the step began.
  func push(_ node: EffectNode, under parent: Frame) {
    stack.nodes.append((node, parent, answers))
  }

  /// Makes a change and starts whatever it has put on the stack. While a node is being started,
  /// further calls only put more on the stack.
  ///
  /// The change is one step, the start of every node another.
  ///
  /// - Parameters:
  ///   - answers: The transaction for what nodes answer at once that are started because of the change; `nil` for that
  ///     of the action that returned them.
  ///   - bottom: The number of nodes that the change puts on the stack for earlier steps.
  func step(
    answers: HeldTransaction? = HeldTransaction(), begunAt bottom: Int = 0,
    _ change: () -> Void
  ) {
    let outer = exchange(&self.answers, with: answers)
    change()
    if !stack.isStarting { startNodes(begunAt: bottom) }
    self.answers = outer
  }

  /// Starts the nodes on the stack, until none is left or the work of an effect is to begin outside of a lock.
  ///
  /// - Parameter bottom: The number of nodes that were on the stack before the step which has just been made.
  private func startNodes(begunAt bottom: Int) {
    stack.isStarting = true
    var waiting = bottom
    while true {
      if let outside, outside.haltForWork(above: waiting) { return }
      endStep(begunAt: waiting)
      guard let (node, parent, answers) = stack.nodes.popLast() else { break }
      waiting = stack.nodes.count
      guard parent.isAttached, !parent.actionFrame.root.isCancelled else { continue }
      self.answers = answers
      node.start(under: parent, self)
    }
    stack.isStarting = false
  }

  /// The last effect that ``cancel(_:exceptBelow:)`` spares, in the order in which they were registered.
  private var spared: UInt64 = 0

  /// Whether the node that is started is started because of a message: no code that has sent an action waits for it.
  var startsForMessage: Bool { answers != nil || machine.turn.cause.isOfMessage }

  /// Starts the closure of an effect, which runs up to its first suspension. Nodes that are to be started because of
  /// what it does meanwhile are started when it has come there.
  func whileBeginning<Result>(_ source: SourceFrame, _ start: () -> Result) -> Result {
    let outer = (
      exchange(&stack.beginning, with: source), exchange(&stack.isStarting, with: true),
      exchange(&stack.countBefore, with: stack.nodes.count)
    )
    defer { (stack.beginning, stack.isStarting, stack.countBefore) = outer }
    return mailbox.whileBeginning(start)
  }

  /// Makes a change behind what the closure of an effect has sent, and that waits, while the closure begins or because a
  /// turn was cut: the effects that operators make of it are started first, then the actions in the queue are handled.
  /// Where everything is cancelled before, the change is dropped.
  ///
  /// - Parameter repeats: Whether the change is made behind each of these two, if something waits there. Otherwise it is
  ///   made once, behind the last: where nothing waits, at once.
  func changeBehindSent(
    by source: SourceFrame, repeats: Bool = false, _ change: @escaping (Interpreter) -> Void
  ) {
    guard source.isAttached else {
      if !repeats { change(self) }
      return
    }
    let changeBehindQueue = { (interpreter: Interpreter) in
      let isWaiting = interpreter.machine.changeBehindQueue(change)
      if !isWaiting, !repeats { change(interpreter) }
    }
    if source === stack.beginning, stack.hasNew {
      let root: RootFrame = source.actionFrame.root
      root.expectChild()
      push(ChangeNode(repeats ? change : changeBehindQueue), under: root)
      guard repeats else { return }
    }
    changeBehindQueue(self)
  }

  /// Reverses the nodes that a step has put on the stack, so that the first one is started first.
  private func endStep(begunAt bottom: Int) {
    var (low, high) = (bottom, stack.nodes.count - 1)
    while low < high {
      stack.nodes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  /// The transaction of what a node under a frame answers at once, when it is started.
  func transactionOfAnswers(under parent: Frame) -> HeldTransaction {
    answers ?? HeldTransaction(parent.actionFrame.transaction)
  }

  // MARK: Emitting

  /// Carries what a source has emitted up to the host, in the box that it was emitted in unless an
  /// operator on the way wants to see it.
  func deliver(
    _ value: EffectNode, _ ambient: HeldTransaction, _ call: HeldTransaction,
    from source: SourceFrame
  ) {
    guard source.interceptor == nil else {
      return deliver(
        Emission(value: value.erasedOutput, transaction: ambient, call: call), from: source)
    }
    machine.receive(value, ambient.merging(call), source.actionFrame.root)
  }

  /// Carries an emission from below a frame up to the host.
  func deliver(_ emission: Emission, from frame: Frame) {
    carry(emission, to: frame.interceptor, frame.actionFrame)
  }

  /// Carries an absorbed emission on to the host, from above the frame that has absorbed it.
  func deliver(_ emission: Emission, above frame: Frame) {
    carry(emission, to: frame.parent?.interceptor, frame.actionFrame)
  }

  private func carry(_ emission: Emission, to interceptor: Frame?, _ actionFrame: ActionFrame) {
    var emission = emission
    var ending: Frame?
    var next = interceptor
    search: while let frame = next {
      switch frame.intercept(&emission, self) {
      case .pass: break
      case .passLast: ending = frame
      case .absorb: break search
      }
      guard frame.isAttached else { return }
      next = frame.parent?.interceptor
    }
    if next == nil {
      machine.receive(emission, actionFrame.root)
    }
    if let ending {
      end(ending)
    }
  }

  // MARK: Ending

  /// Counts one child of a frame as ended, and ends every frame that has none left.
  func finishChild(of frame: Frame) {
    guard frame.countEndedChild() else { return }
    var frame = frame
    while !frame.startsMore(self) {
      let parent = frame.parent!
      frame.detach()
      hasLeft(frame, cancelled: false)
      guard parent.countEndedChild() else { return }
      frame = parent
    }
  }

  /// Ends a frame whose own work has ended, and cancels what is left below it.
  func finish(_ frame: Frame) {
    guard let parent = frame.parent else { return }
    if frame.isLeaf {
      frame.detach()
      hasLeft(frame, cancelled: false)
    } else {
      frame.detachSubtree { hasLeft($0, cancelled: $0 !== frame) }
    }
    finishChild(of: parent)
  }

  /// Ends a frame with everything below it, finished or not. The frames above count it as ended.
  func end(_ frame: Frame) {
    guard let parent = frame.parent else { return }
    frame.detachSubtree { hasLeft($0, cancelled: true) }
    finishChild(of: parent)
  }

  /// Takes a frame that has left the tree out of everything else that knows it, and tells it.
  private func hasLeft(_ frame: Frame, cancelled: Bool) {
    if let journal { journal.didEnd(frame, cancelled: cancelled) }
    if frame.registration != nil { startNext(after: frame, cancelled: cancelled) }
    frame.didLeave(cancelled: cancelled, self)
  }

  /// Takes a frame out of the registry, and starts the effects that waited for it under its id.
  private func startNext(after frame: Frame, cancelled: Bool) {
    for next in registry.remove(frame) {
      guard let node = next.waiting.take() else { continue }
      journal?.didWait(next)
      // A turn that comes because of a cancellation is like one that comes at once.
      if cancelled {
        whileCancelling { push(node, under: next) }
      } else {
        push(node, under: next)
      }
    }
  }

  /// Cancels a frame with everything below it, for a cause outside of it.
  ///
  /// Effects that start because it has ended, such as the rest of a concatenation, answer with the
  /// transaction of the action that returned them, not with that of the action that cancels.
  func cancel(_ frame: Frame) {
    whileCancelling { end(frame) }
  }

  /// Cancels the task of some work, outside of the lock of the host where that has one.
  func cancelWork(_ cancel: @escaping () -> Void) {
    if let lock = mailbox.lock { lock.cancelOutside(cancel) } else { cancel() }
  }

  /// Cancels the frame of a child that is gone.
  func endChild(_ frame: Frame) {
    let outer = exchange(&isEndingChild, with: true)
    cancel(frame)
    isEndingChild = outer
  }

  /// Makes a change that ends effects of features which are gone.
  func whileEndingChildren(_ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileEndingChildren(change)
  }

  /// Cancels something. Effects that are started because of it answer with the transaction of the
  /// action that returned them.
  private func whileCancelling(_ change: () -> Void) {
    let outer = exchange(&answers, with: nil)
    change()
    answers = outer
  }

  /// Ends everything.
  func endAll() {
    step {
      while let root = top.firstChild {
        end(root)
      }
    }
    for window in exchange(&throttles, with: [:]).values {
      window.close()
    }
  }

  /// Ends everything, and takes no more messages.
  func close() {
    journal?.cause = .host
    endAll()
    mailbox.close()
    showEnds()
  }

  // MARK: Those who wait for the end

  /// Keeps a root that has ended until ``showEnds()``.
  func keepEnded(_ root: RootFrame) {
    if let lastEndedRoot { lastEndedRoot.nextEndedRoot = root } else { firstEndedRoot = root }
    lastEndedRoot = root
  }

  /// Lets those go on who wait for the end of roots. Called when observers have seen everything.
  func showEnds() {
    guard let first = firstEndedRoot else { return }
    (firstEndedRoot, lastEndedRoot) = (nil, nil)
    var next: RootFrame? = first
    while let root = next {
      next = root.nextEndedRoot
      root.nextEndedRoot = nil
      root.didShowEnd()
    }
  }

  /// Stops with a message where a data structure of the runtime contradicts itself.
  func checkInvariants() {
    precondition(
      stack.isStarting || stack.nodes.isEmpty, "Nodes wait to be started, and nothing starts them.")
    for frame in [top] + ledger { frame.checkInvariants() }
    registry.checkInvariants()
    features?.checkInvariants()
  }

  /// Everything in flight, depth first: for messages.
  var ledger: [Frame] {
    var frames: [Frame] = []
    var stack = Array(top.children).reversed() as [Frame]
    while let frame = stack.popLast() {
      frames.append(frame)
      stack.append(contentsOf: Array(frame.children).reversed())
    }
    return frames
  }
}

extension Interpreter {
  /// The nodes that are to be started, and what starts them.
  struct NodeStack {
    /// The last one is the next.
    var nodes: [(node: EffectNode, parent: Frame, answers: HeldTransaction?)] = []
    /// Whether they are being started, further up the stack of calls.
    var isStarting = false
    /// The effect whose closure begins, further up the stack of calls.
    var beginning: SourceFrame?
    /// The number of nodes when it began.
    var countBefore = 0

    /// Whether it has put nodes on the stack.
    var hasNew: Bool { nodes.count > countBefore }
  }
}

// MARK: - Cancelling by an id

extension Interpreter {
  /// Cancels what runs or waits under some ids, at a path and below.
  func cancel(_ ids: CancelNode, _ path: NavigationPath?) {
    cancel(ScopedID(id: ids.first, path: path))
    for id in ids.others {
      cancel(ScopedID(id: id, path: path))
    }
  }

  /// Cancels what runs or waits under an id, at its path and below.
  func cancel(_ id: ScopedID) {
    registry.all(id).forEach(cancel)
  }

  /// Cancels what runs or waits under an id, at its path and below, but for what is below a frame, and what is spared.
  func cancel(_ id: ScopedID, exceptBelow frame: Frame) {
    for other in registry.all(id) where !other.lineage.contains(where: { $0 === frame }) {
      if other.registration.map({ $0.serial > spared }) ?? true { cancel(other) }
    }
  }

  /// Makes a change that spares the effects up to one, in the order in which they were registered.
  func whileSparing(upTo serial: UInt64, _ change: () -> Void) {
    let outer = exchange(&spared, with: serial)
    change()
    spared = outer
  }

  /// Makes room for a new effect: cancels what runs or waits under an id, at exactly its path,
  /// except for what the new effect is a part of.
  ///
  /// - Parameter parent: The frame that the new effect is started under.
  func cancelOthers(_ id: ScopedID, under parent: Frame) {
    registry.others(id, under: parent).forEach(cancel)
  }
}

// MARK: - Handling messages

extension Interpreter {
  /// Does what a message says, in the middle of the work in progress. What the closure of an effect posts while it begins
  /// is part of that work: what it answers is where the answer of a `.send` in its place would be.
  func handleAtOnce(_ message: Message) {
    guard let beginning = stack.beginning else { return handle(message) }
    guard message.sender === beginning else { return handleForItself(message) }
    let (outer, child) = (sendingChild, childFrame(of: beginning))
    if child !== outer { sendingChild = child }
    defer { if child !== outer { sendingChild = outer } }
    switch message {
    case .emission(let source, let value, let ambient, let call):
      // The message of a cancellation by another thread may still be on its way.
      guard source.isAttached, !source.actionFrame.root.isCancelled else {
        return source.noteComingCancellation()
      }
      guard source.interceptor == nil else { return handleForItself(message) }
      // Nobody looks at the value here, and it starts no nodes: no step is needed.
      guard recorder == nil else { return handle(message) }
      source.countSent(self)
      deliver(value, ambient, call, from: source)
    case .ended:
      handle(message)
    default:
      handleForItself(message)
    }
  }

  /// Counts a value that the closure of an effect sends while it begins, and that is put behind others. Those are not read
  /// before the closure lets others go on, and it may wait for one of them. So the value counts now, and once more when it
  /// is read.
  func countBehindOthers(_ message: Message) {
    guard let beginning = stack.beginning, message.sender === beginning else { return }
    if case .emission = message { beginning.countSent(self) }
  }

  /// The frame of the innermost child that an effect is part of.
  private func childFrame(of source: SourceFrame) -> Frame? {
    guard let features, !features.isEmpty else { return nil }
    var next = source.interceptor
    while let frame = next, !frame.isOfChild { next = frame.parent?.interceptor }
    return next
  }

  /// Does what a message says. Operators do not see what is in force around the code that has posted it.
  func handleForItself(_ message: Message) {
    whileNothingIsInForce { handle(message) }
  }

  /// Does what a message says.
  func handle(_ message: Message) {
    guard let outside, let sender = message.sender else { return handleInStep(message) }
    outside.whileOnStack(of: sender, self) { handleInStep(message) }
  }

  private func handleInStep(_ message: Message) {
    step {
      switch message {
      case .emission(let source, let value, let ambient, let call):
        guard source.isAttached else { return }
        source.countSent(self)
        guard let recorder else { return deliver(value, ambient, call, from: source) }
        recorder.whileAnswering(source, emits: true, resumes: !source.isTask) {
          deliver(value, ambient, call, from: source)
        }
      case .ended(let source):
        if let recorder, source.isTask { recorder.endedCount += 1 }
        guard source.isAttached else { return }
        finish(source)
      case .due(let target, let work, let transaction):
        guard let recorder else { return target.didComeDue(work, transaction, self) }
        recorder.whileAnswering(target.sender, resumes: true) {
          target.didComeDue(work, transaction, self)
        }
      case .cancel(let root):
        guard root.isAttached else { return }
        journal?.cause = .task
        end(root)
      case .unsubscribe(let id):
        machine.unsubscribe(id)
      case .ask(_, let body), .stop(_, let body), .run(let body):
        body(self)
      }
    }
  }

  /// Runs a change that the closure of an effect asks for.
  func whileAnswering(_ frame: Frame, _ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileAnswering(frame, change)
  }

  /// Runs a change that the closure of an effect has asked for, by the number of the effect in recordings.
  func whileAnswering(_ effect: Int?, _ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileAnswering(effect, change)
  }
}

// MARK: - The host

/// Something that only some hosts can do, such as work that outlives the process.
package protocol HostRequest: Sendable {
  /// The name of the request in the description of an effect.
  var label: String { get }

  /// Called instead of the host, where the host takes no requests.
  func wasNotTaken()
}

/// The features with effects in flight, without the one at the root. The folder `Navigation` knows what
/// they are.
protocol FeatureRegistry: AnyObject {
  /// Whether no feature has anything in flight, nor an interval of a `throttle`.
  var isEmpty: Bool { get }

  /// Ends the effects of features that are no longer in the state of the store.
  func endMissing(in state: UnsafeMutableRawPointer, _ interpreter: Interpreter)

  /// Whether the feature that effects below a frame belong to is no longer in the state of the store.
  func isMissing(_ frame: Frame, in state: UnsafeMutableRawPointer) -> Bool

  /// The innermost child that effects below a frame belong to; `nil` where they are no child's.
  func throttleOwner(of frame: Frame) -> (any ThrottleOwner)?

  /// Stops with a message where the registry contradicts itself.
  func checkInvariants()
}
