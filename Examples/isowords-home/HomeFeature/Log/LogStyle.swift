// The styles of a line of the log: plain text, coloured text, JSON.

/// A way of writing the log.
public enum LogStyle: Equatable, Sendable {
  /// Columns of text, with the escape sequences of a terminal's colours or without.
  case plain(colored: Bool)

  /// One JSON object a line, its keys always in the same order.
  case json

  /// The line for an entry, without the newline at its end.
  ///
  /// - Parameter width: The columns that plain text is to fit into, and breaks between words for; `nil` for one line.
  public func line(for entry: LogEntry, width: Int? = nil) -> String {
    switch self {
    case .plain(let colored): entry.plainLine(colored: colored, width: width)
    case .json: entry.jsonLine
    }
  }
}

// MARK: - Plain text

extension LogEntry {
  private static let columns = (time: 9, actions: 24, tag: 35)

  fileprivate func plainLine(colored: Bool, width: Int?) -> String {
    let paint = colored ? Paint.terminal : Paint.none
    let time = seconds.leftPadded(to: Self.columns.time)
    // On a line there is no room for words.
    let actions = actions.joined(separator: " + ").replacing("(failure)", with: " ✗")
      .padded(to: Self.columns.actions)
    // Brackets tell what is tagged without colours.
    let tag = isUntagged ? tag : "[\(tag)]"
    let place =
      (receivedOn.map { " on \($0.withoutControls)" } ?? "")
      + (sentFrom.map { " from \($0.withoutControls)" } ?? "")
    // The text of a problem may come from outside.
    let changes = changes.map { "\($0.field): \($0.words.withoutControls)" }.joined(separator: "; ")
    let start = [
      paint.dim(time), actions, (isUntagged ? paint.dim(tag) : paint.highlight(tag)) + place,
    ].joined(separator: "  ")
    let text = changes.isEmpty ? "nothing changed" : changes
    let gap = max(0, Self.columns.tag - tag.count - place.count) + 2
    let length = time.count + actions.count + tag.count + place.count + gap + 4
    // It begins on a new line where the rest of this one has no room for it.
    let shown =
      if let width, length + text.count > width {
        "\n" + text.folded(to: width, indent: Self.columns.time + 2)
      } else { String(repeating: " ", count: gap) + text }
    return start + (changes.isEmpty ? paint.dim(shown) : shown)
  }

  /// The time in seconds with three decimals: `0.412 s`.
  public var seconds: String {
    let fraction = String(milliseconds % 1000)
    return
      "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
  }
}

/// A colour that makes a piece of a line stand out or stand back.
private enum Paint {
  case none
  /// With the escape sequences of a terminal.
  case terminal

  func dim(_ text: String) -> String { painted(text, "2") }

  /// Black on yellow: seen at a glance, on a dark and on a light background.
  func highlight(_ text: String) -> String { painted(text, "30;43") }

  private func painted(_ text: String, _ code: String) -> String {
    self == .none ? text : "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text in lines that break between words where a width ends.
  ///
  /// - Parameter indent: The spaces in front of each line.
  package func folded(to width: Int, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    var text = margin
    var place = indent
    for word in split(separator: " ") {
      if place > indent, place + 1 + word.count > width {
        text += "\n" + margin
        place = indent
      }
      text += (place > indent ? " " : "") + word
      place += (place > indent ? 1 : 0) + word.count
    }
    return text
  }

  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}

extension [String] {
  /// The texts with commas between them behind the start of a line, in lines that break where a width ends: between them, in
  /// the column where they begin, and where that has no room for one of them, between words below the start.
  package func folded(behind start: String, to width: Int) -> String {
    let column = start.count
    let room = (self.map(\.count).max() ?? 0) + 1
    guard column + room <= width else {
      let indent = start.prefix { $0 == " " }.count + 6
      return String(start.reversed().drop { $0 == " " }.reversed()) + "\n"
        + joined(separator: ", ").folded(to: width, indent: indent)
    }
    var text = start
    var place = column
    for (index, part) in enumerated() {
      let part = part + (index < count - 1 ? "," : "")
      if index > 0 {
        let fits = place + 1 + part.count <= width
        text += fits ? " " : "\n" + String(repeating: " ", count: column)
        place = fits ? place + 1 : column
      }
      text += part
      place += part.count
    }
    return text
  }
}

// MARK: - JSON

extension LogEntry {
  fileprivate var jsonLine: String {
    let actions = actions.map(JSONText.quoted).joined(separator: ",")
    let changes = changes.map { change in
      "{\"field\":\(JSONText.quoted(change.field)),\"now\":\(JSONText.quoted(change.words))}"
    }
    .joined(separator: ",")
    return "{\"ms\":\(milliseconds),\"actions\":[\(actions)],\"tag\":\(JSONText.quoted(tag)),"
      + "\"receivedOn\":\(JSONText.optional(receivedOn)),\"sentFrom\":\(JSONText.optional(sentFrom)),"
      + "\"effect\":\(JSONText.optional(effect)),"
      + "\"changes\":[\(changes)]}"
  }
}
