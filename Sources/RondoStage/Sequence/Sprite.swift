// Something on the stage that is told what to do, instead of being described.

import RondoAnimation

/// Something that is told what to do, step by step, instead of being described.
///
/// ```swift
/// let label = Sprite("label", performer: performer, alpha: 0)
/// label.animate([.fadeIn(duration: 3), .move(byX: 0, y: 50, duration: 3)])
/// ```
@MainActor
public final class Sprite {
  /// What it is called.
  public let name: String

  /// Who performs its animations.
  public let performer: Performer

  private var animatedAlpha: AnimatedValue<Double>
  private var animatedFrame: AnimatedValue<AnimatableVector<SIMD4<Double>>>

  /// A sprite that shows what it is.
  public init(_ name: String, performer: Performer, frame: Rect = Rect(), alpha: Double = 1) {
    self.name = name
    self.performer = performer
    animatedAlpha = AnimatedValue(alpha)
    animatedFrame = AnimatedValue(frame.animatableData)
  }

  /// How opaque it is: what it will be when its animations are over.
  public var alpha: Double { animatedAlpha.model }

  /// Where it is: where it will be when its animations are over.
  public var frame: Rect { rect(animatedFrame.model) }

  /// How opaque it shows at an instant.
  public func alpha(at instant: Duration) -> Double { animatedAlpha.value(at: instant) }

  /// Where it shows at an instant.
  public func frame(at instant: Duration) -> Rect { rect(animatedFrame.value(at: instant)) }

  /// Changes how opaque it is, from an instant on.
  public func setAlpha(_ alpha: Double, animation: Animation?, at instant: Duration) {
    animatedAlpha.set(alpha, animation: animation, at: instant)
  }

  /// Changes where it is, from an instant on.
  public func setFrame(_ frame: Rect, animation: Animation?, at instant: Duration) {
    animatedFrame.set(frame.animatableData, animation: animation, at: instant)
  }

  private func rect(_ data: AnimatableVector<SIMD4<Double>>) -> Rect {
    var rect = Rect()
    rect.animatableData = data
    return rect
  }
}

/// A step of a sprite's animation.
public struct SpriteStep {
  let duration: Double
  let begin: @MainActor (Sprite, Duration) -> Void

  /// A step of your own.
  ///
  /// - Parameters:
  ///   - duration: In seconds.
  ///   - begin: What happens when the step begins.
  public init(
    duration: Double = 0.3,
    begin: @escaping @MainActor (_ sprite: Sprite, _ instant: Duration) -> Void
  ) {
    self.duration = duration
    self.begin = begin
  }

  /// Becomes opaque.
  public static func fadeIn(duration: Double = 0.3) -> SpriteStep {
    fade(to: 1, duration: duration)
  }

  /// Becomes invisible.
  public static func fadeOut(duration: Double = 0.3) -> SpriteStep {
    fade(to: 0, duration: duration)
  }

  /// Becomes as opaque as given.
  public static func fade(to alpha: Double, duration: Double = 0.3) -> SpriteStep {
    SpriteStep(duration: duration) { sprite, instant in
      sprite.setAlpha(alpha, animation: .easeInOut(duration: duration), at: instant)
    }
  }

  /// Moves by a distance from where the sprite is when the step begins.
  public static func move(byX x: Double, y: Double, duration: Double = 0.3) -> SpriteStep {
    SpriteStep(duration: duration) { sprite, instant in
      var frame = sprite.frame
      frame.x += x
      frame.y += y
      sprite.setFrame(frame, animation: .easeInOut(duration: duration), at: instant)
    }
  }

  /// Takes an extent.
  public static func resize(to size: Size, duration: Double = 0.3) -> SpriteStep {
    SpriteStep(duration: duration) { sprite, instant in
      var frame = sprite.frame
      frame.width = size.width
      frame.height = size.height
      sprite.setFrame(frame, animation: .easeInOut(duration: duration), at: instant)
    }
  }
}
