// A record of every action of a machine, for a host that wants one.

import RondoAnimation

/// Records a machine's actions one by one.
final class Recorder<State, Action> {
  private let didRecord: (RecordedAction<State, Action>) -> Void
  /// Called before an effect is started.
  var willStart: (() -> Void)?

  init(didRecord: @escaping (RecordedAction<State, Action>) -> Void) {
    self.didRecord = didRecord
  }

  /// Runs one reduction, and records it.
  func record(
    _ action: Action,
    _ transaction: Transaction,
    _ root: RootFrame?,
    _ origin: EffectOrigin?,
    _ state: UnsafePointer<State>,
    _ reduce: () -> Effect<Action>
  ) -> Effect<Action> {
    let oldState = state.pointee
    let effect = reduce()
    didRecord(
      RecordedAction(
        action: action, transaction: transaction, oldState: oldState, newState: state.pointee,
        root: root, emitter: origin))
    return effect
  }
}

/// One action that a machine has handled.
package struct RecordedAction<State, Action> {
  package let action: Action
  package let transaction: Transaction
  package let oldState: State
  package let newState: State

  /// The root of the `send` whose effects led to the action; `nil` for the `send` in progress.
  package let root: RootFrame?

  /// The effect that answered asynchronously; `nil` for an action that was sent, and for what is
  /// answered at once.
  package let emitter: EffectOrigin?
}

/// An effect, as a message about one of its answers names it.
package final class EffectOrigin {
  /// The name of the effect for messages, such as `run "quotes"` or `delay`.
  package let label: String?

  /// The place in the source where the effect was made.
  package let place: SourcePlace?

  /// The action that returned the effect.
  package let action: Any?

  /// `nil` for a frame that has ended. An effect that its end has started emits then, not the frame
  /// itself.
  init?(_ frame: Frame) {
    guard frame.isAttached else { return nil }
    label = frame.label
    place = frame.sourcePlace
    action = frame.origin.action
  }
}
