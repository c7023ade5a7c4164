// The top of the screen: the title, the player, the time left, today's challenges, problems.

import Foundation
import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  func header(_ layout: Layout) -> Node {
    .group {
      Node.panel(
        x: 0, y: layout.titleRow, width: layout.width, height: 1, color: Palette.panel
      ) {
        Node.line("isowords", x: layout.margin, color: Palette.title)
        Node.line(timeLeft, endingAt: layout.width - layout.margin, color: Palette.text)
        Node.line(
          playerName,
          endingAt: layout.width - layout.margin - timeLeft.count - 2,
          color: home.localPlayer == nil ? Palette.dim : Palette.yours
        )
        .id("player " + playerName)
        .transition(.replacing)
      }
      headline.offset(x: Double(layout.margin), y: Double(layout.headlineRow))
    }
  }

  private var playerName: String {
    if let name = home.localPlayer?.displayName { return String(name.prefix(16)) }
    return home.loading.contains(.localPlayer) ? "signing in…" : "nobody"
  }

  private var timeLeft: String {
    let minutes = Int((Home.State.timeLeft(at: date) / .seconds(60)).rounded(.up))
    return "\(minutes / 60) h \(minutes % 60) min left"
  }

  /// The state of today's challenges. Words make room for one another; the number of
  /// players rolls.
  private var headline: Node {
    let count = countOfHeadline
    let words = home.dailyChallengeText.drop { $0.isNumber }
    return .group {
      if count == nil {
        Node.line(home.dailyChallengeText, color: Palette.text)
          .id("headline " + home.dailyChallengeText)
          .transition(.replacing)
      }
      // It is there before there is a number, so that the first one rolls as well.
      Node.group {
        Node.rolling(count ?? 0, width: "\(count ?? 0)".count, color: Palette.title)
        Node.line(String(words), x: "\(count ?? 0)".count, color: Palette.text)
      }
      .effect(Replacement(animatableData: count == nil ? 1 : 0))
    }
  }

  /// The number that today's headline begins with.
  private var countOfHeadline: Int? {
    guard let players = home.numberOfPlayers, home.dailyChallengeText.first?.isNumber == true
    else { return nil }
    return players
  }

  /// A line for every source that has failed.
  func problems(_ layout: Layout) -> Node {
    .group {
      home.problemLines.prefix(layout.problemRows).enumerated().map { index, problem in
        Node.line(
          "✗ " + problem,
          x: layout.margin,
          y: layout.problemTop + index,
          width: layout.width - 2 * layout.margin,
          color: Palette.problem
        )
        .id(problem)
        .transition(.offset(x: -4).combined(with: .opacity))
      }
    }
  }
}
