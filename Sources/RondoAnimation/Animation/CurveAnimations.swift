// Animations along a timing curve.

extension Animation {
  /// At an even pace, in 0.35 s.
  public static var linear: Animation { linear(duration: defaultDuration) }

  /// At an even pace.
  ///
  /// - Parameter duration: In seconds.
  public static func linear(duration: Double) -> Animation {
    timingCurve(.linear, duration: duration)
  }

  /// Slow at first, in 0.35 s.
  public static var easeIn: Animation { easeIn(duration: defaultDuration) }

  /// Slow at first, along the Bézier curve (0.42, 0, 1, 1).
  ///
  /// - Parameter duration: In seconds.
  public static func easeIn(duration: Double) -> Animation {
    timingCurve(.easeIn, duration: duration)
  }

  /// Slow at last, in 0.35 s.
  public static var easeOut: Animation { easeOut(duration: defaultDuration) }

  /// Slow at last, along the Bézier curve (0, 0, 0.58, 1).
  ///
  /// - Parameter duration: In seconds.
  public static func easeOut(duration: Double) -> Animation {
    timingCurve(.easeOut, duration: duration)
  }

  /// Slow at first and at last, in 0.35 s.
  public static var easeInOut: Animation { easeInOut(duration: defaultDuration) }

  /// Slow at first and at last, along the Bézier curve (0.42, 0, 0.58, 1).
  ///
  /// - Parameter duration: In seconds.
  public static func easeInOut(duration: Double) -> Animation {
    timingCurve(.easeInOut, duration: duration)
  }

  /// Along a cubic Bézier curve from (0, 0) to (1, 1), given by its two control points.
  ///
  /// ```swift
  /// let overshooting = Animation.timingCurve(0.34, 1.56, 0.64, 1, duration: 0.4)
  /// ```
  ///
  /// - Parameters:
  ///   - c0x: The first control point's x; it is clamped to 0…1, so that time never runs backwards.
  ///   - c0y: The first control point's y; outside of 0…1 the value overshoots.
  ///   - c1x: The second control point's x, clamped likewise.
  ///   - c1y: The second control point's y.
  ///   - duration: In seconds.
  public static func timingCurve(
    _ c0x: Double,
    _ c0y: Double,
    _ c1x: Double,
    _ c1y: Double,
    duration: Double = 0.35
  ) -> Animation {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: c0x, y: c0y),
      endControlPoint: UnitPoint(x: c1x, y: c1y)
    )
    return timingCurve(curve, duration: duration)
  }

  /// Along any unit curve.
  ///
  /// - Parameters:
  ///   - curve: The progress for each fraction of the duration.
  ///   - duration: In seconds.
  public static func timingCurve(_ curve: UnitCurve, duration: Double) -> Animation {
    Animation(base: .curve(curve, duration: duration))
  }
}
