// The effects that an action of a recording has started, for programs that tell of their own runs.

import RondoRecording

/// The tree of the effects that an action has started, a line for each.
package struct StartedEffects {
  /// An effect, or `concatenate` or `merge` around some.
  package struct Line {
    /// The number of things that it stands in.
    package var depth: Int
    package var name: String
    /// The names of the effects that it waited for before it began, or before the first thing in it began.
    package var waitsFor: [String]
    /// The name of the scheduler that it worked on last, where it has one.
    package var worksOn: String?
    package var answers: [Answer]
    /// When it began and when it ended, in seconds; `nil` for `concatenate` and `merge`, and while it runs.
    package var start: Double?
    package var end: Double?
    /// The way in which it has ended: `finished`, `cancelled`, or `failed`, which it has also where its answer is a failure.
    package var how: String?
  }

  /// Actions that an effect has answered with, alike but for what they carry.
  package struct Answer {
    package var action: String
    package var hasFailed: Bool
    /// The name of the transaction; `nil` where they are untagged.
    package var tag: String?
    /// The name of the scheduler that they were received on, where they were and it has one.
    package var receivedOn: String?
    /// The name of the scheduler that they came from, where nothing received them and it has one.
    package var sentFrom: String?
  }

  package let lines: [Line]
  private let tree: EffectTree

  /// - Parameters:
  ///   - action: The number of the action.
  ///   - scope: The part that the names of answers begin with, and that is left out.
  package init(_ recording: RecordingFile, action: Int, scope: String) {
    let history = History(recording, name: "")
    tree = EffectTree(history, action: action, tags: history.tags, scope: scope)
    let all = tree.lines
    lines = all.enumerated().map { index, line in
      let effect = line.effect.flatMap { history.effects[$0] }
      // A `merge` or `concatenate` waits for the same effects as the first one inside of it.
      let waiting = all[index...].first { $0.effect != nil }?.effect
      let hasFailed = line.effect.map(history.hasFailed) ?? false
      return Line(
        depth: line.depth, name: line.name,
        waitsFor: waiting.map { history.effects(before: $0).map(history.label) } ?? [],
        worksOn: line.scheduler,
        answers: line.answers.map {
          Answer(
            action: $0.action, hasFailed: $0.hasFailed, tag: $0.tag,
            receivedOn: $0.isReceived ? $0.scheduler : nil,
            sentFrom: $0.isReceived ? nil : $0.scheduler)
        },
        start: effect?.start.at, end: effect?.end?.at,
        how: hasFailed ? "failed" : effect?.end?.how.rawValue)
    }
  }

  /// The lines in columns, as `rondo log` has them, with the parts of the last column, between which it puts commas.
  package var table: [(start: String, rest: [String])] { tree.table }
}
