import Foundation
import Testing

@testable import RondoHomeFeature

@Suite struct SavedGamesFileTests {
  let directory = TemporaryFolder()
  let games = SavedGames(unlimited: .preview(at: .piDay))

  var file: SavedGamesFile { SavedGamesFile(directory: directory.path) }

  @Test func aMissingFileIsAnEmptyOne() throws {
    #expect(try file.load() == SavedGames())
    #expect(directory.names == [])
  }

  @Test func whatIsSavedIsLoaded() throws {
    try file.save(games, at: .piDay)
    #expect(try file.load() == games)
    #expect(directory.names == ["saved-games.json"])
  }

  @Test func aSecondSaveReplacesTheFirst() throws {
    try file.save(games, at: .piDay)
    try file.save(SavedGames(), at: .piDay)
    #expect(try directory.text(of: "saved-games.json") == "{}\n")
    #expect(directory.names == ["saved-games.json"])
  }

  @Test func onlyTheOwnerMayReadTheFile() throws {
    let before = umask(0)
    defer { umask(before) }
    try file.save(games, at: .piDay)
    #expect(try status(of: file.path).st_mode & 0o777 == 0o600)
  }

  @Test func savingMakesTheDirectory() throws {
    let file = SavedGamesFile(directory: directory.path("a/b"))
    try file.save(games, at: .piDay)
    #expect(try file.load() == games)
    #expect(try status(of: directory.path("a/b")).st_mode & 0o777 == 0o700)
  }

  @Test func aReaderOfTheOldFileKeepsIt() throws {
    try file.save(games, at: .piDay)
    let reader = try FileDescriptor.open(file.path, O_RDONLY)
    let old = try directory.bytes(of: "saved-games.json")
    try file.save(SavedGames(), at: .piDay)
    // The file was replaced, not written into.
    #expect(try reader.readAll(limit: .max) == old)
  }

  @Test func anEmptyFileIsADamagedOne() throws {
    try directory.write("", to: "saved-games.json")
    #expect(throws: damaged("line 1, column 1", "Unexpected end of file during JSON parse")) {
      try file.load()
    }
  }

  @Test func aDamagedFileIsKeptBesideBeforeASave() throws {
    try directory.write("lost?", to: "saved-games.json")
    try file.save(games, at: .piDay)
    #expect(try file.load() == games)
    let aside = "saved-games.json.damaged-2026-03-14T15-09-26Z"
    #expect(directory.names == ["saved-games.json", aside])
    #expect(try directory.text(of: aside) == "lost?")
  }

  @Test func everyDamagedFileIsKept() throws {
    for text in ["first", "second", "third"] {
      try directory.write(text, to: "saved-games.json")
      try file.save(games, at: .piDay)
    }
    let aside = "saved-games.json.damaged-2026-03-14T15-09-26Z"
    #expect(directory.names == ["saved-games.json", aside, aside + "-2", aside + "-3"])
    #expect(try directory.text(of: aside) == "first")
    #expect(try directory.text(of: aside + "-2") == "second")
    #expect(try directory.text(of: aside + "-3") == "third")
  }

  @Test func aDirectoryInTheFilesPlaceIsKeptBeside() throws {
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
    try directory.write("inside", to: "saved-games.json/note")
    #expect(throws: unreadable("Is a directory")) { try file.load() }

    try file.save(games, at: .piDay)
    #expect(try file.load() == games)
    let aside = "saved-games.json.damaged-2026-03-14T15-09-26Z"
    #expect(try directory.text(of: aside + "/note") == "inside")
  }

  @Test func aNamedPipeIsNotWaitedFor() throws {
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(throws: unreadable("Not a regular file")) { try file.load() }
  }

  @Test func aHugeFileIsNotRead() throws {
    try directory.write("", to: "saved-games.json")
    #expect(truncate(file.path, 1 << 40) == 0)
    #expect(throws: unreadable("File too large")) { try file.load() }
  }

  @Test func aFileInTheDirectorysPlaceIsNamed() throws {
    try directory.write("", to: "data")
    let file = SavedGamesFile(directory: directory.path("data"))
    #expect(
      throws: SavedGamesError(path: file.path, reason: .unreadable("Not a directory"))
    ) { try file.load() }
    #expect(throws: SavedGamesError.self) { try file.save(games, at: .piDay) }
    #expect(try directory.text(of: "data") == "")
  }

  @Test func aSaveThatFailsLeavesNothingBehind() throws {
    // Nothing can be made in /proc, not by root either.
    let file = SavedGamesFile(directory: "/proc/self")
    #expect(throws: SavedGamesError.self) { try file.save(games, at: .piDay) }
  }

  @Test func anErrorIsOneLine() throws {
    let error = SavedGamesError(path: "/a\nb", reason: .unreadable("No"))
    #expect(error.description == #"/a\nb: cannot be read: No"#)
  }

  private func damaged(_ place: String, _ message: String) -> SavedGamesError {
    SavedGamesError(
      path: file.path,
      reason: .damaged(JSONProblem(place: place, message: message))
    )
  }

  private func unreadable(_ message: String) -> SavedGamesError {
    SavedGamesError(path: file.path, reason: .unreadable(message))
  }

  private func status(of path: String) throws -> stat {
    try FileDescriptor.open(path, O_RDONLY).status()
  }
}
