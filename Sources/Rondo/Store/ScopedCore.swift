// The core of a child's store: a view of a part of another store's state.

import RondoAnimation
import RondoScheduling

/// Finds a child's state in its parent's.
@usableFromInline
struct Projection<Parent, Child> {
  /// The place of the child in its parent, in bytes; `nil` unless it is stored there and always
  /// present.
  @usableFromInline let offset: Int?
  /// Calls a closure with the child's state, or with `nil` when there is no child. The property is
  /// `nil` where there is an offset.
  @usableFromInline let computed:
    ((UnsafePointer<Parent>, (UnsafePointer<Child>?) -> Void) -> Void)?
  /// Whether the child may go away.
  @usableFromInline let isMortal: Bool
  /// Whether the child is found by its id, so that another child is never taken for it.
  @usableFromInline let isByID: Bool

  @inlinable
  init(
    offset: Int? = nil, isMortal: Bool, isByID: Bool = false,
    computed: ((UnsafePointer<Parent>, (UnsafePointer<Child>?) -> Void) -> Void)? = nil
  ) {
    self.offset = offset
    self.isMortal = isMortal
    self.isByID = isByID
    self.computed = computed
  }

  /// Calls a closure with the child's state, or with `nil` when there is no child.
  func project(_ parent: UnsafePointer<Parent>, _ body: (UnsafePointer<Child>?) -> Void) {
    guard let offset else { return computed!(parent, body) }
    body((UnsafeRawPointer(parent) + offset).bound(to: Child.self))
  }

  /// A child that is a property of its parent.
  @inlinable
  static func property(_ keyPath: KeyPath<Parent, Child>) -> Self {
    guard let offset = MemoryLayout<Parent>.offset(of: keyPath) else {
      let part = StateAccess(keyPath)
      return Self(isMortal: false) { part.observe($0, $1) }
    }
    return Self(offset: offset, isMortal: false)
  }

  /// A property that may be `nil`, or the value of a case that the parent may be in.
  static func optional(_ keyPath: KeyPath<Parent, Child?>) -> Self {
    let part = StateAccess(keyPath)
    return Self(isMortal: true) { parent, body in
      part.observe(parent) {
        // The value of an optional has the same address as the optional.
        body($0.pointee == nil ? nil : UnsafeRawPointer($0).bound(to: Child.self))
      }
    }
  }

  /// A feature on a stack, until it is removed.
  static func element(
    _ keyPath: KeyPath<Parent, StackState<Child>>, _ id: StackElementID, _ addition: Stamp
  ) -> Self {
    let stack = Projection<Parent, StackState<Child>>.property(keyPath)
    return Self(isMortal: true, isByID: true) { parent, body in
      stack.project(parent) { stack in
        guard let entry = stack!.pointee.entries[id: id], entry.addition == addition,
          let element = entry.element
        else { return body(nil) }
        withUnsafePointer(to: element) { body($0) }
      }
    }
  }

  /// An element of a list.
  static func element<ID>(
    _ keyPath: KeyPath<Parent, IdentifiedArray<ID, Child>>, _ id: ID
  ) -> Self {
    let list = Projection<Parent, IdentifiedArray<ID, Child>>.property(keyPath)
    return Self(isMortal: true, isByID: true) { parent, body in
      list.project(parent) { elements in
        let elements = elements!
        guard let index = elements.pointee.index(id: id) else { return body(nil) }
        elements.pointee.storage.withUnsafeBufferPointer { body($0.baseAddress! + index) }
      }
    }
  }
}

/// A child's state within its parent's, and its actions within the parent's.
///
/// Cores are made often and many are hardly used, so their parts are made when they are first
/// needed.
@usableFromInline
final class ScopedCore<ParentState, ParentAction, State, Action>: StoreCore<State, Action> {
  @usableFromInline let parent: StoreCore<ParentState, ParentAction>
  @usableFromInline let projection: Projection<ParentState, State>
  @usableFromInline let makePath: () -> AnyCasePath<ParentAction, Action>
  private lazy var path = makePath()
  /// The identity and the last known state of a child that may go away; `nil` for other children.
  @usableFromInline let mortal: MortalChild<State>?

