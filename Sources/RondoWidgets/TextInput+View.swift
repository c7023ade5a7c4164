// A text field: the view.

import RondoStage

extension TextInput.State {
  /// The text in one line, as much of it as there is room for, with the cursor.
  ///
  /// - Parameters:
  ///   - size: The room. One row is used.
  ///   - prompt: Stands before the text, if at least half of the room is left for the text.
  ///   - placeholder: Stands there while the text is empty.
  ///   - mask: Is shown in place of each character, for a password.
  ///   - isFocused: Whether the text is typed now. Only then the cursor is seen.
  public func view(
    in size: TerminalSize,
    prompt: String = "",
    placeholder: String = "",
    mask: Character? = nil,
    isFocused: Bool = true
  ) -> Node {
    let hasPrompt = 2 * prompt.cells <= size.width
    let promptWidth = hasPrompt ? prompt.cells : 0
    let room = size.width - promptWidth
    let isEmpty = text.isEmpty
    let window = isEmpty ? Window(placeholder, room) : Window(self, room, mask)
    return Node.group {
      if hasPrompt { Node.text(prompt).foreground(.gray) }
      Node.group {
        if isEmpty {
          Node.text(window.text).foreground(.gray)
        } else {
          Node.text(window.text)
        }
        if isFocused {
          // At the end it is a glyph, so that it is seen without colours, too.
          Node.group {
            if let character = window.character {
              Node.text(String(character)).foreground(.black).background(.white)
            } else {
              Node.text("█")
            }
          }
          .offset(x: Double(window.cursor))
        }
      }
      .offset(x: Double(promptWidth))
    }
    .fitted(in: TerminalSize(width: size.width, height: min(1, size.height)))
  }

  /// The part of the text that is seen.
  private struct Window {
    var text = ""
    /// The cells before the cursor.
    var cursor = 0
    /// The character that the cursor is on; `nil` at the end of the text.
    var character: Character?

    init(_ placeholder: String, _ room: Int) {
      text = placeholder.fitted(to: room)
      character = text.first
    }

    /// All of the text if there is room for it and for the cursor behind it. Else the cursor is in
    /// the last third, or the end of the text at the end of the room.
    init(_ state: TextInput.State, _ room: Int, _ mask: Character?) {
      let index = state.cursorIndex
      func shown(_ character: Character) -> Character { mask ?? character }
      character = index < state.text.endIndex ? shown(state.text[index]) : nil

      // From the cursor on, with a cell for the cursor at the end.
      var after = ""
      var afterWidth = 0
      var hasEnd = true
      for character in state.text[index...] {
        let cells = TextMeasure.cells(of: shown(character))
        guard afterWidth + cells <= room else {
          hasEnd = false
          break
        }
        after.append(shown(character))
        afterWidth += cells
      }
      let onCursor = character.map { TextMeasure.cells(of: $0) } ?? 1
      let needed = hasEnd ? afterWidth + (afterWidth == 0 ? 1 : 0) : room

      // Back from the cursor: what there is room for, but not more than two thirds if more comes
      // behind.
      let limit = max(min(room * 2 / 3, room - onCursor), room - needed)
      var before: [Character] = []
      for character in state.text[..<index].reversed() {
        let cells = TextMeasure.cells(of: shown(character))
        guard cursor + cells <= limit else { break }
        before.append(shown(character))
        cursor += cells
      }
      text = String(before.reversed()) + after
    }
  }
}
