// How an entry becomes a line: plain text, coloured text, JSON.

/// A way of writing the log.
public enum LogStyle: Equatable, Sendable {
  /// Columns of text, with the escape sequences of a terminal's colours or without.
  case plain(colored: Bool)

  /// One JSON object a line, its keys always in the same order.
  case json

  /// The line for an entry, without the newline.
  public func line(for entry: LogEntry) -> String {
    switch self {
    case .plain(let colored): entry.plainLine(colored: colored)
    case .json: entry.jsonLine
    }
  }
}

// MARK: - Plain text

extension LogEntry {
  fileprivate func plainLine(colored: Bool) -> String {
    let paint = colored ? Paint.self : nil
    let time = seconds.leftPadded(to: 9)
    let actions = actions.joined(separator: " + ").padded(to: 22)
    let tag = self.tag.padded(to: 8)
    let changes = changes.map { "\($0.field): \($0.words)" }.joined(separator: "; ")
    let words = changes.isEmpty ? "nothing changed" : changes
    return [
      paint?.dim(time) ?? time,
      actions,
      (isUntagged ? paint?.dim(tag) : paint?.highlight(tag)) ?? tag,
      (changes.isEmpty ? paint?.dim(words) : nil) ?? words,
    ]
    .joined(separator: "  ")
  }

  /// The time in seconds with three decimals: `0.412 s`.
  private var seconds: String {
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
  }
}

/// The escape sequences of a terminal's colours.
private enum Paint {
  static func dim(_ text: String) -> String { "\u{1b}[2m\(text)\u{1b}[0m" }

  /// Black on yellow: seen at a glance, on a dark and on a light background.
  static func highlight(_ text: String) -> String { "\u{1b}[30;43m\(text)\u{1b}[0m" }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
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
      + "\"changes\":[\(changes)]}"
  }
}
