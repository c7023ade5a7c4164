// The operator's tool, run on a journal that the server has written.

import Foundation
import Testing

@Suite struct ToolTests {
  let folder: TemporaryFolder
  let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path()
  }

  private struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n") }

    /// The objects of the lines.
    func objects() throws -> [[String: Any]] {
      try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
  }

  /// Runs a program of this package, beside which the tests are built.
  private func run(_ program: String, _ arguments: [String], input: String = "") throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "DATABASE_URL" }
    let texts = try (0..<3).map { index in
      let path = folder.path()
      try Data((index == 0 ? input : "").utf8).write(to: URL(fileURLWithPath: path))
      return URL(fileURLWithPath: path)
    }
    process.standardInput = try FileHandle(forReadingFrom: texts[0])
    process.standardOutput = try FileHandle(forWritingTo: texts[1])
    process.standardError = try FileHandle(forWritingTo: texts[2])
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: try String(contentsOf: texts[1], encoding: .utf8),
      errors: try String(contentsOf: texts[2], encoding: .utf8))
  }

  private func tool(_ words: String...) throws -> Outcome {
    try run("durable", words + ["--journal", file])
  }

  /// Writes a journal with a match whose clock runs.
  private func play() throws {
    let lines = "1 create final 600\n2 join final ada\n3 join final bob\n"
    let played = try run("durable-matches", ["--journal", file], input: lines)
    #expect(played.output == "ok\nok\nok\n")
  }

  @Test func D19_listsShowAMatch() throws {
    try play()
    let kinds = try tool("ls")
    #expect(kinds.status == 0)
    #expect(
      kinds.lines.map { $0.split(separator: " ").map(String.init) }.last?.prefix(2) == [
        "match", "16",
      ])
    #expect(try tool("ls", "match").lines.last?.split(separator: " ") == ["final", "3", "ok"])
    #expect(try tool("ls", "match", "--failed").lines.count == 1)
    #expect(try tool("quarantine").lines.count == 1)
    let shown = try #require(try tool("show", "match/final", "--json").objects().first)
    #expect(shown["turn"] as? Int == 3)
    let work = try #require(shown["work"] as? [[String: Any]])
    #expect(work.map { $0["id"] as? String } == ["clock"])
    let log = try tool("log", "match/final", "--json").objects()
    #expect(log.map { $0["turn"] as? Int } == [1, 2, 3])
    #expect(log.map { $0["message"] as? String } == ["1", "2", "3"])
    #expect(
      try tool("log", "match/final", "--json", "--after", "1", "--limit", "1").objects().count == 1)
    #expect(try tool("metrics").output.contains("rondo_durable_"))
  }

  @Test func D19_whatIsAskedForWaitsForTheOwnerAndIsDoneByIt() throws {
    try play()
    #expect(try tool("retry", "match/final").status == 0)
    let abandoned = try tool("abandon", "match/final", "clock", "--wait", "0", "--json").objects()
    #expect("\(abandoned)".contains("waits for its owner"))
    let deleted = try tool("delete", "match/final", "--wait", "0").output
    let shown = try #require(try tool("show", "match/final", "--json").objects().first)
    let inbox = try #require(shown["inbox"] as? [[String: Any]])
    let ids = inbox.compactMap { $0["id"] as? String }
    try #require(ids.count == 2)
    #expect(deleted.contains(ids[1]))
    // The match is not deleted, as its message is left out.
    #expect(try tool("discard", "match/final", ids[1]).status == 0)
    // A turn of the match comes behind all that has waited.
    let lines = "4 move final ada 0\nshow final\n"
    let played = try run("durable-matches", ["--journal", file], input: lines)
    #expect(played.output.contains("\"moves\":1"))
    let log = try tool("log", "match/final", "--json").objects()
    #expect(log.contains { "\($0["ended"] ?? "")".contains("clock") })
    #expect(log.allSatisfy { $0["cause"] as? String != "deleted" })
  }

  @Test func D19_wrongArgumentsChangeNothingAndAreNamed() throws {
    try play()
    let wrong = [
      ["nosuch"], ["ls", "a", "b"], ["ls", "nosuch"], ["show"], ["show", "match"],
      ["show", "match/none"],
      ["show", "/final"], ["log", "match/final", "--after", "x"], ["ls", "match", "--limit", "x"],
      ["ls", "--nosuch"], ["discard", "match/final", "none"], ["abandon", "match/final", "none"],
      ["quarantine", "nosuch"], ["delete", "match/final", "--wait", "x"], ["retry", "match/none"],
    ]
    for words in wrong {
      let outcome = try run("durable", ["--journal", file] + words)
      #expect(outcome.status == 64, "\(words): \(outcome.errors)")
      #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("durable: "), "\(words)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(words): \(outcome.errors)")
    }
    #expect(try run("durable", ["ls", "--journal"]).status == 64)
    #expect(try run("durable", ["ls"]).status == 64)
    let shown = try #require(try tool("show", "match/final", "--json").objects().first)
    #expect((shown["inbox"] as? [Any])?.isEmpty == true)
  }

  @Test func D19_theToolOpensTheJournalOfADeploymentAndProgramsOfOthersDoNot() throws {
    let line = "1 create final 600\n"
    let blue = ["--journal", file, "--deployment", "blue"]
    #expect(try run("durable-matches", blue, input: line).output == "ok\n")
    for words in [[], ["--deployment", "green"]] {
      let outcome = try run("durable-matches", ["--journal", file] + words, input: line)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(outcome.errors.contains("is that of the deployment 'blue'"))
    }
    #expect(try tool("ls", "match").lines.last?.split(separator: " ") == ["final", "1", "ok"])
    #expect(try run("durable-matches", blue, input: line).output == "duplicate\n")
  }

  @Test func D19_aToolThatLooksMakesNoFile() throws {
    let outcome = try tool("ls")
    #expect(outcome.status == 64)
    #expect(!FileManager.default.fileExists(atPath: file))
    try Data("This is no journal, but a text of a hundred bytes.".utf8)
      .write(to: URL(fileURLWithPath: file))
    let other = try tool("ls")
    #expect(other.status == 1 && other.errors.split(separator: "\n").count == 1)
  }
}
