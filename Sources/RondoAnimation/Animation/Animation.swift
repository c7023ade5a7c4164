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
  /// The way in which the animation was made: a course, and modifiers around it.
  struct Form: Hashable, Sendable {
    let base: Base
    var modifiers = ModifierChain<Modifier>()
  }

  /// A course without modifiers.
  enum Base: Hashable, Sendable {
    case `default`
    case curve(UnitCurve, duration: Double)
    case spring(SpringForm)
    case custom(AnyCustomAnimation)
  }

  enum Modifier: Hashable, Sendable {
    case delayed(by: Double)
    case sped(by: Double)
    /// `leg` is the duration of what is repeated.
    case repeated(count: Int, autoreverses: Bool, leg: Double)
    case repeatedForever(autoreverses: Bool, leg: Double)
    case logicallyComplete(after: Double)
  }

  let form: Form

  init(base: Base) {
    form = Form(base: base)
  }

  /// This animation inside of one more modifier.
  func modified(by modifier: Modifier) -> Animation {
    var form = form
    form.modifiers.append(modifier)
    return Animation(form: form)
  }

  private init(form: Form) {
    self.form = form
  }

  /// The animation that is used where none is named: ease-in-out, 0.35 s.
  public static let `default` = Animation(base: .default)

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
  var description: String { modifiers.reduce(into: "\(base)") { $0 += "\($1)" } }
}

extension Animation.Base: CustomStringConvertible {
  var description: String {
    switch self {
    case .default: ".default"
    case .curve(let curve, let duration): curve.call(duration: duration)
    case .spring(let spring): spring.description
    case .custom(let custom): "Animation(\(custom.base))"
    }
  }
}

extension Animation.Modifier: CustomStringConvertible {
  var description: String {
    switch self {
    case .delayed(let delay): ".delay(\(spell: delay))"
    case .sped(let speed): ".speed(\(spell: speed))"
    case .repeated(let count, let autoreverses, _):
      ".repeatCount(\(count)\(autoreverses ? "" : ", autoreverses: false"))"
    case .repeatedForever(let autoreverses, _):
      ".repeatForever(\(autoreverses ? "" : "autoreverses: false"))"
    case .logicallyComplete(let duration): ".logicallyComplete(after: \(spell: duration))"
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
