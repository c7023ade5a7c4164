// The course of a change over time, as a value that can be described and compared.

/// The course of a change over time: along a timing curve, by a spring, or by an algorithm of your
/// own.
///
/// An animation knows neither what it moves nor a clock. It is a plain value: two of them are equal
/// when they were made alike, it prints as the call that makes it, and ``sample(at:)`` says where it
/// stands at any time.
///
/// ```swift
/// let animation = Animation.easeInOut(duration: 0.2).delay(0.5)
/// print(animation)                        // .easeInOut(duration: 0.2).delay(0.5)
/// print(animation.sample(at: 0.6).value)  // 0.5
/// ```
///
/// All times are in seconds. A number that makes no sense never traps: a duration that is negative,
/// zero or not finite is none, so that the change shows at once; a delay or a speed that is not
/// finite is ignored.
public struct Animation: Hashable, Sendable {
  /// The way in which the animation was made.
  indirect enum Form: Hashable, Sendable {
    case `default`
    case curve(UnitCurve, duration: Double)
    case spring(SpringForm)
    case custom(AnyCustomAnimation)
    case delayed(Form, by: Double)
    case sped(Form, by: Double)
    case repeated(Form, count: Int, autoreverses: Bool)
    case repeatedForever(Form, autoreverses: Bool)
    case logicallyComplete(Form, after: Double)
  }

  let form: Form

  init(form: Form) {
    self.form = form
  }

  /// The animation that is used where none is named: ease-in-out, 0.35 s.
  public static let `default` = Animation(form: .default)

  /// The duration of animations that are made without one: 0.35 s.
  static let defaultDuration = 0.35
}

extension Animation: CustomStringConvertible {
  /// The call that makes the animation, such as `.default` or
  /// `.easeInOut(duration: 0.2).delay(0.5)`.
  public var description: String { form.description }
}

extension Animation: CustomDebugStringConvertible {
  public var debugDescription: String { "Animation\(form)" }
}

extension Animation.Form: CustomStringConvertible {
  var description: String {
    switch self {
    case .default:
      ".default"
    case .curve(let curve, let duration):
      curve.call(duration: duration)
    case .spring(let spring):
      spring.description
    case .custom(let custom):
      "Animation(\(custom.base))"
    case .delayed(let form, let delay):
      "\(form).delay(\(spell: delay))"
    case .sped(let form, let speed):
      "\(form).speed(\(spell: speed))"
    case .repeated(let form, let count, let autoreverses):
      "\(form).repeatCount(\(count)\(autoreverses ? "" : ", autoreverses: false"))"
    case .repeatedForever(let form, let autoreverses):
      "\(form).repeatForever(\(autoreverses ? "" : "autoreverses: false"))"
    case .logicallyComplete(let form, let duration):
      "\(form).logicallyComplete(after: \(spell: duration))"
    }
  }
}

extension UnitCurve {
  /// The call that makes an animation along this curve.
  fileprivate func call(duration: Double) -> String {
    let isDefault = duration == Animation.defaultDuration
    let labelled = "duration: \(spelling(of: duration))"
    switch self {
    case .linear, .easeIn, .easeOut, .easeInOut:
      return isDefault ? description : "\(description)(\(labelled))"
    default:
      guard let (start, end) = controlPoints else {
        return ".timingCurve(\(description), \(labelled))"
      }
      let points = [start.x, start.y, end.x, end.y].map(spelling(of:)).joined(separator: ", ")
      return ".timingCurve(\(points)\(isDefault ? "" : ", \(labelled)"))"
    }
  }
}
