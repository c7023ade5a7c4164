// The actions of keys, and the line of help about them.

import RondoWidgets
import Testing

@MainActor
@Suite struct KeyMapTests {
  private enum Action: Equatable {
    case add, remove, focus(FocusRing<Int>.Action), title(TextInput.Action)
  }

  private func keys(isTyping: Bool, hasSelection: Bool = true) -> KeyMap<Action> {
    KeyMap {
      if isTyping {
        KeyBinding(.enter, help: "add") { .add }
        Forward(TextInput.Action.init) { .title($0) }
      } else {
        KeyBinding(
          .delete, .character("x"), help: "remove", isEnabled: hasSelection, animation: .linear
        ) {
          .remove
        }
        KeyBinding.quit(.character("q"))
      }
      Forward(FocusRing.Action.init) { .focus($0) }
    }
  }

  // F7
  @Test func theFirstEntryForAnEventCounts() {
    let keys = keys(isTyping: true)
    #expect(keys.command(for: .key(.enter)) == .send(.add))
    #expect(keys.command(for: .key(.character("q"))) == .send(.title(.insert("q"))))
    #expect(keys.command(for: .key(.tab)) == .send(.focus(.next)))
    #expect(keys.command(for: .key(.escape)) == nil)
  }

  // F7
  @Test func whatKeysDoDependsOnTheState() {
    let keys = keys(isTyping: false)
    #expect(keys.command(for: .key(.character("x"))) == .send(.remove, animation: .linear))
    #expect(keys.command(for: .key(.character("q"))) == .quit)
    let empty = self.keys(isTyping: false, hasSelection: false)
    #expect(empty.command(for: .key(.character("x"))) == nil)
    #expect(empty.help == [KeyHelp(key: "q", summary: "quit")])
  }

  // F7
  @Test func whatIsHandedOnMayHaveHelp() {
    let keys = KeyMap<AlertDialogAction> {
      Forward(AlertDialogAction.init, help: AlertDialogAction.help) { $0 }
      for digit in "12" { KeyBinding(.character(digit), help: "nth") { .press } }
    }
    #expect(keys.help.map(\.key) == ["tab", "enter", "esc", "1", "2"])
    #expect(keys.command(for: .key(.escape)) == .send(.cancel))
    #expect(keys.command(for: .key(.character("2"))) == .send(.press))
  }

  // F7
  @Test(arguments: [
    (80, "del remove  q quit"), (18, "del remove  q quit"), (17, "del remove  …"), (10, "…"),
    (0, ""),
  ])
  func asMuchHelpIsSeenAsThereIsRoomFor(_ width: Int, _ line: String) {
    let keys = keys(isTyping: false)
    #expect(picture(keys.helpLine(in: TerminalSize(width: width, height: 1)), 80, 1) == line)
  }
}
