// What a custom animation is told besides value and time, and where it may keep results.

/// What a ``CustomAnimation`` is told besides value and time.
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
  /// What is kept.
  associatedtype Value

  /// What reading gives while nothing has been kept.
  static var defaultValue: Value { get }
}
