// The ways in which a spring animation can be spelled, and the spring that each of them means.

enum SpringForm: Hashable, Sendable {
  enum Preset: String, Sendable {
    case smooth, snappy, bouncy
  }

  case timed(duration: Double, bounce: Double, blendDuration: Double)
  case damped(response: Double, dampingFraction: Double, blendDuration: Double)
  case given(Spring, blendDuration: Double)
  case preset(Preset, duration: Double, extraBounce: Double)
  case interactive(response: Double, dampingFraction: Double, blendDuration: Double)
  case interactiveTimed(duration: Double, extraBounce: Double, blendDuration: Double)
  case physical(mass: Double, stiffness: Double, damping: Double, initialVelocity: Double)
  case thrown(duration: Double, bounce: Double, initialVelocity: Double)
  case givenThrown(Spring, initialVelocity: Double)

  var spring: Spring {
    switch self {
    case .timed(let duration, let bounce, _), .thrown(let duration, let bounce, _):
      Spring(duration: duration, bounce: bounce)
    case .damped(let response, let damping, _), .interactive(let response, let damping, _):
      Spring(response: response, dampingRatio: damping)
    case .given(let spring, _), .givenThrown(let spring, _):
      spring
    case .preset(.smooth, let duration, let extra):
      .smooth(duration: duration, extraBounce: extra)
    case .preset(.snappy, let duration, let extra):
      .snappy(duration: duration, extraBounce: extra)
    case .preset(.bouncy, let duration, let extra):
      .bouncy(duration: duration, extraBounce: extra)
    case .interactiveTimed(let duration, let extra, _):
      Spring(duration: duration, bounce: 0.15 + extra)
    case .physical(let mass, let stiffness, let damping, _):
      Spring(mass: mass, stiffness: stiffness, damping: damping, allowOverDamping: true)
    }
  }

  /// The spring's own velocity at its start, in units of the whole change per second.
  var initialVelocity: Double {
    switch self {
    case .physical(_, _, _, let velocity), .thrown(_, _, let velocity),
      .givenThrown(_, let velocity):
      velocity.isFinite ? velocity : 0
    default:
      0
    }
  }
}

extension SpringForm: CustomStringConvertible {
  var description: String {
    switch self {
    case .timed(let duration, let bounce, let blend):
      return call(
        "spring",
        ("duration", duration, 0.5),
        ("bounce", bounce, 0),
        ("blendDuration", blend, 0)
      )
    case .damped(let response, let damping, let blend):
      // The first two labels tell this call from the one above; they are always written.
      return call(
        "spring",
        ("response", response, nil),
        ("dampingFraction", damping, nil),
        ("blendDuration", blend, 0)
      )
    case .given(let spring, let blend):
      let rest = blend == 0 ? "" : ", blendDuration: \(spelling(of: blend))"
      return ".spring(\(spring)\(rest))"
    case .preset(let preset, let duration, let extra):
      return call(preset.rawValue, ("duration", duration, 0.5), ("extraBounce", extra, 0))
    case .interactive(let response, let damping, let blend):
      return call(
        "interactiveSpring",
        ("response", response, nil),
        ("dampingFraction", damping, 0.86),
        ("blendDuration", blend, 0.25)
      )
    case .interactiveTimed(let duration, let extra, let blend):
      return call(
        "interactiveSpring",
        ("duration", duration, 0.15),
        ("extraBounce", extra, 0),
        ("blendDuration", blend, 0.25)
      )
    case .physical(let mass, let stiffness, let damping, let velocity):
      return call(
        "interpolatingSpring",
        ("mass", mass, 1),
        ("stiffness", stiffness, nil),
        ("damping", damping, nil),
        ("initialVelocity", velocity, 0)
      )
    case .thrown(let duration, let bounce, let velocity):
      return call(
        "interpolatingSpring",
        ("duration", duration, 0.5),
        ("bounce", bounce, 0),
        ("initialVelocity", velocity, 0)
      )
    case .givenThrown(let spring, let velocity):
      let rest = velocity == 0 ? "" : ", initialVelocity: \(spelling(of: velocity))"
      return ".interpolatingSpring(\(spring)\(rest))"
    }
  }

  /// A call with the arguments that differ from their defaults.
  private func call(
    _ name: String,
    _ arguments: (label: String, value: Double, default: Double?)...
  ) -> String {
    let written = arguments.filter { $0.value != $0.default }
    guard !written.isEmpty else { return ".\(name)" }
    let list = written.map { "\($0.label): \(spelling(of: $0.value))" }
    return ".\(name)(\(list.joined(separator: ", ")))"
  }
}
