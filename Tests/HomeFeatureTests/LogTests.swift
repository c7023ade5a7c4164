import Foundation
import Testing

@testable import RondoHomeFeature

@Suite struct LogTests {
  let tagged = LogEntry(
    time: .milliseconds(1234),
    actions: ["matchesLoaded"],
    tag: ".default",
    isUntagged: false,
    receivedOn: "mainQueue.animation()",
    effect: "gameService.loadMatches",
    changes: [Change("matches", "Blob (your turn)"), Change("loading", "done")]
  )

  let untagged = LogEntry(
    time: .microseconds(12_999),
    actions: ["onAppear", "turnEvent"],
    tag: "untagged",
    isUntagged: true,
    changes: []
  )

  @Test func plainLinesHaveColumns() {
    let style = LogStyle.plain(colored: false)
    #expect(
      [style.line(for: untagged), style.line(for: tagged)] == [
        "  0.013 s  onAppear + turnEvent      untagged                             nothing changed",
        "  1.234 s  matchesLoaded             [.default] on mainQueue.animation()  "
          + "matches: Blob (your turn); loading: done",
      ]
    )
  }

  @Test func linesBreakBetweenWordsWhereAWidthEnds() {
    let style = LogStyle.plain(colored: false)
    #expect(
      style.line(for: tagged, width: 80) == """
          1.234 s  matchesLoaded             [.default] on mainQueue.animation()
                   matches: Blob (your turn); loading: done
        """)
    #expect(
      style.line(for: tagged, width: 40) == """
          1.234 s  matchesLoaded             [.default] on mainQueue.animation()
                   matches: Blob (your turn);
                   loading: done
        """)
    #expect(style.line(for: tagged, width: 114) == style.line(for: tagged))
  }

  // S5
  @Test func tagsAndFailuresAreToldWithoutColours() {
    var failed = tagged
    failed.actions = ["matchesLoaded(failure)"]
    let line = LogStyle.plain(colored: false).line(for: failed)
    #expect(line.hasPrefix("  1.234 s  matchesLoaded ✗           [.default] on"))
    #expect(LogStyle.json.line(for: failed).contains(#""actions":["matchesLoaded(failure)"]"#))
  }

  @Test func coloursShowTheTagAtAGlance() {
    let style = LogStyle.plain(colored: true)
    #expect(style.line(for: tagged).contains("\u{1b}[30;43m[.default]\u{1b}[0m"))
    #expect(style.line(for: untagged).contains("\u{1b}[2muntagged\u{1b}[0m"))
  }

  @Test func coloursOnlyAddColours() {
    for entry in [tagged, untagged] {
      let colored = LogStyle.plain(colored: true).line(for: entry)
      #expect(
        colored.replacing(/\u{1b}\[[0-9;]*m/, with: "")
          == LogStyle.plain(colored: false).line(for: entry)
      )
    }
  }

  @Test func jsonLinesHaveTheirKeysInOrder() {
    #expect(
      LogStyle.json.line(for: tagged)
        == #"{"ms":1234,"actions":["matchesLoaded"],"tag":".default","receivedOn":"mainQueue.animation()","#
        + #""sentFrom":null,"effect":"gameService.loadMatches","changes":["#
        + #"{"field":"matches","now":"Blob (your turn)"},{"field":"loading","now":"done"}]}"#
    )
  }

  @Test func changesAreInTheOrderOfTheScreen() {
    let old = Home.State()
    var new = old
    new.loading = [.matches, .weekInReview]
    new.problems = [.server: "refused"]
    new.destination = .settings
    new.savedGames.unlimited = .preview(at: .piDay)
    #expect(
      new.changes(since: old, at: .piDay) == [
        Change("saved games", "unlimited, 2 words, 90 points"),
        Change("destination", "settings"),
        Change("server problem", "refused"),
        Change("loading", "weekInReview, matches"),
      ]
    )
    new.destination = .dailyChallenge(.preview(at: .piDay))
    #expect(new.changes(since: old, at: .piDay)[1].words == "daily challenge, 2 words, 90 points")
  }

  @Test func whatHasFailedIsNotToldAsIfItHadBeenAnswered() {
    var old = Home.State()
    old.loading = [.matches, .savedGames]
    var new = Home.State()
    new.problems = [.files: "gone", .matches: "refused"]
    #expect(
      new.changes(since: old, at: .piDay) == [
        Change("files problem", "gone"), Change("matches problem", "refused"),
        Change("loading", "done"),
      ])
  }

  @Test func nothingChanged() {
    #expect(Home.State().changes(since: Home.State(), at: .piDay) == [])
  }

  @Test func whatOthersHaveWrittenCannotForgeALine() {
    var state = Home.State()
    state.localPlayer = LocalPlayer(displayName: "Blob\n0.000 s  \u{1b}[31m", id: "1")
    #expect(
      state.changes(since: Home.State(), at: .piDay) == [
        Change("player", #"Blob\n0.000 s  \u001b[31m"#)
      ])
  }
}
