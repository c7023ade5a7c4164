// Something on the stage that is told what to do, instead of being described.

import Foundation
import RondoAnimation

/// Something that is told what to do, step by step, instead of being described.
///
/// ```swift
/// let label = Sprite("label", performer: performer, alpha: 0)
/// label.animate([.fadeIn(duration: 3), .move(byX: 0, y: 50, duration: 3)])
/// ```
@MainActor
public final class Sprite {
  /// The name.
  public let name: String

  /// The performer of its animations.
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

  /// The animation and the instant of the step that is beginning.
  private var step: (animation: Animation, instant: Duration)?

  /// The opacity, 0…1: the one at the end of its animations.
  ///
  /// Set in a step it changes with that step's duration; else with the animation of the ambient
  /// transaction, or at once if there is none.
  public var alpha: Double {
    get { animatedAlpha.model }
    set {
      let change = change
      setAlpha(newValue, animation: change.animation, at: change.instant)
    }
  }

  /// The place and the extent, in cells: those at the end of its animations. Setting them is like
  /// setting ``alpha``.
  public var frame: Rect {
    get { rect(animatedFrame.model) }
    set {
      let change = change
      setFrame(newValue, animation: change.animation, at: change.instant)
    }
  }

  private var change: (animation: Animation?, instant: Duration) {
    step.map { ($0.animation, $0.instant) } ?? (Transaction.current.animation, performer.now)
  }

  /// Runs the closure of a step.
  func begin(_ step: SpriteStep, at instant: Duration) {
    self.step = (.easeInOut(duration: step.duration), instant)
    defer { self.step = nil }
    step.begin(self, instant)
  }

  /// A node where the sprite shows at an instant, and as opaque as it shows.
  ///
  /// ```swift
  /// stage.commit(Node.group { label.node(at: now) { Node.text("Welcome") } }, at: now)
  /// ```
  ///
  /// - Parameters:
  ///   - instant: An instant of the performer.
  ///   - content: What the sprite looks like.
  public func node(at instant: Duration, @NodeBuilder _ content: () -> [Node]) -> Node {
    let frame = frame(at: instant)
    return content().node
      .frame(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
      .opacity(alpha(at: instant))
      .id(ObjectIdentifier(self))
  }

  /// Whether an animation of the sprite is in progress at an instant.
  public func isAnimating(at instant: Duration) -> Bool {
    animatedAlpha.isAnimating(at: instant) || animatedFrame.isAnimating(at: instant)
  }

  /// The opacity that shows at an instant.
  public func alpha(at instant: Duration) -> Double { animatedAlpha.value(at: instant) }

  /// The frame that shows at an instant.
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

  /// A step of your own, which changes values of the sprite.
  ///
  /// ```swift
  /// SpriteStep(duration: 1) { $0.alpha = 0.5 }
  /// ```
  ///
  /// - Parameters:
  ///   - duration: In seconds. What the closure sets gets there in this time.
  ///   - closure: Sets values.
  public init(duration: Double = 0.3, closure: @escaping @MainActor (_ sprite: Sprite) -> Void) {
    self.init(duration: duration) { sprite, _ in closure(sprite) }
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
  public static func resize(to size: CGSize, duration: Double = 0.3) -> SpriteStep {
    resize(to: Size(width: Double(size.width), height: Double(size.height)), duration: duration)
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
