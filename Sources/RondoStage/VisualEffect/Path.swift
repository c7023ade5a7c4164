// An outline of lines and curves.

import Foundation

/// An outline of lines and curves.
///
/// ```swift
/// Path { path in
///   path.move(to: CGPoint(x: 0, y: 0))
///   path.addLine(to: CGPoint(x: 10, y: 0))
///   path.addLine(to: CGPoint(x: 5, y: 8))
///   path.closeSubpath()
/// }
/// ```
public struct Path: Hashable, Sendable {
  /// A piece of an outline.
  public enum Element: Hashable, Sendable {
    /// The start of a part at a point, without a line to it.
    case move(to: Point)
    /// A straight line to a point.
    case line(to: Point)
    /// A cubic Bézier curve to a point.
    case curve(to: Point, control1: Point, control2: Point)
    /// A straight line back to where the part has started.
    case closeSubpath
  }

  /// The pieces, in order.
  public private(set) var elements: [Element] = []

  private var last = Point.zero

  /// An outline of nothing.
  public init() {}

  /// An outline that a closure draws.
  public init(_ draw: (inout Path) -> Void) { draw(&self) }

  /// A rectangle.
  public init(_ rect: CGRect) { addRect(rect) }

  /// The ellipse in a rectangle.
  public init(ellipseIn rect: CGRect) { addEllipse(in: rect) }

  /// A rectangle with round corners.
  public init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
    addRoundedRect(in: rect, cornerSize: CGSize(width: cornerRadius, height: cornerRadius))
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { elements.isEmpty }

  /// Begins a new part.
  public mutating func move(to point: CGPoint) { move(Point(point)) }

  /// Adds a line.
  public mutating func addLine(to point: CGPoint) { line(Point(point)) }

  /// Adds lines from each point to the next, as a part of their own.
  public mutating func addLines(_ points: [CGPoint]) {
    guard let first = points.first else { return }
    move(to: first)
    for point in points.dropFirst() { addLine(to: point) }
  }

