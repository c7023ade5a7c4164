// Games to look at, for previews, tests and the sample data directory.

import Foundation

extension Puzzle {
  /// A puzzle whose faces spell a sentence in the order of their cells.
  public static let preview = Puzzle { x in
    Three<Three<Cube>> { y in
      Three<Cube> { z in
        let position = (x * 9 + y * 3 + z) * 3
        return Cube(
          left: CubeFace(letter: letter(position)),
          right: CubeFace(letter: letter(position + 1)),
          top: CubeFace(letter: letter(position + 2))
        )
      }
    }
  }

  /// The cells whose faces ``preview`` spells a word with, from its first appearance.
  public static func previewCells(for word: String) -> [Cell] {
    let sentence = Array(previewSentence)
    let letters = Array(word)
    let starts = 0...(sentence.count - letters.count)
    let start = starts.first { Array(sentence[$0..<$0 + letters.count]) == letters } ?? 0
    return (start..<start + letters.count).map(cell)
  }

  private static let previewSentence =
    "WORDSHIDEONTHESIDESOFEVERYCUBEANDEACHLETTERTHATISTAKENTHREETIMESTAKESITSCUBEALONG"

  private static func letter(_ position: Int) -> String {
    let sentence = previewSentence
    return String(sentence[sentence.index(sentence.startIndex, offsetBy: position)])
  }

  private static func cell(_ position: Int) -> Cell {
    Cell(
      index: CubeIndex(x: position / 27, y: position / 9 % 3, z: position / 3 % 3),
      side: CubeFace.Side.allCases[position % 3]
    )
  }
}

extension SavedGame {
  /// A game with two words played and a cube removed.
  ///
  /// - Parameters:
  ///   - id: The daily challenge that it is played for, if it is.
  ///   - date: When it was begun.
  public static func preview(dailyChallengeId id: DailyChallenge.ID? = nil, at date: Date) -> Self {
    let word = { (letters: String, score: Int, seconds: TimeInterval) in
      Move(
        playedAt: date + seconds,
        kind: .playedWord(PlayedWord(cells: Puzzle.previewCells(for: letters), score: score))
      )
    }
    return SavedGame(
      cubes: .preview,
      dailyChallengeId: id,
      gameMode: .unlimited,
      gameStartTime: date,
      moves: [
        word("WORDS", 36, 12),
        Move(playedAt: date + 30, kind: .removedCube(CubeIndex(x: 2, y: 2, z: 2))),
        word("EVERY", 54, 41.5),
      ],
      secondsPlayed: 45
    )
  }
}
