// A point in the unit square.

/// A point in a space where (0, 0) is one corner and (1, 1) the opposite one.
public struct UnitPoint: Hashable, Sendable {
  /// The horizontal coordinate, 0 at the leading edge.
  public var x: Double

  /// The vertical coordinate, 0 at the top.
  public var y: Double

  /// The point (0, 0).
  public init() {
    self.init(x: 0, y: 0)
  }

  /// A point by its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

extension UnitPoint {
  /// The top leading corner.
  public static let zero = UnitPoint()
  /// The middle.
  public static let center = UnitPoint(x: 0.5, y: 0.5)
  /// The middle of the leading edge.
  public static let leading = UnitPoint(x: 0, y: 0.5)
  /// The middle of the trailing edge.
  public static let trailing = UnitPoint(x: 1, y: 0.5)
  /// The middle of the top edge.
  public static let top = UnitPoint(x: 0.5, y: 0)
  /// The middle of the bottom edge.
  public static let bottom = UnitPoint(x: 0.5, y: 1)
  /// The corner at (0, 0).
  public static let topLeading = UnitPoint(x: 0, y: 0)
  /// The corner at (1, 0).
  public static let topTrailing = UnitPoint(x: 1, y: 0)
  /// The corner at (0, 1).
  public static let bottomLeading = UnitPoint(x: 0, y: 1)
  /// The corner at (1, 1).
  public static let bottomTrailing = UnitPoint(x: 1, y: 1)
}

extension UnitPoint: CustomStringConvertible {
  public var description: String {
    "UnitPoint(x: \(spelling(of: x)), y: \(spelling(of: y)))"
  }
}
