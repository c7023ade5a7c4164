// The effects that an action of a recording has started, for programs that tell of their own runs.

import RondoRecording

/// The tree of the effects that an action has started, a line for each.
package struct StartedEffects {
  /// An effect, or `concatenate` or `merge` around some.
  package struct Line {
    /// The number of things that it stands in.
    package var depth: Int
    package var name: String
    /// The names of the effects that it waited for before it began.
    package var waitsFor: [String]
    /// The name of the scheduler that it has waited on last, where it has one.
    package var scheduler: String?
    /// The name of the transaction of what it has sent, where that was tagged.
    package var tag: String?
    /// When it began and when it ended, in seconds; `nil` for `concatenate` and `merge`, and while it runs.
    package var start: Double?
    package var end: Double?
    /// The way in which it has ended: `finished`, `cancelled` or `failed`.
    package var how: String?
  }

  /// The lines in columns, as `rondo log` has them.
  package let table: [String]
  package let lines: [Line]

  /// - Parameter action: The number of the action.
  package init(_ recording: RecordingFile, action: Int) {
    let history = History(recording, name: "")
    let tree = EffectTree(history, action: action, tags: history.tags)
    table = tree.table
    lines = tree.lines.map { line in
      let effect = line.effect.flatMap { history.effects[$0] }
      return Line(
        depth: line.depth, name: line.name,
        waitsFor: line.effect.map { history.effects(before: $0).map(history.label) } ?? [],
        scheduler: line.scheduler, tag: line.tag, start: effect?.start.at, end: effect?.end?.at,
        how: effect?.end?.how.rawValue)
    }
  }
}
