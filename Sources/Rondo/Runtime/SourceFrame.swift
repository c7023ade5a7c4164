// A leaf of the tree of running effects: where values come from, be it from another thread.

import RondoAnimation
import RondoScheduling
import Synchronization

/// Running work that emits values and ends: the body of a `.run`, a callback, a timer.
///
/// The work itself may be anywhere. It refers to its frame to say what it emits and when it has
/// ended, and learns there that it was cancelled.
class SourceFrame: Frame, @unchecked Sendable {
  // @unchecked: off the host's isolation only the constants below and the atomic phase are used.

  /// A number that tells the effects of a store apart, in the order in which they were started.
  final let id: UInt64
  final let mailbox: Mailbox
  final let site: EffectSite
  /// Kept for messages about emissions that come too late.
  final let startedBy: ActionFrame
  private final let phase = Atomic(Phase.running)

  enum Phase: UInt8, AtomicRepresentable {
    case running, ended, cancelled
  }

  init(_ site: EffectSite, under parent: Frame, _ interpreter: Interpreter) {
    id = interpreter.nextEffectID()
    mailbox = interpreter.mailbox
    self.site = site
    startedBy = parent.origin
    super.init(under: parent)
  }

  // MARK: For the work, from any thread

  final var isCancelled: Bool { phase.load(ordering: .acquiring) == .cancelled }

  /// Emits a value, tagged by the ambient transaction and what the call says.
  final func emit(_ value: Any, _ call: Transaction = Transaction()) {
    switch phase.load(ordering: .acquiring) {
    case .running:
      mailbox.post(.emission(self, value, ambient: .current, call: call))
    case .ended:
      reportIssue(
        """
        \(description) sent "\(value)" after it had ended, and the action was dropped. \
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
    "\(site.label) returned for \"\(startedBy.actionName)\""
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
    releaseWork(cancelled: cancelled)
  }

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
final class CallbackNode: EffectNode, @unchecked Sendable {
  let site: EffectSite
  let begin: @Sendable (SourceFrame) -> (any Cancellable)?
  /// Those in force where the effect was made, which are in force for its closure.
  private let dependencies = DependencyValues.current

  init(_ site: EffectSite, begin: @escaping @Sendable (SourceFrame) -> (any Cancellable)?) {
    self.site = site
    self.begin = begin
  }

  override var label: String { site.label }
  override var sourcePlace: SourcePlace? { site.place }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    let frame = CallbackFrame(site, under: parent, interpreter)
    let origin = interpreter.isObserved ? ObjectIdentifier(frame) : nil
    let work = dependencies.whileInForceIfAny { withWaitOrigin(origin) { begin(frame) } }
    if frame.isAttached { frame.work = work } else { work?.cancel() }
  }
}

final class CallbackFrame: SourceFrame, @unchecked Sendable {
  var work: (any Cancellable)?

  override func releaseWork(cancelled: Bool) {
    let work = work.take()
    if cancelled { work?.cancel() }
  }
}
