// The heart: owns the state, runs the reducer, queues actions, makes commits.

import RondoAnimation

/// A state, its reducer, and the effects in flight, on whatever isolation its host gives it.
///
/// The machine is synchronous. It knows no threads, clocks or actors; effects that involve them talk
/// to it through its ``Mailbox``.
///
/// A **drain** begins with an action from outside, or with letters that have arrived, and handles
/// actions in the order in which they were queued until none is left.
final class Machine<State, Action>: Outlet<Action> {
  // A pointer, because a reducer or an observer may read the state while a drain is in progress,
  // which is no conflict: they run between two changes, on the same isolation.
  private let statePointer: UnsafeMutablePointer<State>
  private let reducer: any Reducer<State, Action>

  private var queue = Queue<Envelope<Action>>()
  private var isSettling = false
  private var outermostRoot: RootFrame?

  private var draft: Draft?
  private var subscribers: [(id: UInt64, receive: (Commit<State, Action>) -> Void)] = []
  private var lastSubscriberID: UInt64 = 0
  private lazy var areEqual = Machine.makeComparison()

  /// Told of a change when it had been read since the last one. See ``isTracked``.
  var didChange: (() -> Void)?
  /// Whether somebody wants to know, once, that the state has changed.
  var isTracked = false

  /// A commit that is not complete yet.
  private struct Draft {
    let oldState: State
    var actions: [Action]
    let transaction: Transaction
  }

  init(
    initialState: State,
    reducer: any Reducer<State, Action>,
    isolation: any HostIsolation
  ) {
    statePointer = .allocate(capacity: 1)
    statePointer.initialize(to: initialState)
    self.reducer = reducer
    super.init(isolation: isolation)
  }

  deinit {
    statePointer.deinitialize(count: 1)
    statePointer.deallocate()
  }

  var state: State {
    _read { yield statePointer.pointee }
  }

  // MARK: Sending

  /// Queues an action, and drains the queue unless that is being done further up the stack.
  ///
  /// - Returns: The root of everything that the action has started; `nil` when nothing is in flight.
  func send(_ action: Action, _ call: Transaction) -> RootFrame? {
    let transaction = Transaction.current.merging(call)
    guard !isBusy else {
      let root = RootFrame(action: action, on: interpreter.ground)
      queue.append(Envelope(action: action, transaction: transaction, root: root))
      return root
    }
    var root: RootFrame?
    perform {
      handle(action, transaction, nil)
      settle()
      // The root was held by this drain, so that it could not end before all was queued.
      root = outermostRoot.take()
      if let root { interpreter.finishChild(of: root) }
    }
    return root
  }

  override func receive(_ action: Action, _ transaction: Transaction, _ root: RootFrame) {
    root.active += 1
    queue.append(Envelope(action: action, transaction: transaction, root: root))
  }

  // MARK: Draining

  override func perform(_ change: () -> Void) {
    super.perform {
      change()
      repeat {
        settle()
        commit()
      } while !queue.isEmpty
    }
  }

  override func settle() {
    guard !isSettling else { return }
    isSettling = true
    while let envelope = queue.removeFirst() {
      handle(envelope.action, envelope.transaction, envelope.root)
      if let root = envelope.root { interpreter.finishChild(of: root) }
    }
    isSettling = false
  }

  private func handle(_ action: Action, _ transaction: Transaction, _ root: RootFrame?) {
    record(action, transaction)
    let effect = reducer.reduce(into: &statePointer.pointee, action: action)
    guard let node = effect.node else { return }
    guard !node.isSend else {
      let answer = unsafeDowncast(node, to: SendNode<Action>.self).output
      root?.active += 1
      queue.append(Envelope(action: answer, transaction: transaction, root: root))
      return
    }
    let parent: ActionFrame
    if let root = root ?? outermostRoot {
      guard root.isAttached else { return }
      parent = ActionFrame(action, under: root)
      root.active += 1
    } else {
      parent = RootFrame(action: action, on: interpreter.ground)
      parent.active += 1
      outermostRoot = parent.root
    }
    interpreter.run(node, under: parent, inherited: transaction)
  }

  // MARK: Commits

  private func record(_ action: Action, _ transaction: Transaction) {
    if let draft, draft.transaction != transaction { commit() }
    guard draft == nil else {
      draft?.actions.append(action)
      return
    }
    guard isTracked || !subscribers.isEmpty else { return }
    draft = Draft(oldState: state, actions: [action], transaction: transaction)
  }

  /// Delivers what has been recorded.
  private func commit() {
    guard let draft = draft.take() else { return }
    let commit = Commit(
      oldState: draft.oldState, newState: state, actions: draft.actions,
      transaction: draft.transaction, hasChanges: !areEqual(draft.oldState, state))
    for subscriber in subscribers {
      subscriber.receive(commit)
    }
    if commit.hasChanges, isTracked {
      isTracked = false
      didChange?()
    }
  }

  /// Calls a closure with every commit from now on.
  func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    lastSubscriberID += 1
    subscribers.append((lastSubscriberID, receive))
    return lastSubscriberID
  }

  override func unsubscribe(_ id: UInt64) {
    subscribers.removeAll { $0.id == id }
  }

  /// Equality where the state has one, otherwise a function that never finds two states equal.
  private static func makeComparison() -> (State, State) -> Bool {
    guard let equatable = State.self as? any Equatable.Type else { return { _, _ in false } }
    func compare<E: Equatable>(_: E.Type) -> (State, State) -> Bool {
      { ($0 as! E) == ($1 as! E) }
    }
    return compare(equatable)
  }
}
