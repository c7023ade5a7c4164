// How news of running effects reach the isolation that their machine lives on.

import RondoAnimation
import Synchronization

/// One piece of news for an interpreter.
enum Letter: @unchecked Sendable {
  // @unchecked: a letter is read on the host's isolation only; what it carries was handed over by
  // its sender, and frames are touched nowhere else.

  /// A running effect has emitted what is in a ``SendNode``, inside an ambient transaction and with
  /// what the call said.
  case emission(SourceFrame, EffectNode, ambient: Transaction, call: Transaction)
  /// A running effect has ended.
  case ended(SourceFrame)
  /// Scheduled work has come due, inside an ambient transaction.
  case due(Unchecked<any DueTarget>, ScheduledWork, Transaction)
  /// Everything that a `send` has started is to be cancelled.
  case cancel(RootFrame)
  /// A subscriber is to be forgotten.
  case unsubscribe(UInt64)
  /// Anything else.
  case perform((Interpreter) -> Void)
}

/// The isolation of a host, as its effects see it.
package protocol HostIsolation: Sendable {
  /// Runs work now if the caller is on the isolation already. Returns whether it was.
  func runIfCurrent(_ work: () -> Void) -> Bool

  /// Runs work on the isolation soon.
  func hop(_ work: @escaping @Sendable () -> Void)

  /// What the bodies of `.run` are run on; `nil` is the concurrent pool.
  var taskExecutor: (any TaskExecutor)? { get }
}

extension HostIsolation {
  package var taskExecutor: (any TaskExecutor)? { nil }
}

/// Letters that have been posted from anywhere and not been read yet.
///
/// The first letter asks for a hop to the host, which then reads all that have arrived: a hop may
/// cost tens of microseconds, so it is shared. A letter posted on the host's own isolation is read
/// at once.
final class Mailbox: Sendable {
  // nonisolated(unsafe): written once, before the mailbox is shared; weak reads are atomic. What it
  // refers to is used on the host's isolation only, and nothing else in the runtime refers to it.
  nonisolated(unsafe) weak var lifetime: Lifetime?

  let isolation: any HostIsolation
  private let letters = Mutex(Letters())

  private struct Letters {
    var arrived = Queue<Letter>()
    /// A queue that has been read, whose memory is used again.
    var spare = Queue<Letter>()
  }

  init(isolation: any HostIsolation) {
    self.isolation = isolation
  }

  /// Hands a letter to the interpreter, in the order in which letters are posted. Does nothing when
  /// its owner is gone.
  func post(_ letter: Letter) {
    let isRead = isolation.runIfCurrent { withOutlet { $0.read(letter) } }
    guard !isRead else { return }
    let isFirst = letters.withLock { letters in
      letters.arrived.append(letter)
      return letters.arrived.count == 1
    }
    if isFirst {
      isolation.hop { [self] in
        // Letters that nobody will read refer to this mailbox, so they may not stay in it.
        if !withOutlet({ $0.readAll() }) { _ = takeLetters() }
      }
    }
  }

  /// Keeps the owner alive while its interpreter is at work. Returns whether there is an owner.
  @discardableResult
  private func withOutlet(_ body: (Interpreter) -> Void) -> Bool {
    guard let lifetime else { return false }
    withExtendedLifetime(lifetime) { body(lifetime.outlet.interpreter) }
    return true
  }

  /// Takes what has arrived.
  func takeLetters() -> Queue<Letter> {
    letters.withLock { letters in
      let spare = exchange(&letters.spare, with: Queue())
      return exchange(&letters.arrived, with: spare)
    }
  }

  /// Takes what has arrived, and calls a closure with each letter.
  fileprivate func forEachLetter(_ body: (Letter) -> Void) {
    var arrived = takeLetters()
    while let letter = arrived.removeFirst() { body(letter) }
    letters.withLock { [arrived] in $0.spare = arrived }
  }
}

extension Interpreter {
  /// Reads a letter that was posted on the host's own isolation. In the middle of other work it is
  /// part of that work; otherwise those that were posted before it are read first.
  fileprivate func read(_ letter: Letter) {
    guard !outlet.isBusy else { return open(letter) }
    if outlet.isOnMainActor, ObserveToken.isRunning {
      // A closure that observes is woken by what changes once it has returned.
      ObserveToken.afterwards?.append { [mailbox] in mailbox.post(letter) }
      return
    }
    outlet.perform {
      readLetters()
      open(letter)
      outlet.settle()
    }
  }

  /// Reads all letters that have arrived, settling each before the next: an effect that the action
  /// of one letter cancels has nothing more to say in the next.
  fileprivate func readAll() {
    // A main loop that is run from within a change reads what arrives as part of that change.
    guard !outlet.isBusy else { return mailbox.forEachLetter(open) }
    outlet.perform(readLetters)
  }

  private func readLetters() {
    mailbox.forEachLetter { letter in
      open(letter)
      outlet.settle()
    }
  }

  private func open(_ letter: Letter) {
    perform {
      switch letter {
      case .emission(let source, let value, let ambient, let call):
        guard source.isAttached else { return }
        if isObserved { emitter = source }
        deliver(value, ambient, call, from: source)
        if isObserved { emitter = nil }
      case .ended(let source):
        if isObserved, source is TaskFrame { endedCount += 1 }
        guard source.isAttached else { return }
        source.finish(self)
      case .due(let target, let work, let transaction):
        if isObserved { emitter = target.value as? Frame }
        target.value.didComeDue(work, transaction, self)
        if isObserved { emitter = nil }
      case .cancel(let root):
        end(root)
      case .unsubscribe(let id):
        outlet.unsubscribe(id)
      case .perform(let body):
        body(self)
      }
    }
  }
}
