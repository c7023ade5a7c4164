// Keys of the keyboard, and what else comes from a terminal.

/// A key of the keyboard.
///
/// A key that is pressed with Alt arrives as ``escape`` and the key: terminals send no more than that.
public enum Key: Hashable, Sendable {
  /// A character that is typed.
  case character(Character)
  /// A character that is pressed with Ctrl, in lower case.
  case control(Character)
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// The arrow to the left with Ctrl or Alt, by a word.
  case wordLeft
  /// The arrow to the right with Ctrl or Alt, by a word.
  case wordRight
  /// Home, to the beginning of a line.
  case home
  /// End, to the end of a line.
  case end
  /// Page up.
  case pageUp
  /// Page down.
  case pageDown
  /// Insert.
  case insert
  /// Delete, for the character after the cursor.
  case delete
  /// Enter.
  case enter
  /// Escape.
  case escape
  /// Backspace, for the character before the cursor.
  case backspace
  /// Tab.
  case tab
  /// Tab with Shift.
  case backTab
  /// F1 is 1.
  case function(Int)

  /// Ctrl-D, which ends the input.
  case endOfInput
}

/// A movement or a click of the mouse.
public struct MouseEvent: Hashable, Sendable {
  /// The kinds of movements and clicks.
  public enum Kind: Hashable, Sendable {
    /// A button goes down: 0 is the left one, 1 the middle one, 2 the right one.
    case press(button: Int)
    /// A button goes up.
    case release(button: Int)
    /// The mouse moves while a button is down.
    case drag(button: Int)
    /// The wheel turns.
    case scrollUp, scrollDown
  }

  /// The movement or the click.
  public var kind: Kind

  /// The column, from 0.
  public var column: Int

  /// The row, from 0.
  public var row: Int

  /// An event.
  public init(kind: Kind, column: Int, row: Int) {
    self.kind = kind
    self.column = column
    self.row = row
  }
}

/// An event that comes from a terminal.
public enum TerminalEvent: Hashable, Sendable {
  /// A key that is pressed.
  case key(Key)
  /// A text that is pasted as a whole, as it was copied.
  case paste(String)
  /// An event of the mouse.
  case mouse(MouseEvent)
  /// The terminal has another extent now, or the program has it back.
  case resized(TerminalSize)
  /// A signal, such as SIGINT of Ctrl-C, is about to end the program. See ``Terminal/run(_:)``.
  case ending(signal: Int32)
}

/// The extent of a terminal, in cells.
public struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  public var width: Int

  /// The number of rows.
  public var height: Int

  /// An extent.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The extent that is assumed where the terminal does not say its own: 80 × 24.
  public static let standard = TerminalSize(width: 80, height: 24)

  /// The largest extent that a window has: 1,000 × 500.
  public static let largest = TerminalSize(width: 1_000, height: 500)

  /// The extent that a terminal reports. A number that no window has, 0 or more than that of
  /// ``largest``, counts as not said, so that a canvas never costs more than a window can show.
  init(reportedWidth width: Int, height: Int) {
    self.width = (1...Self.largest.width).contains(width) ? width : Self.standard.width
    self.height = (1...Self.largest.height).contains(height) ? height : Self.standard.height
  }
}
