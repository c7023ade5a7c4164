// The appearance of a node at one instant: what the effects around its content add up to.

import Foundation

/// The appearance of a node at one instant. Effects write it, from the innermost to the outermost.
///
/// A point p of the content is shown at p · `scale` + `translation` in the coordinates of the node
/// around it; then all is slanted by `shear` and turned by `rotation` about the centre of its frame.
public struct Appearance: Hashable, Sendable {
  /// The place of the content's origin, in cells.
  public var translation = Point.zero

  /// The factors by which the content is shown larger than it is.
  public var scale = Point(x: 1, y: 1)

  /// The extent of the content, before scaling, in cells.
  public var size = Size.zero

  /// The angle by which the content is turned clockwise about its centre, in degrees.
  public var rotation = 0.0

  /// Cells to the right for each cell down, by which the content is slanted before it is turned.
  public var shear = 0.0

  /// 0 for invisible, 1 for opaque.
  public var opacity = 1.0

  /// The colour of glyphs; `nil` for that of the node around.
  public var foreground: Color?

  /// The colour behind glyphs; `nil` for what is there.
  public var background: Color?

  /// The name of a typeface, for the code that draws; `nil` for that of the node around.
  public var font: String?

  /// An appearance without effects.
  public init() {}

  /// Moves everything so far.
  public mutating func move(x: Double, y: Double) {
    translation = translation + Point(x: x, y: y)
  }

  /// Scales everything so far about the centre of the content.
  public mutating func scale(x: Double, y: Double) {
    scale(x: x, y: y, anchor: .center)
  }

  /// Scales everything so far about a point of the content.
  public mutating func scale(x: Double, y: Double, anchor: UnitPoint) {
    let fixed = shown(anchor)
    guard isUpright || x == y else {
      let scaling = CGAffineTransform(scaleX: x, y: y)
      return concatenate(scaling.about(fixed))
    }
    let center = center
    let factor = Point(x: x, y: y)
    let moved = fixed + (center - fixed) * factor
    translation = translation + (moved - center)
    translation = moved + (translation - moved) * factor
    scale = scale * factor
  }

  /// Turns everything so far clockwise about a point of the content.
  public mutating func rotate(degrees: Double, anchor: UnitPoint = .center) {
    if anchor != .center {
      let turn = CGAffineTransform(rotationAngle: degrees * .pi / 180)
      let center = center
      let moved = turn.about(shown(anchor)).apply(center)
      translation = translation + (moved - center)
    }
    rotation += degrees
  }

  /// Puts a transform around everything so far, in the coordinates of the node around it.
  public mutating func concatenate(_ outer: CGAffineTransform) {
    if outer.isTranslation { return move(x: outer.tx, y: outer.ty) }
    let center = outer.apply(center)
    let linear = transform.concatenating(outer)
    decompose(linear, near: rotation + atan2(outer.b, outer.a) * 180 / .pi)
    translation = center - Point(x: size.width / 2, y: size.height / 2) * scale
  }

  /// Takes scale, shear and rotation from the linear part of a transform.
  ///
  /// - Parameter degrees: The angle that the rotation is near to, give or take whole turns.
  private mutating func decompose(_ linear: CGAffineTransform, near degrees: Double) {
    var x = Point(x: linear.a, y: linear.b)
    let sign: Double = scale.x < 0 ? -1 : 1
    let length = (x.x * x.x + x.y * x.y).squareRoot()
    // Seen edge-on, the direction is lost; the one from before is as good as any.
    if length < 1e-9 { x = Point(x: cos(degrees * .pi / 180), y: sin(degrees * .pi / 180)) }
    let angle = atan2(x.y * sign, x.x * sign)
    let (sine, cosine) = (sin(angle), cos(angle))
    let y = Point(
      x: cosine * linear.c + sine * linear.d, y: cosine * linear.d - sine * linear.c)
    scale = Point(x: length < 1e-9 ? 0 : sign * length, y: y.y)
    shear = abs(y.y) < 1e-9 ? 0 : y.x / y.y
    let turn = angle * 180 / .pi
    rotation = turn + 360 * ((degrees - turn) / 360).rounded()
  }

  /// Whether the content is neither turned nor slanted.
  var isUpright: Bool { rotation == 0 && shear == 0 }

  /// The centre of the content, in the coordinates of the node around it.
  var center: Point { translation + Point(x: size.width / 2, y: size.height / 2) * scale }

  /// The place of a point of the content, in the coordinates of the node around it.
  func shown(_ point: UnitPoint) -> Point {
    let point = Point(x: point.x * size.width, y: point.y * size.height)
    guard !isUpright else { return translation + point * scale }
    return transform.apply(point)
  }

  /// The map from points of the content to the coordinates of the node around it.
  public var transform: CGAffineTransform {
    let scaled = CGAffineTransform(
      a: scale.x, b: 0, c: 0, d: scale.y, tx: translation.x, ty: translation.y)
    guard !isUpright else { return scaled }
    let slant = CGAffineTransform(a: 1, b: 0, c: shear, d: 1, tx: 0, ty: 0)
    let turn = CGAffineTransform(rotationAngle: rotation * .pi / 180)
    return scaled.concatenating(slant.concatenating(turn).about(center))
  }

  /// The frame of the content before it is turned, in the coordinates of the node around it.
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
    if outer.rotation == 0, outer.shear == 0, isUpright || outer.scale.x == outer.scale.y {
      translation = outer.translation + translation * outer.scale
      scale = scale * outer.scale
    } else {
      turn(with: outer)
    }
    opacity *= outer.opacity
    if foreground == nil { foreground = outer.foreground }
    if font == nil { font = outer.font }
  }

  /// Turns about the centre of the node around it, as that one does.
  private mutating func turn(with outer: Appearance) {
    guard outer.scale.x == outer.scale.y, outer.shear == 0, shear == 0 else {
      let center = outer.transform.apply(center)
      let linear = transform.concatenating(outer.transform)
      decompose(linear, near: rotation + outer.rotation)
      translation = center - Point(x: size.width / 2, y: size.height / 2) * scale
      return
    }
    translation = outer.translation + translation * outer.scale
    scale = scale * outer.scale
    let before = center
    let turn = CGAffineTransform(rotationAngle: outer.rotation * .pi / 180)
    translation = translation + (turn.about(outer.center).apply(before) - before)
    rotation += outer.rotation
  }
}
