// A function from the fraction of the time to the fraction of the change.

/// A function from 0…1 to progress, with which an animation is paced.
///
/// ```swift
/// let curve = UnitCurve.bezier(
///   startControlPoint: UnitPoint(x: 0.42, y: 0),
///   endControlPoint: UnitPoint(x: 0.58, y: 1)
/// )
/// curve.value(at: 0.5)     // 0.5
/// curve.velocity(at: 0.5)  // about 1.72
/// ```
///
/// Every curve is exactly 0 at 0 and exactly 1 at 1, and continuous between; but for the ``inverse`` of one
/// that overshoots, which leaps over the times at which that one makes no new progress.
public struct UnitCurve: Hashable, Sendable {
  enum Function: Hashable, Sendable {
    case linear
    case bezier(CubicBezier)
    /// The inverse of a curve that leaves 0…1.
    case inverse(CubicBezier)
    case circularEaseIn
    case circularEaseOut
    case circularEaseInOut
    /// The inverse of `circularEaseInOut`: fast at both ends.
    case circularEaseOutIn
  }

  let function: Function

  /// A cubic Bézier curve from (0, 0) to (1, 1).
  ///
  /// - Parameters:
  ///   - startControlPoint: The control point at the start. Its x is clamped to 0…1; a y outside
  ///     of 0…1 makes the curve overshoot. A coordinate that is not finite counts as 0.
  ///   - endControlPoint: The control point at the end, likewise.
  public static func bezier(
    startControlPoint: UnitPoint,
    endControlPoint: UnitPoint
  ) -> UnitCurve {
    UnitCurve(function: .bezier(CubicBezier(start: startControlPoint, end: endControlPoint)))
  }

  /// Progress equals time.
  public static let linear = UnitCurve(function: .linear)

  /// Slow at first: the Bézier curve (0.42, 0, 1, 1).
  public static let easeIn = bezier(0.42, 0, 1, 1)

  /// Slow at last: the Bézier curve (0, 0, 0.58, 1).
  public static let easeOut = bezier(0, 0, 0.58, 1)

  /// Slow at first and at last: the Bézier curve (0.42, 0, 0.58, 1).
  public static let easeInOut = bezier(0.42, 0, 0.58, 1)

  /// A quarter of a circle, flat at first: 1 − √(1 − x²).
  public static let circularEaseIn = UnitCurve(function: .circularEaseIn)

  /// A quarter of a circle, flat at last: √(1 − (1 − x)²).
  public static let circularEaseOut = UnitCurve(function: .circularEaseOut)

  /// Two quarters of a circle, flat at first and at last.
  public static let circularEaseInOut = UnitCurve(function: .circularEaseInOut)

  /// The curve with x and y exchanged.
  ///
  /// It undoes this one, up to rounding, wherever this one rises and stays within 0…1. For progress that
  /// this one makes more than once, because it overshoots, it says when it is made first.
  public var inverse: UnitCurve {
    switch function {
    case .linear: self
    case .bezier(let bezier):
      UnitCurve(function: bezier.inverse.map { .bezier($0) } ?? .inverse(bezier))
    case .inverse(let bezier): UnitCurve(function: .bezier(bezier))
    case .circularEaseIn: .circularEaseOut
    case .circularEaseOut: .circularEaseIn
    case .circularEaseInOut: UnitCurve(function: .circularEaseOutIn)
    case .circularEaseOutIn: .circularEaseInOut
    }
  }

  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    let (start, end) = (UnitPoint(x: x1, y: y1), UnitPoint(x: x2, y: y2))
    return bezier(startControlPoint: start, endControlPoint: end)
  }

  /// The two control points of a Bézier curve.
  var controlPoints: (start: UnitPoint, end: UnitPoint)? {
    guard case .bezier(let bezier) = function else { return nil }
    return (bezier.start, bezier.end)
  }
}

extension UnitCurve {
  /// The progress at a fraction of the time.
  ///
  /// - Parameter progress: The fraction of the time; it is clamped to 0…1.
  /// - Returns: 0 at the start, 1 at the end; between them it may leave 0…1.
  public func value(at progress: Double) -> Double {
    guard progress > 0 else { return 0 }
    guard progress < 1 else { return 1 }
    return switch function {
    case .linear: progress
    case .bezier(let bezier): bezier.value(at: progress)
    case .inverse(let bezier): bezier.firstTime(of: progress)
    case .circularEaseIn: Circle.rising(progress)
    case .circularEaseOut: 1 - Circle.rising(1 - progress)
    case .circularEaseInOut: Circle.halves(progress, Circle.rising)
    case .circularEaseOutIn: Circle.halves(progress) { 1 - Circle.rising(1 - $0) }
    }
  }

  /// The velocity of the progress at a fraction of the time, per unit of it.
  ///
  /// It is finite everywhere: where a curve is vertical, the slope a millionth beside is given.
  ///
  /// - Parameter progress: The fraction of the time; it is clamped to 0…1.
  public func velocity(at progress: Double) -> Double {
    let x = progress > 0 ? min(progress, 1) : 0
    return switch function {
    case .linear: 1
    case .bezier(let bezier): bezier.velocity(at: x)
    case .inverse(let bezier): 1 / max(bezier.velocity(at: bezier.firstTime(of: x)), 0x1p-20)
    case .circularEaseIn: Circle.slope(x)
    case .circularEaseOut: Circle.slope(1 - x)
    case .circularEaseInOut: Circle.slope(x < 0.5 ? 2 * x : 2 - 2 * x)
    case .circularEaseOutIn: Circle.slope(x < 0.5 ? 1 - 2 * x : 2 * x - 1)
    }
  }
}

/// The lower right quarter of a circle around (0, 1).
private enum Circle {
  static func rising(_ x: Double) -> Double {
    1 - (1 - x * x).squareRoot()
  }

  static func slope(_ x: Double) -> Double {
    let x = min(x, 1 - 0x1p-20)
    return x / (1 - x * x).squareRoot()
  }

  /// A curve in the first half of the time, and the same turned by a half turn in the second.
  static func halves(_ x: Double, _ curve: (Double) -> Double) -> Double {
    x < 0.5 ? curve(2 * x) / 2 : 1 - curve(2 - 2 * x) / 2
  }
}

extension UnitCurve: CustomStringConvertible {
  /// The call that makes the curve, such as `.easeIn`.
  public var description: String {
    switch self {
    case .linear: return ".linear"
    case .easeIn: return ".easeIn"
    case .easeOut: return ".easeOut"
    case .easeInOut: return ".easeInOut"
    case .circularEaseIn: return ".circularEaseIn"
    case .circularEaseOut: return ".circularEaseOut"
    case .circularEaseInOut: return ".circularEaseInOut"
    default:
      if case .inverse = function { return "\(inverse).inverse" }
      guard let (start, end) = controlPoints else { return ".circularEaseInOut.inverse" }
      return ".bezier(startControlPoint: \(start), endControlPoint: \(end))"
    }
  }
}
