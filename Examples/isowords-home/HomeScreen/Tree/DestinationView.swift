// The screens on top of the home screen.

import Foundation
import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  /// The sheet on top, which slides up from below and back.
  func destination(_ layout: Layout) -> Node {
    .group {
      if let sheet {
        sheet.node(layout)
          .id(sheet.title)
          .transition(.offset(y: 4).combined(with: .opacity))
      }
    }
  }

  private var sheet: Sheet? {
    if let round { return .round(round) }
    return destinationSheet
  }

  private var destinationSheet: Sheet? {
    switch home.destination {
    case .dailyChallenge(nil): challengesSheet
    case .dailyChallenge(let game?):
      .game(game, title: "Daily challenge, \(game.gameMode.rawValue)")
    case .solo(let game?): .game(game, title: "Solo")
    case .solo(nil): Sheet(title: "Solo games", lines: [.dim("No game is saved.")])
    case .match(let id): matchSheet(id)
    case .settings: settingsSheet
    case .leaderboard: leaderboardSheet
    case nil: nil
    }
  }

  private var challengesSheet: Sheet {
    var lines: [Sheet.Line] = [.text(home.dailyChallengeText), .text("")]
    for challenge in home.dailyChallenges ?? [] {
      let mode = challenge.dailyChallenge.gameMode
      let result = challenge.yourResult
      lines.append(.text("\(mode.rawValue), \(counted(result.outOf, "player"))"))
      if let rank = result.rank {
        lines.append(.good("  played: #\(rank)" + (result.score.map { ", \($0) points" } ?? "")))
      } else {
        let key = mode == .timed ? "t" : "u"
        lines.append(.dim("  \(key) \(result.started ? "goes on with it" : "starts it")"))
      }
    }
    return Sheet(title: "Daily challenges", lines: lines)
  }

  private func matchSheet(_ id: TurnBasedMatch.ID) -> Sheet? {
    guard let match = home.activeMatches.first(where: { $0.id == id }) else { return nil }
    var lines: [Sheet.Line] = [
      match.isYourTurn ? .good("It is your turn.") : .text("It is their turn."),
      .dim(match.summary(at: date)),
      .text(""),
      .dim("x quits the match"),
    ]
    if match.offersPoke(at: date) { lines.append(.dim("p pokes \(match.opponent)")) }
    return Sheet(title: "Match with \(match.opponent)", lines: lines)
  }

  private var settingsSheet: Sheet {
    Sheet(
      title: "Settings",
      lines: [
        .text("player: \(home.localPlayer?.displayName ?? "nobody has signed in")"),
        .text("saved games: \(home.savedGames.count)"),
        .text("screen: \(size.width) × \(size.height)"),
        .text(""),
        .dim("Options of the command line set the rest: --help"),
      ]
    )
  }

  private var leaderboardSheet: Sheet {
    guard let week = home.weekInReview else {
      return Sheet(title: "Leaderboard", lines: [.dim("Unknown. r tries again.")])
    }
    let ranks = week.ranks.map { rank in
      Sheet.Line.text("\(rank.gameMode.rawValue): #\(rank.rank) of \(rank.outOf)")
    }
    let word = week.word.map { [Sheet.Line.good("best word: \($0.letters), \($0.score) points")] }
    return Sheet(title: "Leaderboard", lines: [.dim("The last seven days")] + ranks + (word ?? []))
  }
}

/// A titled panel with some lines on it.
struct Sheet {
  enum Line {
    case text(String), dim(String), good(String)
  }

  var title: String
  var lines: [Line]

  /// A game that is being played: its words and its top layer.
  static func game(_ game: SavedGame, title: String) -> Sheet {
    let top = (0..<3).map { y in
      (0..<3).map { x in
        game.cubes[x][y][2].top.letter.padding(toLength: 3, withPad: " ", startingAt: 0)
      }
      .joined()
    }
    return Sheet(
      title: title,
      lines: [.good(game.summary), .text("")] + top.map(Line.text)
        + [
          .text(""), .dim(game.words.suffix(8).joined(separator: " ")),
          .dim("Return plays a short round"),
        ]
    )
  }

  /// A round that is played: its characters, the words found, the points, and the clock.
  static func round(_ round: Round) -> Sheet {
    let letters = round.letters.map(String.init).joined(separator: " ")
    let clock =
      round.secondsLeft.map { "\($0) s left" } ?? "no clock: Esc ends the round"
    let words = round.words.suffix(6).map { "\($0.letters) \($0.points)" }
    return Sheet(
      title: "A short round, \(round.mode.rawValue)",
      lines: [
        .text(letters), .text(""),
        round.isOver ? .good("time is up: Return goes back") : .text("> \(round.typed)_"),
        .dim(round.answer), .text(""),
        .good("\(counted(round.words.count, "word")), \(counted(round.points, "point"))"),
        .dim(words.joined(separator: "  ")), .dim(clock),
      ]
    )
  }

  /// The panel, in the place of the games and the week.
  func node(_ layout: Layout) -> Node {
    let width = layout.width - 2 * layout.margin
    let height = max(1, layout.bodyBottom - layout.bodyTop)
    return .panel(
      x: layout.margin, y: layout.bodyTop, width: width, height: height,
      color: Palette.selectedPanel
    ) {
      Node.line(title, x: 2, width: width - 14, color: Palette.title)
      Node.line("Esc goes back", endingAt: width - 2, color: Palette.dim)
      lines.prefix(max(0, height - 2)).enumerated().map { index, line in
        line.node(width: width - 4).offset(x: 2, y: Double(index + 2))
      }
    }
  }
}

extension Sheet.Line {
  fileprivate func node(width: Int) -> Node {
    switch self {
    case .text(let text): .line(text, width: width, color: Palette.text)
    case .dim(let text): .line(text, width: width, color: Palette.dim)
    case .good(let text): .line(text, width: width, color: Palette.yours)
    }
  }
}
