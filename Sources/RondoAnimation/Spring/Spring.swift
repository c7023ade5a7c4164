// A damped spring, by whichever of its properties one thinks in.

/// A body on a damped spring: what pulls a value to its target.
///
/// The same spring can be given by how it looks or by its physics:
///
/// ```swift
/// Spring(duration: 0.5, bounce: 0.3)
/// Spring(response: 0.5, dampingRatio: 0.7)
/// Spring(mass: 1, stiffness: 157.9, damping: 17.59)
/// ```
///
/// With the undamped angular frequency ω = 2π/`response` and the damping ratio ζ, the stiffness is
/// k = mω² and the damping c = 2ζmω, and the value x obeys m·x″ = k·(target − x) − c·x′.
///
/// A spring never traps: one whose response is not a positive finite number is at its target at
/// once, and a damping ratio that makes no sense counts as 1.
public struct Spring: Hashable, Sendable {
  /// The stiffness as a pace: the period that the spring would have without damping, in seconds.
  public let response: Double

  /// The damping as a share of the critical one: below 1 the spring bounces, at 1 it just does
  /// not, above it creeps.
  public let dampingRatio: Double

  /// The mass of the body at the end of the spring.
  public let mass: Double

  private init(response: Double, dampingRatio: Double, mass: Double) {
    self.response = response
    self.dampingRatio = dampingRatio.isFinite ? max(0, dampingRatio) : 1
    self.mass = mass > 0 && mass.isFinite ? mass : 1
  }

  /// A spring by its perceptual duration and its bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds. The spring needs longer to come to rest:
  ///     ``settlingDuration``.
  ///   - bounce: 0 for none, up to 1 for a spring that never rests; from 0 down to −1 it creeps
  ///     more and more. The damping ratio is 1 − `bounce` for the former, 1 / (1 + `bounce`) for
  ///     the latter.
  public init(duration: Double = 0.5, bounce: Double = 0) {
    let ratio = bounce < 0 ? 1 / max(1 + bounce, 0x1p-10) : 1 - bounce
    self.init(response: duration, dampingRatio: ratio, mass: 1)
  }

  /// A spring by its response and its damping ratio.
  ///
  /// - Parameters:
  ///   - response: The period that the spring would have without damping, in seconds.
  ///   - dampingRatio: Below 1 the spring bounces, at 1 it just does not, above it creeps.
  public init(response: Double, dampingRatio: Double) {
    self.init(response: response, dampingRatio: dampingRatio, mass: 1)
  }

  /// A spring by its physical properties.
  ///
  /// As in SwiftUI, a spring that would creep is made one that just does not bounce, unless
  /// `allowOverDamping` says otherwise: constants that were found by trial seldom mean to creep.
  /// The other initializers, which name the damping ratio or the bounce, take it as it is, and so
  /// does ``Animation/interpolatingSpring(mass:stiffness:damping:initialVelocity:)``.
  ///
  /// - Parameters:
  ///   - mass: Of the body at the end of the spring.
  ///   - stiffness: The force per unit of displacement.
  ///   - damping: The force per unit of velocity.
  ///   - allowOverDamping: Whether damping above the critical one, 2√(mass · stiffness), is heeded;
  ///     otherwise it counts as critical.
  public init(
    mass: Double = 1,
    stiffness: Double,
    damping: Double,
    allowOverDamping: Bool = false
  ) {
    let frequency = (stiffness / mass).squareRoot()
    let ratio = damping / (2 * mass * frequency)
    self.init(
      response: 2 * .pi / frequency,
      dampingRatio: allowOverDamping ? ratio : min(ratio, 1),
      mass: mass
    )
  }

  /// A spring by the time that it takes to come to rest.
  ///
  /// - Parameters:
  ///   - settlingDuration: In seconds, for a change of 1 that starts at rest.
  ///   - dampingRatio: Below 1 the spring bounces. At 0 no spring comes to rest, and the settling
  ///     duration is taken for the response.
  ///   - epsilon: The distance from the target that counts as rest.
  public init(settlingDuration: Double, dampingRatio: Double, epsilon: Double = 0.001) {
    let standard = Spring(response: 2 * .pi, dampingRatio: dampingRatio)
    let scale = standard.settlingDuration(target: 1.0, epsilon: epsilon)
    // Without a velocity at the start, the settling duration is proportional to the response.
    let response = scale.isFinite ? 2 * .pi * settlingDuration / scale : settlingDuration
    self.init(response: response, dampingRatio: dampingRatio, mass: 1)
  }

  /// The perceptual duration in seconds, which is the ``response``.
  public var duration: Double { response }

  /// The bounce of the spring: 0 not at all, 1 without end, below 0 it creeps.
  public var bounce: Double {
    dampingRatio > 1 ? 1 / dampingRatio - 1 : 1 - dampingRatio
  }

  /// The force per unit of displacement: mω².
  public var stiffness: Double { mass * angularFrequency * angularFrequency }

  /// The force per unit of velocity: 2ζmω.
  public var damping: Double { 2 * dampingRatio * mass * angularFrequency }

  /// ω, the undamped angular frequency in radians per second.
  var angularFrequency: Double { 2 * .pi / response }
}

extension Spring {
  /// A spring of 0.5 s without bounce.
  public static var smooth: Spring { smooth() }

  /// A spring without bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: extraBounce)
  }

  /// A spring of 0.5 s with a small bounce.
  public static var snappy: Spring { snappy() }

  /// A spring with a small bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.15.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.15 + extraBounce)
  }

  /// A spring of 0.5 s with a large bounce.
  public static var bouncy: Spring { bouncy() }

  /// A spring with a large bounce.
  ///
  /// - Parameters:
  ///   - duration: The pace, in seconds.
  ///   - extraBounce: What is added to the bounce of 0.3.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.3 + extraBounce)
  }
}

extension Spring: CustomStringConvertible {
  /// A call that makes the spring.
  public var description: String {
    guard mass == 1 else {
      let leave = dampingRatio > 1 ? ", allowOverDamping: true" : ""
      return
        "Spring(mass: \(spell: mass), stiffness: \(spell: stiffness), damping: \(spell: damping)\(leave))"
    }
    return "Spring(response: \(spell: response), dampingRatio: \(spell: dampingRatio))"
  }
}
