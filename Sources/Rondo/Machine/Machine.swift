// The heart: owns the state, runs the reducer, queues actions, makes commits.

import RondoAnimation

/// A state, its reducer, and the effects in flight, on whatever isolation its host gives it.
///
/// The machine is synchronous. It knows no threads, clocks or actors; effects that involve them talk
/// to it through its ``Mailbox``.
///
/// A **drain** begins with an action from outside, or with letters that have arrived, and handles
/// actions in the order in which they were queued until none is left.
///
/// The path of an action that starts nothing is guarded by plain flags and counts: touching a
/// property of a generic type costs generic code a look-up, so that is done only where needed.
final class Machine<State, Action>: Outlet {
  // A pointer, because a reducer or an observer may read the state while a drain is in progress,
  // which is no conflict: they run between two changes, on the same isolation.
  private let statePointer: UnsafeMutablePointer<State>
  private var reduce: (inout State, Action) -> Effect<Action>

  /// The dependencies in force where the machine was made. They are while it reduces, too.
  var dependencies = DependencyValues.current {
    didSet { hasDependencies = !dependencies.isEmpty }
  }
  private var hasDependencies = false

  // Unchecked, because a queue calls nobody who could get at it again.
  @exclusivity(unchecked) private var queue = Queue<Envelope>()
  private var isSettling = false
  private var outermostRoot: RootFrame?

  /// Whether somebody wants to know, once, that the state has changed.
  var isTracked = false
  /// Told of a change when somebody had wanted to know.
  var didChange: (() -> Void)?

  private var isSubscribed = false
  // None rather than empty until somebody subscribes: an array of a generic type is dear to make.
  private var subscribers: [Subscriber]?
  private var lastSubscriberID: UInt64 = 0
  private lazy var areEqual = StateComparison<State>()

  /// A commit that is not complete yet: the state before it, its transaction and, where somebody
  /// subscribes, its actions.
  private var hasDraft = false
  private var draftTransaction = Transaction()
  private var draftActions: [Action] = []
  /// What the count was before the first of the actions: states hold shared values by reference, so
  /// they are equal to themselves whatever has become of these.
  private var draftMutations: UInt = 0
  private var oldStatePointer: UnsafeMutablePointer<State>?

  /// Told of every action, where a host wants to know.
  var recorder: Recorder<State, Action>?

  /// One who gets every commit, until it is forgotten; be it by another one, of the same commit.
  private final class Subscriber {
    let id: UInt64
    var receive: ((Commit<State, Action>) -> Void)?

    init(id: UInt64, receive: @escaping (Commit<State, Action>) -> Void) {
      self.id = id
      self.receive = receive
    }
  }

  init(initialState: State, reducer: any Reducer<State, Action>) {
    statePointer = .allocate(capacity: 1)
    statePointer.initialize(to: initialState)
    reduce = reducer._prepare().reduce
    dependencies.isolateDefaults()
    hasDependencies = !dependencies.isEmpty
    super.init()
  }

  /// Sees to it that ``didChange`` is called when a state that is observed field by field makes way
  /// for another. Of any other state it is told while it ``isTracked``.
  func watchIdentity() {
    if let type = State.self as? any ObservableState.Type { watchIdentity(type) }
  }

  private func watchIdentity<S: ObservableState>(_: S.Type) {
    reduce = { [reduce, unowned(unsafe) self] state, action in
      let id = unsafeBitCast(state, to: S.self)._$id
      let effect = reduce(&state, action)
      if unsafeBitCast(state, to: S.self)._$id != id { didChange?() }
      return effect
    }
  }

  deinit {
    oldStatePointer?.deallocate()
    statePointer.deinitialize(count: 1)
    statePointer.deallocate()
  }

  var state: State {
    _read { yield statePointer.pointee }
  }

  /// Where the state lies for as long as the machine lives.
  var place: UnsafePointer<State> { UnsafePointer(statePointer) }

  // MARK: Sending

  /// Queues an action, and drains the queue unless that is being done further up the stack.
  ///
  /// - Returns: The root of everything that the action has started; `nil` when nothing is in flight.
  func send(_ action: Action, _ call: Transaction) -> RootFrame? {
    let ambient = Transaction.current
    let transaction = call.isEmpty ? ambient : ambient.merging(call)
    guard !isBusy else {
      let root = RootFrame(action: action, interpreter)
      let queued = transaction.holdingCompletions
      queue.append(Envelope(action: SendNode(action), transaction: queued, root: root))
      recorder?.didQueue(by: nil)
      return root
    }
    // The code around holds the ambient ones.
    if !call.isEmpty { call.holdCompletions() }
    defer { if !call.isEmpty { call.releaseCompletions() } }
    guard ambient.isEmpty else {
      return withAmbientTransaction(Transaction()) { begin(action, transaction) }
    }
    return begin(action, transaction)
  }

  private func begin(_ action: Action, _ transaction: Transaction) -> RootFrame? {
    enter()
    handle(action, transaction, nil)
    if !queue.isEmpty { settle() }
    let root = outermostRoot
    if let root {
      // It was held by this drain, so that it could not end before all was queued.
      outermostRoot = nil
      interpreter.finishChild(of: root)
    }
    if hasDraft || isAwaited { complete() }
    leave()
    return root
  }

