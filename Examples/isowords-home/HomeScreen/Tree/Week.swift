// The week in review: places that roll, bars that grow, the best word.

import RondoHomeFeature
import RondoStage

extension TerminalScreen.State {
  func week(_ layout: Layout) -> Node {
    layout.isWide ? wideWeek(layout) : narrowWeek(layout)
  }

  /// Beside the games: three lines for each mode, then the best word.
  private func wideWeek(_ layout: Layout) -> Node {
    let rows = layout.bodyBottom - layout.bodyTop - 1
    return .group {
      Node.heading("WEEK IN REVIEW", x: 0, y: 0, width: layout.weekWidth)
      GameMode.allCases.enumerated().filter { 3 * $0.offset + 2 <= rows }.map { index, mode in
        place(mode, width: layout.weekWidth).offset(y: Double(1 + 3 * index))
      }
      if rows >= 7 {
        bestWord.offset(y: 7)
        weekStatus.offset(y: 7)
      }
    }
    .offset(x: Double(layout.weekColumn), y: Double(layout.bodyTop))
  }

  /// Below the games: one line.
  private func narrowWeek(_ layout: Layout) -> Node {
    .group {
      GameMode.allCases.enumerated().map { index, mode in
        Node.group {
          Node.line("\(mode.rawValue) #", color: Palette.dim)
          if let rank = rank(mode)?.rank {
            Node.rolling(rank, width: "\(rank)".count, color: Palette.title)
              .offset(x: Double(mode.rawValue.count + 2))
          } else {
            Node.line("–", x: mode.rawValue.count + 2, color: Palette.dim)
          }
        }
        .offset(x: Double(index * (layout.weekWidth / 2)))
      }
    }
    .offset(x: Double(layout.margin), y: Double(layout.narrowWeekRow))
  }

  /// A mode with its place and a bar. It is there before the place is known, and grows from nothing.
  private func place(_ mode: GameMode, width: Int) -> Node {
    let rank = rank(mode)
    let known = rank ?? WeekInReview.Rank(gameMode: mode, outOf: 0, rank: 0)
    let outOf = rank == nil ? "" : " of \(known.outOf)"
    return .group {
      Node.line(mode.rawValue, color: Palette.text)
      if rank == nil {
        // Gone at once: what follows stands in its place.
        Node.line("–", endingAt: width, color: Palette.dim).transition(.identity)
      }
      Node.rolling(known.rank, width: 6, color: Palette.title)
        // The words take their room at once, so that the number never slides through them.
        .transaction({ $0.animation = nil }) { $0.offset(x: Double(width - outOf.count - 6)) }
        .opacity(rank == nil ? 0 : 1)
      // Words of another length are others, and do not slide into one another's place.
      Node.line(outOf, endingAt: width, color: Palette.dim).id(outOf).transition(.replacing)
      Node.bar(rank?.part ?? 0, width: width, color: Palette.title, hasColors: hasColors)
        .offset(y: 1)
    }
  }

  private var bestWord: Node {
    let word = home.weekInReview?.word
    return .group {
      if let word {
        Node.group {
          Node.line("best word", color: Palette.dim)
          Node.line(word.letters, x: 10, color: Palette.yours)
          Node.line("\(word.score)", x: 11 + word.letters.count, color: Palette.text)
        }
        .id(word.letters)
        .transition(.offset(x: 8).combined(with: .opacity))
      }
    }
  }

  /// The text in place of a week that cannot be reviewed.
  private var weekStatus: Node {
    .group {
      if home.weekInReview == nil, !home.loading.contains(.weekInReview) {
        Node.line("unknown", color: Palette.dim).transition(.opacity)
      }
    }
  }

  private func rank(_ mode: GameMode) -> WeekInReview.Rank? {
    home.weekInReview?.ranks.first { $0.gameMode == mode }
  }
}

extension WeekInReview.Rank {
  /// The quality of the rank: 1 for the first, towards 0 for the last.
  fileprivate var part: Double {
    guard outOf > 0 else { return 0 }
    return min(max(1 - (Double(rank) - 1) / Double(outOf), 0), 1)
  }
}
