// The program as a whole: its help, its manual page, and scripts that complete it.

import Foundation
import RondoProcesses
import Testing

@testable import RondoCommand
@testable import RondoInspection
@testable import RondoTemplates

// F6
@Suite struct ProgramTests {
  private let program = CommandProgram.rondo

  /// What the parser of a command says of an argument that begins with a dash.
  private func isKnown(_ option: String, to command: String) -> Bool {
    let problem = program.run(arguments: [command, option]).problem
    return problem?.contains("has no option") != true
  }

  /// Every option of any command, and two that nobody has.
  private var candidates: [String] {
    let all = program.commands.flatMap(\.options).map(\.name)
    return Array(Set(all + ["-h", "--help", "--loud", "-x"])).sorted()
  }

  // V12
  @Test func aProgramThatIsWatchedAndDoesNotEndIsKilledByASecondSignal() throws {
    let process = Process()
    process.executableURL = URL(filePath: builtProgram("rondo"))
    let deaf = "trap '' TERM; echo ready; while :; do sleep 1; done"
    process.arguments = ["live", "--", "/bin/sh", "-c", deaf]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    read(output, until: "ready")
    kill(process.processIdentifier, SIGTERM)
    read(errors, until: "/bin/sh has not ended yet; another signal kills it\n")
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  private func read(_ pipe: Pipe, until words: String) {
    var text = Data()
    while !String(decoding: text, as: UTF8.self).contains(words) {
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { return }
      text += more
    }
  }

  @Test func theHelpOfEachCommandHasTheOptionsThatItsParserKnows() {
    for command in program.commands {
      let help = program.run(arguments: [command.name, "--help"])
      #expect(help.status == .success)
      for option in candidates where !["-h", "--help"].contains(option) {
        let isListed = help.output.contains("\n  \(option) ")
        #expect(isListed == isKnown(option, to: command.name), "\(command.name) \(option)")
      }
    }
  }

  @Test func theHelpHasEveryCommand() {
    let help = program.run(arguments: ["--help"]).output
    for command in program.commands { #expect(help.contains("\n  \(command.name) ")) }
    for status in ExitStatus.allCases { #expect(help.contains("\n  \(status.rawValue) ")) }
  }

  @Test func noLineOfHelpIsTooLongForATerminal() {
    let helps = [program.help] + program.commands.map(program.help(of:))
    for line in helps.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= 120, "\(line)")
    }
  }

  @Test func theVersionIsTheOneThatNewPackagesAskFor() {
    #expect(program.run(arguments: ["--version"]).output == "rondo \(RondoPlace.version)\n")
  }

  @Test(
    arguments: [
      ([], 64, "name a command"),
      (["old"], 64, "there is no command 'old'"),
      (["completions"], 64, "'completions' takes the name of one shell: bash, zsh, fish"),
      (["completions", "tcsh"], 64, "'completions' takes the name of one shell"),
      (["manual", "page"], 64, "'manual' takes no arguments; leave 'page' out"),
      (["new"], 64, "'new' takes one name, and none was given"),
      (["new", "A", "B", "--template", "gtk"], 64, "'new' takes one name, and 2 were given"),
      (["new", "A"], 64, "'new' needs a template: --template terminal|gtk|server|library"),
      (["new", "A", "--template", "game"], 64, "there is no template 'game'"),
      (["new", "A", "--template", "gtk", "--loud"], 64, "'new' has no option --loud"),
      (["new", "A", "--template", "gtk", "--rondo", "/dev"], 66, "no checkout of Rondo in '/dev'"),
    ] as [([String], Int32, String)])
  func aMisuseIsSaidInOneLine(arguments: [String], status: Int32, problem: String) {
    let result = program.run(arguments: arguments)
    #expect(result.status.rawValue == status)
    #expect(result.problem?.contains(problem) == true, "\(result.problem ?? "")")
    #expect(result.problem?.contains("\n") == false)
    #expect(result.output.isEmpty)
  }

  // MARK: Completions

  /// What bash offers for words, of which the last one is written just now.
  private func offered(_ words: [String], by script: String) throws -> Set<String> {
    let folder = TemporaryFolder()
    try folder.write("", to: "recording.jsonl")
    try folder.write("", to: "folder/a")
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let text = """
      \(script)
      cd '\(folder.path)'
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
      _rondo
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    return Set(try output(of: "bash", ["-c", text]).split(separator: "\n").map(String.init))
  }

  @Test func bashOffersWhatTheParserKnows() throws {
    let script = program.run(arguments: ["completions", "bash"]).output
    #expect(
      try offered(["rondo", ""], by: script)
        == Set(program.commands.map(\.name) + ["-h", "--help", "--version"]))
    for command in program.commands {
      let known = candidates.filter { isKnown($0, to: command.name) }
      #expect(try offered(["rondo", command.name, "-"], by: script) == Set(known))
    }
  }

  @Test(
    arguments: [
      (["rondo", "ne"], ["new"]),
      (["rondo", "new", "--t"], ["--template"]),
      (["rondo", "new", "--template", ""], ["terminal", "gtk", "server", "library"]),
      (["rondo", "new", "--template", "=", "s"], ["server"]),
      (["rondo", "new", "--template", "="], ["terminal", "gtk", "server", "library"]),
      (["rondo", "new", "--rondo", ""], ["folder"]),
      (["rondo", "new", ""], []),
      (["rondo", "view", ""], ["recording.jsonl", "folder"]),
      (["rondo", "view", "-o", "rec"], ["recording.jsonl"]),
      (["rondo", "view", "--", "-"], []),
      (["rondo", "view", "--", "r"], ["recording.jsonl"]),
      (["rondo", "test", "--name", ""], []),
      (["rondo", "completions", ""], ["bash", "zsh", "fish"]),
    ] as [([String], Set<String>)])
  func bashOffersWhatAnArgumentCanBe(words: [String], expected: Set<String>) throws {
    let script = program.run(arguments: ["completions", "bash"]).output
    #expect(try offered(words, by: script) == expected)
  }

  @Test(.enabled(if: isInstalled("fish")))
  func fishOffersWhatTheParserKnows() throws {
    let folder = TemporaryFolder()
    try folder.write(program.run(arguments: ["completions", "fish"]).output, to: "rondo.fish")
    func offered(_ line: String) throws -> Set<String> {
      let text = "source '\(folder.path)/rondo.fish'; complete -C '\(line)'"
      let lines = try output(of: "fish", ["--no-config", "-c", text]).split(separator: "\n")
      return Set(lines.map { String($0.prefix { $0 != "\t" }) })
    }
    #expect(try offered("rondo ").isSuperset(of: program.commands.map(\.name)))
    for command in program.commands {
      let known = candidates.filter { isKnown($0, to: command.name) }
      let short = try offered("rondo \(command.name) -")
      let long = try offered("rondo \(command.name) --")
      // A single dash offers the short options, and fish adds the long ones on some versions.
      #expect(short.union(long).filter { $0.hasPrefix("-") } == Set(known), "\(command.name)")
    }
    #expect(
      try offered("rondo new --template ").sorted()
        == PackageTemplate.allCases.map(\.rawValue).sorted())
    #expect(try offered("rondo completions ") == ["bash", "zsh", "fish"])
  }

  @Test(.enabled(if: isInstalled("zsh")))
  func zshOffersWhatTheParserKnows() throws {
    let folder = TemporaryFolder()
    try folder.write(program.run(arguments: ["completions", "zsh"]).output, to: "_rondo")
    // Completion itself needs an interactive shell. So what the script tells zsh is looked at.
    let check = """
      compdef() { }
      source '\(folder.path)/_rondo'
      _describe() { print -rl -- "${commands[@]%%:*}"; }
      _arguments() { print -rl -- "$@"; }
      compadd() { shift; print -rl -- "$@"; }
      words=(rondo "$1" -); CURRENT=${2:-3}
      _rondo
      """
    func offered(_ command: String, at position: Int = 3) throws -> [String] {
      try output(of: "zsh", ["-f", "-c", check, "zsh", command, "\(position)"])
        .split(separator: "\n").map(String.init)
    }
    #expect(
      Set(try offered("", at: 2))
        == Set(program.commands.map(\.name) + ["-h", "--help", "--version"]))
    for command in program.commands {
      let specifications = try offered(command.name).map { line in
        line.replacing("(- *)", with: "").drop { $0 == "*" }.prefix { !"=[:".contains($0) }
      }
      let options = specifications.filter { $0.hasPrefix("-") }.map(String.init)
      let known = candidates.filter { isKnown($0, to: command.name) }
      #expect(Set(options) == Set(known), "\(command.name)")
    }
    #expect(
      try offered("new").contains { $0.contains("(terminal gtk server library)") })
  }

  // MARK: The manual page

  @Test func theManualPageHasEveryCommandAndOption() {
    let text = program.run(arguments: ["manual"]).output.replacing("\\-", with: "-")
    for command in program.commands {
      #expect(text.contains("\n.SS \"rondo \(command.usage)\"\n"))
      for option in command.options { #expect(text.contains("\n.B \(option.usage)\n")) }
    }
    for status in ExitStatus.allCases { #expect(text.contains("\n.B \(status.rawValue)\n")) }
  }

  @Test(.enabled(if: isInstalled("groff")))
  func theManualPageIsReadWithoutAWarning() throws {
    let folder = TemporaryFolder()
    try folder.write(program.run(arguments: ["manual"]).output, to: "rondo.1")
    let page = try output(
      of: "groff", ["-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou", "\(folder.path)/rondo.1"],
      withErrors: true)
    #expect(page.contains("rondo new NAME [OPTIONS]"))
    #expect(!page.contains("warning"), "\(page)")
  }
}
