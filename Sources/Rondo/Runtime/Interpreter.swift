// Starts effects, carries their emissions, cancels them: everything about effects that is not a
// state.

import RondoAnimation

/// Runs trees of effects, iteratively, on one isolation.
///
/// Its only structures are the tree of ``Frame``s (what is in flight), a stack of nodes that are to
/// be started next, and a registry of cancellation ids.
final class Interpreter {
  /// Where emissions arrive. The outlet owns the interpreter.
  // unowned(unsafe): the outlet ends the interpreter's work in its own `deinit`.
  unowned(unsafe) let outlet: Outlet
  let mailbox: Mailbox
  let ground = Frame()
  let registry = CancellationRegistry()
  let children = ChildRegistry()
  var throttles: [ScopedID: ThrottleWindow] = [:]

  /// Whether messages about what is in flight are wanted, which costs a little.
  var isObserved = false
  /// Where the emission on its way to the outlet comes from, while `isObserved`. `nil` for what is
  /// answered synchronously.
  var emitter: Frame?
  /// How many closures of effects have come to their end, while `isObserved`.
  var endedCount = 0

  /// Told of a dismissal of the feature at the root, by a host to which that means something.
  var didDismissRoot: (() -> Void)?

  /// The transaction of the action that is being answered right now. See ``Emission/inherited``.
  private(set) var inherited = Transaction()

  // Unchecked, because an array calls nobody who could get at it again.
  @exclusivity(unchecked) private var work:
    [(node: EffectNode, parent: Frame, inherited: Transaction)] = []
  private var isWorking = false

  init(outlet: Outlet, isolation: any HostIsolation) {
    self.outlet = outlet
    mailbox = Mailbox(isolation: isolation)
  }

  // MARK: Starting

  /// Starts an effect as a child of a frame, which counts it already.
  ///
  /// - Parameter inherited: The transaction of the action that returned the effect, for what it
  ///   answers synchronously.
  func run(_ node: EffectNode, under parent: Frame, inherited: Transaction = Transaction()) {
    perform(inherited: inherited) {
      if isWorking { start(node, under: parent) } else { node.start(under: parent, self) }
    }
  }

  /// Has a node started after those that the step in progress has named before, and ahead of all
  /// that were waiting when the step began.
  func start(_ node: EffectNode, under parent: Frame) {
    work.append((node, parent, inherited))
  }

  /// Makes a change and starts whatever it has put on the stack. Calls from within a change only put
  /// more on the stack.
  ///
  /// The change is one step, the start of every node another.
  func perform(inherited: Transaction = Transaction(), _ change: () -> Void) {
    let outer = exchange(&self.inherited, with: inherited)
    change()
    if !isWorking {
      isWorking = true
      endStep(begunAt: 0)
      while let (node, parent, inherited) = work.popLast() {
        guard parent.isAttached else { continue }
        self.inherited = inherited
        let waiting = work.count
        node.start(under: parent, self)
        endStep(begunAt: waiting)
      }
      isWorking = false
    }
    self.inherited = outer
  }

  /// Turns what a step has put on the stack over, so that what it has named first is started first.
  private func endStep(begunAt bottom: Int) {
    var (low, high) = (bottom, work.count - 1)
    while low < high {
      work.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  // MARK: Emitting

  /// Carries what a source has emitted up to the outlet, in the box that it was emitted in unless an
  /// operator on the way wants to see it.
  func deliver(
    _ value: EffectNode, _ ambient: Transaction, _ call: Transaction, from source: SourceFrame
  ) {
    guard source.interceptor == nil else {
      return deliver(
        Emission(value: value.erasedOutput, transaction: ambient, call: call), from: source)
    }
    outlet.receive(value, ambient.merging(call), source.origin.root)
  }

  /// Carries an emission from below a frame up to the outlet.
  func deliver(_ emission: Emission, from frame: Frame) {
    carry(emission, to: frame.interceptor, frame.origin)
  }

  /// Carries an emission that a frame had absorbed on, from above that frame.
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
      outlet.receive(emission, origin.root)
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
      frame.didDetach(cancelled: false, self)
      frame = parent
    }
  }

  /// Ends a frame with everything below it, be it finished or not. To what is above, it has ended.
  func end(_ frame: Frame) {
    guard let parent = frame.parent else { return }
    frame.detachSubtree { $0.didDetach(cancelled: true, self) }
    finishChild(of: parent)
  }

  /// Ends everything.
  func endAll() {
    while let root = ground.firstChild {
      end(root)
    }
    for window in exchange(&throttles, with: [:]).values {
      window.close()
    }
  }

  /// Everything in flight, depth first: for messages.
  var ledger: [Frame] {
    var frames: [Frame] = []
    var stack = Array(ground.children).reversed() as [Frame]
    while let frame = stack.popLast() {
      frames.append(frame)
      stack.append(contentsOf: Array(frame.children).reversed())
    }
    return frames
  }
}
