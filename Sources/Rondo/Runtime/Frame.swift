// A place in the tree of running effects. The tree is the ledger of what is in flight.

/// One node of an effect while it runs.
///
/// Frames form a tree: a root for everything that one `send` has started, below it a frame for each
/// node that has to remember something, at the leaves the work itself. Every frame counts the
/// children that have not ended; at zero it ends, and its parent counts one less. Cancelling
/// detaches a frame with all that is below it.
///
/// Frames belong to one ``Interpreter`` and are touched on its host's isolation only. A frame owns
/// its first child and its next sibling; detaching, which happens exactly once to every frame, cuts
/// these references. All others are unowned, because counting the references to frames that were
/// last touched long ago costs more than all else that is done with a frame.
package class Frame {
  /// Children that were started, or are about to be, and have not ended.
  final var active = 1
  final private(set) var isAttached = true

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
  final fileprivate(set) unowned(unsafe) var origin: ActionFrame!

  /// The feature that returned the effect.
  final let path: NavigationPath?

  /// The frame at the bottom of an interpreter, which never ends.
  init() {
    path = nil
    active = .max / 2
  }

  /// A frame below another.
  ///
  /// - Parameters:
  ///   - intercepts: Whether ``intercept(_:_:)`` wants to see emissions from below.
  ///   - path: The feature that effects below are returned by, where it is another than above.
  init(under parent: Frame, intercepts: Bool = false, path: NavigationPath? = nil) {
    self.parent = parent
    self.path = path ?? parent.path
    origin = parent.origin
    interceptor = parent.interceptor
    if intercepts { interceptor = self }
    parent.link(self)
  }

  // MARK: What kinds of frames differ in

  /// Looks at an emission on its way up, and may change it.
  func intercept(_ emission: inout Emission, _ interpreter: Interpreter) -> Interception {
    .pass
  }

  /// Asked when no child is left: whether this frame has just started another one.
  func startsMore(_ interpreter: Interpreter) -> Bool {
    false
  }

  /// Told once, when the frame has left the tree: `cancelled` before its work had ended.
  func didDetach(cancelled: Bool, _ interpreter: Interpreter) {}

  /// What the frame itself is at work with or waits for, in the words of a message; `nil` where
  /// only the frames below it are.
  var pendingWork: String? { nil }

  /// Whom the frame has put on a scheduler for what it waits for, where that is not the frame.
  var dueTarget: AnyObject { self }

  /// What is made out to be the sender of what the frame emits.
  var label: String? { nil }

  /// Where that was made, if it is known.
  var sourcePlace: SourcePlace? { nil }

  /// What the frame can be cancelled by.
  var cancellationID: CancellationID? { nil }

  // MARK: The tree

  /// This frame, and those that it is a part of, up to the ground.
  final var lineage: some Sequence<Frame> {
    sequence(first: self) { $0.parent }
  }

  /// Whether this frame is another one, or below it.
  final func isPart(of other: Frame) -> Bool {
    lineage.contains { $0 === other }
  }

  /// How many are registered at a place, of this frame and those above it.
  final func registeredCount(at place: ScopedID) -> Int {
    lineage.count { $0.cancellationID == place.id && $0.path == place.path }
  }

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
    isAttached = false
    interceptor = nil
  }

  /// Leaves the tree with everything below, and then calls a closure with each frame that has left,
  /// top down: by the time anyone is told, nobody is left who could answer.
  ///
  /// Complexity: O(*n*) in the frames below, in constant stack and without memory of its own: those
  /// that have left are chained by the references that linked them to their siblings.
  final func detachSubtree(_ didDetach: (Frame) -> Void) {
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
      didDetach(frame)
    }
  }
}

/// What a frame made of an emission.
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
  /// Where news of the effects are posted. Held here, once for all of them.
  final let mailbox: Mailbox
  // unowned(unsafe): it is this frame or the one above it, alive while this one is attached.
  final private(set) unowned(unsafe) var root: RootFrame!

  init(_ action: Any, under root: RootFrame) {
    self.action = action
    mailbox = root.mailbox
    super.init(under: root)
    self.root = root
    origin = self
  }

  /// A root.
  init(rootOf action: Any?, _ interpreter: Interpreter) {
    self.action = action
    mailbox = interpreter.mailbox
    super.init(under: interpreter.ground)
    root = unsafeDowncast(self, to: RootFrame.self)
    origin = self
  }

  /// The action as messages name it.
  final var actionName: String {
    action.map { summary(of: $0) } ?? "no action"
  }
}

/// Stores a new value and returns the old one.
func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
