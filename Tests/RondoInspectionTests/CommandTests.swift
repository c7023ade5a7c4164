// The program: its arguments, its statuses, and what it refuses.

import Foundation
import RondoProcesses
import RondoRecording
import Testing

@testable import RondoHistory
@testable import RondoInspection

// V5
@Suite struct CommandTests {
  private let folder = TemporaryFolder()

  private func run(_ arguments: String...) -> CommandResult {
    InspectionCommand.run(arguments: arguments)
  }

  // MARK: Arguments

  @Test(
    arguments: [
      ([], "name a command"),
      (["look"], "there is no command 'look'"),
      (["log"], "'log' takes one recording, and none was given"),
      (["diff", "a"], "'diff' takes two recordings, and one was given"),
      (["diff", "a", "b", "c"], "'diff' takes two recordings, and 3 were given"),
      (["diagram"], "'diagram' takes one recording or more, and none was given"),
      (["view", "a"], "'view' needs a file to write: -o page.html"),
      (
        ["view", "a", "-o", "./b/../a"],
        "-o names the recording itself, which would be lost; name another file"
      ),
      (["diff", "-", "-"], "the standard input can be read once; name a file"),
      (["test", "--name", "foo bar", "a"], "--name foo bar: a name has letters, digits"),
      (["log", "--loud", "a"], "'log' has no option --loud"),
      (["log", "-o"], "-o needs a value: -o FILE"),
      (["diagram", "--dot=1", "a"], "--dot takes no value"),
      (["diagram", "--action", "first", "a"], "--action first: expected a number from 1 on"),
      (["diagram", "--action", "1", "--field", "b", "a"], "leave one out"),
      (
        ["diagram", "--mermaid", "--dot", "a"],
        "--mermaid and --dot are two diagrams; leave one out"
      ),
      (["test", "--outcome", "search", "a"], "expected ENDPOINT(_:)=CASE"),
      (["test", "--outcome", "search(_:_)=a", "a"], "expected ENDPOINT(_:)=CASE"),
      (
        ["test", "--fork-at", "3", "--state", "X()", "a"],
        "--fork-at takes the state and all answers from the recording; leave out --state, --outcome and --failure"
      ),
    ] as [([String], String)])
  func aMisuseIsSaidInOneLine(arguments: [String], problem: String) {
    let result = InspectionCommand.run(arguments: arguments)
    #expect(result.status == .usage)
    #expect(result.problem?.contains(problem) == true, "\(result.problem ?? "")")
    #expect(result.problem?.contains("\n") == false)
    #expect(result.output.isEmpty)
  }

  @Test func helpListsTheCommands() {
    let result = run("--help")
    #expect(result.status == .success)
    for word in CommandName.allCases.map(\.rawValue) + ["rondo COMMAND --help", "65"] {
      #expect(result.output.contains(word))
    }
    #expect(run("help") == result)
  }

  @Test(arguments: CommandName.allCases)
  func eachCommandListsItsOwnOptions(command: CommandName) {
    let name = command.rawValue
    let result = run(name, "--help")
    #expect(result.status == .success)
    #expect(result.output.contains("USAGE: rondo \(name) \(command.operands.names)"))
    for option in OptionDefinition<CommandOptions>.all {
      let isListed = result.output.contains("\n  \(option.name) ")
      #expect(isListed == option.commands.contains(command), "\(option.name)")
    }
    #expect(run("help", name) == result)
    #expect(run(name, "a.jsonl", "-h") == result)
    #expect(run(name, "--help", "--loud") == result)
  }

  @Test func aFileMayBeCalledHelp() throws {
    let recording = try folder.file("--help", searchRecording().text)
    let page = "\(folder.path)/page.html"
    #expect(run("log", "--", "--help").status == .noInput)
    #expect(run("log", "-o", "--help", "--loud").status == .usage)
    #expect(run("test", "--reducer", "--help", recording).output.contains("--help"))
    #expect(run("view", "-o", page, "--", recording).status == .success)
  }

