import Foundation
import RondoHomeFeature
import RondoStage
import Testing

@testable import RondoHomeScreen

/// The frames that the screen draws, on virtual time. The tags alone decide which changes animate.
@MainActor @Suite struct ScreenPlayerTests {
  @Test func anUntaggedChangeIsOneFrame() {
    let picture = Picture()
    picture.launch()
    let frames = picture.frames {
      picture.player.store.send(.home(.matchesLoaded(.success([.yours]))))
      picture.timeline.advance(by: .seconds(1))
    }
    #expect(frames.count == 1)
    #expect(!picture.lines.contains { $0.contains("2 Bob") })
  }

  @Test func theSameChangeWithATagMoves() {
    let picture = Picture()
    picture.launch()
    let frames = picture.frames {
      picture.player.store.send(.home(.matchesLoaded(.success([.yours]))), animation: .default)
      picture.timeline.advance(by: .seconds(1))
    }
    // 0.35 s at 60 Hz, the first and the last frame included.
    #expect((20...23).contains(frames.count))
    #expect(frames.first?.text.contains("2 Bob") == true)
    #expect(frames.last?.text.contains("2 Bob") == false)
  }

  @Test func cardsSlideIn() throws {
    let picture = Picture()
    picture.launch()
    let columns = picture.frames.compactMap { frame in
      frame.canvas.text.split(separator: "\n", omittingEmptySubsequences: false).prefix(12)
        .compactMap { line in
          line.range(of: "Ada").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }.first
    }
    let first = try #require(columns.first)
    #expect(first < 2 + 4)
    #expect(columns.last == 6)
    #expect(columns == columns.sorted())
  }

  @Test func theNumberOfPlayersRolls() {
    let picture = Picture()
    picture.launch()
    let numbers = picture.frames.compactMap { frame in
      frame.canvas.text.split(separator: "\n")[1].firstMatch(of: /([0-9]+) people/).flatMap {
        Int($0.1)
      }
    }
    #expect(numbers.last == 28)
    #expect(numbers == numbers.sorted())
    #expect(Set(numbers).count > 10)
  }

  @Test func wordsThatReplaceOthersAreNeverOverThem() {
    let picture = Picture()
    picture.launch()
    let names = Set(
      picture.frames.map { frame in
        frame.canvas.text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix {
          Int($0) == nil
        }.joined(separator: " ")
      })
    #expect(names.subtracting([""]) == ["signing in…", "Blob"])
  }

  @Test func aMillionPlayersAreAllCounted() {
    let picture = Picture()
    picture.launch()
    picture.player.store.send(
      .home(.dailyChallengeResponse(.success([.preview(outOf: 1_234_567)]))))
    #expect(picture.lines[1].contains("1234567 people have already played!"))
  }

  @Test(arguments: [Int.min, 0, .max])
  func noNumberOfAServerIsACrash(number: Int) {
    let picture = Picture()
    picture.launch()
    let rank = WeekInReview.Rank(gameMode: .timed, outOf: .max, rank: number)
    picture.player.store.send(
      .home(.weekInReviewResponse(.success(WeekInReview(ranks: [rank])))), animation: .default)
    picture.player.store.send(
      .home(.dailyChallengeResponse(.success([.preview(outOf: number)]))), animation: .default)
    picture.timeline.advance(by: .seconds(1))
    #expect(picture.player.isStill)
  }

  @Test func theHeadlineCrossFades() throws {
    let picture = Picture()
    picture.player.start()
    picture.timeline.advance(by: .milliseconds(50))
    let before = try #require(picture.frames.last?.canvas[column: 2, row: 1].foreground)
    picture.timeline.advance(by: .seconds(2))
    // In some frames the words are half faded.
    let colors = picture.frames.map { $0.canvas[column: 5, row: 1].foreground }
    #expect(Set(colors).count > 5)
    #expect(before == RGB(red: 0xEC, green: 0xEC, blue: 0xF4))
  }

  @Test func aKeyIsAnsweredByTheNextFrame() {
    let picture = Picture()
    picture.launch()
    let frames = picture.frames { _ = picture.player.press(.character("j")) }
    #expect(frames.count == 1)
    #expect(frames.first?.text.contains("▸2 Bob") == true)
  }

  @Test func onlyWhatHasChangedIsDrawn() throws {
    let picture = Picture()
    picture.launch()
    let before = try #require(picture.frames.last?.canvas)
    _ = picture.player.press(.character("j"))
    let after = try #require(picture.frames.last?.canvas)
    let rows = Set(after.changes(from: before).map(\.row))
    // The two cards.
    #expect(rows == [4, 5, 7, 8])
  }

