// A short round, slow motion, and the last ten seconds.

import RondoHomeFeature
import RondoSeededRandomness
import RondoStage
import RondoTerminal
import Testing

@testable import RondoHomeScreen

@MainActor @Suite struct RoundTests {
  private func round(_ mode: GameMode) -> Round {
    var game = SavedGame.preview(at: .piDay)
    game.gameMode = mode
    var round = Round(game)
    round.letters = Array("TEARDROPS")
    return round
  }

  @Test func wordsAreMadeOfTheLetters() {
    var round = round(.unlimited)
    for letter in "teaz" { round.type(letter) }
    #expect(round.typed == "TEA" && round.answer == "no Z is left")
    round.submit()
    #expect(round.words == [Round.Word(letters: "TEA", points: 9)] && round.typed == "")
    for letter in "tea" { round.type(letter) }
    round.submit()
    #expect(round.answer == "TEA has been found" && round.points == 9)
    for letter in "at" { round.type(letter) }
    round.submit()
    #expect(round.answer == "AT is too short")
    for letter in "trps" { round.type(letter) }
    round.erase()
    round.submit()
    #expect(round.answer == "TRP cannot be said")
  }

  @Test func aTimedRoundEndsByTheClockAndAnUnlimitedOneDoesNot() {
    var timed = round(.timed)
    for _ in 0..<Round.duration { timed.passSecond() }
    timed.type("t")
    #expect(timed.isOver && timed.typed == "")
    var unlimited = round(.unlimited)
    for _ in 0..<1_000 { unlimited.passSecond() }
    unlimited.type("t")
    #expect(!unlimited.isOver && unlimited.typed == "T")
    // A recording that somebody has edited may have any number of seconds in it.
    timed.secondsLeft = .min
    timed.passSecond()
    #expect(timed.secondsLeft == 0)
  }

