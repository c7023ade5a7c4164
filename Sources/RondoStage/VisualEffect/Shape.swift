// Something with an outline that can move.

import Foundation
import RondoAnimation

/// Something with an outline that can move.
///
/// It says either which points are inside, or what its outline is:
///
/// ```swift
/// struct Bar: Shape {
///   var animatableData: Double  // how full, 0…1
///
///   func contains(_ point: UnitPoint) -> Bool { point.x < animatableData }
/// }
///
/// struct Triangle: Shape {
///   func path(in rect: CGRect) -> Path {
///     Path { path in
///       path.addLines([
///         CGPoint(x: rect.midX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.maxY),
///         CGPoint(x: rect.minX, y: rect.maxY),
///       ])
///       path.closeSubpath()
///     }
///   }
/// }
///
/// Node.shape(Bar(animatableData: 0.5)).frame(x: 0, y: 0, width: 20, height: 1)
/// Triangle().fill(.red).frame(width: 10, height: 5)
/// ```
///
/// A shape that says neither is all of its frame.
public protocol Shape: View, Animatable, Equatable, Sendable {
  /// Whether a point of the unit square, in which (0, 0) is the top left, lies inside.
  func contains(_ point: UnitPoint) -> Bool

  /// The outline in a rectangle. The standard one says that only the points inside are known.
  func path(in rect: CGRect) -> Path

  /// The character that the inside is filled with on a terminal.
  var glyph: Character { get }

  /// Whether a point of the unit square is drawn where the shape has an extent.
  ///
  /// It is what ``Shape/contains(_:)`` says, but for shapes that draw their border.
  func draws(_ point: UnitPoint, size: Size) -> Bool

  /// The width of the line that is drawn in place of the inside; `nil` to fill it.
  var lineWidth: Double? { get }
}

extension Shape {
  public var glyph: Character { "█" }

  public var lineWidth: Double? { nil }

  /// A node that shows the shape.
  public var body: Node { .shape(self) }

  public var node: Node { .shape(self) }

  public func draws(_ point: UnitPoint, size: Size) -> Bool { contains(point) }

  public func contains(_ point: UnitPoint) -> Bool {
    let path = path(in: CGRect(x: 0, y: 0, width: 1, height: 1))
    return path.isUnknown || path.contains(CGPoint(x: point.x, y: point.y))
  }

  public func path(in rect: CGRect) -> Path { .unknown }
}

extension Shape {
  /// The shape in the colour around it, which is what it is without a modifier as well.
  public func fill() -> Node { node }

  /// The shape in a colour.
  public func fill(_ color: Color) -> Node { node.foreground(color) }

  /// The border of the shape, half inside and half outside in a vector picture.
  public func stroke(_ color: Color, lineWidth: Double = 1) -> Node {
    Node.shape(StrokedShape(shape: self, width: lineWidth)).foreground(color)
  }

  /// The border of the shape.
  public func stroke(lineWidth: Double = 1) -> Node {
    .shape(StrokedShape(shape: self, width: lineWidth))
  }

  /// The border of the shape, as wide as given in cells, inside of its frame.
  public func strokeBorder(_ color: Color, lineWidth: Double = 1) -> Node {
    Node.shape(StrokedShape(shape: self, width: lineWidth, isInside: true)).foreground(color)
  }

  /// The border of the shape, inside of its frame.
  public func strokeBorder(lineWidth: Double = 1) -> Node {
    .shape(StrokedShape(shape: self, width: lineWidth, isInside: true))
  }
}

/// All of the unit square.
public struct Rectangle: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// The character that it is filled with on a terminal.
  public let glyph: Character

  /// A rectangle.
  ///
  /// - Parameter glyph: The character that it is filled with on a terminal.
  public init(glyph: Character = "█") {
    self.glyph = glyph
  }

  public func contains(_ point: UnitPoint) -> Bool { true }

  public func path(in rect: CGRect) -> Path { Path(rect) }
}

/// The ellipse in the frame.
public struct Ellipse: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// An ellipse.
  public init() {}

  public func contains(_ point: UnitPoint) -> Bool {
    let (x, y) = (2 * point.x - 1, 2 * point.y - 1)
    return x * x + y * y <= 1
  }

  public func path(in rect: CGRect) -> Path { Path(ellipseIn: rect) }
}