  private lazy var areEqual = StateComparison(of: State.self)
  private var isTracking = false

  /// - Parameter position: The place in the source where the store of a child that may go away was
  ///   made.
  @inlinable
  init(
    _ parent: StoreCore<ParentState, ParentAction>,
    _ projection: Projection<ParentState, State>,
    _ path: @autoclosure @escaping () -> AnyCasePath<ParentAction, Action>,
    _ position: SourcePosition? = nil
  ) {
    self.parent = parent
    self.projection = projection
    makePath = path
    mortal = projection.isMortal ? MortalChild(projection, parent, position) : nil
    var address: UnsafePointer<State>?
    if let offset = projection.offset, let base = parent.fixedAddress {
      address = (UnsafeRawPointer(base) + offset).bound(to: State.self)
    }
    super.init(fixedAddress: address)
  }

  // MARK: State

  override func access(_ body: (UnsafePointer<State>?) -> Void) {
    parent.access { parent in
      guard let parent else { return body(nil) }
      projection.project(parent) { [self] child in
        guard let mortal, let child else { return body(child) }
        body(mortal.isSame(child) ? child : nil)
      }
    }
  }

  override var lastState: State? {
    mortal?.known ?? projectedLastState
  }

  /// The child's part of the last known state of its parent, for when an ancestor is absent.
  private var projectedLastState: State? {
    guard var last = parent.lastState else { return nil }
    var state: State?
    withUnsafePointer(to: &last) { last in
      projection.project(last) { state = $0?.pointee }
    }
    return state
  }

  override func know(_ state: State) {
    if let mortal, mortal.known == nil { mortal.known = state }
  }

  override func remember() {
    guard fixedAddress == nil else { return }
    if mortal != nil { _ = isAlive() } else { parent.remember() }
  }

  /// Whether the child that the store was made for is still there. A child that has gone never
  /// comes back: a later child is another one.
  override func isAlive() -> Bool {
    guard let mortal else { return true }
    var isPresent = false
    access { state in
      guard let state else { return }
      isPresent = true
      // The old value is released when the access has ended: it may use this store.
      let old = exchange(&mortal.known, with: state.pointee)
      withExtendedLifetime(old) {}
    }
    mortal.isEnded = !isPresent
    return isPresent
  }

  override var isOfGoneChild: Bool { !isPresent }

  override var isKnownToHaveEnded: Bool { mortal?.isEnded == true }

  // MARK: Actions

  override func send(_ action: Action, _ transaction: Transaction) -> StoreTask {
    guard let mortal, !isPresent else { return parent.send(path.embed(action), transaction) }
    guard isOtherPresent else {
      // One that comes later is another one, also where nothing but the time tells them apart.
      mortal.isEnded = true
      return parent.send(path.embed(action), transaction)
    }
    mortal.position?.reportStaleStore(action)
    return StoreTask(nil)
  }

  private var isPresent: Bool {
    var isPresent = false
    access { isPresent = $0 != nil }
    return isPresent
  }

  /// Whether there is a child at the place of the one that the store was made for.
  private var isOtherPresent: Bool {
    var isPresent = false
    parent.access { parent in
      if let parent { projection.project(parent) { isPresent = $0 != nil } }
    }
    return isPresent
  }

  override var host: Machine { parent.host }

  // MARK: Commits

