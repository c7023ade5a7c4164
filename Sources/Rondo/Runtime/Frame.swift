// A place in the tree of running effects. The tree is the ledger of what is in flight.

import RondoAnimation
import Synchronization

/// One node of an effect while it runs.
///
/// Frames form a tree. A root stands for everything that one `send` has started. Below it there is
/// a frame for each node that has to remember something. The leaves are the work itself. Every
/// frame counts the children that have not ended; at zero it ends, and its parent counts one less.
/// Cancelling detaches a frame with all that is below it.
///
/// Frames belong to one ``Interpreter`` and are touched on its host's isolation only. A frame owns
/// its first child and its next sibling; detaching, which happens exactly once to every frame, cuts
/// these references. Most other references are unowned: counting references to frames that were last
/// used long ago costs more than everything else that is done with a frame.
@usableFromInline
package class Frame {
  /// The number of children that have not ended, with those that are about to be started. A frame
  /// begins with one that is. In a root, each action that waits in the queue counts as well.
  final private var active = 1
  /// Whether it is in the tree. The frame above all roots never asks.
  package final var isAttached: Bool { parent != nil }

  // unowned(unsafe): it is attached while this frame is, so the list that it is linked in holds it.
  final private(set) unowned(unsafe) var parent: Frame?
  final private(set) var firstChild: Frame?
  final private var nextSibling: Frame?
  // unowned(unsafe): frames that are linked are alive, because the list holds them.
  final private unowned(unsafe) var lastChild: Frame?
  final private unowned(unsafe) var previousSibling: Frame?

  /// The nearest frame, from this one up, that looks at emissions. Emissions skip all others, so a
  /// deep tree costs them nothing.
  // unowned(unsafe): it is this frame or one above it, alive while this one is attached.
  final private(set) unowned(unsafe) var interceptor: Frame?

  /// The action that returned the effect.
  // unowned(unsafe): it is this frame or one above it, alive while this one is attached.
  final unowned(unsafe) var actionFrame: ActionFrame!

  /// The feature that returned the effect.
  final let path: NavigationPath?

  /// The id that the frame can be cancelled by, if any. The registry sets it.
  final var registration: Registration?

  /// The frame above all roots of an interpreter, which never ends.
  init() {
    path = nil
    active = .max / 2
  }

  /// A frame below another.
  ///
  /// - Parameters:
  ///   - intercepts: Whether ``intercept(_:_:)`` wants to see emissions from below.
  ///   - path: The feature that returns the effects below; `nil` where it is that of the parent.
  init(under parent: Frame, intercepts: Bool = false, path: NavigationPath? = nil) {
    self.parent = parent
    self.path = path ?? parent.path
    actionFrame = parent.actionFrame
    interceptor = parent.interceptor
    if intercepts { interceptor = self }
    parent.link(self)
  }

  // MARK: Overridden by kinds of frames

  /// Looks at an emission on its way up, and may change it.
  func intercept(_ emission: inout Emission, _ interpreter: Interpreter) -> Interception {
    .pass
  }

  /// Asked when no child is left: whether this frame has just started another one.
  func startsMore(_ interpreter: Interpreter) -> Bool {
    false
  }

  /// Called once, when the frame has left the tree. This implementation does nothing.
  ///
  /// - Parameter cancelled: Whether it has left before its work had ended.
  func didLeave(cancelled: Bool, _ interpreter: Interpreter) {}

  /// Whether it is the frame of a child, with which the effects below it go.
  var isOfChild: Bool { false }

  /// Whether it has left the tree because its child, or one around that, is gone.
  var hasGoneWithChild: Bool { false }

  /// A name for the work of the frame itself, for messages; `nil` where only the frames below it
  /// have work.
  var pendingWork: String? { nil }

  /// The object that waits on a scheduler for the frame, where that is not the frame itself.
  var dueTarget: AnyObject { self }

  /// The label of the effect that messages name as the sender.
  var label: String? { nil }

  /// The kind of the effect, for recordings; `nil` where the frame is only a part of one.
  var effectKind: String? { nil }

  /// The place in the source where the effect was made, if it is known.
  var position: SourcePosition? { nil }

  /// The number of the part that runs, from 1, of a frame that runs its parts one behind the other.
  var step: Int? { nil }

  /// The frame around the effects that are made for what passes this frame; `nil` where none are made.
  var groupOfAnswers: Frame? { nil }

  // MARK: Counting children

  /// Counts children that are about to be started. For each that ends before this frame does,
  /// ``Interpreter/finishChild(of:)`` is called once.
  final func expectChild(_ count: Int = 1) {
    active += count
  }

  /// Counts one child as ended. Returns whether none is left of a frame in the tree.
  final func countEndedChild() -> Bool {
    active -= 1
    return active == 0 && isAttached
  }

  // MARK: The tree

  /// This frame and all frames above it, up to the one above all roots.
  final var lineage: some Sequence<Frame> {
    sequence(first: self) { $0.parent }
  }

  /// The nearest frame, from this one up, that is registered under an id at exactly its path.
  final func nearestFrame(in place: ScopedID) -> Frame? {
    var next: Frame? = self
    while let frame = next, frame !== actionFrame {
      if let id = frame.registration?.id, id == place.id, frame.path == place.path {
        return frame
      }
      next = frame.parent
    }
    return nil
  }

  /// Whether no frame is below.
  final var isLeaf: Bool { firstChild == nil }

  final var children: some Sequence<Frame> {
    sequence(state: firstChild) { next in
      defer { next = next?.nextSibling }
      return next
    }
  }

  private func link(_ child: Frame) {
    if let last = lastChild {
      last.nextSibling = child
      child.previousSibling = last
    } else {
      firstChild = child
    }
    lastChild = child
  }

  private func unlink(_ child: Frame) {
    let previous = child.previousSibling.take()
    let next = child.nextSibling.take()
    if let next { next.previousSibling = previous } else { lastChild = previous }
    if let previous { previous.nextSibling = next } else { firstChild = next }
  }

  /// Leaves the tree. The caller has dealt with the children, or has none.
  final func detach() {
    parent?.unlink(self)
    parent = nil
    interceptor = nil
    actionFrame = nil
  }

  /// Leaves the tree with everything below, and then calls a closure with each frame that has left,
  /// top down. The first call comes after the last frame has left, so no frame below can answer.
  ///
  /// Complexity: O(*n*) in the frames below, in constant stack and without extra memory: the frames
  /// that have left form a list, linked by their references to siblings.
  final func detachSubtree(_ body: (Frame) -> Void) {
    detach()
    var last = self
    var next: Frame? = self
    while let frame = next {
      while let child = frame.firstChild {
        child.detach()
        last.nextSibling = child
        last = child
      }
      next = frame.nextSibling
    }
    next = self
    while let frame = next {
      next = frame.nextSibling.take()
      body(frame)
    }
  }
}

