// A change that a modifier makes to the appearance of its content.

import RondoAnimation

/// A change that a modifier makes to the appearance of its content.
///
/// Its `animatableData` moves when it changes with an animation; everything else in it
/// jumps. The data is read at a commit and set once for every frame.
///
/// ```swift
/// struct Shake: VisualEffect {
///   var position: Double
///
///   var animatableData: Double {
///     get { position }
///     set { position = newValue }
///   }
///
///   func apply(to appearance: inout Appearance) {
///     appearance.move(x: -30 * sin(position * 2 * .pi), y: 0)
///   }
/// }
///
/// node.effect(Shake(position: attempts * 2))
/// ```
public protocol VisualEffect: Animatable, Equatable, Sendable {
  /// Changes the appearance that the content and the effects inside have given.
  func apply(to appearance: inout Appearance)

  /// The effect as a call, for descriptions and explanations.
  var label: String { get }
}

extension VisualEffect {
  public var label: String { "\(self)" }
}

/// An effect that is a function and cannot move.
protocol StaticEffect: VisualEffect where AnimatableData == EmptyAnimatableData {}

struct OpacityEffect: VisualEffect {
  var animatableData: Double

  func apply(to appearance: inout Appearance) {
    appearance.opacity *= animatableData
  }

  var label: String { ".opacity(\(spell: animatableData))" }
}

struct OffsetEffect: VisualEffect {
  var animatableData: AnimatablePair<Double, Double>

  func apply(to appearance: inout Appearance) {
    appearance.move(x: animatableData.first, y: animatableData.second)
  }

  var label: String {
    ".offset(x: \(spell: animatableData.first), y: \(spell: animatableData.second))"
  }
}

struct ScaleEffect: VisualEffect {
  var animatableData: AnimatablePair<Double, Double>
  var anchor = UnitPoint.center

  func apply(to appearance: inout Appearance) {
    appearance.scale(x: animatableData.first, y: animatableData.second, anchor: anchor)
  }

  var label: String {
    animatableData.first == animatableData.second
      ? ".scale(\(spell: animatableData.first))"
      : ".scale(x: \(spell: animatableData.first), y: \(spell: animatableData.second))"
  }
}

struct RotationEffect: VisualEffect {
  var animatableData: Double
  var anchor = UnitPoint.center

  func apply(to appearance: inout Appearance) {
    appearance.rotate(degrees: animatableData, anchor: anchor)
  }

  var label: String { ".rotation(degrees: \(spell: animatableData))" }
}

struct FrameEffect: VisualEffect {
  var frame: Rect

  var animatableData: AnimatableVector<SIMD4<Double>> {
    get { frame.animatableData }
    set { frame.animatableData = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.size = Size(width: frame.width, height: frame.height)
    appearance.move(x: frame.x, y: frame.y)
  }

  var label: String { ".frame\(frame)" }
}

struct ForegroundEffect: VisualEffect {
  var color: Color

  var animatableData: AnimatableVector<SIMD4<Double>> {
    get { color.animatableData }
    set { color.animatableData = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.foreground = appearance.foreground ?? color
  }

  var label: String { ".foreground(\(color))" }
}

struct BackgroundEffect: VisualEffect {
  var color: Color

  var animatableData: AnimatableVector<SIMD4<Double>> {
    get { color.animatableData }
    set { color.animatableData = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.background = appearance.background ?? color
  }

  var label: String { ".background(\(color))" }
}

struct FontEffect: StaticEffect {
  var name: String

  func apply(to appearance: inout Appearance) {
    appearance.font = appearance.font ?? name
  }

  var label: String { ".font(\"\(name)\")" }
}
