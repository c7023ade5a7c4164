// The styles of a line of the log: plain text, coloured text, JSON.

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
    let paint = colored ? Paint.terminal : Paint.none
    let time = seconds.leftPadded(to: 9)
    let actions = actions.joined(separator: " + ").padded(to: 31)
    let tag = self.tag.padded(to: 8)
    // The text of a problem may come from outside.
    let changes = changes.map { "\($0.field): \($0.words.withoutControls)" }.joined(separator: "; ")
    return [
      paint.dim(time),
      actions,
      isUntagged ? paint.dim(tag) : paint.highlight(tag),
      changes.isEmpty ? paint.dim("nothing changed") : changes,
    ]
    .joined(separator: "  ")
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
      + "\"changes\":[\(changes)]}"
  }
}
