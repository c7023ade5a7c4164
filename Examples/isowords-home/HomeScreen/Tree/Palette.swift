// The colours of the screen, and the pieces that everything is put together from.

import RondoStage

/// The colours of the screen: dark, with one colour for what is new and one for what is asked for.
enum Palette {
  static let ground = Color(0x15151F)
  static let panel = Color(0x242433)
  static let selectedPanel = Color(0x3A3A55)
  static let title = Color(0xFF8A5C)
  static let text = Color(0xECECF4)
  static let dim = Color(0x9090A8)
  static let faint = Color(0x45455C)
  static let yours = Color(0x7CDBA3)
  static let poke = Color(0xF4C95D)
  static let saved = Color(0x7FB4FF)
  static let problem = Color(0xFF6B6B)
  static let tag = Color(0xF4C95D)
  static let tagText = Color(0x15151F)
}

/// An effect for words that replace others: they are invisible until those have gone.
struct Replacement: VisualEffect {
  /// 0 for something that is there, 1 for something that is not.
  var animatableData: Double

  /// The amount from which on it is invisible.
  var end = Self.comingEnd

  /// The old words are gone after a third of the time, and the new ones are seen from then on.
  static let comingEnd = 2.0 / 3
  static let goingEnd = 1.0 / 3

  func apply(to appearance: inout Appearance) {
    appearance.opacity *= max(0, 1 - animatableData / end)
  }
}

extension AnyTransition {
  /// Words that take the place of other words: first those go, then these come. The two are never
  /// over one another.
  static let replacing = asymmetric(
    insertion: .modifier(
      active: Replacement(animatableData: 1), identity: Replacement(animatableData: 0)),
    removal: .modifier(
      active: Replacement(animatableData: 1, end: Replacement.goingEnd),
      identity: Replacement(animatableData: 0, end: Replacement.goingEnd)))
}

extension Node {
  /// A line of text that is cut where its width ends, and says so. Nothing in it can control a
  /// terminal.
  static func line(
    _ text: String,
    x: Int = 0,
    y: Int = 0,
    width: Int? = nil,
    color: Color = Palette.text
  ) -> Node {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "·"
      default: scalar
      }
    }
    var text = String(String.UnicodeScalarView(scalars))
    if let width, width > 1, text.count > width { text = text.prefix(width - 1) + "…" }
    let node = Node.text(text)
    let cut = width.map { node.frame(width: Double(max(0, $0)), height: 1) } ?? node
    return cut.foreground(color).offset(x: Double(x), y: Double(y))
  }

  /// A line of text that ends at a column.
  static func line(_ text: String, endingAt x: Int, y: Int = 0, color: Color) -> Node {
    line(text, x: x - text.count, y: y, color: color)
  }

  /// A heading of a part of the screen.
  static func heading(_ text: String, x: Int, y: Int, width: Int) -> Node {
    .group {
      line(text, color: Palette.dim)
      line(
        String(repeating: "─", count: max(0, width - text.count - 1)), x: text.count + 1,
        color: Palette.faint)
    }
    .offset(x: Double(x), y: Double(y))
  }

  /// Some nodes on a rectangle of one colour.
  static func panel(
    x: Int,
    y: Int,
    width: Int,
    height: Int,
    color: Color,
    @NodeBuilder _ content: () -> [Node]
  ) -> Node {
    group(content)
      .frame(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
      .background(color)
  }
}
