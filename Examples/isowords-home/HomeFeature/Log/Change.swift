// A difference between two states of the screen, in a few words.

/// A field that has changed, and what it is now.
public struct Change: Equatable, Sendable {
  public var field: String
  public var words: String

  public init(_ field: String, _ words: String) {
    self.field = field
    self.words = words
  }
}

extension Home.State {
  /// What differs from an earlier state, field by field in the order of the screen.
  public func changes(since old: Home.State) -> [Change] {
    var changes: [Change] = []
    func compare<Value: Equatable>(
      _ field: String,
      _ value: (Home.State) -> Value,
      _ words: (Value) -> String
    ) {
      guard value(old) != value(self) else { return }
      changes.append(Change(field, words(value(self))))
    }

    compare("saved games", \.savedGames) { Self.words(for: $0) }
    compare("player", \.localPlayer) { $0?.displayName.onOneLine ?? "none" }
    compare("daily challenges", \.dailyChallenges) { _ in dailyChallengeText }
    compare("week in review", \.weekInReview) { $0.map(Self.words(for:)) ?? "unknown" }
    compare("matches", \.activeMatches) { Self.words(for: $0) }
    compare("past matches", \.hasPastMatches) { $0 ? "some" : "none" }
    compare("destination", \.destination) { $0.map(Self.words(for:)) ?? "home" }
    for source in Source.allCases {
      compare("\(source.rawValue) problem", \.problems[source]) { $0 ?? "gone" }
    }
    compare("loading", \.loading) { Self.words(for: $0) }
    return changes
  }
}

// MARK: - Words

extension Home.State {
  private static func words(for games: SavedGames) -> String {
    let words = [
      games.dailyChallengeUnlimited.map { "daily challenge, \(Self.words(for: $0))" },
      games.unlimited.map { "unlimited, \(Self.words(for: $0))" },
    ].compactMap(\.self)
    return words.isEmpty ? "none" : words.joined(separator: "; ")
  }

  private static func words(for game: SavedGame) -> String {
    "\(count(game.words.count, "word")), \(count(game.score, "point"))"
  }

  private static func words(for week: WeekInReview) -> String {
    let ranks = week.ranks.map { "\($0.gameMode.rawValue) \($0.rank) of \($0.outOf)" }
    let word = week.word.map { ["best word \($0.letters.onOneLine) (\($0.score))"] } ?? []
    return (ranks + word).joined(separator: ", ")
  }

  private static func words(for matches: [TurnBasedMatch]) -> String {
    guard !matches.isEmpty else { return "none" }
    return matches.map { match in
      "\(match.opponent.onOneLine) (\(match.isYourTurn ? "your turn" : "their turn"))"
    }
    .joined(separator: ", ")
  }

  private static func words(for destination: Home.Destination) -> String {
    switch destination {
    case .dailyChallenge(nil): "daily challenges"
    case .dailyChallenge(let game?): "daily challenge, \(words(for: game))"
    case .solo(nil): "solo"
    case .solo(let game?): "solo, \(words(for: game))"
    case .match(let id): "match \(id.onOneLine)"
    case .settings: "settings"
    case .leaderboard: "leaderboard"
    }
  }

  private static func words(for parts: Set<Home.Part>) -> String {
    switch parts.count {
    case 0: "done"
    case Home.Part.allCases.count: "all"
    default: Home.Part.allCases.filter(parts.contains).map(\.rawValue).joined(separator: ", ")
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
