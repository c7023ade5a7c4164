// The effect that has sent an action.

import RondoScheduling

/// The origin of an action in the queue: the effect that has sent it, as messages name it, and the
/// numbers that recordings give it.
package final class ActionOrigin {
  /// The name of the effect for messages, such as `run "quotes"` or `delay`.
  package let label: String?

  /// The place in the source where the effect was made.
  package let position: SourcePosition?

  /// The action that returned the effect.
  package let action: Any?

  /// Whether a running effect has sent the action. Otherwise it was answered at once, or was sent by
  /// the user.
  var isEmitted: Bool { action != nil }

  /// The number of the action; `nil` where nobody records.
  let number: Int?

  /// The number of the effect.
  let effect: Int?

  /// - Parameters:
  ///   - frame: The frame of the effect. One that has ended is not the sender itself: an effect that
  ///     its end has started emits then.
  ///   - answer: The numbers.
  init?(_ frame: Frame?, _ answer: EffectJournal.Answer?) {
    let frame = frame?.isAttached == true ? frame : nil
    guard frame != nil || answer != nil else { return nil }
    label = frame?.label
    position = frame?.position
    action = frame?.actionFrame.action
    number = answer?.action
    effect = answer?.effect
  }
}
