// A leaf of the tree of running effects: where values come from, be it from another thread.

import RondoAnimation
import RondoScheduling
import Synchronization

/// Work that emits values and ends: the body of a `.run`, a callback, a timer.
class SourceNode: EffectNode, @unchecked Sendable {
  final let site: EffectSite
  /// Those in force where the effect was made, which are in force for its closure.
  fileprivate final let dependencies = DependencyValues.current

  init(_ site: EffectSite) {
    self.site = site
  }

  override final var label: String { site.label }
  override final var sourcePlace: SourcePlace? { site.place }

  override final func start(under parent: Frame, _ interpreter: Interpreter) {
    start(under: parent, as: nil, interpreter)
  }

  /// Starts the work, registered under a cancellation id if there is one.
  final func start(under parent: Frame, as id: CancellationID?, _ interpreter: Interpreter) {
    let frame = makeFrame(under: parent, as: id, interpreter)
    dependencies.whileInForceIfAny { frame.begin(interpreter) }
  }

  /// The frame that the work refers to, attached to `parent`.
  func makeFrame(
    under parent: Frame, as id: CancellationID?, _ interpreter: Interpreter
  ) -> SourceFrame {
    preconditionFailure("\(type(of: self)) makes no frame.")
  }
}

/// Running work that emits values and ends.
///
/// The work itself may be anywhere. It refers to its frame to say what it emits and when it has
/// ended, and learns there that it was cancelled.
class SourceFrame: CancellableFrame, @unchecked Sendable {
  // @unchecked: off the host's isolation only the constants below and the atomic phase are used.

  final let node: SourceNode
  /// Kept for its mailbox, and for messages about emissions that come too late.
  private final let startedBy: ActionFrame
  private final let phase = Atomic(Phase.running)

  enum Phase: UInt8, AtomicRepresentable {
    case running, ended, cancelled
  }

  final var site: EffectSite { node.site }
  final var mailbox: Mailbox { startedBy.mailbox }

  init(
    _ node: SourceNode, under parent: Frame, as id: CancellationID?, _ interpreter: Interpreter
  ) {
    self.node = node
    startedBy = parent.origin
    super.init(id, under: parent, interpreter)
  }

  // MARK: For the work, from any thread

  final var isCancelled: Bool { phase.load(ordering: .acquiring) == .cancelled }

  /// Emits a value, tagged by the ambient transaction and what the call says.
  final func emit<Output>(_ value: Output, _ call: Transaction = Transaction()) {
    switch phase.load(ordering: .acquiring) {
    case .running:
      // Completions wait until the letter has been dealt with, and what comes of it has been shown.
      mailbox.post(
        .emission(
          self, SendNode(value),
          ambient: .current.holdingCompletions, call: call.holdingCompletions))
    case .ended:
      reportIssue(
        """
        \(description) sent \(summary(of: value)) after it had ended, and the action was dropped. \
        Send before the effect's closure returns, or keep the closure waiting for the work that \
        sends.
        """,
        site
      )
    case .cancelled:
      break
    }
  }

  /// Says that nothing more will come.
  final func end() {
    let exchanged = phase.compareExchange(
      expected: .running, desired: .ended, ordering: .acquiringAndReleasing)
    if exchanged.exchanged { mailbox.post(.ended(self)) }
  }

  /// The effect as messages name it.
  final var description: String {
    "\(site.label) returned for \(startedBy.actionName)"
  }

  // MARK: On the host's isolation

  override final var pendingWork: String? { site.label }
  override final var label: String? { site.label }
  override final var sourcePlace: SourcePlace? { site.place }

  /// Ends the work's place in the tree.
  final func finish(_ interpreter: Interpreter) {
    let parent = parent!
    detachSubtree { $0.didDetach(cancelled: $0 !== self, interpreter) }
    interpreter.finishChild(of: parent)
  }

  override final func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    if cancelled { phase.store(.cancelled, ordering: .releasing) }
    super.didDetach(cancelled: cancelled, interpreter)
    releaseWork(cancelled: cancelled)
  }

  /// Starts the work, inside of the dependencies that are to be in force for it.
  func begin(_ interpreter: Interpreter) {}

  /// Lets go of the work, and cancels it if it is not done.
  func releaseWork(cancelled: Bool) {}
}

/// Where an effect or an operator was made, as messages show it.
package struct SourcePlace: Sendable {
  package let fileID: StaticString
  package let line: UInt
}

/// Where an effect was made and how it is called there, for messages.
package struct EffectSite: Sendable {
  let kind: String
  var name: String?
  package let fileID: StaticString
  let filePath: StaticString
  package let line: UInt
  let column: UInt

  package var place: SourcePlace { SourcePlace(fileID: fileID, line: line) }

  package var label: String {
    name.map { "\(kind) \"\($0)\"" } ?? kind
  }
}

func reportIssue(_ message: String, _ site: EffectSite) {
  reportIssue(
    message,
    fileID: site.fileID, filePath: site.filePath, line: site.line, column: site.column)
}

/// A source whose work calls back: it is given the frame, and answers with what cancels it.
final class CallbackNode: SourceNode, @unchecked Sendable {
  let begin: @Sendable (SourceFrame) -> (any Cancellable)?

  init(_ site: EffectSite, begin: @escaping @Sendable (SourceFrame) -> (any Cancellable)?) {
    self.begin = begin
    super.init(site)
  }

  override func makeFrame(
    under parent: Frame, as id: CancellationID?, _ interpreter: Interpreter
  ) -> SourceFrame {
    CallbackFrame(self, under: parent, as: id, interpreter)
  }
}

private final class CallbackFrame: SourceFrame, @unchecked Sendable {
  private var work: (any Cancellable)?

  override func begin(_ interpreter: Interpreter) {
    let origin = interpreter.isObserved ? ObjectIdentifier(self) : nil
    let node = unsafeDowncast(node, to: CallbackNode.self)
    let work = withWaitOrigin(origin) { node.begin(self) }
    if isAttached { self.work = work } else { work?.cancel() }
  }

  override func releaseWork(cancelled: Bool) {
    let work = work.take()
    if cancelled { work?.cancel() }
  }
}
