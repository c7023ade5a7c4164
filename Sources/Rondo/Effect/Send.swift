// `.send`: an effect that answers at once.

extension Effect {
  /// An effect that answers with one value at once.
  ///
  /// In a store, the action is handled right after the one in progress and whatever was queued
  /// before it. It is part of the same synchronous change, so it carries the transaction of the
  /// action it answers, under what ``animation(_:)`` says.
  @inlinable
  public static func send(_ output: Output) -> Self {
    Self(node: SendNode(output))
  }

  /// An effect that answers with one value at once, shown with an animation.
  public static func send(_ output: Output, animation: Animation?) -> Self {
    send(output).animation(animation)
  }
}

/// An effect that answers with one value at once; also the box that a value waits in.
@usableFromInline
final class SendNode<Output>: EffectNode {
  @usableFromInline
  let output: Output

  @inlinable
  init(_ output: Output) {
    self.output = output
  }

  @usableFromInline override var isSend: Bool { true }
  override var erasedOutput: Any { output }
  override var label: String { "send(\(output))" }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    if let journal = interpreter.journal {
      journal.whileSending(under: parent) { answer(under: parent, interpreter) }
    } else {
      answer(under: parent, interpreter)
    }
    interpreter.finishChild(of: parent)
  }

  @inline(__always)
  private func answer(under parent: Frame, _ interpreter: Interpreter) {
    if parent.interceptor == nil {
      // No node between here and the root changes the type, so the host takes this one as is.
      interpreter.host.receive(
        self, interpreter.inherited.holdingCompletions, parent.origin.root)
    } else {
      interpreter.deliver(
        Emission(value: output, inherited: interpreter.inherited), from: parent)
    }
  }
}
