// The messages from running effects to their machine.

import RondoAnimation

/// One message for an interpreter.
enum Message: @unchecked Sendable {
  // @unchecked: a message is read on the host's isolation only. Its sender gives away what it
  // carries, and frames are touched nowhere else.

  /// A running effect has emitted the value in a ``SendNode``, inside an ambient transaction and
  /// with the transaction of the call.
  case emission(SourceFrame, EffectNode, ambient: Transaction, call: Transaction)
  /// A running effect has ended.
  case ended(SourceFrame)
  /// Scheduled work has come due, inside an ambient transaction.
  case due(any DueTarget, ScheduledWork, Transaction)
  /// Everything that a `send` has started is to be cancelled.
  case cancel(RootFrame)
  /// A subscriber is to be removed.
  case unsubscribe(UInt64)
  /// Any other work.
  case perform((Interpreter) -> Void)
}

extension Interpreter {
  /// Reads a message that was posted on the host's own isolation. While the host is busy, the
  /// message is part of the work in progress. Otherwise messages that were posted before it are
  /// read first.
  func read(_ message: Message) {
    host.holdBackWhileObserving()
    guard !host.isBusy else { return handle(message) }
    host.perform {
      readMessages()
      handle(message)
      host.settle()
    }
  }

  /// Reads all messages that have arrived, and settles each before the next: an effect that the
  /// action of one message cancels has nothing more to say in the next.
  func readAll() {
    // A main loop that runs inside a change reads what arrives as part of that change.
    host.holdBackWhileObserving()
    guard !host.isBusy else { return mailbox.forEachMessage(handle) }
    host.perform(readMessages)
  }

  private func readMessages() {
    mailbox.forEachMessage { message in
      handle(message)
      host.settle()
    }
  }

  private func handle(_ message: Message) {
    perform {
      switch message {
      case .emission(let source, let value, let ambient, let call):
        guard source.isAttached else { return }
        guard isObserved else {
          return deliver(value, ambient, call, from: source)
        }
        whileObserved(source, emits: true, resumes: !source.isTask) {
          deliver(value, ambient, call, from: source)
        }
      case .ended(let source):
        if isObserved, source.isTask { endedCount += 1 }
        guard source.isAttached else { return }
        source.finish(self)
      case .due(let target, let work, let transaction):
        guard isObserved else { return target.didComeDue(work, transaction, self) }
        whileObserved(target as? Frame, resumes: true) {
          target.didComeDue(work, transaction, self)
        }
      case .cancel(let root):
        journal?.cause = .task
        end(root)
      case .unsubscribe(let id):
        host.unsubscribe(id)
      case .perform(let body):
        body(self)
      }
    }
  }

  /// Runs a change that a frame makes, and names the frame as the sender of what arrives meanwhile.
  ///
  /// - Parameters:
  ///   - emits: Whether the frame has answered, perhaps with something that does not arrive.
  ///   - resumes: Whether the frame has waited for this.
  private func whileObserved(
    _ frame: Frame?, emits: Bool = false, resumes: Bool, _ change: () -> Void
  ) {
    emitter = frame
    if let journal {
      journal.whileAnswering(frame, emits: emits, resumes: resumes, change)
    } else {
      change()
    }
    emitter = nil
  }

  /// Runs a change that the closure of an effect asks for.
  func perform(for frame: Frame, _ change: () -> Void) {
    guard let journal else { return change() }
    journal.whileAnswering(frame, change)
  }
}
