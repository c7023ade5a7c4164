// A difference between two states of the screen, in a few words.

import Foundation

/// A field that has changed, and what it is now.
public struct Change: Equatable, Sendable {
  /// The name of the field.
  public var field: String
  /// Its value now, in a few words.
  public var words: String

  /// A field, and its value now.
  public init(_ field: String, _ words: String) {
    self.field = field
    self.words = words
  }
}

extension Home.State {
  /// The differences from an earlier state, field by field in the order of the screen. A part that has
  /// just been answered is told also where the answer is what was there before; not where there was
  /// no answer, which is told as a problem.
  ///
  /// - Parameters:
  ///   - old: The earlier state.
  ///   - now: The date, for what is said about times.
  public func changes(since old: Home.State, at now: Date) -> [Change] {
    var changes: [Change] = []
    func compare<Value: Equatable>(
      _ field: String,
      _ part: Home.Part? = nil,
      failed: Bool = false,
      _ value: (Home.State) -> Value,
      _ words: (Value) -> String
    ) {
      let isAnswered = part.map { old.loading.contains($0) && !loading.contains($0) } ?? false
      guard isAnswered && !failed || value(old) != value(self) else { return }
      changes.append(Change(field, words(value(self))))
    }

    compare("saved games", .savedGames, failed: problems[.files] != nil, \.savedGames) {
      Self.words(for: $0)
    }
    compare("player", .localPlayer, \.localPlayer) { $0?.displayName.onOneLine ?? "none" }
    compare("daily challenges", .dailyChallenges, \.dailyChallenges) { challenges in
      dailyChallengeText + (challenges == nil ? "" : " (\(Self.words(forTimeLeftAt: now)))")
    }
    compare("week in review", .weekInReview, \.weekInReview) {
      $0.map(Self.words(for:)) ?? "unknown"
    }
    compare("matches", .matches, failed: problems[.matches] != nil, \.activeMatches) {
      Self.words(for: $0, at: now)
    }
    compare("past matches", nil, \.hasPastMatches) { $0 ? "some" : "none" }
    compare("destination", nil, \.destination) { $0.map(Self.words(for:)) ?? "home" }
    for source in Source.allCases {
      compare("\(source.rawValue) problem", nil, \.problems[source]) { $0 ?? "gone" }
    }
    compare("change of a match", nil, \.failedChange) { failed in
      failed.map { "\($0.change.words), \($0.problem)" } ?? "tried again"
    }
    if let words = words(forLoadingSince: old) { changes.append(Change("loading", words)) }
    return changes
  }

  /// The parts that have begun to load in words, or that nothing is loading any more.
  private func words(forLoadingSince old: Home.State) -> String? {
    let begun = loading.subtracting(old.loading)
    guard begun.isEmpty else {
      guard begun.count < Home.Part.allCases.count else { return "everything" }
      return Home.Part.allCases.filter(begun.contains).map(\.rawValue).joined(separator: ", ")
    }
    return isLoaded && !old.isLoaded ? "done" : nil
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

  private static func words(for matches: [TurnBasedMatch], at now: Date) -> String {
    guard !matches.isEmpty else { return "none" }
    return matches.map { match in
      let turn = match.isYourTurn ? "your turn" : "their turn"
      return "\(match.opponent.onOneLine) (\(turn)\(match.offersPoke(at: now) ? ", poke?" : ""))"
    }
    .joined(separator: ", ")
  }

  private static func words(forTimeLeftAt now: Date) -> String {
    let minutes = Int((timeLeft(at: now) / .seconds(60)).rounded(.up))
    return "\(minutes / 60) h \(minutes % 60) min left"
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

  private static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }
}
