// A part of the outline of a shape.

import Foundation
import RondoAnimation

extension Shape {
  /// The part of the shape's outline between two parts of its length.
  ///
  /// ```swift
  /// Circle().trim(from: 0, to: progress).stroke(.green)
  /// ```
  ///
  /// A shape that says only which points are inside has no outline, and stays whole.
  ///
  /// - Parameters:
  ///   - startFraction: Where it begins: 0 for the beginning of the outline.
  ///   - endFraction: Where it ends: 1 for the end.
  public func trim(from startFraction: CGFloat = 0, to endFraction: CGFloat = 1) -> some Shape {
    TrimmedShape(shape: self, range: AnimatablePair(Double(startFraction), Double(endFraction)))
  }
}

extension Path {
  /// The part of the outline between two parts of its length. Curves are taken as 16 lines each.
  ///
  /// - Parameters:
  ///   - startFraction: Where it begins: 0 for the beginning.
  ///   - endFraction: Where it ends: 1 for the end.
  public func trimmedPath(from startFraction: CGFloat, to endFraction: CGFloat) -> Path {
    let (start, end) = (Double(startFraction), Double(endFraction))
    guard start > 0 || end < 1 else { return self }
    guard start < end, end > 0, start < 1 else { return Path() }
    let lines = lines
    let length = lines.reduce(0) { $0 + $1.length }
    let (first, last) = (max(0, start) * length, min(1, end) * length)
    guard length > 0, length.isFinite else { return Path() }
    // As many lines at all times for one part, so that a picture of it can move.
    guard lines.allSatisfy({ !$0.isNew }) else {
      return Path { $0.add(lines, from: first, to: last) }
    }
    let step = (last - first) / 64
    return Path { path in
      var (index, passed) = (0, 0.0)
      for number in 0...64 {
        let place = first + step * Double(number)
        while index + 1 < lines.count, passed + lines[index].length < place {
          passed += lines[index].length
          index += 1
        }
        let point = lines[index].point(at: place - passed)
        if number == 0 { path.move(to: CGPoint(point)) } else { path.addLine(to: CGPoint(point)) }
      }
    }
  }

  /// Adds the parts of lines between two distances from the beginning of the first.
  private mutating func add(_ lines: [Line], from first: Double, to last: Double) {
    var (passed, isOpen) = (0.0, false)
    for line in lines {
      defer { passed += line.length }
      if line.isNew { isOpen = false }
      guard passed + line.length > first, passed < last else { continue }
      if !isOpen { move(to: CGPoint(line.point(at: max(0, first - passed)))) }
      addLine(to: CGPoint(line.point(at: min(line.length, last - passed))))
      isOpen = true
    }
  }

  /// A straight piece of an outline.
  struct Line {
    let start: Point
    let end: Point
    /// Whether a part begins with it that is not the first.
    let isNew: Bool

    var length: Double {
      let way = end - start
      return (way.x * way.x + way.y * way.y).squareRoot()
    }

    func point(at distance: Double) -> Point {
      let part = length > 0 ? min(max(0, distance / length), 1) : 0
      return start + (end - start) * Point(x: part, y: part)
    }

    /// The distance of a point from the nearest one of the line.
    func distance(to point: Point) -> Double {
      let way = end - start
      let square = way.x * way.x + way.y * way.y
      let along = (point.x - start.x) * way.x + (point.y - start.y) * way.y
      let part = square > 0 ? min(max(0, along / square), 1) : 0
      return Line(
        start: start + way * Point(x: part, y: part), end: point, isNew: false
      ).length
    }
  }
}

extension CGPoint {
  fileprivate init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

/// A part of the outline of a shape.
struct TrimmedShape<Base: Shape>: OutlinedShape {
  var shape: Base
  /// The begin and the end of the part, 0…1.
  var range: AnimatablePair<Double, Double>

  var animatableData: AnimatablePair<Base.AnimatableData, AnimatablePair<Double, Double>> {
    get { AnimatablePair(shape.animatableData, range) }
    set { (shape.animatableData, range) = (newValue.first, newValue.second) }
  }

  var glyph: Character { shape.glyph }

  func path(in rect: CGRect) -> Path {
    let path = shape.path(in: rect)
    guard !path.isUnknown else { return path }
    return path.trimmedPath(from: CGFloat(range.first), to: CGFloat(range.second))
  }

  func draws(_ point: UnitPoint, size: Size) -> Bool {
    let path = path(in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
    guard !path.isUnknown, !isWhole else { return shape.draws(point, size: size) }
    return path.contains(CGPoint(x: point.x * size.width, y: point.y * size.height))
  }

  var isWhole: Bool { range.first <= 0 && range.second >= 1 }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.shape == rhs.shape && lhs.range == rhs.range
  }
}

/// A shape whose border is its outline alone, which may be open.
protocol OutlinedShape: Shape {
  /// Whether the outline is that of a whole shape.
  var isWhole: Bool { get }
}
