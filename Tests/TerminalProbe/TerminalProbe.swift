// A program that shows every event it gets, and leaves by every way out.

import Foundation
import RondoStage
import RondoTerminal

@main
@MainActor
struct TerminalProbe {
  struct Failure: Error {}

  static func main() async {
    let terminal = Terminal(wantsMouse: true)
    var last = "ready"
    terminal.show(picture(last, terminal.size))
    do {
      try await terminal.run { event in
        switch event {
        case .key(.character("q")): terminal.quit()
        case .key(.character("e")): exit(3)
        case .key(.character("t")): throw Failure()
        case .key(.character("c")): trap()
        case .key(.character("m")): FileHandle.standardError.write(Data("a message\n".utf8))
        default: last = "\(event)".replacing("RondoTerminal.", with: "")
        }
        terminal.show(picture(last, terminal.size))
      }
    } catch {
      FileHandle.standardError.write(Data("ended by \(error)\n".utf8))
      exit(error is TerminalFailure ? 74 : 70)
    }
  }

  private static func picture(_ text: String, _ size: TerminalSize) -> Node {
    Node.group {
      Node.text("size \(size.width) x \(size.height)")
      Node.text(text).foreground(.orange).offset(y: 1)
    }
  }

  private static func trap() -> Never { fatalError("on purpose") }
}
