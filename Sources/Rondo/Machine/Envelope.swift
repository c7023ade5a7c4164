// An action on its way to the reducer.

import RondoAnimation

/// An action with its transaction and its origin. Every queue holds envelopes, so that a tag
/// neither gets lost nor reaches another action.
///
/// The action stays in the box that it was sent in, which costs a machine less than moving it: a
/// machine is generic code, and code that is not generic handles its envelopes.
struct Envelope {
  /// A ``SendNode`` of the machine's action type.
  let action: EffectNode
  let transaction: Transaction

  /// The root that the effects of the action belong to; `nil` is the outermost `send` in progress,
  /// whose root is made when it is first needed.
  let root: RootFrame?

  /// The effect that has answered; kept only for a machine with a ``Recorder``.
  var origin: ActionOrigin?
}
