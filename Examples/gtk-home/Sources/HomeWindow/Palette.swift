// The colours of the window, dark and light, and its typefaces.

import RondoStage

/// The colours of a style. Going from one style to the other is a change like any other, and moves.
struct Palette {
  let ground: Color
  let panel: Color
  let sheet: Color
  let text: Color
  let dim: Color
  let faint: Color
  let title: Color
  let yours: Color
  let saved: Color
  let poke: Color
  let problem: Color

  static let dark = Palette(
    ground: Color(0x1E1E24), panel: Color(0x2C2C36), sheet: Color(0x383846),
    text: Color(0xF2F2F6), dim: Color(0xA0A0B0), faint: Color(0x4A4A58), title: Color(0xFF8A5C),
    yours: Color(0x7CDBA3), saved: Color(0x7FB4FF), poke: Color(0xF4C95D),
    problem: Color(0xFF6B6B))

  static let light = Palette(
    ground: Color(0xFAFAFB), panel: Color(0xEDEDF2), sheet: Color(0xFFFFFF),
    text: Color(0x1C1C22), dim: Color(0x66667A), faint: Color(0xC9C9D4), title: Color(0xC24A17),
    yours: Color(0x1B7F4B), saved: Color(0x1A5FB4), poke: Color(0x8A6100),
    problem: Color(0xC01C28))

  func color(of mood: Game.Mood) -> Color {
    switch mood {
    case .saved: saved
    case .yourTurn: yours
    case .theirTurn: dim
    case .poke: poke
    }
  }
}

/// The typefaces, as Pango names them.
enum Font {
  static let large = "Sans Bold 15"
  static let bold = "Sans Bold 11"
  static let body = "Sans 11"
  static let small = "Sans 9"
}
