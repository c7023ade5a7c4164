// Something with an outline that can move.

import RondoAnimation

/// Something with an outline that can move.
///
/// ```swift
/// struct Bar: Shape {
///   var animatableData: Double  // how full, 0…1
///
///   func contains(_ point: UnitPoint) -> Bool { point.x < animatableData }
/// }
///
/// Node.shape(Bar(animatableData: 0.5)).frame(x: 0, y: 0, width: 20, height: 1)
/// ```
public protocol Shape: Animatable, Equatable, Sendable {
  /// Whether a point of the unit square, in which (0, 0) is the top left, lies inside.
  func contains(_ point: UnitPoint) -> Bool

  /// What the inside is filled with.
  var glyph: Character { get }
}

extension Shape {
  public var glyph: Character { "█" }
}

/// All of the unit square.
public struct Rectangle: Shape {
  public typealias AnimatableData = EmptyAnimatableData

  /// What it is filled with.
  public let glyph: Character

  /// A rectangle.
  ///
  /// - Parameter glyph: What it is filled with.
  public init(glyph: Character = "█") {
    self.glyph = glyph
  }

  public func contains(_ point: UnitPoint) -> Bool { true }
}
