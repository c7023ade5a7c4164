// The player's results in the last seven days.

/// The player's best places and best word of the week.
public struct WeekInReview: Codable, Equatable, Sendable {
  /// A place among the players of one mode.
  public struct Rank: Codable, Equatable, Sendable {
    public var gameMode: GameMode
    public var outOf: Int
    public var rank: Int

    public init(gameMode: GameMode, outOf: Int, rank: Int) {
      self.gameMode = gameMode
      self.outOf = outOf
      self.rank = rank
    }
  }

  /// A word and what it won.
  public struct Word: Codable, Equatable, Sendable {
    public var letters: String
    public var score: Int

    public init(letters: String, score: Int) {
      self.letters = letters
      self.score = score
    }
  }

  public var ranks: [Rank]
  public var word: Word?

  public init(ranks: [Rank], word: Word? = nil) {
    self.ranks = ranks
    self.word = word
  }
}
