// Tests of whole processes: the files that they leave, and the text that they print.

import Foundation
import Testing

/// One at a time: processes that are started side by side inherit one another's pipes.
@Suite(.serialized) struct LiveProgramTests {
  let program: LiveProgram

  init() throws {
    program = try LiveProgram()
  }

  // K17
  @Test func aLiveProgramSaysNothingAboutDependenciesOfRondo() throws {
    let outcome = try program.run("dependencies", program.folder)
    #expect(outcome.errors == "")
    #expect(outcome.output == "live 2 2 1 1\n")
    #expect(outcome.status == 0)
  }

  // K4
  @Test func userDefaultsAreOnTheDiskWhenTheProgramHasEnded() throws {
    #expect(try program.run("set-default", "number", "7").errors == "")
    #expect(try program.run("get-default", "number").output == "7\n")
  }

  // K4
  @Test func theDeclaredDefaultIsOnTheDisk() throws {
    #expect(try program.run("get-default", "number").output == "-1\n")
    // The declaration of another program has another default.
    #expect(try program.run("set-default", "other", "3").status == 0)
    #expect(try program.run("get-default", "number").output == "-1\n")
  }

  // H15
  @Test func whatWaitsToBeWrittenIsWrittenAtTheEnd() throws {
    let outcome = try program.run("save", program.path("text.json"), "new")
    #expect(outcome.errors == "" && outcome.status == 0)
    #expect(program.text(of: "text.json") == "\"new\"")
    #expect(program.names.filter { $0.hasPrefix("text") || $0.hasPrefix(".text") } == ["text.json"])
  }

  // H15
  @Test func aDamagedFileIsKeptAsideAndReportedOnce() throws {
    for (number, damage) in ["{", "[1", "nonsense"].enumerated() {
      try program.write(damage, to: "text.json")
      let outcome = try program.run("save", program.path("text.json"), "new")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 1)
      #expect(outcome.errors.contains("\"\(program.path("text.json"))\" is damaged: "))
      #expect(program.text(of: "text.json") == "\"new\"")
      #expect(program.text(of: "text.json.damaged-\(number + 1)") == damage)
    }
    #expect(program.text(of: "text.json.damaged-1") == "{")
  }

  // H15
  @Test func aDiskThatIsFullIsOneReportAndTheNextSaveClearsIt() throws {
    let outcome = try program.run("save-too-much", program.path("text.json"))
    let path = program.path("text.json")
    #expect(
      outcome.output == """
        2000 "\(path)" cannot be written: File too large
        short saved

        """)
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(
      outcome.errors.contains(
        "\"\(path)\" cannot be written: File too large. The value is kept in memory"))
    #expect(program.text(of: "text.json") == "\"short\"")
  }

  // H15
  @Test func aProgramThatIsKilledLeavesTheOldFileOrTheNewOne() throws {
    let path = program.path("file.json")
    var isNew = false
    var deaths = 0
    for number in 0..<64 {
      try program.write("old", to: "real.json")
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "real.json")
      chmod(program.path("real.json"), 0o640)
      let outcome = try program.run("save-and-die", path, "new", "\(number)")
      let content = program.text(of: "file.json")
      #expect(content == "old" || content == "new", "killed before call \(number)")
      // A program that lives longer has replaced the file as well.
      #expect(!isNew || content == "new", "killed before call \(number)")
      isNew = content == "new"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "real.json")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
      // The next start reads the file, and removes what was left.
      let next = try program.run("save", path, "next")
      #expect(next.status == 0)
      #expect(program.text(of: "file.json") == "\"next\"")
      #expect(program.names.filter { $0.hasSuffix(".rondo-tmp") } == [])
      guard outcome.status == -SIGKILL else {
        #expect(outcome.output == "\(number)\n")
        break
      }
      deaths += 1
    }
    #expect(isNew && deaths >= 12)
  }
}
