// Names of effects and of what they answer with.

import Rondo

/// The effect type of a reducer.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// The name of the outputs inside a feature: `extension Effect where Action == Search.Action`.
  public typealias Action = Output
}
