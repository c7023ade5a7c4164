// A text field: the feature.

/// A text field of one line, with a cursor.
///
/// ```swift
/// struct State { var title = TextInput.State() }
/// enum Action { case title(TextInput.Action) }
///
/// Scope(state: \.title, action: \.title) { TextInput() }
/// ```
///
/// A key map hands it the keys and pastes, and a view shows it:
///
/// ```swift
/// KeyMap { Forward(TextInput.Action.init) { .title($0) } }
/// state.title.view(in: size, prompt: "New task: ")
/// ```
///
/// The cursor is between characters as a reader sees them: an emoji of several scalars, and a
/// letter with its accents, are one. A paste comes as one action, and becomes one line.
///
/// It is not called `TextField`, because that is the name of a view elsewhere, and this is a
/// reducer.
public struct TextInput: Reducer, Sendable {
  /// A text that is typed.
  public struct State: Hashable, Sendable {
    /// The text. When it is replaced the cursor stays where it is, or comes to its end.
    public var text: String {
      didSet { cursor = min(cursor, text.count) }
    }

    /// The number of characters before the cursor.
    public private(set) var cursor: Int

    /// The most characters that the text may have by typing; `nil` for any number.
    public var limit: Int?

    /// A text with the cursor at its end.
    ///
    /// - Parameters:
    ///   - text: The text in the beginning.
    ///   - cursor: The number of characters before the cursor; `nil` for all.
    ///   - limit: The most characters that the text may have by typing; `nil` for any number.
    public init(_ text: String = "", cursor: Int? = nil, limit: Int? = nil) {
      self.text = text
      let count = text.count
      self.cursor = min(max(0, cursor ?? count), count)
      self.limit = limit
    }
  }

  /// A distance from the cursor, to move by or to delete.
  public enum Reach: Hashable, Sendable {
    /// One character.
    case left, right
    /// To the beginning of a word, and to the end of one. Words are told apart by spaces.
    case wordLeft, wordRight
    /// To an end of the text.
    case start, end
  }

  /// An action of a text field.
  public enum Action: Hashable, Sendable, CasePathable {
    /// Inserts a text at the cursor. Ends of lines and tabs become spaces, other control characters
    /// are left out.
    case insert(String)
    /// Deletes from the cursor on.
    case delete(Reach)
    /// Moves the cursor.
    case move(Reach)
  }

  /// The reducer of a text that is typed.
  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .insert(let text): state.insert(text)
    case .delete(let reach): state.delete(reach)
    case .move(let reach): state.move(reach)
    }
    return .none
  }
}

extension TextInput.Action {
  /// The action of an event; `nil` if the event is not for a text, such as Return, Tab and Escape.
  ///
  /// Characters and pastes, Backspace and Delete, the arrows, Home and End, and the keys of a
  /// shell: Ctrl-A and Ctrl-E to the ends, Ctrl-B and Ctrl-F a character, Ctrl-W deletes a word,
  /// Ctrl-U all before the cursor, Ctrl-K all after it. An arrow with Ctrl or Alt goes by words.
  public init?(_ event: TerminalEvent) {
    switch event {
    case .paste(let text): self = .insert(text)
    case .key(let key):
      switch key {
      case .character(let character): self = .insert(String(character))
      case .backspace: self = .delete(.left)
      case .delete: self = .delete(.right)
      case .left, .control("b"): self = .move(.left)
      case .right, .control("f"): self = .move(.right)
      case .wordLeft: self = .move(.wordLeft)
      case .wordRight: self = .move(.wordRight)
      case .home, .control("a"): self = .move(.start)
      case .end, .control("e"): self = .move(.end)
      case .control("w"): self = .delete(.wordLeft)
      case .control("u"): self = .delete(.start)
      case .control("k"): self = .delete(.end)
      default: return nil
      }
    default: return nil
    }
  }
}

// MARK: - Editing

extension TextInput.State {
  /// The place of the cursor.
  var cursorIndex: String.Index {
    text.index(text.startIndex, offsetBy: cursor, limitedBy: text.endIndex) ?? text.endIndex
  }

  fileprivate mutating func insert(_ text: String) {
    var line = TextInput.line(of: text)
    let index = cursorIndex
    let (before, after) = (self.text[..<index], self.text[index...])
    if let limit = limit.map({ min(max(0, $0), 1 << 32) }) {
      // An accent, or a part of a picture, joins the character before or behind it, and then takes no room.
      line = String(line.prefix(max(0, limit - self.text.count) + 2))
      while !line.isEmpty, (before + line + after).count > limit { line.removeLast() }
    }
    replace(before: before + line, after: after)
  }

  fileprivate mutating func delete(_ reach: TextInput.Reach) {
    let index = cursorIndex
    let other = place(reach, from: index)
    replace(before: text[..<min(index, other)], after: text[max(index, other)...])
  }

  fileprivate mutating func move(_ reach: TextInput.Reach) {
    cursor = text[..<place(reach, from: cursorIndex)].count
  }

  /// The cursor comes between the two parts. Where they meet inside of a character, which an accent
  /// makes of two, it comes behind that.
  private mutating func replace(before: Substring, after: Substring) {
    text = String(before) + after
    cursor = before.count
  }

  private func place(_ reach: TextInput.Reach, from index: String.Index) -> String.Index {
    switch reach {
    case .start: return text.startIndex
    case .end: return text.endIndex
    case .left: return index == text.startIndex ? index : text.index(before: index)
    case .right: return index == text.endIndex ? index : text.index(after: index)
    case .wordLeft:
      let word = text[..<index].lastIndex { !$0.isWhitespace } ?? text.startIndex
      let space = text[..<word].lastIndex(where: \.isWhitespace)
      return space.map(text.index(after:)) ?? text.startIndex
    case .wordRight:
      let word = text[index...].firstIndex { !$0.isWhitespace } ?? text.endIndex
      return text[word...].firstIndex(where: \.isWhitespace) ?? text.endIndex
    }
  }
}

extension TextInput {
  /// A text as one line, without what a terminal would obey.
  fileprivate static func line(of text: String) -> String {
    guard text.utf8.contains(where: { !(0x20..<0x7F).contains($0) }) else { return text }
    var scalars = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A where last == "\r": break
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: scalars.append(" ")
      case ..<0x20, 0x7F...0x9F: break
      default: scalars.append(scalar)
      }
      last = scalar
    }
    return String(scalars)
  }
}

extension TextInput.Action {
  /// The case paths of a text's actions.
  public struct AllCasePaths: Sendable {
    /// The path to `insert`.
    public var insert: AnyCasePath<TextInput.Action, String> {
      AnyCasePath(embed: { .insert($0) }) { if case .insert(let text) = $0 { text } else { nil } }
    }

    /// The path to `delete`.
    public var delete: AnyCasePath<TextInput.Action, TextInput.Reach> {
      AnyCasePath(embed: { .delete($0) }) { if case .delete(let reach) = $0 { reach } else { nil } }
    }

    /// The path to `move`.
    public var move: AnyCasePath<TextInput.Action, TextInput.Reach> {
      AnyCasePath(embed: { .move($0) }) { if case .move(let reach) = $0 { reach } else { nil } }
    }
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}
