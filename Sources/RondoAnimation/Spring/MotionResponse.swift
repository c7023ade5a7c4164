// The state of a motion of unit size: the two scalars that every animation comes down to.

/// s and r with their derivatives at one time: a change D that starts with velocity v₀ has then
/// come to `D·s + v₀·r`.
struct MotionResponse: Hashable, Sendable {
  /// s, the part of the change that is made.
  var value: Double
  /// s′, per second.
  var velocity: Double
  /// r, how far a velocity of 1 at the start has carried.
  var velocityResponse: Double
  /// r′, what is left of that velocity.
  var velocityResponseRate: Double

  /// Before the start: nothing moves.
  static let waiting = MotionResponse(
    value: 0,
    velocity: 0,
    velocityResponse: 0,
    velocityResponseRate: 0
  )

  /// At the target, at rest.
  static let arrived = MotionResponse(
    value: 1,
    velocity: 0,
    velocityResponse: 0,
    velocityResponseRate: 0
  )
}