  @Test(arguments: [(Character("t"), true), ("u", false)])
  func aRoundIsPlayedOnTheScreen(_ key: Character, _ isTimed: Bool) throws {
    let picture = Picture()
    picture.launch()
    func press(_ keys: Key...) { for key in keys { #expect(picture.player.press(key)) } }
    press(.character(key))
    picture.timeline.advance(by: .seconds(1))
    #expect(picture.lines.contains { $0.contains("Return plays a short round") })
    press(.enter)
    let letters = try #require(picture.player.store.round?.letters)
    let vowel = try #require(letters.first { "AEIOU".contains($0) })
    var rest = letters
    rest.remove(at: rest.firstIndex(of: vowel)!)
    press(.character(vowel), .character(rest[0]), .character(rest[1]), .enter)
    picture.timeline.advance(by: .seconds(3))
    #expect(picture.lines.contains { $0.contains("1 word, ") })
    #expect(picture.lines.contains { $0.contains(isTimed ? "57 s left" : "no clock") })
    picture.timeline.advance(by: .seconds(90))
    #expect(picture.lines.contains { $0.contains("time is up") } == isTimed)
    press(.escape)
    picture.timeline.advance(by: .seconds(1))
    #expect(picture.player.store.round == nil)
    #expect(picture.lines.contains { $0.contains("Return plays a short round") })
  }

  @Test func slowMotionTakesTenTimesAsLong() {
    let picture = Picture()
    picture.launch()
    func frames() -> Int {
      let frames = picture.frames {
        _ = picture.player.press(.character("l"))
        picture.timeline.advance(by: .seconds(10))
      }
      _ = picture.player.press(.escape)
      picture.timeline.advance(by: .seconds(10))
      return frames.count
    }
    let usual = frames()
    _ = picture.player.press(.character("m"))
    let slow = frames()
    #expect((8 * usual...12 * usual).contains(slow), "\(usual) → \(slow)")
    _ = picture.player.press(.character("m"))
    #expect(frames() == usual)
  }

  // S5
  @Test func theLineAboutTheTimeThatIsLookedAtIsAlone() {
    let picture = Picture()
    picture.launch()
    _ = picture.player.press(.left)
    #expect(picture.lines.last?.hasSuffix("Esc the present") == true, "\(picture.lines)")
  }

  // S5
  @Test func aTallScreenShowsMoreOfTheLog() throws {
    for (height, isSeen) in [(24, false), (40, true)] {
      let picture = Picture(size: ScreenSize(width: 120, height: height))
      picture.launch()
      for _ in 0..<3 {
        _ = picture.player.press(.character("l"))
        _ = picture.player.press(.escape)
      }
      picture.timeline.advance(by: .seconds(1))
      let heading = try #require(picture.lines.firstIndex { $0.contains("LAST ACTIONS") })
      #expect(picture.lines[heading...].contains { $0.contains("onAppear") } == isSeen)
      #expect(picture.lines.count == height)
    }
  }

  // S5
  @Test func withoutColoursOnePanelTakesThePlaceOfAnotherAtOnce() {
    let picture = Picture(ability: .none)
    picture.launch()
    _ = picture.player.press(.character("l"))
    picture.timeline.advance(by: .seconds(1))
    let before = picture.lines
    let frames = picture.frames {
      _ = picture.player.press(.character("?"))
      picture.timeline.advance(by: .seconds(1))
    }
    let texts = frames.map {
      $0.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(before != picture.lines)
    #expect(texts.filter { $0 != before && $0 != picture.lines } == [])
  }

  // S5
  @Test(
    arguments: Soak.arguments(
      [(ColorAbility.none, Set<Source>()), (.none, [.server]), (.full, [])],
      more: [(.full, [.server])]))
  func withoutColoursNothingSlides(ability: ColorAbility, failing: Set<Source>) {
    let picture = Picture(ability: ability, failing: failing)
    var moving: Set<String> = []
    func watch(_ steps: Int) {
      for _ in 0..<steps {
        picture.timeline.advance(by: .milliseconds(20))
        for each in picture.player.shown.animations {
          moving.insert(each.property)
        }
      }
    }
    picture.player.start()
    watch(100)
    // A turn of somebody puts their card elsewhere, and the log goes on.
    picture.timeline.advance(by: .seconds(3596))
    watch(200)
    for key in ["l", "b", "?", "r"] {
      _ = picture.player.press(.character(Character(key)))
      watch(50)
    }
    if ability == .none {
      // Numbers and bars.
      #expect(moving == (failing.isEmpty ? ["shape"] : []))
    } else {
      #expect(moving.isSuperset(of: ["offset", "transition"]), "\(moving)")
    }
  }

  @Test func theLastSecondsAreShownAgainAsTheyWere() throws {
    let picture = Picture()
    picture.launch()
    _ = picture.player.press(.character("l"))
    picture.timeline.advance(by: .seconds(1))
    let present = picture.lines
    var seen: [[String]] = []
    for _ in 0..<12 {
      _ = picture.player.press(.left)
      seen.append(picture.lines)
    }
    #expect(seen.first?.last?.contains("0.1 s ago") == true)
    #expect(seen.contains { !$0.joined().contains("The last seven days") })
    // On the way it is the picture that was drawn then, but for the line that says so.
    let then = picture.frames.first { $0.time >= .milliseconds(2_100) }
    #expect(then != nil)
    for _ in 0..<12 { _ = picture.player.press(.right) }
    #expect(picture.lines == present)
    for _ in 0..<100 { _ = picture.player.press(.left) }
    _ = picture.player.press(.escape)
    #expect(picture.lines == present)
  }

  @Test func thePastIsDrawnAnewInAnotherSize() {
    let picture = Picture()
    picture.launch()
    _ = picture.player.press(.left)
    let frames = picture.frames {
      picture.player.store.send(.resized(ScreenSize(width: 60, height: 20)))
    }
    #expect(frames.last?.width == 60 && frames.last?.height == 20)
    #expect(frames.last?.text.split(separator: "\n").last?.contains("0.1 s ago") == true)
    _ = picture.player.press(.escape)
    #expect(picture.lines.last?.contains("? help") == true)
  }

  @Test func aPastThatIsTooLongAgoIsTheEarliestThatIsKept() {
    let picture = Picture()
    picture.launch()
    _ = picture.player.press(.left)
    for index in 0..<60 {
      picture.timeline.advance(by: .seconds(1))
      _ = picture.player.store.send(.resized(ScreenSize(width: 60 + index % 2, height: 20)))
    }
    #expect(picture.lines.first?.contains("isowords") == true)
    #expect(picture.lines.last?.contains("10.0 s ago") == true)
  }
}
