// A die on a terminal: Return, space or a click throws it, q ends the program.

import Foundation
import RondoStage
import RondoTerminal

struct Die: View {
  static let faces = ["4", "08", "048", "0268", "02468", "023568"]  // places in 3 rows of 3
  var face = 5
  var throwCount = 0

  var body: some View {
    Node.text("Return throws the die, q ends.").foreground(.gray).offset(x: 4, y: 1)
    Node.group {
      Node.forEach(Self.faces[face].compactMap(\.wholeNumberValue), id: \.self) { place in
        Node.text("●").offset(x: Double(1 + place % 3 * 3), y: Double(1 + place / 3))
      }.transition(.opacity)
    }
    .frame(width: 9, height: 5).foreground(Color(0x303040)).background(Color(0xF4F1E8))
    .offset(x: throwCount.isMultiple(of: 2) ? 4 : 40, y: 3)
    .animation(.spring(duration: 0.8, bounce: 0.3), value: throwCount)
  }
}

func fail(_ status: Int32, _ problem: String) -> Never {
  FileHandle.standardError.write(Data("dice: \(problem)\n".utf8))
  exit(status)
}

if let option = CommandLine.arguments.dropFirst().first {
  guard option == "--help" else { fail(64, "there is no option \(option), only --help") }
  print("Return, space or a click throws the die; q, Ctrl-C or Ctrl-D ends the program.")
  exit(0)
}

let terminal = Terminal(wantsMouse: true)
var die = Die()
terminal.show(die)
do {
  try await terminal.run { event in
    switch event {
    case .key(.character("q")), .key(.endOfInput): return terminal.quit()
    case .key(.enter), .key(.character(" ")): break
    case .mouse(let mouse) where mouse.kind == .press(button: 0): break
    default: return
    }
    die = Die(face: .random(in: 0..<6), throwCount: die.throwCount + 1)
    terminal.show(die)
  }
} catch { fail(74, "\(error)") }
