import Foundation
import RondoProcesses
import RondoSeededRandomness
import Testing

/// The built program on a real pseudo-terminal, as somebody in front of it sees it.
@Suite struct TerminalProgramTests {
  let directory = TemporaryFolder()

  @Test func theLaunchIsShown() throws {
    let terminal = try started()
    #expect(terminal.grid.isAlternate)
    #expect(!terminal.grid.isCursorVisible)
    #expect(terminal.grid.lines[0].hasPrefix("  isowords"))
    for text in ["Blob Sr.", "your turn", "12 of 230", "LAUNCHES", "dailyChallengeResponse"] {
      #expect(terminal.grid.contains(text), "\(text) is not shown.")
    }
  }

  @Test func aKeyOpensAndAKeyCloses() throws {
    let terminal = try started()
    let ways = ["\u{1b}", "b", "\u{7f}"]
    let opened = [
      ("?", "refresh, or try again"), ("d", "t starts it"), ("s", "No game is saved."),
      ("l", "The last seven days"), (",", "saved games: 0"), ("\r", "Match with Blob Sr."),
      ("2", "Match with Blob Esq."), ("t", "Daily challenge, timed"),
      ("u", "Daily challenge, unlimited"),
    ]
    for (index, (key, text)) in opened.enumerated() {
      terminal.type(key)
      #expect(terminal.read { $0.contains(text) }, "\(key)")
      terminal.type(ways[index % ways.count])
      #expect(terminal.read { !$0.contains(text) && $0.contains("Blob Esq.") }, "\(key)")
    }
  }

  @Test func aKeyIsAnswered() throws {
    let terminal = try started(height: 60)
    // The refresh is the last: what it is answered pushes other lines of the log away.
    for (keys, text) in [
      ("j", "▸2 Blob Esq."), ("k", "▸1 Blob Sr."), ("\u{1b}[B", "▸2 Blob Esq."),
      ("xx", "deleteMatch"), ("jp", "pokeTapped"), ("z", "onDisappear"), ("r", "refresh "),
    ] {
      terminal.type(keys)
      #expect(terminal.read { $0.contains(text) }, "\(keys)")
    }
  }

