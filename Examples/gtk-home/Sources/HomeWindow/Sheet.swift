// The screens on top of the home screen, as a sheet that comes up from below.

import Foundation
import GTKStage
import RondoHomeFeature
import RondoStage

/// A titled sheet with some lines and buttons on it.
struct Sheet {
  var title: String
  var lines: [String] = []
  var buttons: [(title: String, action: HomeAction)] = []
}

extension HomeWindow.State {
  /// A dark layer over the window, behind the sheet.
  var scrim: Node {
    Rectangle().fill(.black).frame(width: size.width, height: size.height)
      .opacity(sheet == nil ? 0 : 0.5)
  }

  /// The sheet on top, if there is one.
  var sheetNode: Node {
    .group {
      if let sheet {
        node(of: sheet)
          .id("sheet " + sheet.title)
          .transition(.offset(y: size.height).combined(with: .opacity))
      }
    }
  }

  private func node(of sheet: Sheet) -> Node {
    let width = min(420, size.width - 40)
    let height = 120 + 24 * Double(sheet.lines.count)
    let buttons = sheet.buttons + [("Close", HomeAction.destination(.dismiss))]
    return Node.group {
      RoundedRectangle(cornerRadius: 14).fill(palette.sheet).frame(width: width, height: height)
      line(sheet.title, x: 24, y: 20, width: width - 48, font: Font.large, color: palette.title)
      sheet.lines.enumerated().map { index, text in
        line(
          text, x: 24, y: 54 + 24 * Double(index), width: width - 48, color: palette.text)
      }
      buttons.enumerated().map { index, button in
        Node.shape(
          HomeControl(id: "sheet " + button.0, .button(button.0), action: .home(button.1))
        )
        .frame(
          x: width - 24 - 120 * Double(buttons.count - index) + 10, y: height - 54, width: 110,
          height: 36)
      }
    }
    .offset(x: (size.width - width) / 2, y: max(20, (size.height - height) / 2))
  }

  private var sheet: Sheet? {
    switch home.destination {
    case nil:
      return nil
    case .dailyChallenge(nil):
      let lines = (home.dailyChallenges ?? []).map { challenge in
        let result = challenge.yourResult
        return "\(challenge.dailyChallenge.gameMode.rawValue), \(counted(result.outOf, "player"))"
          + (result.rank.map { ": #\($0)" } ?? "")
      }
      return Sheet(
        title: "Daily challenges", lines: [home.dailyChallengeText] + lines,
        buttons: [
          ("Timed", .startDailyChallenge(.timed)),
          ("Unlimited", .startDailyChallenge(.unlimited)),
        ])
    case .dailyChallenge(let game?):
      return Sheet(
        title: "Daily challenge, \(game.gameMode.rawValue)", lines: letters(of: game))
    case .solo(let game):
      return Sheet(
        title: "Solo", lines: game.map(letters(of:)) ?? ["No game is saved."])
    case .match(let id):
      guard let match = home.activeMatches.first(where: { $0.id == id }) else { return nil }
      let poke: [(String, HomeAction)] =
        match.offersPoke(at: date) ? [("Poke", .pokeTapped(id))] : []
      return Sheet(
        title: "Match with \(match.opponent)",
        lines: [match.isYourTurn ? "It is your turn." : "It is their turn."],
        buttons: [("Quit match", .deleteMatch(id))] + poke)
    case .settings:
      return Sheet(
        title: "Settings",
        lines: [
          "Player: \(home.localPlayer?.displayName ?? "nobody has signed in")",
          "Saved games: \(home.savedGames.count)", "Ctrl+T changes the style.",
        ])
    case .leaderboard:
      let ranks = (home.weekInReview?.ranks ?? []).map {
        "\($0.gameMode.rawValue): #\($0.rank) of \($0.outOf)"
      }
      return Sheet(title: "Leaderboard", lines: ranks.isEmpty ? ["Unknown"] : ranks)
    }
  }

  private func letters(of game: SavedGame) -> [String] {
    [game.summary]
      + (0..<3).map { y in
        (0..<3).map { x in game.cubes[x][y][2].top.letter }.joined(separator: "   ")
      }
  }
}
