// The frame of everything that one action has returned.

import RondoAnimation

/// The effects that one action has returned.
package class ActionFrame: Frame {
  /// The action, for messages; `nil` where an effect runs without a store.
  final let action: Any?
  /// The transaction of the action. Effects that start because of a cancellation answer with it.
  final let transaction: Transaction
  /// The mailbox that the effects post their messages to. Held here, once for all of them.
  final let mailbox: Mailbox
  // unowned(unsafe): it is this frame or the one above it, alive while this one is attached.
  final private(set) unowned(unsafe) var root: RootFrame!

  init(_ action: Any, _ transaction: Transaction, under root: RootFrame) {
    self.action = action
    self.transaction = transaction.releasingCompletions
    mailbox = root.mailbox
    super.init(under: root)
    self.root = root
    origin = self
  }

  /// Makes a root: a frame directly below the top of the interpreter.
  init(rootOf action: Any?, _ transaction: Transaction, _ interpreter: Interpreter) {
    self.action = action
    self.transaction = transaction.releasingCompletions
    mailbox = interpreter.mailbox
    super.init(under: interpreter.top)
    root = unsafeDowncast(self, to: RootFrame.self)
    origin = self
  }

  /// The action as messages name it.
  final var actionName: String {
    action.map { summary(of: $0) } ?? "no action"
  }
}
