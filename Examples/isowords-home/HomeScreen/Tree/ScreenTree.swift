// The whole screen as a tree of nodes: a pure function of the state and of what has been logged.

import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  /// The tree of the screen.
  ///
  /// Nothing in the tree says whether a change moves or jumps: no node has an animation. That is
  /// up to the transaction of the commit that brings the tree. Without colours it animates numbers and bars alone: no
  /// mixture of two texts could be read.
  ///
  /// - Parameter log: The last commits, the oldest first.
  func tree(log: [LoggedCommit]) -> Node {
    let layout = Layout(self)
    guard layout.fits else { return tooSmall(layout) }
    return .panel(
      x: 0, y: 0, width: layout.width, height: layout.height, color: Palette.ground
    ) {
      logged(log, layout)
      header(layout)
      problems(layout)
      games(layout)
      week(layout)
      keys(layout)
      destination(layout)
      if isHelpShown { help(layout) }
    }
    .transaction { transaction in
      if !hasColors { transaction = transaction.ofNumbersAlone }
    }
  }

  /// One line in place of a screen that would not fit.
  private func tooSmall(_ layout: Layout) -> Node {
    let text = "too small: \(Layout.least.width) × \(Layout.least.height)"
    return .panel(x: 0, y: 0, width: layout.width, height: layout.height, color: Palette.ground) {
      Node.line(text, width: layout.width, color: Palette.text)
    }
  }

  /// The line of keys at the bottom, or the question that waits for an answer.
  private func keys(_ layout: Layout) -> Node {
    let width = layout.width - 2 * layout.margin
    if let match = matchToQuit {
      let question =
        "quit the match with \(match.opponent.prefix(12))?   x quit   any other key: no"
      return .line(
        question, x: layout.margin, y: layout.keysRow, width: width, color: Palette.problem)
    }
    // The first and the last always stay. Of the others, those that do not fit are left out, the last ones first; the
    // help has them all.
    var keys = [home.problemLines.isEmpty ? "r refresh" : "r try again"]
    if isSlow { keys.insert("m full speed", at: 0) }
    if isAway { keys.insert("z come back", at: 0) }
    keys += ["d daily", "s solo", "l leaderboard", ", settings"]
    var line = Self.line(of: keys)
    while !keys.isEmpty, line.count > width {
      keys.removeLast()
      line = Self.line(of: keys)
    }
    return .line(line, x: layout.margin, y: layout.keysRow, width: width, color: Palette.dim)
  }

  private static func line(of keys: [String]) -> String {
    (["? help"] + keys + ["q quit"]).joined(separator: "   ")
  }
}
