// Starts effects, carries their emissions to the host, and cancels them.

import RondoAnimation
import RondoScheduling

/// Runs trees of effects, iteratively, on one isolation.
///
/// Its only structures are the tree of ``Frame``s (what is in flight), a stack of nodes that are to
/// be started next, and a registry of cancellation ids.
final class Interpreter {
  /// The owner, which takes the emissions.
  // unowned(unsafe): the owner holds the interpreter, and closes it before it is released itself.
  unowned(unsafe) let host: any EffectHost
  let mailbox: Mailbox
  /// The frame above all roots. It never ends.
  let top = Frame()
  let registry = CancellationRegistry()
  /// The features below the one at the root that have something in flight; `nil` until there is one.
  var features: (any FeatureRegistry)?
  var throttles: [ScopedID: ThrottleWindow] = [:]

  /// Whether messages about what is in flight are wanted, which costs a little.
  var isObserved = false
  /// The frame that has sent the emission on its way to the host, while `isObserved`. `nil` for
  /// what is answered synchronously.
  var emitter: Frame?
  /// The number of closures of effects that have ended, counted while `isObserved`.
  var endedCount = 0

  /// The place where the closures of effects run unless they say otherwise; `nil` where the host
  /// has no turns at whose end it could run them.
  var execution: EffectExecution?
  /// Whether an effect has ever been started that says otherwise.
  var hasCooperativeEffects = false
  private var existingHostExecutor: HostExecutor?
  /// Whether closures that this turn has started are to be run at its end.
  var mustRunTasks = false
  /// The closures that were started since a host has looked; `nil` where no host asks.
  // Unchecked, because an array calls no code that could access it again.
  @exclusivity(unchecked) var started: [StartedEffect]?
  /// Whether an operator was used that remembers what has come through it.
  var hasMemory = false
  /// The journal, while somebody records the machine.
  var journal: EffectJournal?

  /// The closures of effects that wait for the host; `nil` where they begin when they are started.
  var heldWork: [SourceFrame]?
  /// Takes what effects ask the host for; `nil` where the host takes nothing.
  var takeRequest: ((any HostRequest) -> Void)?

  /// Called when an effect dismisses the feature at the root; set by hosts that want to know.
  var didDismissRoot: (() -> Void)?

  /// The transaction that the node which is being started answers with at once. See
  /// ``Emission/inherited``.
  private(set) var inherited = Transaction()

  /// Whether an action, or a cancellation, is the cause of the step in progress. What is started
  /// then answers with the transaction of its own action. What is started later, by a message, does
  /// not.
  private var isSynchronous = false

  // Unchecked, because an array calls no code that could access it again.
  @exclusivity(unchecked) private var work:
    [(node: EffectNode, parent: Frame, inherited: Transaction, isSynchronous: Bool)] = []
  private var isWorking = false

  init(host: any EffectHost, isolation: any HostIsolation) {
    self.host = host
    mailbox = Mailbox(isolation: isolation)
    mailbox.open(for: self)
  }

  // MARK: Starting

  /// Starts an effect as a child of a frame, which counts it already.
  ///
  /// - Parameter inherited: The transaction of the action that returned the effect, for what it
  ///   answers synchronously.
  func run(_ node: EffectNode, under parent: Frame, inherited: Transaction = Transaction()) {
    perform(inherited: inherited, isSynchronous: true) {
      if isWorking { start(node, under: parent) } else { node.start(under: parent, self) }
    }
  }

  /// Puts a node on the stack. It is started after the nodes that the step in progress has put
  /// there before, and ahead of all that were waiting when the step began.
  func start(_ node: EffectNode, under parent: Frame) {
    let inherited = isSynchronous ? parent.origin.transaction : inherited
    work.append((node, parent, inherited, isSynchronous))
  }