  override func subscribe(_ receive: @escaping (Commit<State, Action>) -> Void) -> UInt64 {
    // The closure does not hold this core. The core refers to the machine, which holds the closure:
    // the machine would keep itself alive.
    let subscription = SelfEndingSubscription(host)
    let id = parent.subscribe { [projection, path, areEqual, mortal] commit in
      guard !subscription.hasEnded else { return }
      Self.withChildren(of: commit, projection) { old, new in
        if let mortal, !(new.map(mortal.isSame) ?? false) {
          mortal.isEnded = true
          return subscription.end()
        }
        guard let old, let new else { return }
        receive(
          Commit(
            oldState: old.pointee, newState: new.pointee,
            actions: commit.actions.compactMap(path.extract(from:)),
            transaction: commit.transaction,
            hasChanges: commit.hasChanges && !areEqual(old, new)))
      }
    }
    subscription.id = id
    return id
  }

  /// Calls a closure with the child before and after a commit of its parent; `nil` where there is none.
  private static func withChildren(
    of commit: Commit<ParentState, ParentAction>,
    _ projection: Projection<ParentState, State>,
    _ body: (UnsafePointer<State>?, UnsafePointer<State>?) -> Void
  ) {
    withUnsafePointer(to: commit.oldState) { oldParent in
      withUnsafePointer(to: commit.newState) { newParent in
        projection.project(oldParent) { old in
          projection.project(newParent) { new in body(old, new) }
        }
      }
    }
  }

  override func track() {
    // Nothing to do for a child that is observed field by field: its own fields wake their readers.
    guard !isObservedByField, !isTracking else { return }
    isTracking = true
    let subscription = SelfEndingSubscription(host)
    subscription.id = parent.subscribe { [weak self] commit in
      guard let self else { return subscription.end() }
      guard commit.hasChanges, hasChanged(in: commit) else { return }
      isTracking = false
      subscription.end()
      didChange()
    }
  }

  private func hasChanged(in commit: Commit<ParentState, ParentAction>) -> Bool {
    var isUnchanged = false
    Self.withChildren(of: commit, projection) { old, new in
      if let old, let new { isUnchanged = areEqual(old, new) }
    }
    return !isUnchanged
  }
}

/// A child that may go away: its identity, and its last known state.
@usableFromInline
final class MortalChild<State> {
  let position: SourcePosition?
  /// `nil` where the child is found by its id.
  private let identity: ChildIdentityReader?
  private let initialIdentity: ChildIdentity?
  var isEnded = false
  var known: State?

  @usableFromInline
  init<ParentState, ParentAction>(
    _ projection: Projection<ParentState, State>,
    _ parent: StoreCore<ParentState, ParentAction>,
    _ position: SourcePosition?
  ) {
    self.position = position
    let identity = projection.isByID ? nil : ChildIdentityReader(idOf: State.self)
    var initial: State?
    var initialIdentity: ChildIdentity?
    parent.access { parent in
      guard let parent else { return }
      projection.project(parent) { child in
        guard let child else { return }
        initial = child.pointee
        initialIdentity = identity.map { $0(child) }
      }
    }
    self.identity = identity
    self.initialIdentity = initialIdentity
    known = initial
  }

  func isSame(_ state: UnsafePointer<State>) -> Bool {
    guard !isEnded else { return false }
    return identity.map { $0(state) } == initialIdentity
  }
}

/// A subscription that ends itself.
private final class SelfEndingSubscription {
  /// The id of the subscription; `nil` before it has begun.
  var id: UInt64?
  private(set) var hasEnded = false
  // The machine holds the subscription.
  private unowned let host: Machine

  init(_ host: Machine) {
    self.host = host
  }

  func end() {
    hasEnded = true
    if let id { host.unsubscribe(id) }
  }
}

extension SourcePosition {
  /// Reports an action that was sent to a store after the store's child had gone.
  func reportStaleStore(_ action: Any) {
    reportIssue(
      """
      A store made by scope(state:action:) was sent \(summary(of: action)) after the child that it was made for \
      had gone, while another child is there. The action was dropped. Ask the parent store for a \
      store of the child that is there now, and let go of the old one.
      """,
      at: self)
  }
}