extension Frame {
  /// Stops with a message where the links or counts of this frame and its children are wrong.
  final func checkInvariants() {
    var previous: Frame?
    for child in children {
      precondition(child.isAttached && child.parent === self, "A child has another parent.")
      precondition(child.previousSibling === previous, "Siblings are linked in one direction only.")
      precondition(
        child.interceptor == nil || child.lineage.contains { $0 === child.interceptor },
        "An interceptor is not above its frame.")
      precondition(
        child is ActionFrame || child.lineage.contains { $0 === child.actionFrame },
        "The action frame of a frame is not above it.")
      previous = child
    }
    precondition(lastChild === previous, "The last child is not the last in the list.")
    precondition(
      active >= children.count { _ in true }, "A frame has more children than it counts.")
  }
}

extension Frame {
  /// The life of some work, asked for by any thread.
  struct Lifetime: ~Copyable, Sendable {
    private let state = Atomic(State.running)

    enum State: UInt8, AtomicRepresentable {
      case running
      /// It has ended, and was not cancelled before.
      case ended
      /// It was cancelled, and may still be at work.
      case cancelled
      /// It was cancelled, and has ended.
      case over
    }

    var now: State { state.load(ordering: .acquiring) }

    var isCancelled: Bool { now == .cancelled || now == .over }

    /// Whether it has ended, cancelled or not.
    var isOver: Bool { now == .ended || now == .over }

    /// Notes that it was cancelled. Returns whether it was running, and not cancelled before.
    @discardableResult
    func cancel() -> Bool { change(.running, to: .cancelled) }

    /// Notes that it has ended. Returns whether it was running, and not cancelled before.
    @discardableResult
    func end() -> Bool {
      if change(.running, to: .ended) { return true }
      _ = change(.cancelled, to: .over)
      return false
    }

    /// Notes that it was cancelled and has ended, whatever came first.
    func finish() { state.store(.over, ordering: .releasing) }

    private func change(_ old: State, to new: State) -> Bool {
      state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
  }
}

/// The fate of an emission at a frame.
enum Interception {
  /// It goes on.
  case pass
  /// It goes on, and the frame ends when it has arrived.
  case passLast
  /// It goes no further; the frame may send it on later.
  case absorb
}

/// The effects that one action has returned.
package class ActionFrame: Frame {
  /// The action, for messages; `nil` where an effect runs without a store.
  final let action: Any?
  /// The transaction of the action. Effects that it starts, or that a cancellation starts, answer with
  /// it at once.
  final let transaction: Transaction
  /// The mailbox that the effects post their messages to. Held here, once for all of them.
  final let mailbox: Mailbox
  // unowned(unsafe): it is this frame or the one above it, alive while this one is attached.
  final private(set) unowned(unsafe) var root: RootFrame!

  init(_ action: Any, _ transaction: HeldTransaction, under root: RootFrame) {
    self.action = action
    self.transaction = transaction.value
    mailbox = root.mailbox
    super.init(under: root)
    self.root = root
    actionFrame = self
  }

  /// Makes a root: a frame directly below the top of the interpreter.
  init(
    rootOf action: @autoclosure () -> Any?, _ transaction: HeldTransaction,
    _ interpreter: Interpreter
  ) {
    self.action = action()
    self.transaction = transaction.value
    mailbox = interpreter.mailbox
    super.init(under: interpreter.top)
    root = unsafeDowncast(self, to: RootFrame.self)
    actionFrame = self
  }

  /// The action as messages name it.
  final var actionName: String {
    action.map { summary(of: $0) } ?? "no action"
  }
}

/// A value that has left an effect, with what is known of its transaction.
///
/// The transaction comes from three sources, one property each. A slot that a later property sets
/// wins over the same slot of an earlier one.
struct Emission {
  var value: Any

  /// The transaction of what is answered at once: an action, or a message of a scheduler. Empty
  /// once the emission has passed a scheduler.
  var inherited = HeldTransaction()

  /// The ambient transaction at the emission. Operators and the ambient transactions of schedulers
  /// on the way up are merged into it.
  var transaction = HeldTransaction()

  /// The transaction that was given to the call of `send`.
  var call = HeldTransaction()

  var resolvedTransaction: HeldTransaction {
    inherited.merging(transaction).merging(call)
  }
}