  /// Adds a cubic Bézier curve.
  public mutating func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    curve(Point(end), Point(control1), Point(control2))
  }

  /// Adds a quadratic Bézier curve.
  public mutating func addQuadCurve(to end: CGPoint, control: CGPoint) {
    let (end, control) = (Point(end), Point(control))
    let third = Point(x: 2.0 / 3, y: 2.0 / 3)
    curve(end, last + (control - last) * third, end + (control - end) * third)
  }

  /// Adds a part of a circle, with a line to its beginning if there is something already.
  ///
  /// - Parameters:
  ///   - center: The centre of the circle.
  ///   - radius: Its radius.
  ///   - startAngle: The angle of the beginning, from the x axis.
  ///   - endAngle: The angle of the end, from the x axis.
  ///   - clockwise: As in SwiftUI, whose y axis points down: `false` goes clockwise on the screen.
  public mutating func addArc(
    center: CGPoint,
    radius: CGFloat,
    startAngle: Angle,
    endAngle: Angle,
    clockwise: Bool
  ) {
    let (center, radius) = (Point(center), Double(radius))
    let full = 2 * Double.pi
    var sweep = (endAngle - startAngle).radians
    guard sweep.isFinite, startAngle.radians.isFinite else { return }
    if abs(sweep) >= full {
      sweep = clockwise ? -full : full
    } else {
      sweep = sweep.truncatingRemainder(dividingBy: full)
      if !clockwise, sweep < 0 { sweep += full }
      if clockwise, sweep > 0 { sweep -= full }
    }
    func point(_ angle: Double) -> Point {
      Point(x: center.x + radius * cos(angle), y: center.y + radius * sin(angle))
    }
    let start = point(startAngle.radians)
    if elements.isEmpty { move(start) } else { line(start) }
    let pieces = max(1, Int((abs(sweep) / (.pi / 2)).rounded(.up)))
    let step = sweep / Double(pieces)
    let reach = 4 / 3 * tan(step / 4) * radius
    for piece in 0..<pieces {
      let (from, to) = (
        startAngle.radians + step * Double(piece), startAngle.radians + step * Double(piece + 1)
      )
      let (a, b) = (point(from), point(to))
      curve(
        b, Point(x: a.x - reach * sin(from), y: a.y + reach * cos(from)),
        Point(x: b.x + reach * sin(to), y: b.y - reach * cos(to)))
    }
  }

  /// Adds a rectangle.
  public mutating func addRect(_ rect: CGRect) {
    let (x, y) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    move(Point(x: x, y: y))
    for point in [(right, y), (right, bottom), (x, bottom)] { line(Point(x: point.0, y: point.1)) }
    closeSubpath()
  }

  /// Adds the ellipse in a rectangle.
  public mutating func addEllipse(in rect: CGRect) {
    addRoundedRect(in: rect, cornerSize: CGSize(width: rect.width / 2, height: rect.height / 2))
  }

  /// Adds a rectangle with round corners.
  public mutating func addRoundedRect(in rect: CGRect, cornerSize: CGSize) {
    let (left, top) = (Double(rect.minX), Double(rect.minY))
    let (right, bottom) = (Double(rect.maxX), Double(rect.maxY))
    let rx = min(max(0, Double(cornerSize.width)), (right - left) / 2)
    let ry = min(max(0, Double(cornerSize.height)), (bottom - top) / 2)
    // The distance of the control points that comes closest to a circle.
    let k = 0.552_284_749_8
    let (kx, ky) = (rx * (1 - k), ry * (1 - k))
    move(Point(x: left + rx, y: top))
    line(Point(x: right - rx, y: top))
    curve(
      Point(x: right, y: top + ry), Point(x: right - kx, y: top), Point(x: right, y: top + ky))
    line(Point(x: right, y: bottom - ry))
    curve(
      Point(x: right - rx, y: bottom), Point(x: right, y: bottom - ky),
      Point(x: right - kx, y: bottom))
    line(Point(x: left + rx, y: bottom))
    curve(
      Point(x: left, y: bottom - ry), Point(x: left + kx, y: bottom),
      Point(x: left, y: bottom - ky))
    line(Point(x: left, y: top + ry))
    curve(Point(x: left + rx, y: top), Point(x: left, y: top + ky), Point(x: left + kx, y: top))
    closeSubpath()
  }

  /// Adds another outline.
  public mutating func addPath(_ path: Path) {
    elements += path.elements
    last = path.last
  }

  /// Adds a line to where the part began.
  public mutating func closeSubpath() { elements.append(.closeSubpath) }

  /// Whether a point is inside, by the non-zero winding number. Curves are taken as 16 lines each.
  ///
  /// Complexity: O(*n*) in the number of pieces.
  public func contains(_ point: CGPoint) -> Bool {
    let point = Point(point)
    var winding = 0
    for part in polygons {
      for (a, b) in zip(part, part.dropFirst() + part.prefix(1)) {
        let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y)
        if a.y <= point.y, b.y > point.y, side > 0 { winding += 1 }
        if a.y > point.y, b.y <= point.y, side < 0 { winding -= 1 }
      }
    }
    return winding != 0
  }

  /// Maps all points.
  mutating func map(_ map: (Point) -> Point) { elements = elements.map { $0.mapped(map) } }

  /// The outline as straight lines, those that close a part included.
  var lines: [Line] {
    var lines: [Line] = []
    var (first, last) = (Point.zero, Point.zero)
    var begins = false
    func line(to end: Point) {
      lines.append(Line(start: last, end: end, isNew: begins && !lines.isEmpty))
      (last, begins) = (end, false)
    }
    for element in elements {
      switch element {
      case .move(let point): (first, last, begins) = (point, point, true)
      case .line(let end): line(to: end)
      case .closeSubpath: if last != first { line(to: first) }
      case .curve(let end, let one, let two):
        for point in Self.points(of: last, one, two, end) { line(to: point) }
      }
    }
    return lines
  }

  /// The ends of 16 lines in the place of a curve.
  private static func points(of start: Point, _ one: Point, _ two: Point, _ end: Point) -> [Point] {
    (1...16).map { index in
      let t = Double(index) / 16
      let (u, v) = (1 - t, t)
      func at(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
        u * u * u * a + 3 * u * u * v * b + 3 * u * v * v * c + v * v * v * d
      }
      return Point(x: at(start.x, one.x, two.x, end.x), y: at(start.y, one.y, two.y, end.y))
    }
  }

  private var polygons: [[Point]] {
    var parts: [[Point]] = []
    for element in elements {
      if case .move(let point) = element {
        parts.append([point])
        continue
      }
      if parts.isEmpty { parts.append([.zero]) }
      let start = parts[parts.count - 1].last ?? .zero
      switch element {
      case .move, .closeSubpath: break
      case .line(let end): parts[parts.count - 1].append(end)
      case .curve(let end, let one, let two):
        parts[parts.count - 1] += Self.points(of: start, one, two, end)
      }
    }
    return parts
  }

  private mutating func move(_ point: Point) {
    elements.append(.move(to: point))
    last = point
  }

  private mutating func line(_ point: Point) {
    elements.append(.line(to: point))
    last = point
  }

  private mutating func curve(_ end: Point, _ one: Point, _ two: Point) {
    elements.append(.curve(to: end, control1: one, control2: two))
    last = end
  }
}

extension Point {
  init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}
