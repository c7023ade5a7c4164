// What a machine does with every action, for a host that wants to know.

import RondoAnimation

/// Follows a machine's actions one by one.
///
/// Its queue of emitters goes in step with the machine's queue of envelopes, which therefore need
/// not carry what only a recorder wants to know.
final class Recorder<State, Action> {
  private var emitters = Queue<EffectOrigin?>()
  private var emitter: EffectOrigin?
  private let didRecord: (RecordedAction<State, Action>) -> Void
  /// Called before an effect is started.
  var willStart: (() -> Void)?

  init(didRecord: @escaping (RecordedAction<State, Action>) -> Void) {
    self.didRecord = didRecord
  }

  func didQueue(by emitter: Frame?) {
    // Now, because the frame may have ended when the action's turn comes.
    emitters.append(emitter.flatMap(EffectOrigin.init))
  }

  func willHandleNextInQueue() {
    emitter = emitters.removeFirst() ?? nil
  }

  /// Follows one reduction.
  func record(
    _ action: Action,
    _ transaction: Transaction,
    _ root: RootFrame?,
    _ state: UnsafePointer<State>,
    _ reduce: () -> Effect<Action>
  ) -> Effect<Action> {
    let oldState = state.pointee
    let effect = reduce()
    didRecord(
      RecordedAction(
        action: action, transaction: transaction, oldState: oldState, newState: state.pointee,
        root: root, emitter: emitter.take()))
    return effect
  }
}

/// One action that a machine has handled.
package struct RecordedAction<State, Action> {
  package let action: Action
  package let transaction: Transaction
  package let oldState: State
  package let newState: State

  /// The `send` whose effects led here; `nil` for the one in progress.
  package let root: RootFrame?

  /// The effect that answered asynchronously; `nil` for an action that was sent, and for what is
  /// answered at once.
  package let emitter: EffectOrigin?
}

/// An effect, as a message about one of its answers names it.
package struct EffectOrigin {
  /// `run "quotes"`, `delay`.
  package let label: String?

  /// Where it was made.
  package let place: SourcePlace?

  /// The action that returned the effect.
  package let action: Any?

  /// `nil` for a frame that has ended: what is emitted then is not its own, but that of an effect
  /// which its end has started.
  init?(_ frame: Frame) {
    guard frame.isAttached else { return nil }
    label = frame.label
    place = frame.sourcePlace
    action = frame.origin.action
  }
}
