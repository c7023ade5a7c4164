// An action on its way to the reducer.

import RondoAnimation

/// An action with its transaction and where it comes from. It is what every queue holds, so that a
/// tag neither gets lost nor reaches another action.
struct Envelope<Action> {
  let action: Action
  let transaction: Transaction

  /// Whose effects the action's effects are to be counted with; `nil` is the outermost `send` in
  /// progress, whose root is made when it is first needed.
  let root: RootFrame?
}
