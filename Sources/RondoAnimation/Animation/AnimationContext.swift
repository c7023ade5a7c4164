// The input of a custom animation besides value and time, and a place to keep results.

/// The input of a ``CustomAnimation`` besides value and time.
public struct AnimationContext<Value: VectorArithmetic> {
  /// Intermediate results of the animation.
  public var state: AnimationState<Value>

  /// Whether the change counts as made, though the animation may still run.
  public var isLogicallyComplete: Bool

  /// A context in which nothing has been said.
  public init(state: AnimationState<Value> = AnimationState(), isLogicallyComplete: Bool = false) {
    self.state = state
    self.isLogicallyComplete = isLogicallyComplete
  }

  /// The same context with results for another type of value.
  public func withState<T>(_ state: AnimationState<T>) -> AnimationContext<T> {
    AnimationContext<T>(state: state, isLogicallyComplete: isLogicallyComplete)
  }
}

/// Results that a ``CustomAnimation`` keeps while it answers, by key.
public struct AnimationState<Value: VectorArithmetic> {
  private var values: [ObjectIdentifier: Any] = [:]

  /// A state with nothing in it.
  public init() {}

  /// The result under a key; the key's default if none has been kept.
  public subscript<K: AnimationStateKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A typed place in an ``AnimationState``.
public protocol AnimationStateKey {
  /// The type of the results that are kept.
  associatedtype Value

  /// The value before anything has been kept.
  static var defaultValue: Value { get }
}
