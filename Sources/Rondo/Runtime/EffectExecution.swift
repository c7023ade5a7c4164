// The choice between the concurrent pool and the isolation of the store.

/// The place where a store runs the closures of effects.
public enum EffectExecution: Sendable {
  /// The concurrent pool: each closure runs on a thread of the pool, beside the store.
  case concurrent

  /// The store's own isolation: the closures take turns there, one after another, and no thread is
  /// woken for them. See ``Effect/cooperative()``.
  case cooperative
}
