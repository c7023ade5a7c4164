// Points, sizes and rectangles, in cells, with the origin at the top left.

import RondoAnimation

/// A point or a distance in the plane, in cells.
public struct Point: Hashable, Sendable {
  /// Cells from the left.
  public var x: Double

  /// Cells from the top.
  public var y: Double

  /// A point by its coordinates.
  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  /// The origin.
  public static let zero = Point()

  static func + (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }
  static func - (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }
  static func * (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x * rhs.x, y: lhs.y * rhs.y) }
}

/// The extent of something, in cells.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public var width: Double

  /// The number of rows.
  public var height: Double

  /// An extent.
  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }

  /// No extent.
  public static let zero = Size()
}

/// A rectangle, in cells, with its origin at the top left.
public struct Rect: Hashable, Sendable, Animatable {
  /// Cells from the left.
  public var x: Double

  /// Cells from the top.
  public var y: Double

  /// The number of columns.
  public var width: Double

  /// The number of rows.
  public var height: Double

  /// A rectangle by its origin and extent.
  public init(x: Double = 0, y: Double = 0, width: Double = 0, height: Double = 0) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var animatableData: AnimatableVector<SIMD4<Double>> {
    get { AnimatableVector(SIMD4(x, y, width, height)) }
    set {
      let vector = newValue.vector
      (x, y, width, height) = (vector[0], vector[1], vector[2], vector[3])
    }
  }
}

extension Rect: CustomStringConvertible {
  /// The four numbers: `(0, 0, 10, 6)`.
  public var description: String {
    "(\(spell: x), \(spell: y), \(spell: width), \(spell: height))"
  }
}
