// The state of a machine: runs the reducer on it, and makes commits.

import RondoAnimation
import RondoConcurrencyShims
import RondoScheduling
import Synchronization

/// A machine with its state and its reducer: what is generic in a machine, and no more.
///
/// An action that starts nothing looks at a few flags, counts and references only.
package final class Cell<State, Action>: Machine {
  // A pointer, because the reducer changes the state in place while other code may read it, through
  // `readableAddress`.
  private let statePointer: UnsafeMutablePointer<State>
  private let reduce: (inout State, Action) -> Effect<Action>

  /// The dependencies in force where the machine was made. They are in force while it reduces, too.
  package var dependencies: DependencyValues {
    get { overrides ?? DependencyValues() }
    set { overrides = newValue.isEmpty ? nil : newValue }
  }
  /// `nil` where nothing is overridden.
  private var overrides: DependencyValues?

  /// Reads the identity of a state that is observed field by field.
  private let identity: FieldIdentity?

  private var subscribers = Subscribers<State, Action>()
  private lazy var areEqual = StateComparison(of: State.self)
  // Unchecked: no access calls code but the copying and comparing of states.
  @exclusivity(unchecked) private var draft = CommitDraft<State, Action>()

  /// Whether a copy of the state is kept while the reducer runs, for code that reads it meanwhile.
  /// A store learns this from the first such read: a state of which a copy is kept is copied again
  /// when it changes.
  private var keepsStateBefore = false
  private var stateBefore: UnsafeMutablePointer<State>?

  /// The observers of what the machine does; `nil` where there are none.
  var recorder: Recorder<State, Action>?

  /// A machine that starts in a state and runs a reducer.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that the machine lives on; `nil` where ``setActor(_:_:)`` follows.
  ///   - position: The place where the host was made, for messages.
  ///   - dropsLoops: Whether the rest of a loop without end is dropped.
  ///   - isOnMainActor: Whether it lives on the main actor, where its state may be observed.
  ///   - home: The words for where it lives, if closures that hold that up are reported, other than the main actor.
  package init(
    initialState: State, reducer: any Reducer<State, Action>, isolation: (any HostIsolation)? = nil,
    position: SourcePosition? = nil, dropsLoops: Bool = false, isOnMainActor: Bool = false,
    home: String? = nil
  ) {
    statePointer = .allocate(capacity: 1)
    statePointer.initialize(to: initialState)
    reduce = reducer._prepare()
    identity = isOnMainActor ? FieldIdentity(ofState: State.self) : nil
    super.init(
      isolation: isolation, position: position, limit: DependencyValues.current.loopLimit,
      dropsLoops: dropsLoops, isOnMainActor: isOnMainActor,
      home: isOnMainActor ? "the main actor" : home)
    var dependencies = DependencyValues.current
    dependencies.isolateDefaults()
    self.dependencies = dependencies
  }

  deinit {
    if hasDraft { _ = draft.finish() }
    draft.deallocate()
    statePointer.deinitialize(count: 1)
    statePointer.deallocate()
  }

  // MARK: State

  package var state: State {
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
  /// reported. The reducer has the state for itself, so an optimized one may leave references there to what it has
  /// released: such a program is stopped, unless the state has no references.
  var readableAddress: UnsafePointer<State> {
    guard turn.phase == .reducing else { return address }
    if let stateBefore { return UnsafePointer(stateBefore) }
    let isFirst = !exchange(&keepsStateBefore, with: true)
    if turn.draftCount == 1, let state = draft.stateBefore { return state }
    let isSafe = _isPOD(State.self) || _isDebugAssertConfiguration()
    if isFirst || !isSafe { reportReadOfHalfChangedState() }
    guard isSafe else { fatalError("A store was read while its reducer ran, as reported above.") }
    return address
  }

  override func lendState(_ body: (UnsafeMutableRawPointer, Any.Type) -> Void) {
    body(UnsafeMutableRawPointer(mutating: readableAddress), State.self)
  }

  private func reportReadOfHalfChangedState() {
    reportIssue(
      """
      The state of a store was read while the store's reducer was changing it, for the first time. \
      What was read may be half changed: an optimized program whose state has references stops here. \
      From now on the store keeps a copy of the state before each action for such reads. In a reducer, \
      read the state that it is given; elsewhere, read the store before or after the action.
      """,
      at: position ?? SourcePosition())
  }

  // MARK: Sending

  /// Queues an action, and drains the queue unless that is being done further up the stack.
  ///
  /// - Returns: The root of everything that the action has started; `nil` when nothing is in
  ///   flight.
  package func send(_ action: Action, _ call: Transaction) -> RootFrame? {
    let ambient = Transaction.current
    let isTagged = !ambient.isEmpty || !call.isEmpty
    let transaction = isTagged ? HeldTransaction(ambient.merging(call)) : HeldTransaction()
    guard turn.phase == .idle else { return enqueue(SendNode(action), transaction) }
    if existingInterpreter != nil, comesBehindOthers() {
      return sendBehindOthers(SendNode(action), transaction)
    }
    guard isTagged else { return begin(action, transaction) }
    // The code around this call holds the completions of the ambient transaction in the same way.
    return call.whileHoldingCompletions {
      withAmbientTransaction(Transaction()) { begin(action, transaction) }
    }
  }

  private func begin(_ action: Action, _ transaction: HeldTransaction) -> RootFrame? {
    // A closure of an effect that calls `store.send` starts something of its own, which its effect does not wait for.
    // To look for such an effect takes longer than a send.
    guard
      SourceFrame.runningCount.load(ordering: .relaxed) == 0 || !rondo_isInTask()
        || WaitOrigin.current == nil
    else {
      return WaitOrigin.$current.withValue(nil) { begin(action, transaction) }
    }
    return begin(transaction) {
      handle(action, transaction, root: nil, origin: nil)
    } action: {
      action
    }
  }

  /// Starts the effect of an action again, which was handled before. The state does not change, and
  /// what the effect answers or asks for at once is dropped.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - state: The state before the action was handled.
  package func restart(_ action: Action, in state: State) {
    drain {
      var copy = state
      let effect = dependencies.overridingCurrent { reduce(&copy, action) }
      if let node = effect.node { restart(node, of: action) }
    }
  }

  override func receive(_ emission: Emission, _ root: RootFrame) {
    // Operators keep the types right on the way up; see `Effect.modified`.
    receive(SendNode(emission.value as! Action), emission.resolvedTransaction, root)
  }

  // MARK: Handling

  override func handle(_ envelope: Envelope) {
    let action = envelope.action.output(as: Action.self)
    handle(action, envelope.transaction, root: envelope.root, origin: envelope.origin)
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
    if hasDraft || turn.isTracked || turn.isSubscribed || hasWokenObservers {
      addToDraft(action, transaction)
      // An observer may have released the store.
      guard !isClosing else { return }
    }
    let effect = reduce(action, transaction, root, origin)
    if hasWokenObservers { turn.draftTransaction = transaction }
    if let node = effect.node { start(node, transaction, root) { action } }
    if let existingInterpreter { endMissingChildren(existingInterpreter) }
  }

  private func endMissingChildren(_ interpreter: Interpreter) {
    guard let features = interpreter.features, !features.isEmpty else { return }
    interpreter.whileEndingChildren {
      features.endMissing(in: UnsafeMutableRawPointer(statePointer), interpreter)
    }
  }

  override func willStartEffects(under parent: ActionFrame) {
    recorder?.willStart(under: parent)
  }

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
          reduceRecorded(action, origin, recorder)
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
    guard let overrides else { return reduce(&statePointer.pointee, action) }
    return overrides.overridingCurrent { reduce(&statePointer.pointee, action) }
  }

  /// Reduces an action while somebody records, unless a tool has a state in place of what comes of it.
  private func reduceRecorded(
    _ action: Action, _ origin: ActionOrigin?, _ recorder: Recorder<State, Action>
  ) -> Effect<Action> {
    guard let state = recorder.takeReplacement(for: origin) else { return reduceState(action) }
    statePointer.pointee = state
    return .none
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

  /// Puts an action into the draft of the next commit. A draft with another transaction is shown
  /// before.
  private func addToDraft(_ action: Action, _ transaction: HeldTransaction) {
    showDraft(ofOtherThan: transaction)
    guard hasDraft || turn.isTracked || turn.isSubscribed else { return }
    if !hasDraft {
      turn.draftTransaction = transaction
      draft.begin(address)
    }
    turn.draftCount += 1
    draft.keep(action)
  }

  override func deliverDraft() {
    turn.draftCount = 0
    let hasChanges = !draft.isEqual(to: address, areEqual)
    // Taken out of the draft first: an object in the old state may use the store when it is released.
    if turn.isSubscribed { showDraft(hasChanges: hasChanges) } else { _ = draft.finish() }
    if hasChanges, turn.isTracked {
      turn.isTracked = false
      didChange?()
    }
  }

  /// Shows the draft to the subscribers.
  private func showDraft(hasChanges: Bool) {
    let actions = draft.takeActions()
    let transaction = turn.draftTransaction.value
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
    turn.isSubscribed = true
    return subscribers.add(receive)
  }

  override func unsubscribe(_ id: UInt64) {
    let removed = subscribers.remove(id)
    turn.isSubscribed = !subscribers.isEmpty
    withExtendedLifetime(removed) {}
  }

  override func releaseObservers() {
    let released = exchange(&subscribers, with: Subscribers())
    turn.isSubscribed = false
    withExtendedLifetime(released) {}
  }

  // MARK: Checking

  package override func checkInvariants() {
    precondition(
      turn.phase == .reducing || stateBefore == nil, "A copy of the state has been left.")
    precondition(turn.isSubscribed == !subscribers.isEmpty, "The flag of subscribers is wrong.")
    super.checkInvariants()
  }
}
