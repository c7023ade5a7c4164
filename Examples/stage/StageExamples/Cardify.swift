// The card game: two cards match, and their ghosts should spin together.

import RondoStage

/// The bug and its mend, side by side.
///
/// In the upper row the face of a card is only there while it lies face up. The second card of the
/// match gets its face in the very commit that says it is matched, so nothing of it changes, and it
/// does not spin. In the lower row both faces are always there, one of them invisible.
public final class Cardify: StageExample {
  public static let name = "cardify"
  public static let summary = "two cards match: with `if` one of them spins, with opacity both do"
  public static let size = (width: 36, height: 9)
  public static let duration = Duration.seconds(6)
  public static let highlights: [Duration] = [0, 1_500, 2_250, 2_500].map { .milliseconds($0) }

  private var script = ScriptedStage([
    Cue(at: .zero, table(second: false, isMatched: false)),
    Cue(
      at: .seconds(1),
      table(second: true, isMatched: true),
      Transaction(animation: .easeInOut(duration: 0.5))
    ),
  ])

  public init() {}

  public func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func table(second: Bool, isMatched: Bool) -> Node {
    func row(_ cardify: (Node, Bool) -> Node) -> Node {
      Node.group {
        cardify(ghost(isMatched), true)
        cardify(ghost(isMatched), second).offset(x: 12, y: 0)
      }
    }
    return Node.group {
      Node.text("if isFaceUp")
      row { $0.modifier(CardWithIf(isFaceUp: $1)) }.offset(x: 12, y: 0)
      Node.text("opacity").offset(x: 0, y: 5)
      row { $0.modifier(CardWithOpacity(isFaceUp: $1)) }.offset(x: 12, y: 5)
    }
  }

  /// A ghost that spins for as long as it is matched.
  private static func ghost(_ isMatched: Bool) -> Node {
    Node.shape(Hand(turn: isMatched ? 1 : 0))
      .foreground(Color(0xFFB454))
      .frame(x: 1, y: 1, width: 8, height: 2)
      .animation(.linear(duration: 1).repeatForever(autoreverses: false), value: isMatched)
  }
}

/// A terminal cannot turn a glyph, so a wedge goes round in its place.
private struct Hand: Shape {
  var turn: Double

  var animatableData: Double {
    get { turn }
    set { turn = newValue }
  }

  func contains(_ point: UnitPoint) -> Bool {
    let quarter = Int(((turn - turn.rounded(.down)) * 4).rounded(.down))
    let isRight = point.x > 0.5
    let isBelow = point.y > 0.5
    return switch quarter {
    case 0: isRight && !isBelow
    case 1: isRight && isBelow
    case 2: !isRight && isBelow
    default: !isRight && !isBelow
    }
  }
}

private struct CardWithIf: NodeModifier {
  var isFaceUp: Bool

  func body(content: Node) -> Node {
    Node.group {
      if isFaceUp {
        Node.text("╭────────╮\n│        │\n│        │\n╰────────╯")
        content
      } else {
        Node.fill("▒").foreground(Color(0xD95468)).frame(width: 10, height: 4).transition(.identity)
      }
    }
  }
}

private struct CardWithOpacity: NodeModifier {
  var isFaceUp: Bool

  func body(content: Node) -> Node {
    Node.group {
      Node.group {
        Node.text("╭────────╮\n│        │\n│        │\n╰────────╯")
        content
      }.opacity(isFaceUp ? 1 : 0)
      Node.fill("▒").foreground(Color(0xD95468)).frame(width: 10, height: 4).opacity(
        isFaceUp ? 0 : 1)
    }
  }
}
