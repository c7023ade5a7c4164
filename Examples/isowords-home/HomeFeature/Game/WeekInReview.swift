// The player's results in the last seven days.

/// The player's best places and best word of the week.
public struct WeekInReview: Codable, Equatable, Sendable {
  /// A place among the players of one mode.
  public struct Rank: Codable, Equatable, Sendable {
    /// The mode that was played.
    public var gameMode: GameMode
    /// The number of players.
    public var outOf: Int
    /// The place, from 1 on.
    public var rank: Int

    /// A place; each parameter is the property of its name.
    public init(gameMode: GameMode, outOf: Int, rank: Int) {
      self.gameMode = gameMode
      self.outOf = outOf
      self.rank = rank
    }
  }

  /// A word and what it won.
  public struct Word: Codable, Equatable, Sendable {
    /// The word, such as `LAUNCHES`.
    public var letters: String
    /// The points that it has won.
    public var score: Int

    /// A word; each parameter is the property of its name.
    public init(letters: String, score: Int) {
      self.letters = letters
      self.score = score
    }
  }

  /// The best place in each mode that was played.
  public var ranks: [Rank]
  /// The best word; `nil` where none was played.
  public var word: Word?

  /// A week; each parameter is the property of its name.
  public init(ranks: [Rank], word: Word? = nil) {
    self.ranks = ranks
    self.word = word
  }
}
