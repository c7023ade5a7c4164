// The styles of a line of the log: plain text, coloured text, JSON.

/// A way of writing the log.
public enum LogStyle: Equatable, Sendable {
  /// Columns of text, with the escape sequences of a terminal's colours or without.
  case plain(colored: Bool)

  /// One JSON object a line, its keys always in the same order.
  case json

  /// The line for an entry, without the newline at its end.
  ///
  /// - Parameter width: The columns of the terminal, where plain text is to break between words; `nil` for one line.
  public func line(for entry: LogEntry, width: Int? = nil) -> String {
    switch self {
    case .plain(let colored): entry.plainLine(colored: colored, width: width)
    case .json: entry.jsonLine
    }
  }
}

// MARK: - Plain text

extension LogEntry {
  private static let columns = (time: 9, actions: 24, tag: 33)

  fileprivate func plainLine(colored: Bool, width: Int?) -> String {
    let paint = colored ? Paint.terminal : Paint.none
    let time = seconds.leftPadded(to: Self.columns.time)
    let actions = actions.joined(separator: " + ").padded(to: Self.columns.actions)
    let place = scheduler.map { " on \($0.withoutControls)" } ?? ""
    let rest = String(
      repeating: " ", count: max(0, Self.columns.tag - tag.count - place.count))
    // The text of a problem may come from outside.
    let changes = changes.map { "\($0.field): \($0.words.withoutControls)" }.joined(separator: "; ")
    let start = [
      paint.dim(time), actions, (isUntagged ? paint.dim(tag) : paint.highlight(tag)) + place + rest,
    ].joined(separator: "  ")
    let length = time.count + actions.count + tag.count + place.count + rest.count + 6
    let text = (changes.isEmpty ? "nothing changed" : changes)
      .folded(from: length, to: width, indent: Self.columns.time + 2)
    return start + (changes.isEmpty ? paint.dim(text) : text)
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

  /// The text behind two spaces, broken between words where a width ends.
  ///
  /// - Parameters:
  ///   - column: The column that it begins in.
  ///   - indent: The spaces in front of a new line.
  fileprivate func folded(from column: Int, to width: Int?, indent: Int) -> String {
    guard let width, width > 2 * indent else { return "  \(self)" }
    let margin = "\n" + String(repeating: " ", count: indent)
    // It begins on a new line where the rest of this one is short.
    let isBelow = column + count > width && column + 24 > width
    var text = isBelow ? margin : "  "
    var place = isBelow ? indent : column
    for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let gap = index == 0 ? 0 : 1
      if place + gap + word.count > width, place > indent {
        text += margin + word
        place = indent + word.count
      } else {
        text += (gap == 0 ? "" : " ") + word
        place += gap + word.count
      }
    }
    return text
  }

  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
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
      + "\"scheduler\":\(JSONText.optional(scheduler)),\"effect\":\(JSONText.optional(effect)),"
      + "\"changes\":[\(changes)]}"
  }
}
