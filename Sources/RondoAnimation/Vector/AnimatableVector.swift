// The standard library's vectors as something that can move.

/// A vector of the standard library that can move.
///
/// It wraps `SIMD2<Double>` and its like, which do not conform to `AdditiveArithmetic` themselves.
///
/// ```swift
/// AnimatableVector(SIMD4(red, green, blue, alpha))
/// ```
public struct AnimatableVector<Vector: SIMD>: VectorArithmetic, Hashable, Sendable
where Vector: Sendable, Vector.Scalar: BinaryFloatingPoint {
  /// The vector.
  public var vector: Vector

  /// A vector that can move.
  public init(_ vector: Vector) {
    self.vector = vector
  }

  public static var zero: Self { Self(Vector()) }

  @specialized(where Vector == SIMD2<Double>)
  @specialized(where Vector == SIMD4<Double>)
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.vector + rhs.vector) }

  @specialized(where Vector == SIMD2<Double>)
  @specialized(where Vector == SIMD4<Double>)
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.vector - rhs.vector) }

  @specialized(where Vector == SIMD2<Double>)
  @specialized(where Vector == SIMD4<Double>)
  public mutating func scale(by rhs: Double) {
    vector *= Vector.Scalar(rhs)
  }

  public var magnitudeSquared: Double {
    vector.indices.reduce(0) { $0 + Double(vector[$1]) * Double(vector[$1]) }
  }
}
