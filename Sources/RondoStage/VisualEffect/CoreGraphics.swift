// The geometry of Foundation as something that can move, and the transforms that it lacks here.

@_exported import struct Foundation.CGFloat
@_exported import struct Foundation.CGPoint
@_exported import struct Foundation.CGRect
@_exported import struct Foundation.CGSize
import Foundation
import RondoAnimation

extension CGFloat: VectorArithmetic {
  public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
  public var magnitudeSquared: Double { Double(self * self) }
}

extension CGFloat: Animatable {
  public typealias AnimatableData = CGFloat
}

extension CGPoint: Animatable {
  public var animatableData: AnimatablePair<CGFloat, CGFloat> {
    get { AnimatablePair(x, y) }
    set { (x, y) = (newValue.first, newValue.second) }
  }
}

extension CGSize: Animatable {
  public var animatableData: AnimatablePair<CGFloat, CGFloat> {
    get { AnimatablePair(width, height) }
    set { (width, height) = (newValue.first, newValue.second) }
  }
}

extension CGRect: Animatable {
  public var animatableData: AnimatablePair<CGPoint.AnimatableData, CGSize.AnimatableData> {
    get { AnimatablePair(origin.animatableData, size.animatableData) }
    set { (origin.animatableData, size.animatableData) = (newValue.first, newValue.second) }
  }
}

