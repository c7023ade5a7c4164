import Foundation
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature

@Suite struct GameCodingTests {
  @Test func savedGamesComeBackAsTheyWere() throws {
    let games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: "today", at: .piDay),
      unlimited: .preview(at: .piDay + 0.123456)
    )
    let bytes = try SavedGamesFile.encode(games)
    #expect(try decodeJSON(SavedGames.self, from: bytes, dates: .deferredToDate) == games)
  }

  @Test(arguments: Randomness.seeds(20))
  func anySavedGamesComeBackAsTheyWere(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let games = SavedGames.random(using: &generator)
    let bytes = try SavedGamesFile.encode(games)
    #expect(try decodeJSON(SavedGames.self, from: bytes, dates: .deferredToDate) == games)
  }

  @Test func datesInFilesAreSecondsSince2001AndKeysAreSorted() throws {
    let game = SavedGame(
      cubes: .preview,
      gameMode: .timed,
      gameStartTime: Date(timeIntervalSinceReferenceDate: 5.5),
      moves: [
        Move(
          playedAt: Date(timeIntervalSinceReferenceDate: 7),
          kind: .removedCube(CubeIndex(x: 0, y: 1, z: 2))
        )
      ]
    )
    let text = String(
      decoding: try SavedGamesFile.encode(SavedGames(unlimited: game)), as: UTF8.self)
    let face = #"{"left":{"letter":"W","useCount":0},"right":{"letter":"O","useCount":0},"#
    #expect(text.hasPrefix(#"{"unlimited":{"cubes":[[["# + face))
    #expect(
      text.hasSuffix(
        #""gameMode":"timed","gameStartTime":5.5,"language":"en","#
          + #""moves":[{"playedAt":7,"removedCube":{"x":0,"y":1,"z":2}}],"secondsPlayed":0}}"#
          + "\n"
      )
    )
  }

  @Test func datesOnTheWireAreSecondsSince1970() throws {
    let text = #"{"endsAt": 86400, "gameMode": "timed", "id": "x", "language": "en"}"#
    let challenge = try decodeJSON(DailyChallenge.self, from: text.utf8, dates: .secondsSince1970)
    #expect(challenge.endsAt == Date(timeIntervalSince1970: 86400))
  }

  @Test func wordsAreReadOffTheCubes() {
    let game = SavedGame.preview(at: .piDay)
    #expect(game.words == ["WORDS", "EVERY"])
    #expect(game.score == 90)
  }

  @Test func absurdScoresDoNotOverflow() {
    let move = Move(playedAt: .piDay, kind: .playedWord(PlayedWord(cells: [], score: .max)))
    var game = SavedGame.preview(at: .piDay)
    game.moves = [move, move]
    #expect(game.score == .max)
  }

  @Test(arguments: [
    (
      #"{"unlimited": 3}"#,
      "$.unlimited: Expected to decode Dictionary<String, Any> but found number instead"
    ),
    (#"{"unlimited": {}}"#, "$.unlimited.cubes: missing"),
    (
      #"{"unlimited": {"cubes": [[],[],[]]}}"#,
      "$.unlimited.cubes[0]: expected three elements, found 0"
    ),
    (#"[]"#, "$: Expected to decode Dictionary<String, Any> but found an array instead"),
  ])
  func aWrongShapeIsNamedByItsPath(text: String, problem: String) {
    #expect(problemOf(text) == problem)
  }

  @Test(arguments: [
    (
      #""left":{"letter":"D","useCount":0}"#, #""left":{"letter":"7","useCount":0}"#,
      #"[0][0][1].left.letter: expected A to Z, or QU, found "7""#
    ),
    (
      #""left":{"letter":"D","useCount":0}"#, #""left":{"letter":7,"useCount":0}"#,
      "[0][0][1].left.letter: Expected to decode String but found number instead"
    ),
    (
      #""left":{"letter":"D","useCount":0}"#, #""left":{"letter":"D","useCount":-1}"#,
      "[0][0][1].left.useCount: expected 0 to 3, found -1"
    ),
    (
      #""left":{"letter":"D","useCount":0}"#, #""left":{"letter":"D","useCount":1.5}"#,
      "[0][0][1].left.useCount: expected 0 to 3"
    ),
    (
      #""left":{"letter":"D","useCount":0}"#, #""left":{"letter":"D"}"#,
      "[0][0][1].left.useCount: missing"
    ),
  ])
  func aWrongFaceIsNamedByItsPath(original: String, damaged: String, problem: String) throws {
    #expect(
      try problemOfPreview(replacing: original, by: damaged) == "$.unlimited.cubes" + problem
    )
  }

  @Test(arguments: [
    (
      #""gameMode":"unlimited""#, #""gameMode":"slow""#,
      #"$.unlimited.gameMode: expected timed or unlimited, found "slow""#
    ),
    (
      #""language":"en""#, #""language":null"#,
      "$.unlimited.language: Cannot get value of type String -- found null value instead"
    ),
    (
      #""score":36"#, #""score":-36"#,
      "$.unlimited.moves[0].playedWord.score: expected 0 or more, found -36"
    ),
    (
      #""score":36"#, #""score":1e400"#,
      "$.unlimited.moves[0].playedWord.score: expected 0 or more"
    ),
    (
      #""removedCube":{"x":2"#, #""removedCube":{"x":3"#,
      "$.unlimited.moves[1].removedCube.x: expected 0, 1 or 2, found 3"
    ),
    (
      #""removedCube":{"x":2"#, #""removedCubes":{"x":3"#,
      "$.unlimited.moves[1]: expected either playedWord or removedCube"
    ),
    (
      #""side":"left""#, #""side":"front""#,
      #"$.unlimited.moves[0].playedWord.cells[0].side: expected left or right or top, found "front""#
    ),
    (
      #""secondsPlayed":45"#, #""secondsPlayed":"45""#,
      "$.unlimited.secondsPlayed: Expected to decode Int but found a string instead"
    ),
  ])
  func aWrongFieldIsNamedByItsPath(original: String, damaged: String, problem: String) throws {
    #expect(try problemOfPreview(replacing: original, by: damaged) == problem)
  }

  @Test func aMissingLayerIsNamedByItsPath() throws {
    let text = try previewText()
    let start = try #require(text.range(of: "[[["))
    let end = try #require(text.range(of: "],[{", range: start.upperBound..<text.endIndex))
    let damaged = text.replacingCharacters(in: start.upperBound..<end.upperBound, with: "{")
    #expect(problemOf(damaged) == "$.unlimited.cubes[0]: expected three elements, found 2")
  }

  private func previewText() throws -> String {
    let games = SavedGames(unlimited: .preview(at: .piDay))
    return String(decoding: try SavedGamesFile.encode(games), as: UTF8.self)
  }

  private func problemOfPreview(replacing original: String, by damaged: String) throws -> String? {
    let text = try previewText()
    let range = try #require(text.range(of: original))
    return problemOf(text.replacingCharacters(in: range, with: damaged))
  }

  private func problemOf(_ text: String) -> String? {
    do {
      _ = try decodeJSON(SavedGames.self, from: text.utf8, dates: .deferredToDate)
      return nil
    } catch {
      return error.description
    }
  }
}
