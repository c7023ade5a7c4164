// Points, sizes and rectangles, in cells, with the origin at the top left.

import RondoAnimation

/// A point or a distance in the plane, in cells.
public struct Point: Hashable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double = 0, y: Double = 0) {
    self.x = x
    self.y = y
  }

  public static let zero = Point()

  static func + (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }
  static func - (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }
  static func * (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x * rhs.x, y: lhs.y * rhs.y) }
}

/// The extent of something, in cells.
public struct Size: Hashable, Sendable {
  public var width: Double
  public var height: Double

  public init(width: Double = 0, height: Double = 0) {
    self.width = width
    self.height = height
  }

  public static let zero = Size()
}

/// A rectangle, in cells, with its origin at the top left.
public struct Rect: Hashable, Sendable, Animatable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

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
