// The places of everything on a screen of some size.

import RondoHomeFeature

/// The rows and columns of the parts of the screen.
///
/// From the top: the title, today's challenges, problems, the active games with the week in review
/// beside or below them, the log, the keys. What does not fit is given up from the bottom of each
/// part.
struct Layout {
  let width: Int
  let height: Int
  let problemRows: Int

  init(_ state: TerminalScreen.State) {
    width = state.size.width
    height = state.size.height
    problemRows = min(
      state.home.problemLines.count, height >= 20 ? 4 : height >= 14 ? 3 : 1)
  }

  /// The smallest screen.
  static let least = ScreenSize(width: 40, height: 10)
  var fits: Bool { width >= Self.least.width && height >= Self.least.height }

  var margin: Int { width >= 60 ? 2 : 1 }
  var isWide: Bool { width >= 64 }

  // MARK: From the top

  let titleRow = 0
  let headlineRow = 1
  let problemTop = 2

  /// The row at which the active games and the week in review begin, with their headings.
  var bodyTop: Int {
    2 + problemRows + (height >= 20 || (height >= 14 && problemRows == 0) ? 1 : 0)
  }

  // MARK: From the bottom

  var keysRow: Int { height - 1 }
  /// The games get the rows of a usual terminal, and the log what is more.
  var logRows: Int {
    guard height >= 20 else { return height >= 14 ? 3 : 1 }
    return 5 + min(15, max(0, height - 28))
  }
  var logHasHeading: Bool { height >= 14 }
  var logTop: Int { keysRow - logRows }
  var logHeadingRow: Int { logTop - 1 }
  var bodyBottom: Int { logHasHeading ? logHeadingRow - 1 : logTop }

  // MARK: The body

  /// The row of the week in review if it is not beside the games.
  var narrowWeekRow: Int { bodyBottom - 1 }
  var weekColumn: Int { isWide ? width * 6 / 10 : margin }
  var weekWidth: Int { width - weekColumn - margin }

  var cardsTop: Int { bodyTop + 1 }
  var cardsBottom: Int { isWide ? bodyBottom : narrowWeekRow }
  var cardRows: Int { max(0, cardsBottom - cardsTop) }
  var cardWidth: Int { isWide ? weekColumn - margin - 3 : width - 2 * margin }

  /// The rows from one card to the next: with a gap, without one, or a line each. A card has one line where there is
  /// little room, however many there are: none loses its second line when others come.
  func cardPitch(count: Int) -> Int {
    guard cardRows >= 6 else { return 1 }
    return cardRows >= 3 * count - 1 ? 3 : 2
  }

  /// Which of some cards are seen, so that the selected one is among them.
  func visibleCards(count: Int, selected: Int) -> Range<Int> {
    let pitch = cardPitch(count: count)
    // Below the last card there need be no gap.
    let fitting = max(1, (pitch == 3 ? cardRows + 1 : cardRows) / pitch)
    let first = min(max(0, selected - fitting + 1), max(0, count - fitting))
    return first..<min(count, first + fitting)
  }
}