  @Test func aFailureIsShownAndTryingAgainTriesAgain() throws {
    let terminal = try PseudoTerminal(
      Repository.program, arguments + ["--fail", "server", "--fail", "matches"])
    #expect(
      terminal.read {
        $0.contains("✗ server: the server answered with status 503")
          && $0.contains("✗ matches: the game service cannot be reached")
      }
    )
    terminal.type("r")
    #expect(terminal.read { !$0.contains("✗ server") })
    #expect(terminal.read { $0.contains("✗ server: the server answered with status 503") })
  }

  @Test func itFitsIntoASmallTerminalAndBack() throws {
    let terminal = try started()
    terminal.resize(width: 40, height: 10)
    #expect(terminal.read { $0.contains("? help") && $0.contains("Blob Sr.") })
    #expect(terminal.grid.lines[9].contains("? help"))
    terminal.resize(width: 80, height: 24)
    #expect(terminal.read { $0.lines[23].contains("q quit") && $0.contains("WEEK IN REVIEW") })
  }

  // MARK: Ways out

  @Test(arguments: ["q", "\u{4}"])
  func aKeyEndsItAndTheTerminalIsAsBefore(key: String) throws {
    let terminal = try started()
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == 0)
    terminal.type(key)
    try expectGivenBack(terminal)
    #expect(terminal.status == 0)
    // After the program ends, the terminal shows a summary and the option that records a session.
    let rest = try #require(terminal.output.range(of: "\u{1b}[?1049l")).upperBound
    #expect(terminal.output[rest...].contains(/\d tagged, \d untagged\./))
    #expect(terminal.output[rest...].contains("--record FILE"))
  }

  @Test func whoHasRecordedIsToldHowToLookAtIt() throws {
    let file = directory.path("session.jsonl")
    let terminal = try PseudoTerminal(Repository.program, arguments + ["--record", file])
    #expect(terminal.read { $0.contains("28 people have already played!") })
    terminal.type("q")
    try expectGivenBack(terminal)
    #expect(terminal.output.replacing(/\s+/, with: " ").contains("rondo view \(file) -o page.html"))
  }

  @Test func theHelpSaysWhySomethingMoves() throws {
    let terminal = try started()
    terminal.type("?")
    #expect(
      terminal.read {
        $0.contains("What has a tag such as .default moves, and what gives way.")
          && $0.contains("q Ctrl-D, Ctrl-C")
      })
  }

  /// Without colours panels take the place of each other at once.
  @Test func withoutColoursItSaysThatPanelsDoNotSlide() throws {
    let terminal = try started(["NO_COLOR": "1"])
    terminal.type("?")
    #expect(terminal.read { $0.contains("without colours, panels, cards and lines do not slide.") })
    terminal.type("q")
    try expectGivenBack(terminal)
    let rest = try #require(terminal.output.range(of: "\u{1b}[?1049l")).upperBound
    #expect(
      terminal.output[rest...].contains(/\d untagged; without colours, nothing slides\./))
  }

  @Test func theLogThatIsNamedIsThatOfTheSameLaunch() throws {
    let terminal = try PseudoTerminal(
      Repository.program,
      arguments + ["--fail", "auth", "--latency", "server=1.5ms", "--seed", "7"])
    #expect(terminal.read { $0.contains("28 people have already played!") })
    terminal.type("q")
    try expectGivenBack(terminal)
    #expect(
      terminal.output.replacing(/\s+/, with: " ").contains(
        "isowords-home --virtual-time --seed 7 --fail auth --latency server=1.5ms. To look"))
  }

  @Test func aSignalEndsItAndTheTerminalIsAsBefore() throws {
    let terminal = try started()
    terminal.send(SIGINT)
    try expectGivenBack(terminal)
    #expect(terminal.status == SIGINT && terminal.hasEndedBySignal)
  }

  @Test func aProblemWithFilesIsSaidOnceTheScreenHasGone() throws {
    let terminal = try PseudoTerminal(Repository.program, arguments + ["--fail", "files"])
    #expect(terminal.read { $0.contains("28 people") })
    terminal.type("q")
    try expectGivenBack(terminal)
    #expect(terminal.status == 74)
    let rest = try #require(terminal.output.range(of: "\u{1b}[?1049l")).upperBound
    #expect(terminal.output[rest...].contains("cannot be read: Input/output error (simulated)"))
  }

  @Test func onceItEndsByItselfAndLeavesThePicture() throws {
    let terminal = try PseudoTerminal(Repository.program, arguments + ["--once"])
    terminal.readToEnd()
    #expect(terminal.status == 0)
    let rest = try #require(terminal.output.range(of: "\u{1b}[?1049l")).upperBound
    #expect(terminal.output[rest...].contains("28 people have already played!"))
  }

  // MARK: Colours

  @Test(arguments: [
    (["COLORTERM": "truecolor"], "\u{1b}[38;2;"), (["TERM": "xterm-256color"], "\u{1b}[38;5;"),
    (["TERM": "xterm"], "\u{1b}[9"),
  ])
  func coloursAreThoseOfTheTerminal(environment: [String: String], sequence: String) throws {
    let terminal = try started(environment)
    #expect(terminal.output.contains(sequence))
  }

  @Test func whoeverWantsNoColoursGetsNone() throws {
    let terminal = try started(["NO_COLOR": "1", "COLORTERM": "truecolor"])
    #expect(!terminal.output.contains(/\u{1b}\[[0-9;]*[1-9][0-9;]*m/))
  }

  @Test func aTerminalThatKnowsNoPlacesGetsTheLog() throws {
    let terminal = try PseudoTerminal(Repository.program, arguments, ["TERM": "dumb"])
    terminal.readToEnd()
    #expect(terminal.status == 0)
    #expect(terminal.output.contains("loading: done"))
    #expect(!terminal.output.contains("\u{1b}"))
  }

  // MARK: Support

  private var arguments: [String] { ["--data", directory.path] }

  /// The program, once the launch has been answered and nothing moves any more.
  private func started(
    _ environment: [String: String] = [:], height: Int = 24
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(Repository.program, arguments, environment, height: height)
    // The tag has brackets where there are no colours.
    let tags = ["    [.default]", "     .default"]
    let isShown = terminal.read { grid in
      grid.contains("28 people have already played!") && grid.contains("LAUNCHES 312")
        && grid.contains("12 of 230")
        && tags.contains { grid.contains("dailyChallengeResponse\($0)") }
    }
    #expect(isShown)
    return terminal
  }

  /// Expects the end, and the terminal to be what it was in the beginning.
  private func expectGivenBack(_ terminal: PseudoTerminal) throws {
    terminal.readToEnd()
    #expect(!terminal.grid.isAlternate)
    #expect(terminal.grid.isCursorVisible)
    #expect(terminal.output.contains("\u{1b}[?7h"))
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }
}
