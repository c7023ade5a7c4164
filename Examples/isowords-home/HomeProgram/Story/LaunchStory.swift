// The launch as a picture that tells what it does: its code, what runs and waits, and the screen.

import Foundation
import RondoRecording
import RondoStage

/// What a recording of the launch says of the lines of its effect.
struct LaunchStory {
  /// The effect as it stands in `HomeEffects.swift`, on more lines. A number is that of the part which a line belongs to.
  static let code: [(text: String, part: Int?)] = [
    (".concatenate(", nil),
    ("  fileClient.loadSavedGames()", 0),
    ("    .map(HomeAction.savedGamesLoaded),", 0),
    ("  gameCenterAuthentication.fireAndForget(),", 1),
    ("  .merge(", nil),
    ("    serverAuthenticateAndLoadData", 2),
    ("      .receive(on: mainQueue.animation()),", 2),
    ("    loadMatches", 3),
    ("      .receive(on: mainQueue.animation())", 3),
    ("  )", nil),
    (")", nil),
  ]

  /// A thing that a client was asked to do, with its times in seconds of the launch.
  struct Work {
    var name: String
    /// The part of the effect that it belongs to.
    var part: Int
    var start: Double
    var end: Double
    /// The name of what it waited for, and the part that this belongs to; `nil` where it began with the launch.
    var waitsFor: (name: String, part: Int)?
    var answers: [Answer] = []
  }

  /// An action that an answer became.
  struct Answer {
    var time: Double
    var action: String
    /// The name of its transaction, and how long it animates.
    var tag: String
    var duration: Double?
  }

  private(set) var work: [Work] = []
  /// The times of the parts of the effect.
  private(set) var parts: [ClosedRange<Double>] = []

  /// - Parameters:
  ///   - recording: The recording of a launch.
  ///   - pace: The seconds of the launch that pass in a second of the recording.
  init(_ recording: RecordingFile, pace: Double) {
    var starts: [Int: RecordingLine.EffectStart] = [:]
    var ends: [Int: Double] = [:]
    var roots: [Int] = []
    for (_, line) in recording.lines {
      switch line {
      case .effectStarted(let start):
        starts[start.effect] = start
        if start.parent == nil, start.steps != nil { roots.append(start.effect) }
      case .effectEnded(let end): ends[end.effect] = end.at * pace
      default: break
      }
    }
    parts = roots.map { root in
      let start = (starts[root]?.at ?? 0) * pace
      return start...max(start, ends[root] ?? start)
    }

    func chain(_ effect: Int) -> [Int] {
      Array(sequence(first: effect) { starts[$0]?.parent })
    }
    var works: [Int: Int] = [:]
    var lastEnded: [Int: Int] = [:]
    var answering: (index: Int, action: Int)?
    for (_, line) in recording.lines {
      switch line {
      case .effectStarted(let start):
        guard let name = start.label.firstQuoted, let root = chain(start.effect).last,
          let part = roots.firstIndex(of: root)
        else { break }
        let at = start.at * pace
        // What it was made for, or the step before.
        let before = start.after.flatMap { after in chain(after).lazy.compactMap { works[$0] }.first
        }
        works[start.effect] = work.count
        work.append(
          Work(
            name: name, part: part, start: at, end: max(at, ends[start.effect] ?? at),
            waitsFor: (before.map { work[$0] }
              ?? work.last { $0.part < min(part, 2) && $0.end <= at }).map { ($0.name, $0.part) }))
      case .effectEnded(let end):
        if let index = works[end.effect], let root = chain(end.effect).last {
          lastEnded[root] = index
        }
      case .action(let action):
        guard let effect = action.effect, let root = chain(effect).last,
          let index = chain(effect).lazy.compactMap({ works[$0] }).first ?? lastEnded[root]
        else { break }
        work[index].answers.append(
          Answer(time: action.at * pace, action: action.value.nameOfHomeAction, tag: ""))
        answering = (index, action.action)
      case .commit(let commit):
        guard let (index, action) = answering, commit.actions.contains(action),
          var answer = work[index].answers.popLast()
        else { break }
        answer.tag = commit.transaction.name
        answer.duration = commit.transaction.animation?.duration
        work[index].answers.append(answer)
        answering = nil
      default: break
      }
    }
    // Those of a line of the code together.
    work = work.enumerated().sorted { ($0.element.part, $0.offset) < ($1.element.part, $1.offset) }
      .map(\.element)
  }
}

extension String {
  /// What stands between the first quotation marks: `load` of `run "load"`.
  fileprivate var firstQuoted: String? {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count > 2 ? String(parts[1]) : nil
  }
}

extension RecordedNode {
  /// The name of the home screen's action in one of the terminal's: `.home(.matchesLoaded(…))`.
  fileprivate var nameOfHomeAction: String {
    let action = `case` == "home" ? children.first?.node ?? self : self
    return action.case ?? String((action.value ?? "").drop { $0 == "." })
  }
}
