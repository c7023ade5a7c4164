// The last actions with their tags: what the screen itself was told.

import HomeFeature
import RondoStage

/// An entry of the log with a number that no other one has.
struct LoggedCommit: Equatable, Identifiable {
  var id: Int
  var entry: LogEntry
}

extension TerminalScreen.State {
  /// The log at the bottom. Every entry stays one node as it moves up.
  func logged(_ log: [LoggedCommit], _ layout: Layout) -> Node {
    let rows = log.suffix(layout.logRows)
    return .group {
      if layout.logHasHeading {
        Node.heading(
          "LAST ACTIONS", x: layout.margin, y: layout.logHeadingRow,
          width: layout.width - 2 * layout.margin)
      }
      Node.forEach(rows) { commit in
        row(commit.entry, width: layout.width - 2 * layout.margin)
          .offset(
            x: Double(layout.margin),
            y: Double(layout.logTop + commit.id - (rows.first?.id ?? 0))
          )
          .transition(.offset(x: 6).combined(with: .opacity))
      }
    }
  }

  private func row(_ entry: LogEntry, width: Int) -> Node {
    let isWide = width >= 60
    let time = isWide ? entry.seconds : String(entry.seconds.dropLast(2))
    let timeWidth = isWide ? 10 : 8
    let actionsWidth = isWide ? 25 : max(0, width - timeWidth - 11)
    let tagColumn = timeWidth + actionsWidth + 1
    let changes = entry.changes.map { "\($0.field): \($0.words)" }.joined(separator: "; ")
    return .group {
      Node.line(time, width: timeWidth, color: Palette.dim)
      Node.line(
        entry.actions.joined(separator: "+").replacing("(failure)", with: " ✗"), x: timeWidth,
        width: actionsWidth,
        color: Palette.text)
      tag(entry).offset(x: Double(tagColumn))
      if isWide {
        Node.line(
          changes, x: tagColumn + 11, width: width - tagColumn - 11, color: Palette.dim)
      }
    }
  }

  private func tag(_ entry: LogEntry) -> Node {
    guard !entry.isUntagged else {
      return .line(entry.tag, width: 10, color: Palette.faint)
    }
    return Node.line(" \(entry.tag) ", width: min(10, entry.tag.count + 2), color: Palette.tagText)
      .background(Palette.tag)
  }
}
