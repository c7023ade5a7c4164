// A colour in plain sRGB.

import RondoAnimation

/// A colour in sRGB. The components are 0…1 and are mixed as they are, without gamma.
public struct Color: Hashable, Sendable, Animatable {
  /// 0…1.
  public var red: Double

  /// 0…1.
  public var green: Double

  /// 0…1.
  public var blue: Double

  /// The opacity: 0 shows nothing of it, 1 all.
  public var alpha: Double

  /// A colour by its components.
  ///
  /// - Parameters:
  ///   - red: 0…1.
  ///   - green: 0…1.
  ///   - blue: 0…1.
  ///   - opacity: How much of it is seen, 0…1.
  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    alpha = opacity
  }

  /// The colour, of which less is seen.
  ///
  /// - Parameter opacity: The part that is left of it, 0…1.
  public func opacity(_ opacity: Double) -> Color {
    Color(red: red, green: green, blue: blue, opacity: alpha * opacity)
  }

  /// A colour as one writes it in hexadecimal: `Color(0xFF8800)`.
  public init(_ rgb: UInt32) {
    self.init(
      red: Double(rgb >> 16 & 0xFF) / 255,
      green: Double(rgb >> 8 & 0xFF) / 255,
      blue: Double(rgb & 0xFF) / 255
    )
  }

  /// #000000
  public static let black = Color(0x000000)
  /// #FFFFFF
  public static let white = Color(0xFFFFFF)
  /// #808080
  public static let gray = Color(0x808080)
  /// #FF0000
  public static let red = Color(0xFF0000)
  /// #00FF00
  public static let green = Color(0x00FF00)
  /// #0000FF
  public static let blue = Color(0x0000FF)
  /// #FFFF00
  public static let yellow = Color(0xFFFF00)
  /// #FF9500
  public static let orange = Color(0xFF9500)
  /// #FF2D55
  public static let pink = Color(0xFF2D55)
  /// #AF52DE
  public static let purple = Color(0xAF52DE)
  /// #32ADE6
  public static let cyan = Color(0x32ADE6)
  /// #5856D6
  public static let indigo = Color(0x5856D6)
  /// #A2845E
  public static let brown = Color(0xA2845E)

  public var animatableData: AnimatableVector<SIMD4<Double>> {
    get { AnimatableVector(SIMD4(red, green, blue, alpha)) }
    set {
      let vector = newValue.vector
      (red, green, blue, alpha) = (vector[0], vector[1], vector[2], vector[3])
    }
  }

  /// This colour laid over another one with an opacity.
  func mixed(over background: Color, opacity: Double) -> Color {
    Color(
      red: background.red + (red - background.red) * opacity,
      green: background.green + (green - background.green) * opacity,
      blue: background.blue + (blue - background.blue) * opacity
    )
  }

  /// The components as bytes, rounded once.
  var bytes: (red: UInt8, green: UInt8, blue: UInt8) {
    func byte(_ component: Double) -> UInt8 {
      UInt8(min(max(component.isNaN ? 0 : component, 0), 1) * 255 + 0.5)
    }
    return (byte(red), byte(green), byte(blue))
  }
}

extension Color: CustomStringConvertible {
  /// The colour in hexadecimal: `#FF8800`, and `#FF880080` where only a part of it is seen.
  public var description: String {
    let color = RGB(self).hexadecimal.uppercased()
    guard alpha < 1 else { return color }
    let byte = Color(red: alpha, green: 0, blue: 0).bytes.red
    return color + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
