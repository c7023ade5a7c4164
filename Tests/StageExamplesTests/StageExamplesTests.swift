// The examples show what they showed when their pictures were taken.

import Foundation
import RondoProcesses
import RondoStageExamples
import Testing

@MainActor
@Suite struct StageExamplesTests {
  /// The pictures are files beside this one; `swift run stage-examples --frames NAME` prints them.
  @Test(arguments: ["shake", "cardify", "transactions", "sequence", "transitions"])
  func showsItsPictures(_ name: String) throws {
    let example = try #require(stageExamples.first { $0.name == name })
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/\(name).txt")
    let pictures = try String(contentsOf: file, encoding: .utf8)
    #expect(example.album() == pictures)
  }

  /// `swift run stage-examples --svg Documentation` draws the pictures of the documentation.
  @Test(arguments: ["shake", "cardify", "transactions", "sequence", "transitions"])
  func theDocumentationShowsWhatTheProgramDraws(_ name: String) throws {
    let example = try #require(stagePictures.first { $0.name == name })
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = root.appending(path: "Documentation/\(name).svg")
    let picture = try String(contentsOf: file, encoding: .utf8)
    #expect(example.animatedSVG() == picture, "draw it anew")
    #expect(picture.utf8.count < 200_000)
    for page in ["Animation", "Transactions"] {
      let text = try String(
        contentsOf: root.appending(path: "Documentation/\(page).md"), encoding: .utf8)
      if text.contains("](\(name).svg)") { return }
    }
    Issue.record("no page shows \(name).svg")
  }

  @Test func seekingShowsWhatSteppingShows() throws {
    for type in stageExamples {
      let (sought, stepped) = (type.init(), type.init())
      let end = type.highlights.last!
      for frame in 0..<Int(end / .milliseconds(16)) {
        _ = stepped.canvas(at: .milliseconds(16) * frame)
      }
      #expect(sought.canvas(at: end) == stepped.canvas(at: end), "\(type.name)")
    }
  }

  // MARK: The program

  private func run(_ arguments: [String]) throws -> ProgramRun {
    try ProgramRun(builtProgram("stage-examples"), arguments)
  }

  @Test(arguments: [["--fast"], ["--svg"], ["nonsense"], ["shake", "-x"], ["--svg", "--frames"]])
  func anUnknownArgumentIsRefused(_ arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(
      result.errors.hasPrefix("stage-examples: ") && result.errors.split(separator: "\n").count == 1
    )
  }

  @Test func aPipeGetsPicturesWithoutEscapeCodes() throws {
    let result = try run(["shake"])
    #expect(result.status == 0 && result.output.contains("Password"))
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test func aTerminalIsToldWhatItShows() throws {
    let terminal = try PseudoTerminal(builtProgram("stage-examples"), ["shake"])
    #expect(terminal.read { $0.contains("shake: a wrong password, twice") })
    terminal.send(SIGINT)
    terminal.readToEnd()
  }

  @Test func aSignalGivesTheCursorBack() throws {
    let terminal = try PseudoTerminal(builtProgram("stage-examples"), ["transitions"])
    #expect(terminal.read { !$0.isCursorVisible && $0.contains("▓") })
    terminal.send(SIGINT)
    terminal.readToEnd()
    #expect(terminal.status == SIGINT && terminal.hasEndedBySignal)
    #expect(terminal.grid.isCursorVisible && !terminal.grid.isAlternate)
  }
}
