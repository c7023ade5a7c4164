import Foundation
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature

/// The built program, from outside.
@Suite struct ProgramTests {
  let directory = TemporaryFolder()

  // MARK: The launch

  @Test func theVirtualLaunchIsTheGoldenOne() throws {
    let plain = try run("--virtual-time", "--data", directory.path)
    #expect(plain.output == (try Repository.golden("launch.log")))
    #expect(plain.status == 0 && plain.errors == "")
    let json = try run("--virtual-time", "--format", "json", "--data", directory.path)
    #expect(json.output == (try Repository.golden("launch.jsonl")))
  }

  @Test func everyJSONLineIsAnObject() throws {
    let result = try run("--virtual-time", "--format=json", "--data", directory.path)
    for line in result.output.split(separator: "\n") {
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let members = try #require(value as? [String: Any])
      #expect(
        members.keys.sorted()
          == (members["actions"] == nil
            ? ["answers", "depth", "endMs", "how", "ms", "runs", "waitsFor", "worksOn"]
            : ["actions", "changes", "effect", "ms", "receivedOn", "sentFrom", "tag"]))
    }
  }

  @Test func theRealLaunchHasTheSameOrderAndTags() throws {
    let latencies = ["files=0s", "auth=1ms", "matches=1ms", "server=100ms"]
    let result = try run(
      latencies.flatMap { ["--latency", $0] } + ["--data", directory.path, "--format", "json"])
    let virtual = try run(
      latencies.flatMap { ["--latency", $0] }
        + ["--data", directory.path, "--format", "json", "--virtual-time"])
    // The two answers of the server are on their way at the same time.
    let steps = { (output: String) in
      output.split(separator: "\n").compactMap { $0.firstMatch(of: /"actions":.*?,"changes"/)?.0 }
        .sorted()
    }
    #expect(steps(result.output) == steps(virtual.output))
    #expect(result.output.split(separator: "\n").count { $0.contains("\"actions\"") } == 7)
    #expect(result.status == 0 && result.errors == "")
  }

  @Test func thereAreNoColoursInAFile() throws {
    #expect(try !run("--virtual-time").output.contains("\u{1b}"))
  }

  @Test func aReaderWhoLeavesIsNoError() throws {
    let result = try shell("\"$PROGRAM\" --virtual-time | head -1")
    #expect(result.output.hasSuffix("loading: everything\n"))
    #expect(result.errors == "")
  }

  @Test func aFullDiskIsAnError() throws {
    let result = try shell("\"$PROGRAM\" --virtual-time > /dev/full")
    #expect(result.status == 74)
    #expect(result.errors == "isowords-home: cannot write the log: No space left on device\n")
  }

  // S5
  @Test func aRecordingThatCannotBeWrittenIsOneLine() throws {
    let result = try shell("\"$PROGRAM\" --virtual-time --record /dev/full > /dev/null")
    #expect(result.status == 74)
    #expect(result.errors.hasPrefix("isowords-home: /dev/full cannot be written to: No space left"))
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  // MARK: Files

  @Test func aDamagedFileIsOneLineAndUntouched() throws {
    try directory.write(#"{"unlimited": {"cubes": 3}}"#, to: "saved-games.json")
    let result = try run("--virtual-time")
    #expect(result.status == 74)
    #expect(
      result.errors == "isowords-home: \(directory.path)/saved-games.json: $.unlimited.cubes: "
        + "Expected to decode Array<Any> but found number instead\n"
    )
    #expect(result.output.contains("28 people have already played!"))
    #expect(directory.names == ["saved-games.json"])
    #expect(try directory.text(of: "saved-games.json") == #"{"unlimited": {"cubes": 3}}"#)
  }

  @Test func aFileThatCannotBeReadIsOneLine() throws {
    let result = try run("--virtual-time", "--fail", "files")
    #expect(result.status == 74)
    #expect(result.errors.hasSuffix("cannot be read: Input/output error (simulated)\n"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func aStaleGameIsSavedBeforeTheEnd() throws {
    let file = SavedGamesFile(directory: directory.path)
    var games = SavedGames(
      dailyChallengeUnlimited: .preview(dailyChallengeId: "old", at: .piDay),
      unlimited: .preview(at: .piDay))
    try file.save(games, at: .piDay)
    games.dailyChallengeUnlimited = nil
    for arguments in [["--virtual-time"], ["--latency", "server=1ms"]] {
      let result = try run(arguments)
      #expect(result.status == 0)
      #expect(try file.load() == games)
    }
  }

  // Once it cannot write what it says, and once it is ended by a signal after its first line.
  @Test(arguments: [
    ("> /dev/full; echo $?", "74\n"),
    ("> PIPE & read -r line < PIPE; kill -TERM $!; wait $!; echo $?", "143\n"),
  ])
  func aSimulationLeavesNothingBehind(rest: String, output: String) throws {
    let temporary = TemporaryFolder()
    let pipe = directory.path("pipe")
    let rest = rest.replacing("PIPE", with: "'\(pipe)'")
    let result = try shell(
      "mkfifo '\(pipe)'; TMPDIR='\(temporary.path)' \"$PROGRAM\" --simulate 1000 \(rest)", data: nil
    )
    #expect(result.output == output)
    #expect(temporary.names == [])
  }

  @Test func aFreshRunMakesItsDirectory() throws {
    let result = try run("--virtual-time", "--data", directory.path("a/b"))
    #expect(result.status == 0)
    #expect(directory.names == ["a"])
  }

  @Test(arguments: ["/proc/isowords-home", "/dev/null/x", "/dev/null"])
  func aDirectoryThatCannotBeWrittenIsOneLine(path: String) throws {
    let result = try run("--data", path)
    #expect(result.status == 74)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("isowords-home: \(path): cannot be written to: "))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  // H16
  @Test(
    arguments: Soak.arguments(
      ["é e\u{301} 🎲 日本語 ü/ß '", "-"], more: ["é", "e\u{301}", "🎲", "two words", "ü/ß", "'"]))
  func aPathMayHaveAnyCharacters(name: String) throws {
    // A relative path, which has no other characters in front.
    let outcome = try shell(
      "cd '\(directory.path)' && mkdir -p \"./$(dirname -- '\(quoted(name))')\" "
        + "&& \"$PROGRAM\" --virtual-time --data='\(quoted(name))/d' "
        + "--record='\(quoted(name)).jsonl' --svg='\(quoted(name)).svg' "
        + "--cast='\(quoted(name)).cast' --frames='\(quoted(name)) frames'",
      data: nil)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("28 people have already played!"))
    let again = try shell(
      "cd '\(directory.path)' && \"$PROGRAM\" --replay='\(quoted(name)).jsonl'", data: nil)
    #expect(again.status == 0 && again.output == outcome.output)
    for ending in ["/d", ".jsonl", ".svg", ".cast", " frames"] {
      #expect(FileManager.default.fileExists(atPath: directory.path(name + ending)))
    }
    let one = try shell(
      "cd '\(directory.path)' && \"$PROGRAM\" --virtual-time --data='\(quoted(name))'", data: nil)
    #expect(one.status == 0 && one.errors == "")
  }

  /// A text between single quotation marks in a shell.
  private func quoted(_ text: String) -> String { text.replacing("'", with: #"'\''"#) }

  // H16
  @Test(arguments: [#"--data "$(printf '\377\376')""#, #""$(printf -- '--d\303')""#])
  func anArgumentThatIsNoTextIsMisuse(arguments: String) throws {
    let outcome = try shell(
      "cd '\(directory.path)' && \"$PROGRAM\" --virtual-time \(arguments)", data: nil)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("isowords-home: argument "))
    #expect(outcome.errors.contains("is not UTF-8"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(directory.names == [])
  }

  // H16
  @Test func aMessageAboutAPathControlsNoTerminal() throws {
    let result = try run("--data", "/proc/\u{202E}\u{9B}31m\u{1B}[2J\nx")
    #expect(result.status == 74)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(
      !result.errors.unicodeScalars.dropLast().contains {
        $0.value < 32 || (0x7f...0x9f).contains($0.value) || $0.value == 0x202E
      })
  }

  @Test func theDefaultDirectoryIsWhereTheDesktopSays() throws {
    let result = try shell(
      "XDG_DATA_HOME='\(directory.path)' \"$PROGRAM\" --virtual-time", data: nil)
    #expect(result.status == 0)
    #expect(directory.names == ["isowords-home"])
  }

  @Test func withoutTheDesktopsWordItIsUnderHome() throws {
    let result = try shell(
      "unset XDG_DATA_HOME; HOME='\(directory.path)' \"$PROGRAM\" --virtual-time", data: nil)
    #expect(result.status == 0)
    #expect(FileManager.default.fileExists(atPath: directory.path(".local/share/isowords-home")))
  }

  // S5
  @Test func whoHasSetUpNothingSeesBothKindsOfChanges() throws {
    let result = try shell(
      "XDG_DATA_HOME='\(directory.path)' \"$PROGRAM\" --virtual-time", data: nil)
    #expect(result.output.contains("saved games: unlimited, 2 words, 90 points"))
    #expect(result.output.contains("savedGamesLoaded          untagged from backgroundQueue"))
    // Nothing is written for that.
    let file = directory.path("isowords-home/saved-games.json")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  // S5
  @Test func noLineIsWiderThanAPage() throws {
    let result = try run("--virtual-time", "--data", Repository.sample)
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 100 && $0.last != " " })
  }

  // S5
  @Test func noLineIsWiderThanItsTerminal() throws {
    let terminal = try Terminal(
      program, ["--virtual-time", "--data", Repository.sample], ["NO_COLOR": "1"])
    terminal.readToEnd()
    let lines = terminal.output.split(whereSeparator: \.isNewline)
    #expect(lines.contains("        → authenticationResponse"))
    #expect(lines.contains("              [.default] on mainQueue.animation()"))
    #expect(lines.allSatisfy { $0.count <= 80 && $0.last != " " })
  }

  // MARK: Recordings

  @Test func whatWasRecordedIsReplayed() throws {
    let file = directory.path("launch.jsonl")
    let recorded = try run("--virtual-time", "--record", file)
    #expect(recorded.status == 0 && recorded.errors == "")
    let replayed = try run("--replay", file)
    #expect(replayed.output == recorded.output)
    #expect(replayed.status == 0)
    #expect(replayed.errors.hasSuffix("launch.jsonl\": 7 commits, and every state agrees\n"))
  }

  @Test func aRecordingThatDiffersIsOneLine() throws {
    try directory.write("{\"recording\":1}\nnonsense\n", to: "launch.jsonl")
    let result = try run("--replay", directory.path("launch.jsonl"))
    #expect(result.status == 65)
    #expect(result.errors.contains("has version 1 of the format"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [["--record", "/proc/x"], ["--replay", "/proc/x"], ["--svg", "/proc/x"]])
  func aFileThatCannotBeOpenedIsOneLine(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 74)
    #expect(result.output == "")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(directory.names == [])
  }

  // MARK: Misuse

  @Test(arguments: [
    ["--nonsense"], ["--latency", "server=-1s"], ["--seed"], ["--speed", "0"], ["--fail", "moon"],
    ["--speed", "0x10"], ["--latency", "server=0x1s"],
    ["extra"],
  ])
  func aMisuseIsOneLineAndNothingElse(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("isowords-home: "))
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(directory.names == [])
  }

  @Test func aFolderIsNoRecording() throws {
    let result = try run("--replay", directory.path)
    #expect(result.status == 74)
    #expect(result.errors.hasSuffix("cannot be read: it is a folder; name a recording in it\n"))
  }

  @Test(arguments: ["--record", "--svg", "--cast", "--story"])
  func aFolderThatIsNotThereIsNotMade(option: String) throws {
    let result = try run("--virtual-time", option, directory.path("none/file"))
    #expect(result.status == 74)
    #expect(result.output == "")
    #expect(
      result.errors == "isowords-home: \(directory.path("none/file")): cannot be written to: "
        + "there is no folder \(directory.path("none"))\n")
    #expect(directory.names == [])
  }

  // S5
  @Test func theLogSaysWhatWaitedForWhatAndOnWhichScheduler() throws {
    let lines = try run("--virtual-time").output.split(separator: "\n").map(String.init)
    let rows = [
      "    fileClient.loadSavedGames             0.000–0.060 s  works on backgroundQueue",
      "      → savedGamesLoaded                                 untagged from backgroundQueue",
      "    then gameService.authenticate         0.060–0.162 s  works on backgroundQueue,",
      "        on answer server.authenticate     0.162–0.390 s  works on backgroundQueue",
      "        → matchesLoaded                                  [.default] on mainQueue.animation()",
    ]
    for row in rows { #expect(lines.contains(row), "\(row)") }
    #expect(
      lines.contains { $0.contains("matchesLoaded") && $0.contains("on mainQueue.animation()") })
  }

  // S5
  @Test func theLogSaysWhatHasFailed() throws {
    let lines = try run("--virtual-time", "--fail", "auth").output.split(separator: "\n")
      .map(String.init)
    for text in [
      "authenticationResponse ✗  [.default]", "✗ authenticationResponse",
      "0.060–0.162 s  works on backgroundQueue, failed,", "its answer dropped",
    ] {
      #expect(lines.contains { $0.contains(text) }, "\(text)")
    }
    let json = try run("--virtual-time", "--fail", "auth", "--format", "json").output
    let failed = json.split(separator: "\n").filter { $0.hasSuffix(#""how":"failed"}"#) }
    #expect(
      failed.map { $0.split(separator: "\"")[5] } == [
        "gameService.authenticate", "gameService.localPlayer",
      ])
  }

  @Test func helpIsGivenWhateverFollows() throws {
    let result = try run("--help", "--bogus")
    #expect(result.status == 0 && result.output.contains("USAGE"))
  }

  @Test(arguments: ["--help", "-h"]) func helpIsNoError(option: String) throws {
    let result = try run(option)
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output.contains("USAGE: isowords-home [OPTIONS]"))
  }

  // MARK: A terminal

  @Test func onATerminalTheTagsHaveColours() throws {
    let terminal = try Terminal(program, ["--once", "--virtual-time", "--data", directory.path])
    terminal.readToEnd()
    #expect(terminal.output.contains("\u{1b}[30;43m[.default]\u{1b}[0m"))
    #expect(terminal.status == 0)
  }

  @Test(arguments: ["q\n", "\u{4}"])
  func onATerminalItGoesOnUntilSomebodyHasHadEnough(keys: String) throws {
    let terminal = try Terminal(program, ["--format", "plain", "--data", directory.path])
    terminal.read(until: "loading: done")
    terminal.type(keys)
    terminal.readToEnd()
    #expect(terminal.output.contains("onDisappear"))
    #expect(terminal.status == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func onATerminalItEndsWhenItIsInterrupted(signal: Int32) throws {
    let terminal = try Terminal(program, ["--format", "plain", "--data", directory.path])
    terminal.read(until: "savedGamesLoaded")
    terminal.send(signal)
    terminal.readToEnd()
    #expect(terminal.output.contains("onDisappear"))
    #expect(terminal.status == signal && terminal.hasEndedBySignal)
  }
}

// MARK: - Running it

extension ProgramTests {
  private var program: String { Repository.program }

  private func run(_ arguments: String...) throws -> ProgramRun { try run(arguments) }

  /// Runs the program, with the test's own directory for its data unless the arguments say where.
  private func run(_ arguments: [String]) throws -> ProgramRun {
    let data = arguments.contains("--data") ? [] : ["--data", directory.path]
    return try ProgramRun(program, data + arguments)
  }

  /// Runs a line of the shell in which `$PROGRAM` is the program.
  private func shell(_ line: String, data: String? = "default") throws -> ProgramRun {
    let data = data.map { _ in " --data '\(directory.path)'" } ?? ""
    let line = line.replacing("\"$PROGRAM\"", with: "'\(program)'\(data)")
    return try ProgramRun("/bin/sh", ["-c", line])
  }
}
