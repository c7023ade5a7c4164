// The window as a tree of nodes: a pure function of the state and of what has been logged.

import Foundation
import GTKStage
import RondoHomeFeature
import RondoStage

/// A commit of the home screen, as the window tells of it.
public struct LoggedCommit: Identifiable, Equatable, Sendable {
  public var id: Int
  public var entry: LogEntry

  public init(id: Int, entry: LogEntry) {
    self.id = id
    self.entry = entry
  }
}

typealias HomeControl = Control<HomeWindow.Action>

extension HomeWindow.State {
  /// The number of commits that the window tells of.
  public static let logLength = 3

  var palette: Palette { isDark ? .dark : .light }
  private var margin: Double { 20 }
  private var column: Double { (size.width - 3 * margin) * 0.56 }
  private var weekX: Double { column + 2 * margin }
  private var weekWidth: Double { max(0, size.width - weekX - margin) }
  private var gamesTop: Double { 104 + 24 * Double(home.problemLines.count) }
  private var buttonsTop: Double { size.height - 54 }
  private var logTop: Double { buttonsTop - 34 - 20 * Double(Self.logLength) }

  /// The least extent in which everything has its place.
  public var minimumSize: Size {
    let list = gamesTop + 64 * Double(max(4, home.activeGames.count)) + 8
    return Size(width: 640, height: list + 20 * Double(Self.logLength) + 34 + 54)
  }

  /// The tree of the window.
  ///
  /// Nothing in the tree says whether a change moves or jumps: no node has an animation. That is up
  /// to the transaction of the commit that brings the tree.
  ///
  /// - Parameter log: The last commits, the oldest first.
  public func tree(log: [LoggedCommit]) -> Node {
    .group {
      Rectangle().fill(palette.ground).frame(width: size.width, height: size.height)
      header
      problems
      gameList
      week
      logged(log)
      buttons
      scrim
      sheetNode
    }
  }

  /// A line of text in a place as wide as it says.
  func line(
    _ text: String, x: Double = 0, y: Double = 0, width: Double, font: String = Font.body,
    color: Color
  ) -> Node {
    Node.text(text).frame(x: x, y: y, width: max(1, width), height: 22).font(font)
      .foreground(color)
  }

  // MARK: The top

  private var header: Node {
    let player =
      home.localPlayer?.displayName
      ?? (home.loading.contains(.localPlayer) ? "signing in…" : "nobody")
    let minutes = Int((Home.State.timeLeft(at: date) / .seconds(60)).rounded(.up))
    return .group {
      headline
      line(
        "\(minutes / 60) h \(minutes % 60) min left", x: weekX, y: 22, width: weekWidth,
        font: Font.body + " right", color: palette.dim)
      line(
        player, x: weekX, y: 46, width: weekWidth, font: Font.bold + " right",
        color: home.localPlayer == nil ? palette.dim : palette.yours
      )
      .id("player " + player).transition(.opacity)
    }
  }

  /// The state of today's challenges. Words make room for one another; the number of players rolls.
  private var headline: Node {
    let text = home.dailyChallengeText
    let words = text.drop { $0.isNumber }
    let number = home.numberOfPlayers.flatMap { text.first?.isNumber == true ? $0 : nil }
    return .group {
      // It is there before there is a number, so that the first one rolls as well.
      Node.shape(RollingNumber(number ?? 0, suffix: String(words)))
        .frame(x: margin, y: number == nil ? 48 : 20, width: column + margin, height: 28)
        .opacity(number == nil ? 0 : 1)
      if number == nil {
        Node.text(text).frame(x: margin, y: 20, width: column + margin, height: 28)
          .id("headline " + text).transition(.offset(y: -28).combined(with: .opacity))
      }
    }
    .font(Font.large).foreground(palette.title)
  }

  private var problems: Node {
    .group {
      home.problemLines.enumerated().map { index, problem in
        line(
          "✗ " + problem, x: margin, y: 52 + 24 * Double(index), width: size.width - 2 * margin,
          color: palette.problem
        )
        .id(problem).transition(.offset(x: -40).combined(with: .opacity))
      }
    }
  }

  // MARK: The games

  private var gameList: Node {
    let games = games
    return .group {
      HomeControl(
        id: "query", .field(query, placeholder: "Look for a game"),
        isEnabled: home.destination == nil
      )
      .frame(x: margin, y: gamesTop - 44, width: column, height: 36)
      if games.isEmpty {
        line(emptyText, x: margin, y: gamesTop + 8, width: column, color: palette.dim)
          .id(emptyText).transition(.opacity)
      }
      Node.group {
        games.enumerated().map { index, game in
          card(game)
            .offset(x: margin, y: gamesTop + 64 * Double(index))
            .transition(.offset(x: -120).combined(with: .opacity))
            .id("card " + game.id)
        }
      }
    }
  }