#if !canImport(CoreGraphics)
  /// A map of the plane: (x, y) becomes (a·x + c·y + tx, b·x + d·y + ty).
  public struct CGAffineTransform: Hashable, Sendable {
    /// The entries of the matrix.
    public var a, b, c, d, tx, ty: Double

    /// A map by the entries of its matrix.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
      (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// The map that leaves everything where it is.
    public init() { self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

    /// A move.
    public init(translationX tx: Double, y ty: Double) {
      self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
    }

    /// A scaling about the origin.
    public init(scaleX sx: Double, y sy: Double) {
      self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
    }

    /// A turn about the origin, clockwise, in radians.
    public init(rotationAngle angle: Double) {
      let (sine, cosine) = (sin(angle), cos(angle))
      self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
    }

    /// The map that leaves everything where it is.
    public static let identity = CGAffineTransform()

    /// Whether the map leaves everything where it is.
    public var isIdentity: Bool { self == .identity }

    /// This map first, then the other one.
    public func concatenating(_ other: CGAffineTransform) -> CGAffineTransform {
      CGAffineTransform(
        a: a * other.a + b * other.c, b: a * other.b + b * other.d,
        c: c * other.a + d * other.c, d: c * other.b + d * other.d,
        tx: tx * other.a + ty * other.c + other.tx, ty: tx * other.b + ty * other.d + other.ty)
    }

    /// A move first, then this map.
    public func translatedBy(x: Double, y: Double) -> CGAffineTransform {
      CGAffineTransform(translationX: x, y: y).concatenating(self)
    }

    /// A scaling first, then this map.
    public func scaledBy(x: Double, y: Double) -> CGAffineTransform {
      CGAffineTransform(scaleX: x, y: y).concatenating(self)
    }

    /// A turn first, then this map. In radians.
    public func rotated(by angle: Double) -> CGAffineTransform {
      CGAffineTransform(rotationAngle: angle).concatenating(self)
    }

    /// The map that undoes this one; this one itself if nothing can undo it.
    public func inverted() -> CGAffineTransform {
      let determinant = a * d - b * c
      guard determinant != 0, determinant.isFinite else { return self }
      return CGAffineTransform(
        a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
        tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
  }
#endif

extension CGAffineTransform {
  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }

  func apply(_ point: Point) -> Point {
    Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// The linear part of the map about another point than the origin.
  func about(_ point: Point) -> CGAffineTransform {
    let moved = apply(point)
    return CGAffineTransform(
      a: a, b: b, c: c, d: d, tx: tx + point.x - moved.x, ty: ty + point.y - moved.y)
  }
}

/// A map of the plane as a matrix of three rows, as a ``GeometryEffect`` gives it.
///
/// The last column, a perspective, is kept and not drawn.
public struct ProjectionTransform: Hashable, Sendable {
  /// The entries by row and column.
  public var m11 = 1.0, m12 = 0.0, m13 = 0.0
  /// The second row of the matrix.
  public var m21 = 0.0, m22 = 1.0, m23 = 0.0
  /// The third row of the matrix.
  public var m31 = 0.0, m32 = 0.0, m33 = 1.0

  /// The map that leaves everything where it is.
  public init() {}

  /// A map without perspective.
  public init(_ transform: CGAffineTransform) {
    (m11, m12, m21, m22) = (transform.a, transform.b, transform.c, transform.d)
    (m31, m32) = (transform.tx, transform.ty)
  }

  /// Whether the map leaves everything where it is.
  public var isIdentity: Bool { self == ProjectionTransform() }

  /// Whether the map has no perspective.
  public var isAffine: Bool { m13 == 0 && m23 == 0 && m33 == 1 }

  /// This map first, then the other one.
  public func concatenating(_ other: ProjectionTransform) -> ProjectionTransform {
    ProjectionTransform(affine.concatenating(other.affine))
  }

  var affine: CGAffineTransform {
    CGAffineTransform(a: m11, b: m12, c: m21, d: m22, tx: m31, ty: m32)
  }
}

/// A change of geometry that moves: a transform for the size of what is inside.
///
/// ```swift
/// struct Shake: GeometryEffect {
///   var position: CGFloat
///
///   var animatableData: CGFloat {
///     get { position }
///     set { position = newValue }
///   }
///
///   func effectValue(size: CGSize) -> ProjectionTransform {
///     ProjectionTransform(
///       CGAffineTransform(translationX: -30 * sin(position * 2 * .pi), y: 0))
///   }
/// }
///
/// node.modifier(Shake(position: attempts * 2))
/// ```
public protocol GeometryEffect: VisualEffect, NodeModifier where Body == Node {
  /// The transform, with the top left corner of what is inside as its origin.
  ///
  /// - Parameter size: The extent of what is inside, in cells.
  func effectValue(size: CGSize) -> ProjectionTransform
}

extension GeometryEffect {
  public func apply(to appearance: inout Appearance) {
    let frame = appearance.frame
    let transform = effectValue(size: CGSize(width: frame.width, height: frame.height)).affine
    let origin = CGAffineTransform(translationX: frame.x, y: frame.y)
    appearance.concatenate(
      CGAffineTransform(translationX: -frame.x, y: -frame.y)
        .concatenating(transform).concatenating(origin))
  }

  /// The content with the effect around it.
  public func body(content: Content) -> Node { content.effect(self) }
}

extension View {
  /// Puts a geometry effect around the node.
  public func modifier(_ effect: some GeometryEffect) -> Node { self.effect(effect) }
}

/// A turn in space, seen from the front without perspective.
struct Rotation3DEffect: VisualEffect {
  var animatableData: Double
  var axis: SIMD3<Double>
  var anchor: UnitPoint

  func apply(to appearance: inout Appearance) {
    let length = (axis * axis).sum().squareRoot()
    guard length > 0, length.isFinite else { return }
    let n = axis / length
    let angle = animatableData * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    guard n.x == 0 || n.y == 0, n.z == 0 else {
      // The part of the rotation matrix that concerns the plane.
      let rest = 1 - cosine
      let transform = CGAffineTransform(
        a: cosine + n.x * n.x * rest, b: n.x * n.y * rest + n.z * sine,
        c: n.x * n.y * rest - n.z * sine, d: cosine + n.y * n.y * rest, tx: 0, ty: 0)
      return appearance.concatenate(transform.about(appearance.shown(anchor)))
    }
    appearance.scale(x: n.x == 0 ? cosine : 1, y: n.y == 0 ? cosine : 1, anchor: anchor)
  }

  var label: String {
    ".rotation3DEffect(.degrees(\(spell: animatableData)), "
      + "axis: (\(spell: axis.x), \(spell: axis.y), \(spell: axis.z)))"
  }
}
