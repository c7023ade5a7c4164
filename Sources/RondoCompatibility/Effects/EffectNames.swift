// Names of effects and of what they answer with.

import Rondo

/// The effect type of a reducer.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

extension Effect {
  /// The name of the outputs inside a feature: `extension Effect where Action == Search.Action`.
  public typealias Action = Output
}

extension Effect {
  /// This effect. Its closures run on the isolation of the store anyway.
  @available(
    *, deprecated, message: "Closures run on the isolation of the store anyway; remove this"
  )
  public func cooperative() -> Self { self }
}
