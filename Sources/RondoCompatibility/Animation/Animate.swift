// `withAnimation` in the words of UIKit.

import Rondo

/// Makes changes that are shown with an animation, as UIKit's `UIView.animate(withDuration:)` does.
///
/// - Parameters:
///   - duration: In seconds. With zero or less the changes are shown at once.
///   - delay: In seconds, after which the animation starts.
///   - options: The curve, by default ease-in-out, and whether it repeats.
///   - isolation: Where `completion` runs. Leave it out.
///   - animations: The changes.
///   - completion: Runs when the animations are over.
public func animate(
  withDuration duration: Double,
  delay: Double = 0,
  options: AnimationOptions = [],
  isolation: isolated (any Actor)? = #isolation,
  animations: () -> Void,
  completion: ((_ finished: Bool) -> Void)? = nil
) {
  let animation = options.animation(duration: duration, delay: delay)
  guard let completion else { return withAnimation(animation, animations) }
  withAnimation(animation, completionCriteria: .removed, animations) { completion(true) }
}