  @Test func nothingIsDrawnWhileNothingHappens() {
    let picture = Picture()
    picture.launch()
    let frames = picture.frames { picture.timeline.advance(by: .seconds(30)) }
    // One frame at most, for the minute that has begun meanwhile.
    #expect(frames.count <= 1)
    #expect(picture.player.isStill)
  }

  @Test func whatIsOpenedSlidesUpAndFadesAway() {
    let picture = Picture()
    picture.launch()
    let opening = picture.frames {
      _ = picture.player.press(.character("l"))
      picture.timeline.advance(by: .seconds(1))
    }
    #expect(opening.count > 15)
    #expect(picture.lines[3].contains("Leaderboard"))
    let closing = picture.frames {
      _ = picture.player.press(.escape)
      picture.timeline.advance(by: .seconds(1))
    }
    #expect(closing.count > 15)
    #expect(!picture.lines[4].contains("Leaderboard"))
  }

  @Test func theLogSaysWhatTheScreenWasTold() {
    let picture = Picture()
    picture.launch()
    #expect(picture.lines[22].hasPrefix("  0.300 s"))
    #expect(picture.lines[22].contains(".default"))
  }

  @Test func noTwoEntriesOfTheLogAreEverInOneRow() {
    let picture = Picture()
    picture.launch()
    let frames = picture.frames {
      // Each change comes while the one before still moves, with a tag or without.
      for key in "lsr,dslr,ds" {
        _ = picture.player.press(.character(key))
        picture.timeline.advance(by: .milliseconds(90))
      }
      picture.timeline.advance(by: .seconds(2))
    }
    for frame in frames {
      let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[17].hasPrefix("  LAST ACTIONS ───"))
      for line in lines[18..<23] where !line.isEmpty {
        #expect(line.contains(/^\ +\d+\.\d{3} s   [a-zA-Z✗+ ]+ (\.default|untagged)( |$)/))
      }
      #expect(lines[23].wholeMatch(of: /\ \ (. [a-z ]+)+/) != nil)
    }
  }

  /// Where the log has one row, a sheet above it hides entries that come fast and move over several rows.
  @Test(arguments: [ColorAbility.none, .full])
  func theLogIsSeenInItsRowsAlone(ability: ColorAbility) {
    let picture = Picture(size: ScreenSize(width: 40, height: 10), ability: ability)
    picture.launch()
    let frames = picture.frames {
      _ = picture.player.press(.character("l"))
      picture.timeline.advance(by: .seconds(1))
      for key in "r,d,sr," {
        _ = picture.player.press(.character(key))
        picture.timeline.advance(by: .milliseconds(20))
      }
      picture.timeline.advance(by: .seconds(2))
    }
    for frame in frames {
      let lines = frame.text.split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines[2..<8] { #expect(line.count < 40 || line.last == "─", "\(line)") }
    }
  }

  @Test func aNameCannotControlTheTerminal() {
    let picture = Picture(matches: [
      TurnBasedMatch(
        id: "1", opponent: "\u{1b}]0;x\u{7}\u{202e}Eve\n", isYourTurn: true, touchedAt: .piDay)
    ])
    picture.launch()
    #expect(picture.lines[4].contains("·]0;x··Eve·"))
  }

  @Test func moreCardsThanFitScroll() {
    let picture = Picture(
      size: ScreenSize(width: 40, height: 10),
      matches: (1...9).map {
        TurnBasedMatch(
          id: "\($0)", opponent: "Player \($0)", isYourTurn: true,
          touchedAt: .piDay - Double($0))
      }
    )
    picture.launch()
    #expect(picture.lines[2].contains("(5 more)"))
    #expect(picture.lines[3].contains("▸1 Player 1"))
    for _ in 0..<8 { _ = picture.player.press(.down) }
    picture.timeline.advance(by: .seconds(1))
    #expect(picture.lines[6].contains("▸9 Player 9"))
  }

  @Test(arguments: [
    ScreenSize(width: 40, height: 10), ScreenSize(width: 63, height: 15),
    ScreenSize(width: 80, height: 24), ScreenSize(width: 200, height: 60),
    ScreenSize(width: 1, height: 1),
  ])
  func everySizeIsDrawn(size: ScreenSize) {
    let picture = Picture(size: size, failing: [.server])
    picture.launch()
    for key in "?dslj,xprz" { _ = picture.player.press(.character(key)) }
    picture.timeline.advance(by: .seconds(1))
    #expect(picture.frames.last?.canvas.width == size.width)
    #expect(picture.frames.last?.canvas.height == size.height)
  }
}

extension FetchedDailyChallenge {
  /// A challenge that some people have played.
  fileprivate static func preview(outOf: Int) -> Self {
    Self(
      dailyChallenge: DailyChallenge(endsAt: .piDay, gameMode: .timed, id: "1"),
      yourResult: DailyChallengeResult(outOf: outOf))
  }
}
