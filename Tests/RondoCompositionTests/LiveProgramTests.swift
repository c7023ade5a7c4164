// Tests of whole processes: the files that they leave, and the text that they print.

import Foundation
import RondoSeededRandomness
import Testing

/// One at a time: processes that are started side by side inherit one another's pipes.
@Suite(.serialized) struct LiveProgramTests {
  let program: LiveProgram

  init() throws {
    program = LiveProgram()
  }

  // K17
  @Test func aLiveProgramSaysNothingAboutDependenciesOfRondo() throws {
    let outcome = try program.run("dependencies", program.folder.path)
    #expect(outcome.errors == "")
    #expect(outcome.output == "live 2 2 1 1\n")
    #expect(outcome.status == 0)
  }

  @Test func anElementUnderAnIDThatNobodyHasIsReported() throws {
    let outcome = try program.run("write-to-stack")
    #expect(outcome.errors.contains("under the id #42, which no element has."))
    #expect(outcome.output == "0\n")
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

  // MARK: Settings

  /// The settings in the file that Foundation reads.
  private func settings(_ name: String = ".config/live-program.plist") throws -> [String: Int] {
    let data = try Data(contentsOf: URL(filePath: program.path(name)))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(list as? [String: Int])
  }

  // H22
  @Test func aProgramThatIsKilledLosesNoSetting() throws {
    #expect(try program.run("save-default", "kept", "5").output == "5 loaded saved\n")
    var last = 0
    try forEachSeed(Soak.count(4, long: 250)) { random in
      let text = try program.runUntilKilled(
        afterLines: random.int(in: 1..<12), "count-default", "number")
      // A line that was cut off names no number.
      let numbers = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
      let told = try #require(numbers.last.flatMap { Int($0) })
      let settings = try settings()
      #expect(settings["kept"] == 5)
      let number = try #require(settings["number"])
      // The save that was cut off may be done.
      #expect(told...(told + 1) ~= number)
      #expect(told > last)
      last = number
    }
    #expect(try program.run("save-default", "kept", "6").output == "6 loaded saved\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: program.path(".config"))
        == ["live-program.plist"])
  }

  // H22
  @Test func twoProgramsDoNotLoseEachOthersSettings() throws {
    let count = Soak.count(10, long: 400)
    try program.runAtOnce(["one", "two", "three"].map { ["save-defaults", $0, "\(count)"] })
    let settings = try settings()
    for prefix in ["one", "two", "three"] {
      for index in 0..<count { #expect(settings["\(prefix)-\(index)"] == index) }
    }
  }

  // H22
  @Test func damagedSettingsAreKeptAsideAndReported() throws {
    try FileManager.default.createDirectory(
      atPath: program.path(".config"), withIntermediateDirectories: true)
    for (number, damage) in ["<plist", "[]", "<dict>"].enumerated() {
      try program.write(damage, to: ".config/live-program.plist")
      let outcome = try program.run("save-default", "number", "7")
      #expect(outcome.output.hasPrefix("7 ") && outcome.output.hasSuffix("saved\n"))
      #expect(!outcome.output.contains("loaded"))
      #expect(outcome.errors.contains("live-program.plist\" is damaged: "))
      #expect(outcome.errors.split(separator: "\n").count == 1)
      #expect(try settings() == ["number": 7])
      #expect(program.text(of: ".config/live-program.plist.damaged-\(number + 1)") == damage)
    }
  }

  // H22
  @Test func settingsThatCannotBeWrittenAreAnError() throws {
    // Permissions mean nothing to root, but nobody can make a folder there.
    let outcome = try program.run(
      "save-default", "number", "7", environment: ["XDG_CONFIG_HOME": "/proc/rondo"])
    let words = "\"/proc/rondo/live-program.plist\" cannot be written: No such file or directory"
    #expect(outcome.output == "7 loaded \(words)\n")
    #expect(outcome.errors.contains("\(words). The value is kept in memory"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  // H22
  @Test func settingsAreWhereFoundationKeepsThem() throws {
    #expect(try program.run("synchronize", "number", "3").status == 0)
    #expect(try program.run("get-default", "number").output == "3\n")
    let environment = ["XDG_CONFIG_HOME": program.path("settings")]
    #expect(try program.run("synchronize", "number", "4", environment: environment).status == 0)
    #expect(try program.run("get-default", "number", environment: environment).output == "4\n")
    #expect(try settings("settings/live-program.plist") == ["number": 4])
    #expect(try program.run("get-default", "number").output == "3\n")
    #expect(try program.run("save-in-suite", "mine", "number", "8").output == "-1 8\n")
    #expect(try settings(".config/mine.plist") == ["number": 8])
    #expect(try program.run("save-in-suite", "mine", "number", "9").output == "8 9\n")
  }

  // MARK: Files

  // H15
  @Test func whatWaitsToBeWrittenIsWrittenAtTheEnd() throws {
    let outcome = try program.run("save", program.path("text.json"), "new")
    #expect(outcome.errors == "" && outcome.status == 0)
    #expect(program.text(of: "text.json") == "\"new\"")
    #expect(program.names.filter { $0.hasPrefix("text") || $0.hasPrefix(".text") } == ["text.json"])
  }

  // H23
  @Test(arguments: ["add-to-file", "insist-on-file"])
  func noChangeByTwoProgramsIsLost(task: String) throws {
    let count = Soak.count(8, long: 1_000)
    let path = program.path("number.json")
    try program.runAtOnce([[task, path, "\(count)"], [task, path, "\(count)"]])
    #expect(program.text(of: "number.json") == "\(2 * count)")
    #expect(program.names.filter { $0.contains("number") } == ["number.json"])
  }

  // H15
  @Test func aDamagedFileIsKeptAsideAndReportedOnce() throws {
    for (number, damage) in ["{", "[1", "nonsense"].enumerated() {
      try program.write(damage, to: "text.json")
      let outcome = try program.run("save", program.path("text.json"), "new")
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 1)
      #expect(outcome.errors.contains("\"\(program.path("text.json"))\" is damaged: "))
      // The declaration is to blame, not the library.
      #expect(outcome.errors.contains("LiveProgram/main.swift:"))
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
  @Test func aChangeThatFoundNoRoomIsWrittenAtTheEnd() throws {
    let path = program.path("text.json")
    let outcome = try program.run("save-later", path, "new")
    #expect(outcome.output == "\"\(path)\" cannot be written: File too large\n")
    #expect(outcome.status == 0)
    #expect(program.text(of: "text.json") == "\"new\"")
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
