// The moves of players in a game.

import Foundation

/// A played word or a removed cube, and when.
///
/// In JSON the kind is the key: `{"playedAt": …, "playedWord": {"cells": […], "score": 12}}` or
/// `{"playedAt": …, "removedCube": {"x": 0, "y": 1, "z": 2}}`.
public struct Move: Equatable, Sendable {
  /// The kinds of moves.
  public enum Kind: Equatable, Sendable {
    /// A word was played.
    case playedWord(PlayedWord)
    /// A cube was taken away.
    case removedCube(CubeIndex)
  }

  /// The moment at which the move was made.
  public var playedAt: Date
  /// The kind of move.
  public var kind: Kind

  /// A move; each parameter is the property of its name.
  public init(playedAt: Date, kind: Kind) {
    self.playedAt = playedAt
    self.kind = kind
  }

  /// The points that the move has won; none for a removed cube.
  public var score: Int {
    guard case .playedWord(let word) = kind else { return 0 }
    return word.score
  }
}

/// The cells that a word goes through, and what it has won.
public struct PlayedWord: Equatable, Sendable {
  /// The faces that the word goes through, in order.
  public var cells: [Cell]
  /// The points that the word has won.
  public var score: Int

  /// A word; each parameter is the property of its name.
  public init(cells: [Cell], score: Int) {
    self.cells = cells
    self.score = score
  }
}

extension Move: Codable {
  private enum CodingKeys: CodingKey {
    case playedAt, playedWord, removedCube
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    playedAt = try container.decode(Date.self, forKey: .playedAt)
    let word = try container.decodeIfPresent(PlayedWord.self, forKey: .playedWord)
    let cube = try container.decodeIfPresent(CubeIndex.self, forKey: .removedCube)
    switch (word, cube) {
    case (let word?, nil): kind = .playedWord(word)
    case (nil, let cube?): kind = .removedCube(cube)
    default:
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "expected either playedWord or removedCube"
        )
      )
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(playedAt, forKey: .playedAt)
    switch kind {
    case .playedWord(let word): try container.encode(word, forKey: .playedWord)
    case .removedCube(let index): try container.encode(index, forKey: .removedCube)
    }
  }
}

extension PlayedWord: Codable {
  private enum CodingKeys: CodingKey {
    case cells, score
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    cells = try container.decode([Cell].self, forKey: .cells, expecting: "a cell at least") {
      !$0.isEmpty
    }
    score = try container.decode(Int.self, forKey: .score, expecting: "0 or more") { $0 >= 0 }
  }
}
