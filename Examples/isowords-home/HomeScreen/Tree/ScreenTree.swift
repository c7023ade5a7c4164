// The whole screen as a tree of nodes: a pure function of the state and of what has been logged.

import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  /// The tree of the screen.
  ///
  /// Nothing in the tree says whether a change moves or jumps: no node has an animation. That is
  /// up to the transaction of the commit that brings the tree.
  ///
  /// - Parameter log: The last commits, the oldest first.
  func tree(log: [LoggedCommit]) -> Node {
    let layout = Layout(self)
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
  }

  /// The line of keys at the bottom.
  private func keys(_ layout: Layout) -> Node {
    var keys = [
      isSlow ? "m full speed" : "? help", "d daily", "s solo", "l leaderboard", ", settings",
      "q quit",
    ]
    keys.insert("r refresh", at: 1)
    if !home.problemLines.isEmpty { keys = ["r try again"] + keys.filter { $0 != "r refresh" } }
    if isAway { keys = ["z come back"] + keys.filter { $0 != "l leaderboard" } }
    // Keys that do not fit are left out; the help has them all.
    let width = layout.width - 2 * layout.margin
    var line = keys[0]
    for key in keys.dropFirst() where line.count + 3 + key.count <= width { line += "   " + key }
    return .line(line, x: layout.margin, y: layout.keysRow, width: width, color: Palette.dim)
  }
}
