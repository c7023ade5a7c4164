// Programs on a pseudo-terminal, as somebody in front of it sees them.

import Foundation
import RondoProcesses
import RondoSeededRandomness
import Testing

@testable import RondoTerminal

@Suite struct TerminalTests {
  private func started(
    _ name: String = "terminal-probe",
    _ arguments: [String] = [],
    until text: String = "ready",
    _ environment: [String: String] = [:],
    width: Int = 80,
    hasShell: Bool = false
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(
      builtProgram(name), arguments, environment, width: width, hasShell: hasShell)
    #expect(terminal.read { $0.contains(text) }, "\(terminal.output.debugDescription)")
    return terminal
  }

  /// Expects the end, and the terminal to be the one that it was in the beginning.
  private func expectGivenBack(_ terminal: PseudoTerminal, status: Int32) {
    terminal.readToEnd()
    #expect(terminal.status == status)
    #expect(!terminal.grid.isAlternate)
    #expect(terminal.grid.isCursorVisible)
    for mode in ["?7h", "?2004l", "?1002l", "?1006l"] {
      #expect(terminal.output.contains("\u{1b}[\(mode)"))
    }
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }

  // MARK: What comes in

  @Test(arguments: [
    ("x", "key(Key.character(\"x\"))"), ("\u{1b}[5~", "pageUp"),
    ("\u{1b}[200~two words\u{1b}[201~", "paste(\"two words\")"),
    ("\u{1b}[<0;10;4M", "column: 9, row: 3"),
    ("\u{1b}[", "character(\"[\")"), ("\u{1b}O", "character(\"O\")"),
  ])
  func anEventIsHandedToTheProgram(_ keys: String, _ text: String) throws {
    let terminal = try started()
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == 0)
    terminal.type(keys)
    #expect(terminal.read { $0.contains(text) })
  }

  @Test func aKeyAfterAltAndABracketIsNotSwallowed() throws {
    let terminal = try started()
    terminal.type("\u{1b}[")
    #expect(terminal.read { $0.contains("character(\"[\")") })
    terminal.type("A")
    #expect(terminal.read { $0.contains("character(\"A\")") })
  }

  // The system hands over some 4,096 bytes at a time.
  @Test(arguments: 0..<3)
  func aSequenceThatTheSystemCutsIsOneKey(_ shift: Int) throws {
    let terminal = try started()
    terminal.send(SIGSTOP)
    terminal.waitUntilStopped()
    let paste = "\u{1b}[200~" + String(repeating: "y", count: 4_040 + shift) + "\u{1b}[201~"
    terminal.type(paste + String(repeating: "\u{1b}[A", count: 30))
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.contains("Key.up") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
    #expect(!terminal.output.contains("an escape"))
  }

  @Test func anotherSizeIsDrawn() throws {
    let terminal = try started()
    terminal.resize(width: 100, height: 30)
    #expect(terminal.read { $0.contains("size 100 x 30") })
  }

  @Test func aSizeThatNoWindowHasCostsNothing() throws {
    let terminal = try started()
    terminal.resize(width: 65_535, height: 65_535)
    #expect(terminal.read { $0.contains("size 80 x 24") })
    #expect(terminal.memory < 200_000_000)
  }

  // MARK: Ways out

  @Test(arguments: [("q", 0), ("e", 3), ("t", 70)])
  func aKeyEndsIt(_ key: String, _ status: Int32) throws {
    let terminal = try started()
    terminal.type(key)
    expectGivenBack(terminal, status: status)
  }

  @Test func aTaskThatIsCancelledGivesTheTerminalBack() throws {
    let terminal = try started()
    terminal.type("k")
    expectGivenBack(terminal, status: 70)
    #expect(terminal.output.contains("ended by CancellationError"))
  }

  @Test func aTrapGivesTheTerminalBackAndSaysWhy() throws {
    let terminal = try started(until: "ready", ["SWIFT_BACKTRACE": "enable=no"])
    terminal.type("c")
    terminal.readToEnd()
    #expect(!terminal.grid.isAlternate && terminal.grid.isCursorVisible)
    #expect([SIGILL, SIGTRAP].contains(terminal.status))
    let rest = try #require(terminal.output.range(of: "\u{1b}[?1049l")).upperBound
    #expect(terminal.output[rest...].contains("on purpose"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsIt(_ signal: Int32) throws {
    let terminal = try started()
    terminal.send(signal)
    expectGivenBack(terminal, status: signal)
    #expect(terminal.hasEndedBySignal)
  }

  @Test(arguments: Soak.arguments([SIGABRT, SIGSEGV, SIGQUIT], more: [SIGTRAP, SIGUSR1]))
  func aSignalThatCrashesItGivesTheTerminalBack(_ signal: Int32) throws {
    let terminal = try started(until: "ready", ["SWIFT_BACKTRACE": "enable=no"])
    terminal.send(signal)
    expectGivenBack(terminal, status: signal)
  }

  @Test func aProgramThatQuitsWhenASignalAsksForItGoesOn() throws {
    let terminal = try started("terminal-probe", ["--stay"])
    terminal.send(SIGINT)
    expectGivenBack(terminal, status: 0)
    #expect(!terminal.hasEndedBySignal)
  }

  @Test func aSignalThatTheProgramListensToDoesNotEndIt() throws {
    let terminal = try started("terminal-probe", ["--listen"])
    terminal.send(SIGUSR1)
    #expect(terminal.read { $0.contains("heard") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test func aStackOverflowGivesTheTerminalBack() throws {
    let terminal = try started(until: "ready", ["SWIFT_BACKTRACE": "enable=no"])
    terminal.type("o")
    expectGivenBack(terminal, status: SIGSEGV)
    #expect(terminal.hasEndedBySignal)
  }

  @Test(arguments: [SIGPIPE, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGUSR2, 40])
  func aSignalThatEndsProgramsOnTheSpotGivesTheTerminalBack(_ signal: Int32) throws {
    let terminal = try started()
    terminal.send(signal)
    expectGivenBack(terminal, status: signal)
    #expect(terminal.hasEndedBySignal)
  }

  // A handler that asked for memory would wait for the lock for ever.
  @Test func aCrashInsideOfFreeGivesTheTerminalBack() throws {
    let terminal = try started(until: "ready", ["SWIFT_BACKTRACE": "enable=no"])
    terminal.type("d")
    expectGivenBack(terminal, status: SIGABRT)
  }

  @Test func aRunLeavesSignalsAndFilesAsTheyWere() throws {
    let terminal = try runningAgain()
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
    let reports = terminal.output.matches(of: /(before|after \d): (signals .*? pipes \d+)/)
    #expect(reports.map(\.output.1) == ["before", "after 1", "after 2"])
    let signals = Set(reports.map(\.output.2))
    #expect(signals.count == 1, "\(signals)")
    #expect(!terminal.output.contains("held"), "The closure of a run outlives it.")
  }

  /// A program in the second run of its terminal, which says how it found the system.
  private func runningAgain() throws -> PseudoTerminal {
    let terminal = try started("terminal-probe", ["--report"])
    terminal.type("a")
    terminal.read(until: "after 1")
    #expect(terminal.read { $0.isAlternate && $0.contains("again") })
    return terminal
  }

  @Test func aTerminalRunsAgain() throws {
    let terminal = try runningAgain()
    terminal.type("x")
    #expect(terminal.read { $0.contains("character(\"x\")") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test func aSecondRunAtTheSameTimeIsRefused() throws {
    let terminal = try started()
    terminal.type("n")
    #expect(terminal.read { $0.contains("refused: the terminal runs already") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test func aRunThatWasQuitBeforeItBeganEndsAtOnce() throws {
    let terminal = try PseudoTerminal(
      builtProgram("terminal-probe"), ["--quit-first", "--report"])
    #expect(terminal.read { $0.contains("ready") })
    // Nothing was shown in the first run. The one after it is an ordinary one.
    let end = try #require(terminal.output.range(of: "after 1"))
    #expect(!terminal.output[..<end.lowerBound].contains("\u{1b}[?1049h"))
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test func aTerminalThatGoesAwayEndsIt() throws {
    let terminal = try started()
    terminal.hangUp()
    // The end of the input and the signal come together.
    #expect([0, SIGHUP].contains(terminal.status))
  }

  @Test func whatIsStoppedHasGivenTheTerminalBackAndCanBeEnded() throws {
    let terminal = try started(hasShell: true)
    terminal.send(SIGTSTP)
    #expect(terminal.read { !$0.isAlternate && $0.isCursorVisible })
    terminal.waitUntilStopped()
    terminal.send(SIGTERM)
    terminal.send(SIGCONT)
    expectGivenBack(terminal, status: SIGTERM)
  }

  @Test func aProgramThatIsStoppedGoesOnWithItsScreen() throws {
    let terminal = try started(hasShell: true)
    stop(terminal)
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.isAlternate && !$0.isCursorVisible && $0.contains("resized") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  // H28
  @Test func aRequestToStopRightBehindTheOneToGoOnIsObeyed() throws {
    let terminal = try started(hasShell: true)
    stop(terminal)
    for _ in 0..<30 {
      terminal.send(SIGCONT)
      terminal.send(SIGTSTP)
      terminal.waitUntilStopped()
    }
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.isAlternate && $0.contains("resized") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  // H28
  @Test func aListenerThatBeginsOnTheTerminalHearsAfterItWasGivenBack() throws {
    let terminal = try started(hasShell: true)
    terminal.type("l")
    #expect(terminal.read { $0.contains("listens") })
    stop(terminal)
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.isAlternate && $0.contains("resized") })
    terminal.send(SIGUSR1)
    #expect(terminal.read { $0.contains("heard 1") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  // H28
  @Test func aSignalThatNothingListensToAnyMoreEndsIt() throws {
    let terminal = try started(hasShell: true)
    terminal.type("l")
    #expect(terminal.read { $0.contains("listens") })
    terminal.type("s")
    #expect(terminal.read { $0.contains("listens no more") })
    stop(terminal)
    terminal.send(SIGUSR1)
    terminal.send(SIGCONT)
    expectGivenBack(terminal, status: SIGUSR1)
  }

  @Test func aProgramThatNobodyCouldLetGoOnIsNotStopped() throws {
    let terminal = try started()
    terminal.send(SIGTSTP)
    #expect(terminal.read { $0.isAlternate && $0.contains("resized") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test func theKeysWorkAfterAStopInTheMiddleOfAPaste() throws {
    let terminal = try started(hasShell: true)
    terminal.type("x\u{1b}[200~abc")
    #expect(terminal.read { $0.contains("character(\"x\")") })
    stop(terminal)
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.isAlternate && $0.contains("resized") })
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsAProgramWhoseTerminalDoesNotRead(_ signal: Int32) throws {
    let terminal = try started()
    // A frame of 500,000 cells is more than the system keeps. It has begun, and is read no further.
    terminal.resize(width: 1_000, height: 500)
    #expect(terminal.read { _ in terminal.output.matches(of: /2026h/).count == 2 })
    terminal.send(signal)
    #expect(terminal.status == signal && terminal.hasEndedBySignal)
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO))
  }

  @Test func aProgramThatHasBeenToldToEndDoesNotStop() throws {
    let terminal = try started(hasShell: true)
    terminal.type("z")
    expectGivenBack(terminal, status: SIGTERM)
  }

  @Test func aProgramThatWasStoppedWithoutKnowingTakesTheTerminalAgain() throws {
    let terminal = try started()
    terminal.send(SIGSTOP)
    terminal.waitUntilStopped()
    var shell = terminal.attributes
    shell.c_lflag |= tcflag_t(ICANON | ECHO)
    terminal.attributes = shell
    terminal.send(SIGCONT)
    #expect(terminal.read { $0.contains("resized") })
    #expect(terminal.attributes.c_lflag & tcflag_t(ICANON | ECHO) == 0)
    #expect(terminal.output.matches(of: /\u{1b}\[\?1049h/).count == 2)
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  /// Stops a program as Ctrl-Z does.
  private func stop(_ terminal: PseudoTerminal) {
    terminal.send(SIGTSTP)
    #expect(terminal.read { !$0.isAlternate && $0.isCursorVisible })
    terminal.waitUntilStopped()
  }

  @Test func whatIsWrittenToStandardErrorIsShownAfterwards() throws {
    let terminal = try started()
    terminal.type("mq")
    expectGivenBack(terminal, status: 0)
    let end = try #require(terminal.output.range(of: "\u{1b}[?1049l"))
    #expect(!terminal.output[..<end.lowerBound].contains("a message"))
    #expect(terminal.output[end.upperBound...].contains("a message"))
  }

  @Test func aTerminalThatKnowsNoPlacesIsRefused() throws {
    let terminal = try PseudoTerminal(
      builtProgram("terminal-probe"), [], ["TERM": "dumb"])
    terminal.readToEnd()
    #expect(terminal.status == 74)
    #expect(!terminal.output.contains("\u{1b}"))
  }

  @Test func whatDoesNotFitIsWrittenWhenThereIsRoom() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0x20, count: 200_000)
    // Nobody reads yet: a part of it is written.
    #expect(bytes.withUnsafeBytes { writeAll($0, to: ends[1]) } == EAGAIN)
    Thread.detachNewThread { [end = ends[1]] in
      _ = bytes.withUnsafeBytes { writeAll($0, to: end) { true } }
      close(end)
    }
    let file = FileHandle(fileDescriptor: ends[0])
    #expect((try? file.readToEnd())?.count ?? 0 > bytes.count)
  }

  // MARK: The example

  @Test func aDieIsThrown() throws {
    let terminal = try started("dice", until: "Return throws the die")
    let before = terminal.grid.lines
    #expect(terminal.grid.contains("●"))
    terminal.type("\r")
    #expect(
      terminal.read { grid in
        grid.lines.contains { $0.hasPrefix(String(repeating: " ", count: 40)) }
      })
    #expect(terminal.grid.lines != before)
    terminal.type("q")
    expectGivenBack(terminal, status: 0)
  }

  @Test(arguments: [
    (["--help"], Int32(0), "Return, space or a click"),
    (["--fast"], 64, "dice: there is no option --fast"),
    (["six"], 64, "dice: there is no option six"),
    ([], 74, "dice: standard input and output have to be a terminal"),
  ])
  func aDieWithoutATerminalSaysALine(
    _ arguments: [String],
    _ status: Int32,
    _ line: String
  ) throws {
    let run = try ProgramRun(builtProgram("dice"), arguments)
    #expect(run.status == status)
    let (text, other) = status == 0 ? (run.output, run.errors) : (run.errors, run.output)
    #expect(text.hasPrefix(line) && text.split(separator: "\n").count == 1, "\(text)")
    #expect(other.isEmpty)
  }

  @Test func theExampleHasNoMoreThanFiftyLines() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(
      contentsOf: root.appending(path: "Examples/terminal/dice/main.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 51)
    // The page shows the part that concerns the terminal as it is.
    let page = try String(
      contentsOf: root.appending(path: "Documentation/Terminal.md"), encoding: .utf8)
    let code = try #require(page.firstMatch(of: /```swift\n(let terminal(?s:.*?))```/)).1
    #expect(text.contains(code), "\(code)")
  }
}