/// The largest circle in the middle of the frame. A cell counts as a square.
public struct Circle: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// A circle.
  public init() {}

  public func draws(_ point: UnitPoint, size: Size) -> Bool {
    let diameter = min(size.width, size.height)
    let x = 2 * (point.x - 0.5) * size.width / diameter
    let y = 2 * (point.y - 0.5) * size.height / diameter
    return x * x + y * y <= 1
  }

  public func path(in rect: CGRect) -> Path {
    let diameter = min(rect.width, rect.height)
    return Path(
      ellipseIn: CGRect(
        x: rect.midX - diameter / 2, y: rect.midY - diameter / 2, width: diameter, height: diameter)
    )
  }
}

/// A rectangle with round corners.
public struct RoundedRectangle: Shape {
  /// The radius of the corners, in cells.
  public var cornerRadius: Double

  /// A rectangle with round corners.
  public init(cornerRadius: Double) { self.cornerRadius = cornerRadius }

  public var animatableData: Double {
    get { cornerRadius }
    set { cornerRadius = newValue }
  }

  public func contains(_ point: UnitPoint) -> Bool { true }

  public func draws(_ point: UnitPoint, size: Size) -> Bool {
    let radius = min(max(0, cornerRadius), min(size.width, size.height) / 2)
    let x = max(0, radius - min(point.x, 1 - point.x) * size.width)
    let y = max(0, radius - min(point.y, 1 - point.y) * size.height)
    return x * x + y * y <= radius * radius
  }

  public func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: CGFloat(cornerRadius))
  }
}

/// A rectangle with half circles at its short ends.
public struct Capsule: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// A capsule.
  public init() {}

  public func draws(_ point: UnitPoint, size: Size) -> Bool {
    RoundedRectangle(cornerRadius: .infinity).draws(point, size: size)
  }

  public func path(in rect: CGRect) -> Path {
    Path(roundedRect: rect, cornerRadius: min(rect.width, rect.height) / 2)
  }
}

/// The border of a shape.
struct StrokedShape<Base: Shape>: Shape {
  var shape: Base
  /// In cells.
  var width: Double
  /// Whether the line is all inside of the shape.
  var isInside = false

  var animatableData: AnimatablePair<Base.AnimatableData, Double> {
    get { AnimatablePair(shape.animatableData, width) }
    set { (shape.animatableData, width) = (newValue.first, newValue.second) }
  }

  var lineWidth: Double? { max(0, width) }
  var glyph: Character { shape.glyph }

  func contains(_ point: UnitPoint) -> Bool { shape.contains(point) }

  /// A point of the inside from which the outside is no farther than the line is wide.
  func draws(_ point: UnitPoint, size: Size) -> Bool {
    if let outlined = shape as? any OutlinedShape, !outlined.isWhole {
      let path = path(in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
      let point = Point(x: point.x * size.width, y: point.y * size.height)
      if !path.isUnknown { return path.lines.contains { $0.distance(to: point) <= width / 2 } }
    }
    guard shape.draws(point, size: size), size.width > 0, size.height > 0 else { return false }
    let (dx, dy) = (width / size.width, width / size.height)
    for (x, y) in [(dx, 0), (-dx, 0), (0, dy), (0, -dy)] {
      let neighbour = UnitPoint(x: point.x + x, y: point.y + y)
      let isInUnit = (0...1).contains(neighbour.x) && (0...1).contains(neighbour.y)
      if !isInUnit || !shape.draws(neighbour, size: size) { return true }
    }
    return false
  }

  func path(in rect: CGRect) -> Path {
    let inset = isInside ? CGFloat(max(0, width)) / 2 : 0
    return shape.path(in: rect.insetBy(dx: inset, dy: inset))
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.shape == rhs.shape && lhs.width == rhs.width && lhs.isInside == rhs.isInside
  }
}

extension Path {
  /// The outline of a shape that says only which points are inside.
  static let unknown = Path { $0.move(to: CGPoint(x: CGFloat.infinity, y: 0)) }

  /// Whether it is the outline of a shape that says only which points are inside.
  public var isUnknown: Bool { self == .unknown }
}
