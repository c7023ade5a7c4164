// A short round: characters, words that are made of them, points, and a clock if it is timed.

import RondoHomeFeature

/// A short round with nine characters. Each can be used once in a word.
public struct Round: Codable, Equatable, Sendable {
  /// A word that has been found.
  public struct Word: Codable, Equatable, Sendable {
    public var letters: String
    public var points: Int
  }

  public var mode: GameMode
  public var letters: [Character]

  /// The word that is being typed.
  public var typed = ""

  /// The words found so far, the newest last.
  public var words: [Word] = []

  /// The seconds that are left; `nil` in an unlimited round.
  public var secondsLeft: Int?

  /// The answer to the last word.
  public var answer = ""

  /// The seconds that a timed round takes.
  public static let duration = 60

  /// A round with the characters on top of a game's cubes.
  public init(_ game: SavedGame) {
    mode = game.gameMode
    letters = (0..<3).flatMap { y in
      (0..<3).flatMap { x in Array(game.cubes[x][y][2].top.letter.prefix(1)) }
    }
    secondsLeft = mode == .timed ? Self.duration : nil
  }

  /// The points of all words.
  public var points: Int { words.reduce(0) { $0 + $1.points } }

  public var isOver: Bool { secondsLeft == 0 }

  /// Adds a character to the word, if it is still there.
  public mutating func type(_ letter: Character) {
    guard !isOver, let letter = letter.uppercased().first else { return }
    let used = typed.filter { $0 == letter }.count
    guard used < letters.filter({ $0 == letter }).count else {
      answer = "no \(letter) is left"
      return
    }
    typed.append(letter)
    answer = ""
  }

  /// Takes the last character back.
  public mutating func erase() {
    typed = String(typed.dropLast())
    answer = ""
  }

  /// Finds the typed word, or says why it does not count.
  public mutating func submit() {
    guard !isOver, !typed.isEmpty else { return }
    defer { typed = "" }
    guard typed.count >= 3 else { return answer = "\(typed) is too short" }
    guard !words.contains(where: { $0.letters == typed }) else {
      return answer = "\(typed) has been found"
    }
    guard typed.contains(where: "AEIOUY".contains) else {
      return answer = "\(typed) cannot be said"
    }
    let word = Word(letters: typed, points: Self.points(for: typed))
    words.append(word)
    answer = "+\(word.points)"
  }

  /// Lets a second of a timed round pass.
  public mutating func passSecond() {
    secondsLeft = secondsLeft.map { max(1, $0) - 1 }
    if isOver { typed = "" }
  }

  /// The worth of the characters, times their number.
  static func points(for word: String) -> Int {
    let worth = word.reduce(0) { sum, letter in
      switch letter {
      case "J", "Q", "X", "Z": sum + 8
      case "B", "C", "F", "H", "M", "P", "V", "W", "Y", "K": sum + 4
      case "D", "G": sum + 2
      default: sum + 1
      }
    }
    return worth * word.count
  }
}

extension TerminalScreen.State {
  /// The game that is shown, with which a round can be played.
  var shownGame: SavedGame? {
    switch home.destination {
    case .dailyChallenge(let game), .solo(let game): game
    case .match, .settings, .leaderboard, nil: nil
    }
  }
}
