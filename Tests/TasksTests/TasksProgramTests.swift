// A list of tasks: the program on a pseudo-terminal, and the page that makes it.

import Foundation
import RondoProcesses
import Testing

@Suite struct TasksProgramTests {
  private let folder = TemporaryFolder()

  private var file: URL { folder.file("tasks.json") }

  private func started(width: Int = 80, height: Int = 24) throws -> PseudoTerminal {
    try PseudoTerminal(
      builtProgram("tasks"), [file.path], width: width, height: height)
  }

  // F7
  @Test func tasksAreTypedAndKept() throws {
    let terminal = try started()
    #expect(terminal.read { $0.contains("Nothing to do.") && $0.contains("enter add") })
    // A combining accent comes as a key of its own. Ctrl-W takes a word back.
    terminal.type("Cafe\u{301} 日本 wrong\u{17}trip\r")
    #expect(terminal.read { $0.contains("▸ · Café 日本 trip") })
    terminal.type("\u{1b}[200~Buy\nmilk\u{1b}[201~\u{1b}[D\u{1b}[3~\u{7f}LK\r")
    #expect(terminal.read { $0.contains("▸ · Buy miLK") })
    // To the list, back to the first one, done.
    terminal.type("\t\u{1b}[A ")
    #expect(terminal.read { $0.contains("▸ ✓ Café") && $0.contains("1 of 2 to do") })
    // The dialog asks, and Escape keeps it.
    terminal.type("X")
    #expect(terminal.read { $0.contains("One task is done.") && $0.contains("[ Keep ]") })
    terminal.type("\u{1b}")
    #expect(terminal.read { !$0.contains("One task is done.") })
    terminal.type("?")
    #expect(terminal.read { $0.contains("Type what is to be done") })
    terminal.type("q")
    #expect(terminal.read { !$0.contains("Type what is to be done") })
    terminal.type("q")
    terminal.readToEnd()
    #expect(terminal.status == 0)

    let again = try started(width: 40, height: 10)
    #expect(again.read { $0.contains("Café 日本 trip") && $0.contains("Buy miLK") })
    again.type("\u{4}")
    again.readToEnd()
    #expect(again.status == 0)
  }

  // F7
  @Test func aMegabyteIsPastedIntoTheSmallestTerminal() throws {
    let terminal = try started(width: 10, height: 3)
    #expect(terminal.read { $0.contains("█") || $0.contains("what is") })
    let pasted = String(repeating: "0123456789abcde\n", count: 1 << 16)
    terminal.type("\u{1b}[200~\(pasted)\u{1b}[201~")
    // A title has 200 characters at most.
    #expect(terminal.read { $0.contains("01234567█") })
    terminal.type("\r")
    #expect(terminal.read { $0.contains("▸ · 012345") })
    // Another size, and all is there.
    terminal.resize(width: 80, height: 24)
    #expect(terminal.read { $0.contains("1 of 1 to do") && $0.contains("enter add") })
    terminal.type("\u{4}")
    terminal.readToEnd()
    #expect(terminal.status == 0)
  }

  // F7
  @Test(arguments: ["\u{3}", "\u{4}"])
  func aChangeRightBeforeTheEndIsKept(_ end: String) throws {
    let terminal = try started()
    #expect(terminal.read { $0.contains("enter add") })
    terminal.type("Buy milk\r\(end)")
    terminal.readToEnd()
    #expect(terminal.status == (end == "\u{3}" ? SIGINT : 0))
    #expect(!terminal.grid.isAlternate)
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept.contains("Buy milk"), "\(kept)")
  }

  // F7
  @Test(arguments: [
    (["--help"], Int32(0), "tasks [FILE]"), (["-x"], 64, "tasks: there is no option -x"),
    (["a", "b"], 64, "tasks: there are 2 files"), (["a"], 74, "tasks: standard input and output"),
  ])
  func aProgramWithoutATerminalSaysALine(
    _ arguments: [String], _ status: Int32, _ line: String
  ) throws {
    let run = try ProgramRun(builtProgram("tasks"), arguments, in: folder.path)
    let text = run.output + run.errors
    #expect(run.status == status)
    #expect(text.hasPrefix(line) && text.split(separator: "\n").count == 1, "\(text)")
  }

  // F8
  @Test func theTutorialMakesTheFilesOfTheExample() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let page = try String(
      contentsOf: root.appending(path: "Documentation/Tutorial-Terminal.md"), encoding: .utf8)
    var files: [String: String] = [:]
    for block in page.matches(
      of: /<!-- (file|more): Sources\/tasks\/(\S+) -->\n```swift\n((?s:.*?))```/)
    {
      let (name, code) = (String(block.2), String(block.3))
      files[name] = block.1 == "file" ? code : files[name, default: ""] + "\n" + code
    }
    #expect(files.keys.sorted() == ["Screen.swift", "Tasks.swift", "main.swift"])
    for (name, code) in files {
      let example = root.appending(path: "Examples/terminal/tasks/\(name)")
      #expect(try code == String(contentsOf: example, encoding: .utf8), "\(name)")
    }
  }
}