  /// Makes a change and starts whatever it has put on the stack. Calls from within a change only
  /// put more on the stack.
  ///
  /// The change is one step, the start of every node another.
  func perform(
    inherited: Transaction = Transaction(), isSynchronous: Bool = false, _ change: () -> Void
  ) {
    let outer = (exchange(&self.inherited, with: inherited), self.isSynchronous)
    self.isSynchronous = isSynchronous
    change()
    if !isWorking {
      isWorking = true
      endStep(begunAt: 0)
      while let (node, parent, inherited, isSynchronous) = work.popLast() {
        guard parent.isAttached else { continue }
        self.inherited = inherited
        self.isSynchronous = isSynchronous
        let waiting = work.count
        node.start(under: parent, self)
        endStep(begunAt: waiting)
      }
      isWorking = false
    }
    (self.inherited, self.isSynchronous) = outer
  }

  /// Reverses the nodes that a step has put on the stack, so that the first one is started first.
  private func endStep(begunAt bottom: Int) {
    var (low, high) = (bottom, work.count - 1)
    while low < high {
      work.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  // MARK: Emitting

  /// Carries what a source has emitted up to the host, in the box that it was emitted in unless an
  /// operator on the way wants to see it.
  func deliver(
    _ value: EffectNode, _ ambient: Transaction, _ call: Transaction, from source: SourceFrame
  ) {
    guard source.interceptor == nil else {
      return deliver(
        Emission(value: value.erasedOutput, transaction: ambient, call: call), from: source)
    }
    host.receive(value, ambient.merging(call), source.origin.root)
  }

  /// Carries an emission from below a frame up to the host.
  func deliver(_ emission: Emission, from frame: Frame) {
    carry(emission, to: frame.interceptor, frame.origin)
  }

  /// Carries an absorbed emission on to the host, from above the frame that has absorbed it.
  func deliver(_ emission: Emission, above frame: Frame) {
    carry(emission, to: frame.parent?.interceptor, frame.origin)
  }

  private func carry(_ emission: Emission, to interceptor: Frame?, _ origin: ActionFrame) {
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
      host.receive(emission, origin.root)
    }
    if let ending {
      end(ending)
    }
  }

  // MARK: Ending

  /// Counts one child of a frame as ended, and ends every frame that has none left.
  func finishChild(of frame: Frame) {
    var frame = frame
    while true {
      frame.active -= 1
      guard frame.active == 0, frame.isAttached, !frame.startsMore(self) else {
        return
      }
      let parent = frame.parent!
      frame.detach()
      didLeave(frame, cancelled: false)
      frame = parent
    }
  }

  /// Ends a frame with everything below it, finished or not. The frames above count it as ended.
  func end(_ frame: Frame) {
    guard let parent = frame.parent else { return }
    frame.detachSubtree { didLeave($0, cancelled: true) }
    finishChild(of: parent)
  }

  /// Deals with a frame that has left the tree.
  func didLeave(_ frame: Frame, cancelled: Bool) {
    if let journal { journal.didEnd(frame, cancelled: cancelled) }
    frame.didDetach(cancelled: cancelled, self)
  }

  /// Cancels a frame with everything below it, for a cause outside of it.
  ///
  /// Effects that start because it has ended, such as the rest of a concatenation, answer with the
  /// transaction of the action that returned them, not with that of the action that cancels.
  func cancel(_ frame: Frame) {
    whileSynchronous { end(frame) }
  }

  /// Makes a change that ends effects of features which are gone.
  func whileEndingChildren(_ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileEndingChildren(change)
  }

  /// Makes a change. Effects that are started because of it answer with the transaction of the
  /// action that returned them.
  func whileSynchronous(_ change: () -> Void) {
    let outer = exchange(&isSynchronous, with: true)
    change()
    isSynchronous = outer
  }

  /// Ends everything.
  func endAll() {
    perform {
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
    existingHostExecutor?.retire()
  }

  /// The executor of closures that run on the host's isolation. Most interpreters never need one.
  var hostExecutor: HostExecutor {
    if let existingHostExecutor { return existingHostExecutor }
    let executor = HostExecutor(for: mailbox)
    existingHostExecutor = executor
    return executor
  }

  /// Stops with a message where a data structure of the runtime contradicts itself.
  func checkInvariants() {
    precondition(isWorking || work.isEmpty, "Nodes wait to be started, and nothing starts them.")
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

  /// Makes room for a new effect: cancels what runs or waits under an id, at exactly its path,
  /// except for what the new effect is a part of.
  ///
  /// - Parameter parent: The frame that the new effect is started under.
  func cancelOthers(_ id: ScopedID, under parent: Frame) {
    registry.others(id, under: parent).forEach(cancel)
  }
}

// MARK: - Reading messages

extension Interpreter {
  /// Reads a message that was posted on the host's own isolation. While the host is busy, the
  /// message is part of the work in progress. Otherwise messages that were posted before it are
  /// read first.
  func read(_ message: Message) {
    host.holdBackWhileObserving()
    guard !host.isBusy else { return handle(message) }
    host.perform {
      readMessages()
      handle(message)
      host.settle()
    }
  }

  /// Reads all messages that have arrived, and settles each before the next: an effect that the
  /// action of one message cancels has nothing more to say in the next.
  func readAll() {
    // A main loop that runs inside a change reads what arrives as part of that change.
    host.holdBackWhileObserving()
    guard !host.isBusy else { return mailbox.forEachMessage(handle) }
    host.perform(readMessages)
  }

  private func readMessages() {
    mailbox.forEachMessage { message in
      handle(message)
      host.settle()
    }
  }

  private func handle(_ message: Message) {
    perform {
      switch message {
      case .emission(let source, let value, let ambient, let call):
        guard source.isAttached else { return }
        guard isObserved else {
          return deliver(value, ambient, call, from: source)
        }
        whileObserved(source, emits: true, resumes: !source.isTask) {
          deliver(value, ambient, call, from: source)
        }
      case .ended(let source):
        if isObserved, source.isTask { endedCount += 1 }
        guard source.isAttached else { return }
        source.finish(self)
      case .due(let target, let work, let transaction):
        guard isObserved else { return target.didComeDue(work, transaction, self) }
        whileObserved(target as? Frame, resumes: true) {
          target.didComeDue(work, transaction, self)
        }
      case .cancel(let root):
        journal?.cause = .task
        end(root)
      case .unsubscribe(let id):
        host.unsubscribe(id)
      case .perform(let body):
        body(self)
      }
    }
  }

  /// Runs a change that a frame makes, and names the frame as the sender of what arrives meanwhile.
  ///
  /// - Parameters:
  ///   - emits: Whether the frame has answered, perhaps with something that does not arrive.
  ///   - resumes: Whether the frame has waited for this.
  private func whileObserved(
    _ frame: Frame?, emits: Bool = false, resumes: Bool, _ change: () -> Void
  ) {
    emitter = frame
    if let journal {
      journal.whileAnswering(frame, emits: emits, resumes: resumes, change)
    } else {
      change()
    }
    emitter = nil
  }

  /// Runs a change that the closure of an effect asks for.
  func perform(for frame: Frame, _ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileAnswering(frame, change)
  }
}

// MARK: - The host

/// The receiver of what effects answer with: a machine, or the runner of an effect without a store.
///
/// Every requirement is called on the isolation that the owner lives on.
protocol EffectHost: AnyObject {
  /// The place in the source where the owner was made, if it is known.
  var position: SourcePosition? { get }

  /// Whether a change is in progress further up the stack. A message is part of that change then.
  var isBusy: Bool { get }

  /// Queues what arrives while a closure observes on the main actor, until the closure has
  /// returned.
  func holdBackWhileObserving()

  /// Makes a change that is not part of one in progress, and deals with everything that follows.
  func perform(_ change: () -> Void)

  /// Deals with the actions that have arrived so far.
  func settle()

  /// Takes a value that has come through operators.
  func receive(_ emission: Emission, _ root: RootFrame)

  /// Takes a ``SendNode`` of the owner's own type.
  func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame)

  /// Called when everything that a root has started has ended without being cancelled.
  func didEnd(_ root: RootFrame)

  /// Removes a subscriber.
  func unsubscribe(_ id: UInt64)

  /// Stops with a message where a data structure of the runtime contradicts itself.
  func checkInvariants()
}

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
  /// Whether no feature has anything in flight.
  var isEmpty: Bool { get }

  /// Ends the effects of features that are no longer in the state of the store.
  func endMissing(in state: UnsafeMutableRawPointer, _ interpreter: Interpreter)

  /// Stops with a message where the registry contradicts itself.
  func checkInvariants()
}