  @Test func theTestInTheDocumentationIsWhatIsWritten() throws {
    let recording = try folder.file("search.jsonl", searchRecording().text)
    let test = run(
      "test", recording, "--import", "SearchFeature", "--outcome", "searchClient.search(_)=found")
    let page = URL(filePath: #filePath).appending(path: "../../../Documentation/Inspection.md")
    #expect(
      try String(contentsOf: page.standardizedFileURL, encoding: .utf8)
        .contains("```swift\n\(test.output)```\n"))
  }

  // MARK: Streams

  @Test func aPipeWithoutAWriterIsNotWaitedFor() throws {
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let result = run("log", pipe)
    #expect(result.status == .noInput)
    #expect(
      result.problem
        == "\(pipe) cannot be read: nobody writes to this pipe; start what writes to it first")
  }

  @Test func aPipeWithAWriterIsARecording() throws {
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    // Opened for both, so that nobody is waited for.
    let both = open(pipe, O_RDWR)
    try #require(both >= 0)
    let bytes = Array(searchRecording().text.utf8)
    #expect(bytes.withUnsafeBytes { write(both, $0.baseAddress, $0.count) } == bytes.count)
    Thread.detachNewThread {
      var state = pollfd(fd: both, events: Int16(POLLIN), revents: 0)
      while poll(&state, 1, 0) > 0 { sched_yield() }
      // The last writer goes when all was read.
      close(both)
    }
    #expect(run("log", pipe).output.hasPrefix("Search, Store"))
  }

  @Test func aPipeWithoutAReaderIsNotWaitedFor() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let pipe = "\(folder.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let result = run("log", recording, "-o", pipe)
    #expect(result.status == .cannotCreate)
    #expect(
      result.problem
        == "\(pipe) cannot be written: nobody reads from this pipe; start what reads from it first")
  }

  @Test func aLinkToARecordingIsOne() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let link = "\(folder.path)/link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: recording)
    #expect(run("log", link) == run("log", recording))
    try FileManager.default.removeItem(atPath: recording)
    #expect(run("log", link).problem == "\(link) cannot be read: No such file or directory")
  }

  @Test func theStandardInputIsARecording() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(searchRecording().text.utf8))
    try pipe.fileHandleForWriting.close()
    let history = try History(reading: pipe.fileHandleForReading)
    #expect(history.name == "standard input")
    #expect(history.moments.count == 2)
  }

  @Test func aLineIsTheStandardOutput() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    #expect(run("log", recording, "-o", "-") == run("log", recording))
    #expect(run("view", recording, "-o", "-").output.hasPrefix("<!doctype html>"))
    #expect(folder.names == ["a.jsonl"])
  }

  @Test func theFileOfTheStandardInputIsNotReplaced() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let link = "\(folder.path)/link.jsonl"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: recording)
    let input = try FileHandle(forReadingFrom: URL(filePath: recording))
    func problem(_ output: String, _ input: FileHandle) -> String? {
      do throws(CommandFailure) {
        _ = try CommandOptions(
          .view, arguments: ["-", "-o", output], input: input.fileDescriptor)
        return nil
      } catch {
        return error.message
      }
    }
    for output in [recording, link] {
      #expect(
        problem(output, input)
          == "-o names the recording itself, which would be lost; name another file")
    }
    #expect(problem("\(folder.path)/page.html", input) == nil)
    // A device is not replaced.
    let device = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
    #expect(problem("/dev/null", device) == nil)
  }

  @Test func thePlaceholdersOfATestAreCounted() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    #expect(
      run("test", recording).problem == "1 placeholder is to be filled in before the test compiles."
    )
    #expect(run("test", recording, "--import", "Search").problem == nil)
    var encoded = searchRecording()
    encoded.encode()
    let fork = try folder.file("fork.jsonl", encoded.text)
    #expect(
      run("test", fork, "--fork-at", "1").problem
        == "1 placeholder is to be filled in before the test compiles.")
    var other = searchRecording()
    other.action(.enumCase("chosen", [("0", "(Function)")]))
    let both = run("test", try folder.file("b.jsonl", other.cutOff))
    #expect(
      both.problem == "b.jsonl: The recording was cut off: its last line is missing. "
        + "2 placeholders are to be filled in before the test compiles.")
    let test = run("test", recording, "--no-setter", "Search.State.query", "--import", "Search")
    #expect(test.output.contains("$0 = Search.State("))
  }

  @Test(arguments: [
    ("api.search()=found", 0), ("api.search(_)=found", 1), ("api.search(_:)=found", 1),
    ("api.login(_, _)=found", 2), ("api.login(_:_:)=found", 2), ("api.login(name:_:)=found", 2),
    ("api.login(_:_:)->Effect=found", 2),
  ])
  func anEndpointIsSpelledAsInSwift(text: String, count: Int) throws {
    #expect(try TestOptions.Outcome(text).argumentCount == count)
  }

  @Test func aLongTestIsSaidToBeHardToCompile() throws {
    var recording = RecordingText()
    for _ in 0..<1_000 { recording.action(".tapped") }
    let short = try folder.file("a.jsonl", recording.text)
    recording.action(".tapped")
    let long = try folder.file("b.jsonl", recording.text)
    #expect(run("test", short, "--import", "Search").problem == nil)
    #expect(
      run("test", long, "--import", "Search").problem
        == "A test of 1001 actions will hardly compile in reasonable time; record less.")
  }

  @Test(arguments: [
    ["log"], ["test", "--import", "Search"], ["diagram"], ["diagram", "--action", "1"],
    ["view", "-o", "-"],
  ])
  func aRecordingThatWasCutOffIsReadAndSaidSo(command: [String]) throws {
    let recording = try folder.file("a.jsonl", searchRecording().cutOff)
    let result = InspectionCommand.run(arguments: command + [recording])
    #expect(result.status == .success)
    #expect(result.problem == "a.jsonl: The recording was cut off: its last line is missing.")
    let both = run("diff", recording, recording)
    #expect(both.status == .success)
    #expect(both.problem?.contains("The recording was cut off") == true)
  }

  @Test func aDiagramSaysWhichFieldItHasChosen() throws {
    var recording = RecordingText(state: .structure("S", [("search", ".idle"), ("login", ".off")]))
    recording.action(
      ".go",
      [
        .member("login", from: ".off", to: ".on"),
        .member("search", from: ".idle", to: ".busy"),
      ])
    let file = try folder.file("a.jsonl", recording.text)
    #expect(
      run("diagram", file).problem == "The states are those of login; --field also draws search.")
    #expect(run("diagram", file, "--field", "search").problem == nil)
  }

  // MARK: Bad recordings

  @Test func aMissingFileIsNamed() {
    let result = run("log", "\(folder.path)/none.jsonl")
    #expect(result.status == .noInput)
    #expect(
      result.problem == "\(folder.path)/none.jsonl cannot be read: No such file or directory")
  }

  @Test func aFolderIsNoRecording() {
    let result = run("log", folder.path)
    #expect(result.status == .noInput)
    #expect(result.problem?.hasSuffix("it is a folder; name a recording in it") == true)
  }

  @Test(arguments: [
    ("", "The recording is empty."),
    ("\n", "Line 1: this is not the beginning of a recording."),
    ("hello\n", "Line 1: this is not the beginning of a recording."),
    ("{\"recording\":3}\n", "Use a newer version of Rondo."),
    ("{\"recording\":2}\n", "Line 1: 'host' is missing."),
    ("\u{0}\u{1}\u{2}\n", "Line 1: this is not the beginning of a recording."),
  ])
  func whatIsNoRecordingIsRefusedByItsLine(text: String, problem: String) throws {
    let file = try folder.file("a.jsonl", text)
    let result = run("log", file)
    #expect(result.status == .data)
    #expect(result.problem?.hasPrefix("\(file): ") == true)
    #expect(result.problem?.contains(problem) == true, "\(result.problem ?? "")")
  }

  @Test func aDamagedLineIsNamedByItsNumber() throws {
    let lines = searchRecording().text.split(separator: "\n").map(String.init)
    for (number, line) in [(2, "{}"), (3, "{\"event\":\"commit\"}"), (4, "[]"), (5, "{\"ev")] {
      var damaged = lines
      damaged[number - 1] = line
      let file = try folder.file("a.jsonl", damaged.joined(separator: "\n") + "\n")
      let result = run("view", file, "-o", "\(folder.path)/page.html")
      #expect(result.status == .data)
      #expect(result.problem?.contains("Line \(number): ") == true, "\(result.problem ?? "")")
    }
    #expect(folder.names == ["a.jsonl"])
  }

  @Test func anUnknownEventIsSkippedWithANote() throws {
    var lines = searchRecording().text.split(separator: "\n").map(String.init)
    lines.insert("{\"event\":\"tea\",\"at\":0}", at: 2)
    lines.removeLast()
    let file = try folder.file("a.jsonl", lines.joined(separator: "\n") + "\n")
    let result = run("log", file)
    #expect(result.status == .success)
    #expect(result.output.contains("note: Events of the unknown kind 'tea' were skipped."))
  }

  // H27
  @Test func unknownKindsWithoutEndTakeTimeInTheirNumber() throws {
    let lines = searchRecording().text.split(separator: "\n").map(String.init)
    let unknown = (0..<20_000).map { "{\"event\":\"tea\($0)\",\"at\":0}" }
    let text = ([lines[0]] + unknown + lines[1..<(lines.count - 1)]).joined(separator: "\n")
    let notes = try RecordingFile(Data((text + "\n").utf8)).notes
    #expect(notes.count == 11)
    #expect(notes[9] == "Events of the unknown kind 'tea9' were skipped.")
    #expect(notes[10] == "Events of 19990 more unknown kinds were skipped.")
  }

  @Test func aRecordingIsReadWhereverItWasCutOff() throws {
    let text = searchRecording().text
    let first = try #require(text.firstIndex(of: "\n")).utf16Offset(in: text) + 1
    for count in stride(from: first, through: text.utf8.count - 1, by: 17) {
      let file = try folder.file("a.jsonl", String(text.prefix(count)))
      let result = run("log", file)
      #expect(result.status == .success, "cut off after \(count) characters")
      #expect(result.output.contains("The recording was cut off"))
    }
  }

  @Test func aDeepValueIsRefusedOrReadWithoutATrap() throws {
    let depth = 20_000
    let node =
      String(repeating: "{\"kind\":\"struct\",\"children\":[[\"a\",", count: depth)
      + "{\"value\":\"1\"}"
      + String(repeating: "]]}", count: depth)
    let lines = searchRecording().text.split(separator: "\n").map(String.init)
    let line =
      "{\"event\":\"action\",\"at\":0,\"action\":9,\"case\":\"a\",\"name\":\"a\",\"value\":\(node)}"
    let file = try folder.file(
      "a.jsonl", ([lines[0], line] + lines[1...]).joined(separator: "\n") + "\n")
    let result = run("view", file, "-o", "\(folder.path)/page.html")
    #expect([.success, .data].contains(result.status))
  }

  @Test func controlsInAProblemAreSpelledOut() throws {
    let result = run("log", "/none/\u{1b}[31m\nred")
    #expect("\(result.problem ?? "")".onOneLine.contains("\\u{1b}[31m\\u{a}red"))
  }

  // MARK: Files

  @Test func theOutputReplacesAFileAsAWhole() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let page = try folder.file("page.html", "old")
    #expect(run("view", recording, "-o", page).status == .success)
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("<!doctype html>"))
    #expect(folder.names == ["a.jsonl", "page.html"])
  }

  @Test(arguments: [
    ([0o600], 0o600), ([0o644], 0o644), ([0o664], 0o644), ([0o644, 0o640], 0o640),
    ([0o644, 0o600], 0o600),
  ])
  func aNewFileCanBeReadByThoseWhoCanReadTheRecordings(modes: [Int], mode: Int) throws {
    let files = FileManager.default
    let recordings = try modes.enumerated().map { index, mode in
      let file = try folder.file("\(index).jsonl", searchRecording().text)
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      return file
    }
    let output = "\(folder.path)/out"
    let result = InspectionCommand.run(
      arguments: [modes.count == 1 ? "log" : "diff", "-o", output] + recordings)
    #expect(result.status == .success)
    #expect(try files.attributesOfItem(atPath: output)[.posixPermissions] as? Int == mode)
  }

  @Test(arguments: [0o600, 0o640, 0o664, 0o666])
  func aFileThatIsReplacedKeepsItsPermissions(mode: Int) throws {
    let files = FileManager.default
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let page = try folder.file("page.html", "old")
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: page)
    #expect(run("view", recording, "-o", page).status == .success)
    #expect(try files.attributesOfItem(atPath: page)[.posixPermissions] as? Int == mode)
  }

  @Test func aLinkStaysALink() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let page = try folder.file("page.html", "old")
    let link = "\(folder.path)/link.html"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: page)
    #expect(run("log", recording, "-o", link).status == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == page)
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasPrefix("Search, Store"))
  }

  @Test func aPlaceThatCannotBeWrittenIsNamed() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    for (place, reason) in [
      (folder.path, "it is a folder"), ("\(folder.path)/none/page.html", "No such file"),
      ("/dev/full", "No space left"),
    ] {
      let result = run("log", recording, "-o", place)
      #expect(result.status == .cannotCreate)
      #expect(result.problem?.contains("\(place) cannot be written: \(reason)") == true)
    }
    #expect(folder.names == ["a.jsonl"])
  }

  // H27
  @Test(arguments: [
    [0xFF], [0x61, 0xE9, 0x62], [0xF4, 0x8F, 0xBF, 0xBF], [0xE2, 0x82], [0xC3, 0xA9], [0xF0, 0x9F],
    Array("été 🎲".utf8), [0x80, 0xC0, 0xAF], [0xED, 0xA0, 0x80],
  ])
  func theBytesOfAPathAreKept(bytes: [UInt8]) {
    let text = String(argument: bytes)
    #expect(text.pathBytes.map(UInt8.init(bitPattern:)) == bytes + [0])
    #expect((text.spelledOut == text) == (String(validating: bytes, as: UTF8.self) == text))
  }

  // H27
  @Test func aNameThatIsNoTextIsReadAndWritten() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let rename = try shell("mv '\(recording)' \"$(printf '\(folder.path)/\\351.jsonl')\"")
    #expect(rename.status == 0)
    let name = "\"$(printf '\(folder.path)/\\351.jsonl')\""
    let log = try shell("\(program) log \(name)")
    #expect(log.status == 0 && log.output.hasPrefix("Search, Store"))
    let page = "\"$(printf '\(folder.path)/\\377.html')\""
    for _ in 0..<2 {
      // The second time it is replaced.
      #expect(try shell("\(program) view \(name) -o \(page)").status == 0)
      #expect(try shell("head -c 15 \(page)").output == "<!doctype html>")
    }
    #expect(try shell("ls '\(folder.path)' | wc -l").output.contains("2"))
    let itself = try shell("\(program) view \(name) -o \(name) 2>&1")
    #expect(itself.status == 64 && itself.output.contains("-o names the recording itself"))
    let missing = try shell("\(program) log \"$(printf '/none/\\351')\" 2>&1")
    #expect(missing.output == "rondo: /none/\\xe9 cannot be read: No such file or directory\n")
  }

  // H27
  @Test func aLimitOfFilesIsAFailureWithAReasonAndLeavesNothing() throws {
    let recording = try folder.file("a.jsonl", searchRecording().text)
    let output = "\(folder.path)/page.html"
    let result = try shell("ulimit -f 1; \(program) view '\(recording)' -o '\(output)' 2>&1")
    #expect(result.status == 73)
    #expect(result.output == "rondo: \(output) cannot be written: File too large\n")
    #expect(folder.names == ["a.jsonl"])
  }

  /// The program, beside the tests.
  private var program: String { builtProgram("rondo") }

  private func shell(_ command: String) throws -> ProgramRun {
    try ProgramRun("/bin/sh", ["-c", command])
  }
}

extension TemporaryFolder {
  /// Writes a file and returns its path.
  fileprivate func file(_ name: String, _ text: String) throws -> String {
    try write(text, to: name)
    return path(name)
  }
}
