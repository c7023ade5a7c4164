// The last actions with their tags: what the screen itself was told.

import RondoHomeFeature
import RondoStage

/// An entry of the log with a number that no other one has.
struct LoggedCommit: Equatable, Identifiable {
  var id: Int
  var entry: LogEntry
}

extension TerminalScreen.State {
  /// The log at the bottom.
  ///
  /// It is a scroll: every entry has its place on it for good, and what moves is the scroll as a
  /// whole. So no two entries are ever in one row, whenever they come. What is above and below its
  /// window is covered, and is to be drawn before all that is there.
  func logged(_ log: [LoggedCommit], _ layout: Layout) -> Node {
    let rows = log.suffix(layout.logRows)
    return .group {
      Node.group {
        Node.forEach(rows) { commit in
          row(commit.entry, width: layout.width - 2 * layout.margin)
            .offset(y: Double(commit.id))
            .transition(.offset(x: 6).combined(with: .opacity))
        }
      }
      .offset(x: Double(layout.margin), y: Double(layout.logTop - (rows.first?.id ?? 0)))
      cover(from: 0, to: layout.logTop, layout)
      cover(from: layout.keysRow, to: layout.height, layout)
      if layout.logHasHeading {
        Node.heading(
          "LAST ACTIONS", x: layout.margin, y: layout.logHeadingRow,
          width: layout.width - 2 * layout.margin)
      }
    }
  }

  private func cover(from top: Int, to bottom: Int, _ layout: Layout) -> Node {
    .panel(x: 0, y: top, width: layout.width, height: bottom - top, color: Palette.ground) {}
  }

  private func row(_ entry: LogEntry, width: Int) -> Node {
    let isWide = width >= 60
    let time = isWide ? entry.seconds : String(entry.seconds.dropLast(2))
    let timeWidth = isWide ? 10 : 8
    let actionsWidth = isWide ? 25 : max(0, width - timeWidth - 11)
    let tagColumn = timeWidth + actionsWidth + 1
    let changes =
      entry.changes.isEmpty
      ? "nothing changed"
      : entry.changes.map { "\($0.field): \($0.words)" }.joined(separator: "; ")
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
      return .line(entry.tag, x: 1, width: 9, color: Palette.dim)
    }
    guard hasColors else { return .line("[\(entry.tag)]", width: 10) }
    return Node.line(" \(entry.tag) ", width: min(10, entry.tag.count + 2), color: Palette.tagText)
      .background(Palette.tag)
  }
}