  override func receive(_ emission: Emission, _ root: RootFrame) {
    // Operators keep the types right on the way up; see `Effect.modified`.
    let action = emission.value as! Action
    receive(SendNode(action), emission.resolvedTransaction.holdingCompletions, root)
  }

  override func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame) {
    root.active += 1
    queue.append(Envelope(action: answer, transaction: transaction, root: root))
    recorder?.didQueue(by: interpreter.emitter)
  }

  // MARK: Draining

  override func perform(_ change: () -> Void) {
    super.perform {
      change()
      settle()
      complete()
    }
  }

  override func settle() {
    guard !isSettling, !queue.isEmpty else { return }
    isSettling = true
    while let envelope = queue.removeFirst() {
      recorder?.willHandleNextInQueue()
      let action = unsafeDowncast(envelope.action, to: SendNode<Action>.self).output
      handle(action, envelope.transaction, envelope.root)
      if let root = envelope.root { interpreter.finishChild(of: root) }
    }
    isSettling = false
  }

  /// Delivers the last commit of the drain, and handles what observers have sent meanwhile.
  private func complete() {
    while hasDraft || isAwaited {
      commit()
      settle()
    }
  }

  private func handle(_ action: Action, _ transaction: Transaction, _ root: RootFrame?) {
    if hasDraft || isTracked || isSubscribed || isAwaited { record(action, transaction) }
    isReducing = true
    let effect: Effect<Action>
    if let recorder {
      effect = recorder.record(action, transaction.releasingCompletions, root, place) {
        reduceState(action)
      }
    } else {
      effect = reduceState(action)
    }
    isReducing = false
    // At the end, when the effects have been started that the action has returned.
    defer { if hasInterpreter { endMissingChildren() } }
    if isAwaited { draftTransaction = transaction }
    guard let node = effect.node else { return }
    // What a cancelled root has queued is handled, but what that returns is not started.
    guard (root ?? outermostRoot)?.isAttached ?? true else { return }
    guard !node.isSend else {
      root?.active += 1
      queue.append(Envelope(action: node, transaction: transaction, root: root))
      recorder?.didQueue(by: nil)
      return
    }
    if let cancel = node.asCancel {
      return interpreter.perform { interpreter.cancel(cancel, nil) }
    }
    recorder?.willStart?()
    let parent: ActionFrame
    if let root = root ?? outermostRoot {
      parent = ActionFrame(action, under: root)
      root.active += 1
    } else {
      parent = RootFrame(action: action, interpreter)
      parent.active += 1
      outermostRoot = parent.root
    }
    interpreter.run(node, under: parent, inherited: transaction)
  }

  private func endMissingChildren() {
    guard !interpreter.children.isEmpty else { return }
    interpreter.children.endMissing(in: UnsafeMutableRawPointer(statePointer), interpreter)
  }

  private func reduceState(_ action: Action) -> Effect<Action> {
    guard hasDependencies else { return reduce(&statePointer.pointee, action) }
    return dependencies.overridingCurrent { reduce(&statePointer.pointee, action) }
  }

  // MARK: Commits

  private func record(_ action: Action, _ transaction: Transaction) {
    while hasDraft || isAwaited, draftTransaction != transaction { commit() }
    if !hasDraft {
      guard isTracked || isSubscribed else { return }
      hasDraft = true
      draftTransaction = transaction
      draftMutations = SharedMutations.count
      let oldState = oldStatePointer ?? .allocate(capacity: 1)
      oldState.initialize(to: statePointer.pointee)
      oldStatePointer = oldState
    }
    if isSubscribed { draftActions.append(action) }
  }

  /// Delivers what has been recorded, and lets those run who have been woken.
  private func commit() {
    deliverDraft()
    if isAwaited { exchange(&woken, with: WokenObservers()).run(draftTransaction) }
    // Whoever shows the commit holds its completions by now.
    if !draftTransaction.isEmpty { draftTransaction = Transaction() }
  }

  private func deliverDraft() {
    guard hasDraft, let oldStatePointer else { return }
    hasDraft = false
    let hasChanges =
      !areEqual(oldStatePointer, statePointer) || SharedMutations.count != draftMutations
    let oldState = oldStatePointer.move()
    if isSubscribed, !draftActions.isEmpty {
      let commit = Commit(
        oldState: oldState, newState: state, actions: exchange(&draftActions, with: []),
        transaction: draftTransaction.releasingCompletions, hasChanges: hasChanges)
      for subscriber in subscribers ?? [] {
        subscriber.receive?(commit)
      }
    }
    if hasChanges, isTracked {
      isTracked = false
      didChange?()
    }
  }

  /// Calls a closure with every commit from now on.
  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    lastSubscriberID += 1
    subscribers = subscribers ?? []
    subscribers?.append(Subscriber(id: lastSubscriberID, receive: receive))
    isSubscribed = true
    return lastSubscriberID
  }

  override func unsubscribe(_ id: UInt64) {
    guard let index = subscribers?.firstIndex(where: { $0.id == id }) else { return }
    subscribers?.remove(at: index).receive = nil
    isSubscribed = subscribers?.isEmpty == false
  }
}