  private var emptyText: String {
    if !query.isEmpty, !home.activeGames.isEmpty { return "No game is called that." }
    if home.loading.contains(.matches) { return "Loading…" }
    if home.problems[.matches] != nil { return "Unknown" }
    return home.hasPastMatches ? "No game is open. Start one!" : "No games yet. Start one!"
  }

  private func card(_ game: Game) -> Node {
    let color = palette.color(of: game.mood)
    return .group {
      RoundedRectangle(cornerRadius: 8).fill(palette.panel).frame(width: column, height: 56)
      RoundedRectangle(cornerRadius: 2).fill(color).frame(x: 8, y: 12, width: 4, height: 32)
      line(game.title, x: 22, y: 8, width: column - 140, font: Font.bold, color: palette.text)
      line(game.detail, x: 22, y: 30, width: column - 140, font: Font.small, color: palette.dim)
      line(
        game.badge, x: column - 112, y: 18, width: 100, font: Font.body + " right", color: color)
      HomeControl(
        id: "card " + game.id, .area("\(game.title), \(game.badge)"), action: .home(game.action),
        isEnabled: home.destination == nil
      )
      .frame(width: column, height: 56)
    }
  }

  // MARK: The week

  private var week: Node {
    let word = home.weekInReview?.word
    return .group {
      line(
        "Week in review", y: -40, width: weekWidth, font: Font.bold, color: palette.text)
      place(.timed)
      place(.unlimited).offset(y: 70)
      if let word {
        Node.group {
          line("best word", width: weekWidth, font: Font.small, color: palette.dim)
          line(
            "\(word.letters), \(word.score) points", y: 20, width: weekWidth, font: Font.bold,
            color: palette.yours)
        }
        .offset(y: 140).id(word.letters).transition(.offset(x: 80).combined(with: .opacity))
      }
    }
    .offset(x: weekX, y: gamesTop)
  }

  /// A mode with its place and a bar that grows to it.
  private func place(_ mode: GameMode) -> Node {
    let rank = home.weekInReview?.ranks.first { $0.gameMode == mode }
    let part = rank.map { $0.outOf > 0 ? 1 - (Double($0.rank) - 1) / Double($0.outOf) : 0 } ?? 0
    return .group {
      line(mode.rawValue, width: weekWidth, color: palette.text)
      Node.shape(RollingNumber(rank?.rank ?? 0, suffix: rank.map { " of \($0.outOf)" } ?? ""))
        .frame(width: weekWidth, height: 22).font(Font.body + " right")
        .foreground(palette.title).opacity(rank == nil ? 0 : 1)
      Capsule().fill(palette.faint).frame(y: 30, width: weekWidth, height: 6)
      Capsule().fill(palette.title)
        .frame(y: 30, width: max(6, weekWidth * min(max(part, 0), 1)), height: 6)
        .opacity(rank == nil ? 0 : 1)
    }
    .opacity(rank == nil ? 0.4 : 1)
  }

  // MARK: The bottom

  /// The last commits with their tags: a scroll on which every entry has its place for good.
  private func logged(_ log: [LoggedCommit]) -> Node {
    let rows = log.suffix(Self.logLength)
    let width = size.width - 2 * margin
    return .group {
      Node.group {
        Node.forEach(rows) { commit in
          Node.group {
            line(Self.seconds(commit.entry.time), width: 74, font: Font.small, color: palette.dim)
            line(
              commit.entry.actions.joined(separator: " + "), x: 80, width: 210, font: Font.small,
              color: palette.text)
            line(
              commit.entry.tag, x: 296, width: 80, font: Font.small,
              color: commit.entry.isUntagged ? palette.dim : palette.poke)
            line(
              commit.entry.changes.map { "\($0.field): \($0.words)" }.joined(separator: "; "),
              x: 380, width: width - 380, font: Font.small, color: palette.dim)
          }
          .offset(y: 20 * Double(commit.id)).transition(.opacity)
        }
      }
      .offset(x: margin, y: logTop - 20 * Double(rows.first?.id ?? 0))
    }
  }

  /// `0.102 s`
  private static func seconds(_ time: Duration) -> String {
    let milliseconds = Int(time / .milliseconds(1))
    let rest = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
  }

  private var buttons: Node {
    let width = max(40, (size.width - 2 * margin - 3 * 10) / 4)
    let buttons: [(String, HomeAction)] = [
      ("Daily challenges", .dailyChallengeTapped), ("Solo", .soloTapped),
      ("Leaderboard", .leaderboardTapped), ("Settings", .settingsTapped),
    ]
    return .group {
      buttons.enumerated().map { index, button in
        Node.shape(
          HomeControl(
            id: button.0, .button(button.0), action: .home(button.1),
            isEnabled: home.destination == nil)
        )
        .frame(
          x: margin + Double(index) * (width + 10), y: buttonsTop, width: width, height: 36)
      }
    }
  }
}
