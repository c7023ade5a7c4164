// A recording as text, a line for every commit.

import RondoHistory
import RondoRecording

/// The lines of a recording's log: the time, the actions, the transaction and the changes.
struct CommitLog {
  struct Line {
    var time: Double
    var actions: String
    var transaction: String
    var changes: String

    /// The line without its time, for comparisons.
    var content: String {
      transaction.isEmpty && changes.isEmpty ? actions : "\(actions)  \(transaction)  \(changes)"
    }
  }

  private let history: History

  init(_ history: History) {
    self.history = history
  }

  /// A line for every commit.
  var lines: [Line] {
    let hides = history.hasRedactions
    return history.moments.map { Line($0, hides: hides) }
  }

  /// The log: commits in columns, and the issues and the ends of effects where they belong.
  var text: String {
    let lines = lines
    let moments = history.moments
    let origins = moments.map { self.origins(of: $0) }
    let width = min(60, lines.map(\.actions.count).max() ?? 0)
    let tags = min(24, lines.map(\.transaction.count).max() ?? 0)
    let from = min(60, origins.map(\.count).max() ?? 0)
    var text = "\(history.begin.feature.onOneLine), \(history.begin.host.onOneLine)\n"
    let tagNames = history.tags
    var rest = zip(lines, origins).makeIterator()
    for event in history.events {
      switch event {
      case .moment(let moment):
        guard let (line, origin) = rest.next() else { continue }
        let columns =
          [line.actions.padded(to: width), line.transaction.padded(to: tags)]
          + (from > 0 ? [origin.padded(to: from)] : []) + [line.changes]
        text += "\(secondsText(line.time))  \(columns.joined(separator: "  "))\n"
        for action in moment.actions {
          let tree = EffectTree(history, action: action.action, tags: tagNames)
          // One effect stands where it sends something.
          if tree.isComposed { text += started(tree) }
        }
      case .issue(let issue):
        text += "\(secondsText(issue.at))  \(Line(issue).content)\n"
      case .tool(let tool): text += "\(secondsText(tool.at))  TOOL: \(words(of: tool).onOneLine)\n"
      case .effectEnded(let end) where end.how != .finished:
        guard history.root(of: end.effect) == end.effect else { continue }
        let label = history.label(of: end.effect)
        // An action that has cancelled it stands in the line above.
        let cause = history.cause(of: end, namesAction: false)
        text += "\(secondsText(end.at))  \("\(end.how)\(cause): \(label)".onOneLine)\n"
      case .effectEnded:
        break
      }
    }
    return text + history.notes.map { "note: \($0.onOneLine)\n" }.joined()
  }

  /// The lines for the effects that an action has started: one, or one for each where that is a long one.
  private func started(_ tree: EffectTree) -> String {
    let indent = String(repeating: " ", count: 11)
    guard tree.text.count > 69 else { return "\(indent)starts \(tree.text)\n" }
    return "\(indent)starts\n"
      + tree.table.map { start, rest in
        "\(indent)  \(start)\(rest.joined(separator: ", "))\n"
      }.joined()
  }

  /// The origins of the actions of a moment: `from search, on mainQueue`.
  private func origins(of moment: History.Moment) -> String {
    var texts: [String] = []
    for action in moment.actions {
      guard let origin = history.origin(of: action.action) else { continue }
      let text =
        "from \(origin.effect)" + (origin.scheduler.map { ", on \($0)" } ?? "")
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.joined(separator: "; ").onOneLine
  }
}

extension CommitLog {
  /// The deed of a tool, in words.
  private func words(of tool: RecordingLine.Tool) -> String {
    switch tool.did {
    case .send: "has sent the next action"
    case .jump:
      tool.commit == 0
        ? "has gone back to the beginning" : "has gone back to commit \(tool.commit ?? 0)"
    case .hold: "holds effects"
    case .letGo: "has let go: \(tool.effect.map(history.label) ?? "an effect")"
    case .release: "holds effects no longer"
    case .pace: "has set the pace of the clocks to \(tool.rate ?? 1)"
    }
  }
}

extension CommitLog.Line {
  init(_ issue: RecordingLine.Issue) {
    self.init(
      time: issue.at, actions: "ISSUE: \(issue.message.onOneLine)", transaction: "", changes: "")
  }

  /// - Parameter hides: Whether parts of the recording were kept out, which may have changed.
  fileprivate init(_ moment: History.Moment, hides: Bool) {
    time = moment.at
    actions = moment.actions.map(\.logName).joined(separator: " + ").onOneLine
    if actions.isEmpty { actions = "(no action)" }
    guard let commit = moment.commit else {
      transaction = ""
      changes = "(the commit is missing)"
      return
    }
    transaction = commit.transaction.name.onOneLine
    changes =
      moment.changes.isEmpty
      ? hides ? "nothing that is shown" : "nothing changed"
      : moment.changes.map(\.summary).joined(separator: "; ")
  }
}

extension RecordingLine.Action {
  /// The action as it was recorded, or its case path where that has left out what matters.
  fileprivate var logName: String {
    name.hasSuffix("(…)") ? CasePathCode.shown(value) : name
  }
}
