// How a node looks at one instant: what the effects around its content add up to.

/// How a node looks at one instant. Effects write it, from the innermost to the outermost.
///
/// A point p of the content is shown at p · `scale` + `translation` in the coordinates of the node
/// around it.
public struct Appearance: Hashable, Sendable {
  /// Where the content's origin is, in cells.
  public var translation = Point.zero

  /// How much larger the content is shown than it is.
  public var scale = Point(x: 1, y: 1)

  /// The extent of the content, before scaling, in cells.
  public var size = Size.zero

  /// How far the content is turned about its centre, in degrees.
  public var rotation = 0.0

  /// 0 for invisible, 1 for opaque.
  public var opacity = 1.0

  /// The colour of glyphs; `nil` for that of the node around.
  public var foreground: Color?

  /// The colour behind glyphs; `nil` for what is there.
  public var background: Color?

  /// A name that whoever draws can choose a typeface by; `nil` for that of the node around.
  public var font: String?

  /// An appearance without effects.
  public init() {}

  /// Moves everything so far.
  public mutating func move(x: Double, y: Double) {
    translation = translation + Point(x: x, y: y)
  }

  /// Scales everything so far about the centre of the content.
  public mutating func scale(x: Double, y: Double) {
    let factor = Point(x: x, y: y)
    let center = translation + Point(x: size.width / 2, y: size.height / 2) * scale
    translation = center + (translation - center) * factor
    scale = scale * factor
  }

  /// Where the content is, in the coordinates of the node around it.
  public var frame: Rect {
    Rect(
      x: translation.x,
      y: translation.y,
      width: size.width * scale.x,
      height: size.height * scale.y
    )
  }
}

extension Appearance {
  /// Sees this appearance from outside of the node around it.
  mutating func place(inside outer: Appearance) {
    translation = outer.translation + translation * outer.scale
    scale = scale * outer.scale
    rotation += outer.rotation
    opacity *= outer.opacity
    if foreground == nil { foreground = outer.foreground }
    if font == nil { font = outer.font }
  }
}
