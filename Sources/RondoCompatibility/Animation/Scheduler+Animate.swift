// `scheduler.animation` in the words of UIKit.

import RondoScheduling
import RondoAnimation

extension Scheduler {
  /// This scheduler, with all work run as though inside UIKit's `animate(withDuration:)`.
  ///
  /// - Parameters:
  ///   - duration: In seconds. With zero or less the changes are shown at once.
  ///   - delay: In seconds, after which the animation starts.
  ///   - options: The curve, by default ease-in-out, and whether it repeats.
  public func animate(
    withDuration duration: Double,
    delay: Double = 0,
    options: AnimationOptions = []
  ) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    animation(options.animation(duration: duration, delay: delay))
  }

  /// This scheduler, with all work run as though inside UIKit's `animate(withDuration:)` for
  /// springs.
  ///
  /// - Parameters:
  ///   - duration: In seconds, in which the spring comes to rest. With zero or less the changes are
  ///     shown at once.
  ///   - delay: In seconds, after which the animation starts.
  ///   - dampingRatio: 1 to arrive without bouncing; the closer to 0, the more bounces.
  ///   - velocity: The speed at the start, in units of the whole change per second.
  ///   - options: Whether it repeats. A spring has no curve.
  public func animate(
    withDuration duration: Double,
    delay: Double = 0,
    usingSpringWithDamping dampingRatio: Double,
    initialSpringVelocity velocity: Double,
    options: AnimationOptions = []
  ) -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    let duration = checkedSeconds(duration)
    guard duration > 0 else { return animation(nil) }
    let spring = Spring(settlingDuration: duration, dampingRatio: dampingRatio)
    return animation(
      options.applied(
        to: .interpolatingSpring(spring, initialVelocity: velocity),
        delay: delay
      )
    )
  }
}

/// The options of an animation, with the names of UIKit.
public struct AnimationOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Runs again and again, without end.
  public static let `repeat` = AnimationOptions(rawValue: 1 << 3)

  /// Runs every other time backwards. Has no effect without ``repeat``.
  public static let autoreverse = AnimationOptions(rawValue: 1 << 4)

  /// Starts and ends slowly. This is the default curve.
  public static let curveEaseInOut: AnimationOptions = []

  /// Starts slowly.
  public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)

  /// Ends slowly.
  public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)

  /// Keeps one speed.
  public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
}

extension AnimationOptions {
  /// The curve is a number in two bits, not a set of them.
  private var curve: AnimationOptions { intersection(.curveLinear) }

  /// The animation that the options and the numbers of a call say; `nil` without a duration.
  func animation(duration: Double, delay: Double) -> Animation? {
    let duration = checkedSeconds(duration)
    return duration > 0 ? applied(to: curve(duration: duration), delay: delay) : nil
  }

  private func curve(duration: Double) -> Animation {
    switch curve {
    case .curveEaseIn: .easeIn(duration: duration)
    case .curveEaseOut: .easeOut(duration: duration)
    case .curveLinear: .linear(duration: duration)
    default: .easeInOut(duration: duration)
    }
  }

  /// Repeats and delays an animation. The delay is outermost: UIKit waits once, not before each
  /// repetition.
  func applied(to animation: Animation, delay: Double) -> Animation {
    let repeated =
      contains(.repeat)
      ? animation.repeatForever(autoreverses: contains(.autoreverse)) : animation
    let delay = checkedSeconds(delay)
    return delay == 0 ? repeated : repeated.delay(delay)
  }
}
