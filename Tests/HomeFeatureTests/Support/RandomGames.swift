// Saved games drawn from a seed.

import Foundation

@testable import RondoHomeFeature

extension SavedGames {
  static func random(using generator: inout SplitMix64) -> SavedGames {
    SavedGames(
      dailyChallengeUnlimited: Bool.random(using: &generator) ? .random(using: &generator) : nil,
      unlimited: Bool.random(using: &generator) ? .random(using: &generator) : nil
    )
  }
}

extension SavedGame {
  static func random(using generator: inout SplitMix64) -> SavedGame {
    SavedGame(
      cubes: Puzzle { _ in
        Three<Three<Cube>> { _ in Three<Cube> { _ in .random(using: &generator) } }
      },
      dailyChallengeId: Bool.random(using: &generator) ? "é\"\\\n\u{0}" : nil,
      gameMode: GameMode.allCases.randomElement(using: &generator)!,
      gameStartTime: .random(using: &generator),
      moves: (0..<Int.random(in: 0..<6, using: &generator)).map { _ in .random(using: &generator) },
      secondsPlayed: .random(in: 0 ... .max, using: &generator)
    )
  }
}

extension Cube {
  fileprivate static func random(using generator: inout SplitMix64) -> Cube {
    Cube(
      left: .random(using: &generator),
      right: .random(using: &generator),
      top: .random(using: &generator)
    )
  }
}

extension CubeFace {
  fileprivate static func random(using generator: inout SplitMix64) -> CubeFace {
    CubeFace(
      letter: ["A", "E", "QU", "Z"].randomElement(using: &generator)!,
      useCount: .random(in: 0...3, using: &generator)
    )
  }
}

extension Move {
  fileprivate static func random(using generator: inout SplitMix64) -> Move {
    let cell = Cell(
      index: .random(using: &generator),
      side: CubeFace.Side.allCases.randomElement(using: &generator)!
    )
    let word = PlayedWord(cells: [cell], score: .random(in: 0 ... .max, using: &generator))
    return Move(
      playedAt: .random(using: &generator),
      kind: Bool.random(using: &generator)
        ? .playedWord(word) : .removedCube(.random(using: &generator))
    )
  }
}

extension CubeIndex {
  fileprivate static func random(using generator: inout SplitMix64) -> CubeIndex {
    CubeIndex(
      x: .random(in: 0...2, using: &generator),
      y: .random(in: 0...2, using: &generator),
      z: .random(in: 0...2, using: &generator)
    )
  }
}

extension Date {
  fileprivate static func random(using generator: inout SplitMix64) -> Date {
    Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e10, using: &generator))
  }
}
