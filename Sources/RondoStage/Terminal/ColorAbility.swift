// Which colours a terminal can show, and the nearest of them.

/// Which colours a terminal can show.
public enum ColorAbility: Int, Comparable, Hashable, Sendable {
  /// None at all.
  case none
  /// The sixteen that every colour terminal has.
  case sixteen
  /// A cube of 6 × 6 × 6, and 24 greys.
  case twoHundredFiftySix
  /// 24 bits.
  case full

  public static func < (lhs: ColorAbility, rhs: ColorAbility) -> Bool {
    lhs.rawValue < rhs.rawValue
  }

  /// The ability of the terminal, by the variables of an environment.
  ///
  /// `NO_COLOR` with any value but an empty one means none (no-color.org). `COLORTERM` says whether
  /// it is 24 bits, `TERM` the rest.
  ///
  /// - Parameter environment: The variables, `ProcessInfo.processInfo.environment` for one.
  public init(environment: [String: String]) {
    let terminal = environment["TERM"] ?? "dumb"
    if environment["NO_COLOR"].map({ !$0.isEmpty }) ?? false || terminal == "dumb" {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) {
      self = .full
    } else if terminal.hasSuffix("-direct") {
      self = .full
    } else if terminal.hasSuffix("256color") {
      self = .twoHundredFiftySix
    } else {
      self = .sixteen
    }
  }

  /// The parameters of an SGR sequence that sets a colour; `nil` for the terminal's own.
  ///
  /// - Parameter background: The background of a foreground. Where both would become the same of sixteen colours, the
  ///   foreground becomes black or white.
  func parameters(
    _ color: RGB?, isBackground: Bool, on background: RGB? = nil
  ) -> String? {
    guard self != .none else { return nil }
    guard let color else { return isBackground ? "49" : "39" }
    let base = isBackground ? 40 : 30
    if self == .sixteen, let background, color != background,
      color.nearestOfSixteen == background.nearestOfSixteen
    {
      return color.brightness > background.brightness ? "97" : "30"
    }
    switch self {
    case .none:
      return nil
    case .sixteen:
      let index = color.nearestOfSixteen
      return "\(index < 8 ? base + index : base + 52 + index)"
    case .twoHundredFiftySix:
      return "\(base + 8);5;\(color.nearestOf256)"
    case .full:
      return "\(base + 8);2;\(color.red);\(color.green);\(color.blue)"
    }
  }
}

extension RGB {
  /// The index of the nearest of the colours 16 to 255 of the xterm palette.
  var nearestOf256: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func level(_ component: UInt8) -> Int {
      levels.indices.min { abs(levels[$0] - Int(component)) < abs(levels[$1] - Int(component)) }!
    }
    let (r, g, b) = (level(red), level(green), level(blue))
    let cube = RGB(
      red: UInt8(levels[r]),
      green: UInt8(levels[g]),
      blue: UInt8(levels[b])
    )
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let step = min(max((mean - 3) / 10, 0), 23)
    let gray = UInt8(8 + 10 * step)
    let isGray =
      distance(to: RGB(red: gray, green: gray, blue: gray)) < distance(to: cube)
    return isGray ? 232 + step : 16 + 36 * r + 6 * g + b
  }

  /// A measure of how bright the colour is, from 0 to 2550.
  fileprivate var brightness: Int { 3 * Int(red) + 6 * Int(green) + Int(blue) }

  /// The index of the nearest of the sixteen colours, with the values that xterm gives them.
  var nearestOfSixteen: Int {
    Self.sixteen.indices.min {
      distance(to: Self.sixteen[$0]) < distance(to: Self.sixteen[$1])
    }!
  }

  private static let sixteen: [RGB] = [
    RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0),
    RGB(red: 0, green: 205, blue: 0), RGB(red: 205, green: 205, blue: 0),
    RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
    RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229),
    RGB(red: 127, green: 127, blue: 127), RGB(red: 255, green: 0, blue: 0),
    RGB(red: 0, green: 255, blue: 0), RGB(red: 255, green: 255, blue: 0),
    RGB(red: 92, green: 92, blue: 255), RGB(red: 255, green: 0, blue: 255),
    RGB(red: 0, green: 255, blue: 255), RGB(red: 255, green: 255, blue: 255),
  ]

  private func distance(to other: RGB) -> Int {
    let (r, g, b) = (
      Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
    )
    return r * r + g * g + b * b
  }
}
