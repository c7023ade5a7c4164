// A number that rolls to its new value, and a bar that grows to it.

import Foundation
import RondoStage

/// One digit of a number. While the number moves the digit turns over like that of an odometer.
struct RollingDigit: Shape {
  /// The number that the digit is a part of.
  var animatableData: Double

  /// More digits a number has not that a `Double` holds exactly.
  static let maximum = 999_999_999_999_999.0

  /// 0 for the ones, 1 for the tens.
  let place: Int

  private var number: Int { Int(min(max(animatableData, 0), Self.maximum).rounded()) }
  private var unit: Int { (0..<place).reduce(1) { unit, _ in unit * 10 } }

  var glyph: Character { Character("\(number / unit % 10)") }

  /// No leading zeros.
  func contains(_: UnitPoint) -> Bool { place == 0 || number >= unit }
}

extension Node {
  /// A number of up to six digits, or more where there is room for them, flush right at a width.
  static func rolling(_ number: Int, width: Int, color: Color = Palette.text) -> Node {
    .group {
      (0..<min(max(6, width), 15)).map { place in
        Node.shape(RollingDigit(animatableData: Double(number), place: place))
          .animatedAsNumber()
          .frame(x: Double(width - 1 - place), width: 1, height: 1)
      }
    }
    .foreground(color)
  }

  /// A horizontal bar that is filled up to a part of its width.
  ///
  /// - Parameter hasColors: Whether the rest of the line can be told by its colour.
  static func bar(_ part: Double, width: Int, color: Color, hasColors: Bool = true) -> Node {
    .group {
      Node.fill(hasColors ? "━" : "─").frame(width: Double(width), height: 1).foreground(
        Palette.faint)
      Node.shape(BarShape(animatableData: part)).animatedAsNumber()
        .frame(width: Double(width), height: 1)
        .foreground(color)
    }
  }

  /// A shape that is animated also where numbers and bars alone are.
  private func animatedAsNumber() -> Node {
    transaction { $0.animation = $0[AnimationOfNumbers.self] ?? $0.animation }
  }
}

/// The animation of numbers and bars, where nothing else is animated.
private struct AnimationOfNumbers: TransactionKey {
  static var defaultValue: Animation? { nil }
}

extension Transaction {
  /// The transaction with its animation for numbers and bars alone.
  var ofNumbersAlone: Transaction {
    var transaction = self
    transaction[AnimationOfNumbers.self] = animation
    transaction.animation = nil
    return transaction
  }
}

/// The part of a line from its start.
struct BarShape: Shape {
  /// From 0 to 1.
  var animatableData: Double
  var glyph: Character { "━" }

  func contains(_ point: UnitPoint) -> Bool { point.x < animatableData }
}
