// A die on a terminal: Return or a click throws it, q ends the program.

import RondoStage
import RondoTerminal

/// A die that rolls to the right and back.
struct Die: View {
  var eyes: Int
  var throwCount: Int

  var body: some View {
    Node.group {
      Node.forEach(places, id: \.self) { place in
        Node.text("●").foreground(Color(0x303040))
          .offset(x: Double(1 + place % 3 * 3), y: Double(1 + place / 3))
      }.transition(.opacity)
    }
    .frame(width: 9, height: 5)
    .background(Color(0xF4F1E8))
    .offset(x: throwCount.isMultiple(of: 2) ? 4 : 40, y: 3)
    .animation(.spring(duration: 0.8, bounce: 0.3), value: throwCount)
  }

  /// The places of the eyes in three rows of three.
  private var places: [Int] {
    [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]][eyes]
  }
}

@main
@MainActor
struct Dice {
  static func main() async throws {
    let terminal = Terminal(wantsMouse: true)
    var die = Die(eyes: 6, throwCount: 0)
    func show() {
      terminal.show(
        Node.group {
          Node.text("Return throws the die, q ends.").foreground(.gray).offset(x: 4, y: 1)
          die
        })
    }
    show()
    try await terminal.run { event in
      switch event {
      case .key(.character("q")), .key(.endOfInput): return terminal.quit()
      case .key(.enter), .key(.character(" ")): break
      case .mouse(let mouse) where mouse.kind == .press(button: 0): break
      default: return
      }
      die = Die(eyes: .random(in: 1...6), throwCount: die.throwCount + 1)
      show()
    }
  }
}
