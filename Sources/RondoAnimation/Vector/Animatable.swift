// A type that says which part of it can be animated.

/// A type that has a part which can move gradually.
///
/// ```swift
/// struct Pie: Animatable {
///   var start = 0.0
///   var end = 0.0
///   var color = "red"  // jumps
///
///   var animatableData: AnimatablePair<Double, Double> {
///     get { AnimatablePair(start, end) }
///     set { (start, end) = (newValue.first, newValue.second) }
///   }
/// }
/// ```
public protocol Animatable {
  /// The part that moves.
  associatedtype AnimatableData: VectorArithmetic

  /// The part that moves. It is set once for every frame.
  var animatableData: AnimatableData { get set }
}

extension Animatable where Self: VectorArithmetic {
  /// All of the value moves.
  public var animatableData: Self {
    get { self }
    set { self = newValue }
  }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
  /// Nothing of the value moves.
  public var animatableData: EmptyAnimatableData {
    get { EmptyAnimatableData() }
    set {}
  }
}

/// The part that moves of a type that has none.
public struct EmptyAnimatableData: VectorArithmetic, Hashable, Sendable {
  /// The only value there is.
  public init() {}

  public static var zero: Self { Self() }
  public static func + (lhs: Self, rhs: Self) -> Self { lhs }
  public static func - (lhs: Self, rhs: Self) -> Self { lhs }
  public mutating func scale(by rhs: Double) {}
  public var magnitudeSquared: Double { 0 }
}

extension Double: Animatable {
  public typealias AnimatableData = Double
}

extension Float: Animatable {
  public typealias AnimatableData = Float
}

extension UnitPoint: Animatable {
  public var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(x, y) }
    set { (x, y) = (newValue.first, newValue.second) }
  }
}
