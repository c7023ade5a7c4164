// H15: values in files on disk.

import Foundation
import RondoProcesses
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Synchronization
import Testing

@testable import Rondo

struct FileStorageTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { URL(filePath: temporary.path) }
  private var names: [String] { temporary.names }

  private func url(_ name: String) -> URL { temporary.file(name) }

  private func text(of name: String) -> String? { try? temporary.text(of: name) }

  private func write(_ text: String, to name: String) throws {
    try temporary.write(text, to: name)
  }

  private func mode(of name: String) -> mode_t? {
    var status = stat()
    return stat(url(name).path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// Runs a body with files on disk, and removes them.
  private func onDisk<Result>(
    _ storage: FileStorage = .fileSystem, _ body: () async throws -> Result
  ) async rethrows -> Result {
    return try await withDependencies {
      $0.defaultFileStorage = storage
    } operation: {
      try await body()
    }
  }

  // MARK: Damaged files

  // H15
  @Test func aDamagedFileIsKeptAsideWhenSomethingIsSaved() async throws {
    try await onDisk {
      try write("{", to: "a.json")
      try write("older", to: "a.json.damaged-1")
      @Shared(.fileStorage(url("a.json"))) var value = 1
      #expect(value == 1)
      #expect($value.loadError is DecodingError)
      #expect(names == ["a.json", "a.json.damaged-1"])
      $value.withLock { $0 = 2 }
      try await $value.save()
      #expect(text(of: "a.json") == "2")
      #expect(text(of: "a.json.damaged-1") == "older")
      #expect(text(of: "a.json.damaged-2") == "{")
      #expect($value.loadError == nil)
      $value.withLock { $0 = 3 }
      try await $value.save()
      #expect(names == ["a.json", "a.json.damaged-1", "a.json.damaged-2"])
    }
  }

  // H15
  @Test func aFileThatIsDamagedMeanwhileIsKeptAside() async throws {
    try await onDisk {
      @Shared(.fileStorage(url("a.json"))) var value = 1
      $value.withLock { $0 = 2 }
      try await $value.save()
      try write("nonsense", to: "a.json")
      $value.withLock { $0 = 3 }
      try await $value.save()
      #expect(text(of: "a.json") == "3")
      #expect(text(of: "a.json.damaged-1") == "nonsense")
    }
  }

  // H15
  @Test func aFileInMemoryIsKeptAsideAsWell() throws {
    let storage = FileStorage.inMemory
    try storage.save(Data("{".utf8), to: URL(filePath: "/a.json"))
    try withDependencies {
      $0.defaultFileStorage = storage
    } operation: {
      @Shared(.fileStorage(URL(filePath: "/a.json"))) var value = 1
      #expect($value.loadError is DecodingError)
      $value.withLock { $0 = 2 }
      #expect($value.loadError == nil)
      let kept = try storage.load(from: URL(filePath: "/a.json.damaged-1"))
      #expect(kept == Data("{".utf8))
    }
  }

  // H15
  @Test func anEmptyFileIsNotDamaged() async throws {
    try await onDisk {
      try write("", to: "a.json")
      @Shared(.fileStorage(url("a.json"))) var value = 1
      #expect($value.loadError == nil)
      $value.withLock { $0 = 2 }
      try await $value.save()
      #expect(names == ["a.json"])
    }
  }

  // MARK: What stays

  // H15
  @Test(arguments: [0o600, 0o640, 0o666, 0o755, 0o2750] as [mode_t])
  func permissionsStay(mode: mode_t) async throws {
    try await onDisk {
      try write("1", to: "a.json")
      chmod(url("a.json").path, mode)
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      try await $value.save()
      #expect(text(of: "a.json") == "2")
      #expect(self.mode(of: "a.json") == mode)
    }
  }

  // H15
  @Test func aNewFileHasThePermissionsOfANewFile() async throws {
    try await onDisk {
      try write("", to: "other")
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      try await $value.save()
      let usual = open(url("usual").path, O_CREAT | O_WRONLY, 0o666)
      close(usual)
      #expect(mode(of: "a.json") == mode(of: "usual"))
    }
  }

  // H15
  @Test func ownerAndGroupStay() async throws {
    try await onDisk {
      try write("1", to: "a.json")
      // Only root may give a file away; others have it in one of their own groups.
      let owner: (uid_t, gid_t) = getuid() == 0 ? (12_345, 23_456) : (getuid(), getgid())
      #expect(chown(url("a.json").path, owner.0, owner.1) == 0)
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      try await $value.save()
      var status = stat()
      #expect(stat(url("a.json").path, &status) == 0)
      #expect(status.st_uid == owner.0 && status.st_gid == owner.1)
      #expect(text(of: "a.json") == "2")
    }
  }

  // H15
  @Test(arguments: ["real/b.json", "../outside"])
  func aLinkStaysALink(target: String) async throws {
    try await onDisk {
      let folder = folder.appending(component: "in")
      for path in [folder, folder.appending(component: "real")] {
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      }
      let link = folder.appending(component: "a.json")
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "second")
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(component: "second").path, withDestinationPath: target)
      @Shared(.fileStorage(link)) var value = 0
      for number in 1...2 {
        $value.withLock { $0 = number }
        try await $value.save()
        #expect(
          try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "second")
        let real = folder.appending(path: target).standardizedFileURL
        #expect(try String(contentsOf: real, encoding: .utf8) == "\(number)")
      }
    }
  }

  // H15
  @Test func linksInACircleAreAnError() async throws {
    try await onDisk {
      try FileManager.default.createSymbolicLink(
        atPath: url("a.json").path, withDestinationPath: "a.json")
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      await #expect(throws: FileStorageError.self) { try await $value.save() }
      #expect("\($value.saveError as Any)".contains("Too many levels of symbolic links"))
    }
  }

  // H15
  @Test func aReaderOfTheOldFileKeepsIt() async throws {
    try await onDisk {
      try write("1", to: "a.json")
      let reader = try FileHandle(forReadingFrom: url("a.json"))
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      try await $value.save()
      #expect(try reader.readToEnd() == Data("1".utf8))
    }
  }

  // H27
  @Test func aLinkToANameThatIsNotTextIsRefused() async {
    await onDisk {
      let folder = folder.path
      // é in Latin 1, which is not UTF-8.
      let target: [CChar] =
        Array("\(folder)/".utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
      let file = open(target, O_CREAT | O_WRONLY, 0o666)
      #expect(file >= 0 && Foundation.write(file, "1", 1) == 1 && close(file) == 0)
      #expect(symlink(target, "\(folder)/a.json") == 0)
      let before = names.count
      @Shared(.fileStorage(url("a.json"))) var value = 0
      #expect(value == 1)
      $value.withLock { $0 = 2 }
      await #expect(throws: FileStorageError.self) { try await $value.save() }
      #expect("\($value.saveError!)".hasSuffix("leads to a name that is not UTF-8"))
      #expect(names.count == before && text(of: "a.json") == "1")
    }
  }

  // H27
  @Test(
    .enabled("Only root can give a file to another user.") { getuid() == 0 }, arguments: ["1", "{"])
  func aFileOfSomebodyElseIsWrittenInPlace(content: String) async throws {
    // A file of another user stays that user's only where it is not replaced.
    let calls = FileCalls.live.asking { $0 == .fchown ? EPERM : nil }
    try await onDisk(.fileSystem(calls: calls)) {
      try write(content, to: "a.json")
      try write("older", to: "a.json.damaged-1")
      #expect(chmod(url("a.json").path, 0o666) == 0)
      #expect(chown(url("a.json").path, 12_345, 12_345) == 0)
      var before = stat()
      #expect(stat(url("a.json").path, &before) == 0)
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 23 }
      try await $value.save()
      var after = stat()
      #expect(stat(url("a.json").path, &after) == 0)
      #expect(text(of: "a.json") == "23")
      #expect(after.st_ino == before.st_ino)
      #expect(after.st_uid == before.st_uid && after.st_mode == before.st_mode)
      #expect(text(of: "a.json.damaged-2") == (content == "{" ? "{" : nil))
      #expect(!names.contains { $0.hasSuffix(".rondo-tmp") })
    }
  }

  // MARK: Many files

  // H11
  @Test func manyFilesInAFolderListItOnce() async throws {
    let lists = Mutex(0)
    var calls = FileCalls.live
    calls.list = { [list = calls.list] folder in
      lists.withLock { $0 += 1 }
      return list(folder)
    }
    try await onDisk(.fileSystem(calls: calls)) {
      let values = (0..<200).map { Shared(wrappedValue: $0, .fileStorage(url("\($0).json"))) }
      for value in values {
        value.withLock { $0 += 1 }
        try await value.save()
      }
      #expect(lists.withLock { $0 } == 1)
    }
  }

  // MARK: What cannot be written

  // H15
  @Test(arguments: [
    ("/proc/rondo/a.json", "No such file or directory"),
    ("/dev/null/a.json", "Not a directory"),
    ("/tmp", "Is a directory"),
    ("/dev/null", "Not a regular file"),
    ("/\(String(repeating: "x", count: 300))", "File name too long"),
  ])
  func aPathThatCannotBeWrittenIsOneClearError(path: String, reason: String) async throws {
    await onDisk {
      @Shared(.fileStorage(URL(filePath: path))) var value = 0
      $value.withLock { $0 = 1 }
      await #expect(throws: FileStorageError.self) { try await $value.save() }
      #expect(value == 1)
      #expect("\($value.saveError!)".hasSuffix("cannot be written: \(reason)"))
    }
  }

  // H15
  @Test func aFileThatIsNotToBeWrittenIsLeftAlone() async throws {
    let calls = FileCalls.live.asking { $0 == .access ? EACCES : nil }
    try await onDisk(.fileSystem(calls: calls)) {
      try write("1", to: "a.json")
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 2 }
      try? await $value.save()
      #expect(
        "\($value.saveError!)" == "\"\(url("a.json").path)\" cannot be written: Permission denied")
      #expect(text(of: "a.json") == "1")
      #expect(value == 2)
    }
  }

  // H15
  @Test func noFileURLIsAnError() async throws {
    await onDisk {
      @Shared(.fileStorage(URL(string: "https://example.com/a.json")!)) var value = 0
      #expect("\($value.loadError!)".contains("Not a file URL"))
      $value.withLock { $0 = 1 }
      try? await $value.save()
      #expect("\($value.saveError!)".contains("Not a file URL"))
    }
  }

  // K4
  @Test func aLaterSuccessClearsTheError() async throws {
    let error = Mutex<Int32?>(ENOSPC)
    let calls = FileCalls.live.asking { $0 == .write ? error.withLock { $0 } : nil }
    try await onDisk(.fileSystem(calls: calls)) {
      @Shared(.fileStorage(url("a.json"))) var value = 0
      $value.withLock { $0 = 1 }
      await #expect(throws: FileStorageError.self) { try await $value.save() }
      #expect("\($value.saveError!)".hasSuffix("cannot be written: No space left on device"))
      #expect(names == [])
      error.withLock { $0 = nil }
      $value.withLock { $0 = 2 }
      try await $value.save()
      #expect($value.saveError == nil)
      #expect(text(of: "a.json") == "2")
    }
  }

  // H15
  @Test func missingFoldersAreMade() async throws {
    try await onDisk {
      @Shared(.fileStorage(url("é/日本/deep/a.json"))) var value = 0
      $value.withLock { $0 = 1 }
      try await $value.save()
      #expect(text(of: "é/日本/deep/a.json") == "1")
    }
  }

  // H15
  @Test(arguments: ["é.json", "🎲 dice.json", "a\nb", "%41.json", "日本語", "\u{202E}x", "'\"$"])
  func namesAreNotASCIIOnly(name: String) async throws {
    try await onDisk {
      let url = URL(filePath: folder.path + "/" + name)
      do {
        @Shared(.fileStorage(url)) var value = 0
        $value.withLock { $0 = 1 }
        try await $value.save()
      }
      #expect(names == [name])
      @Shared(.fileStorage(url)) var again = 7
      #expect(again == 1)
    }
  }

  // H15
  @Test func aNameThatIsAsLongAsItMayBeLeavesRoomForATemporaryOne() async throws {
    try await onDisk {
      let name = String(repeating: "é", count: 127)
      @Shared(.fileStorage(url(name))) var value = 0
      $value.withLock { $0 = 1 }
      try await $value.save()
      #expect(names == [name])
    }
  }

  // MARK: Litter

  // H15
  @Test func whatADeadProcessHasLeftIsRemovedAndNothingElse() async throws {
    try await onDisk {
      let mine = ".a.json.abc123.rondo-tmp"
      let others = [".a.json.live1.rondo-tmp", ".a.json.not-ours.rondo-tmp", ".b.json.x.rondo-tmp"]
      for name in [mine] + others { try write("left", to: name) }
      // A process that lives holds a lock.
      let owner = open(url(others[0]).path, O_RDONLY)
      #expect(flock(owner, LOCK_EX | LOCK_NB) == 0)
      @Shared(.fileStorage(url("a.json"))) var value = 0
      #expect(names == others.sorted())
      close(owner)
    }
  }

  // H15
  @Test(.timeLimit(.minutes(1)))
  func aPipeWithTheNameOfLitterIsNotWaitedOn() async throws {
    try await onDisk {
      try write("1", to: "a.json")
      #expect(mkfifo(url(".a.json.abc123.rondo-tmp").path, 0o600) == 0)
      @Shared(.fileStorage(url("a.json"))) var value = 0
      #expect(value == 1)
    }
  }

  // MARK: Decoding

  /// A value whose decoding reads another shared file.
  private struct Outer: Codable, Equatable {
    var inner: Int
    init(inner: Int) { self.inner = inner }
    init(from decoder: any Decoder) throws {
      let path = try decoder.singleValueContainer().decode(String.self)
      // The queue that tells of changes does not know the dependencies of the test.
      inner = withDependencies {
        $0.defaultFileStorage = .fileSystem
      } operation: {
        @Shared(.fileStorage(URL(filePath: path))) var value = -1
        return value
      }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("unused")
    }
  }

  // H15
  @Test(.timeLimit(.minutes(20)))
  func aValueWhoseDecodingReadsAnotherFileDoesNotDeadlock() async throws {
    try await onDisk {
      try write("5", to: "inner.json")
      try write("\"\(url("inner.json").path)\"", to: "outer.json")
      @Shared(.fileStorage(url("outer.json"))) var outer = Outer(inner: 0)
      #expect(outer.inner == 5)
      // Once more on the queue that tells of changes.
      try write("6", to: "other.json")
      var values = $outer.values.makeAsyncIterator()
      _ = await values.next()
      try Data("\"\(url("other.json").path)\"".utf8)
        .write(to: url("outer.json"), options: .atomic)
      #expect(await values.next() == Outer(inner: 6))
    }
  }

  // H15
  @Test(.timeLimit(.minutes(20)))
  func aValueWhoseDecodingReadsItselfGetsTheDefault() async throws {
    try await onDisk {
      try write("\"\(url("outer.json").path)\"", to: "outer.json")
      @Shared(
        .fileStorage(
          url("outer.json"),
          decode: { @Sendable [url = url("outer.json")] _ in
            @Shared(.fileStorage(url)) var value = 41
            return value + 1
          },
          encode: { @Sendable in Data("\($0)".utf8) })
      ) var value = 41
      #expect(value == 42)
    }
  }

  // H15
  @Test(.timeLimit(.minutes(20)))
  func twoValuesThatAreLoadedAndChangedByEachOtherDoNotDeadlock() async throws {
    await onDisk {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<Soak.count(50, long: 1_000) {
          let (one, two) = (url("one-\(number).json"), url("two-\(number).json"))
          for (first, second) in [(one, two), (two, one)] {
            group.addTask {
              @Shared(.fileStorage(first)) var value = 0
              $value.withLock {
                @Shared(.fileStorage(second)) var other = 0
                $0 = other + 1
              }
            }
          }
        }
      }
    }
  }

  // MARK: One file

  // K4
  @Test func twoURLsOfOneFileAreOneValue() async throws {
    await onDisk {
      @Shared(.fileStorage(url("a.json"))) var one = 1
      @Shared(.fileStorage(url("b/../a.json"))) var two = 2
      @Shared(
        .fileStorage(
          URL(
            filePath: "a.json", relativeTo: URL(filePath: folder.path, directoryHint: .isDirectory))
        )) var three = 3
      $one.withLock { $0 = 9 }
      #expect(two == 9 && three == 9)
    }
  }

  // H15
  @Test func whatIsNotWrittenYetIsSeenByTheNextHolder() async throws {
    try await onDisk {
      for number in 1...Soak.count(10, long: 200) {
        do {
          @Shared(.fileStorage(url("a.json"))) var value = 0
          $value.withLock { $0 = number }
        }
        @Shared(.fileStorage(url("a.json"))) var value = 0
        #expect(value == number)
        try await $value.save()
      }
    }
  }

  // H15
  @Test func aValueThatIsNeverWrittenMayUseItsFileAtItsEnd() {
    final class Note: Sendable {
      let text: String
      let atEnd: @Sendable () -> Void

      init(_ text: String, atEnd: @escaping @Sendable () -> Void = {}) {
        self.text = text
        self.atEnd = atEnd
      }

      deinit { atEnd() }
    }
    let storage = FileStorage.fileSystem
    let url = url("a")
    let isWriting = DispatchSemaphore(value: 0)
    let mayWrite = DispatchSemaphore(value: 0)
    let hasEnded = LockIsolated(false)
    withDependencies {
      $0.defaultFileStorage = storage
    } operation: {
      let key = FileStorageKey<Note>.fileStorage(
        url, decode: { Note(String(decoding: $0, as: UTF8.self)) },
        encode: { note in
          if note.text == "one" {
            isWriting.signal()
            mayWrite.wait()
          }
          return Data(note.text.utf8)
        })
      @Shared(key) var note = Note("none")
      $note.withLock { $0 = Note("one") }
      isWriting.wait()
      // Waits until the first one is written.
      $note.withLock {
        $0 = Note("two") {
          hasEnded.setValue(storage.file(at: url).latest != nil)
        }
      }
      $note.withLock { $0 = Note("three") }
      #expect(hasEnded.value)
      mayWrite.signal()
      storage.file(at: url).write()
      #expect(text(of: "a") == "three")
    }
  }

  // H15
  @Test(.timeLimit(.minutes(1)))
  func twoThreadsChangeTwoValuesOfOneFileInMemory() async {
    let isInside = DispatchSemaphore(value: 0)
    let whileWriting = LockIsolated<(@Sendable () -> Void)?>(nil)
    let (text, bytes) = withDependencies {
      $0.defaultFileStorage = .inMemory
    } operation: {
      (
        Shared(
          wrappedValue: "",
          FileStorageKey<String>.fileStorage(
            url("a"), decode: { String(decoding: $0, as: UTF8.self) },
            encode: {
              whileWriting.withLock { $0.take() }?()
              return Data($0.utf8)
            })),
        Shared(
          wrappedValue: [],
          FileStorageKey<[UInt8]>.fileStorage(url("a"), decode: { Array($0) }, encode: { Data($0) })
        )
      )
    }
    await withTaskGroup { group in
      await withCheckedContinuation { hasBegun in
        whileWriting.setValue {
          hasBegun.resume()
          isInside.wait()
        }
        group.addTask { await onThread { text.withLock { $0 = "a" } } }
      }
      group.addTask {
        await onThread {
          bytes.withLock { _ in
            isInside.signal()
            text.withLock { $0 = "b" }
          }
        }
      }
    }
    #expect(text.wrappedValue == "b")
    #expect(bytes.wrappedValue == Array("b".utf8))
  }

  // H15
  @Test func anEncoderOfOnesOwnIsUsed() async throws {
    try await onDisk {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      @Shared(.fileStorage(url("a.json"), encoder: encoder)) var value = ["b": 1]
      $value.withLock { $0["a"] = 2 }
      try await $value.save()
      #expect(text(of: "a.json") == "{\n  \"a\" : 2,\n  \"b\" : 1\n}")
    }
  }

  // K4
  @Test func keysOfAFileInMemoryHearOfAChangeInTheOrderInWhichTheyCame() throws {
    let storage = FileStorage.inMemory
    let file = storage.file(at: url("a"))
    let heard = LockIsolated<[Int]>([])
    let subscriptions = (0..<20).map { number in
      file.observe { _ in heard.withValue { $0.append(number) } }
    }
    try storage.save(Data("1".utf8), to: url("a"))
    #expect(heard.value == Array(0..<20))
    withExtendedLifetime(subscriptions) {}
  }

  // MARK: Changes from outside

  #if os(Linux)
    // H15
    @Test(.timeLimit(.minutes(20)))
    func aFolderThatIsMadeAnewIsWatchedAgain() async throws {
      try await onDisk {
        try FileManager.default.createDirectory(
          at: url("in"), withIntermediateDirectories: false)
        try write("1", to: "in/a.json")
        @Shared(.fileStorage(url("in/a.json"))) var value = 0
        var values = $value.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        for number in 7...9 {
          try FileManager.default.removeItem(at: url("in"))
          try FileManager.default.createDirectory(
            at: url("in"), withIntermediateDirectories: false)
          try write("\(number)", to: "in/a.json")
          while let value = await values.next(), value != number {}
          #expect(value == number)
        }
      }
    }

    // H15
    @Test(.timeLimit(.minutes(20)))
    func aFolderAboveThatIsRenamedAndMadeAnewIsWatchedAgain() async throws {
      try await onDisk {
        try FileManager.default.createDirectory(
          at: url("in/deep"), withIntermediateDirectories: true)
        try write("1", to: "in/deep/a.json")
        @Shared(.fileStorage(url("in/deep/a.json"))) var value = 0
        var values = $value.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        #expect(rename(url("in").path, url("out").path) == 0)
        #expect(await values.next() == 0)
        try FileManager.default.createDirectory(
          at: url("in/deep"), withIntermediateDirectories: true)
        try write("2", to: "in/deep/a.json")
        #expect(await values.next() == 2)
      }
    }

    // H15
    @Test(.timeLimit(.minutes(20)))
    func aFileThatGetsItsNameByALinkIsRead() async throws {
      try await onDisk {
        try write("2", to: "b.json")
        @Shared(.fileStorage(url("a.json"))) var value = 1
        var values = $value.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        await withCheckedContinuation { continuation in
          FileStorage.fileSystem.place.queue?.async { continuation.resume() }
        }
        #expect(link(url("b.json").path, url("a.json").path) == 0)
        #expect(await values.next() == 2)
      }
    }

    // H15
    @Test(.timeLimit(.minutes(20)))
    func aLinkThatLeadsElsewhereIsFollowed() async throws {
      try await onDisk {
        for (name, text) in [("one", "1"), ("two", "2")] {
          try FileManager.default.createDirectory(
            at: url(name), withIntermediateDirectories: false)
          try write(text, to: "\(name)/a.json")
        }
        try FileManager.default.createSymbolicLink(
          atPath: url("current").path, withDestinationPath: "one")
        @Shared(.fileStorage(url("current/a.json"))) var value = 0
        var values = $value.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        try FileManager.default.createSymbolicLink(
          atPath: url("next").path, withDestinationPath: "two")
        #expect(rename(url("next").path, url("current").path) == 0)
        while let value = await values.next(), value != 2 {}
        try write("3", to: "two/a.json")
        while let value = await values.next(), value != 3 {}
        #expect(value == 3)
      }
    }

    // H15
    @Test(.timeLimit(.minutes(20)))
    func aFileIsReadAgainWhenTheSystemHasLostEvents() async throws {
      try await onDisk {
        try write("1", to: "a.json")
        try FileManager.default.createDirectory(
          at: url("other"), withIntermediateDirectories: false)
        #expect(link(url("a.json").path, url("other/b.json").path) == 0)
        @Shared(.fileStorage(url("a.json"))) var value = 0
        var values = $value.values.makeAsyncIterator()
        #expect(await values.next() == 1)
        // The file is looked at once after it is watched.
        await withCheckedContinuation { continuation in
          FileStorage.fileSystem.place.queue?.async { continuation.resume() }
        }
        // Under its other name the file changes without an event.
        let file = try FileHandle(forWritingTo: url("other/b.json"))
        try file.write(contentsOf: Data("2".utf8))
        try file.close()
        let loss = FolderWatches.Event(folder: -1, kinds: UInt32(IN_Q_OVERFLOW), name: "")
        FolderWatches.ofProcess.handle([loss])
        #expect(await values.next() == 2)
      }
    }

    // H15
    @Test func manyFilesTakeOneInstanceOfTheSystem() async throws {
      await onDisk {
        let values = (0..<40).map { number in
          Shared(wrappedValue: 0, .fileStorage(url("\(number % 8)/\(number).json")))
        }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let instances = files.filter { number in
          let target = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/fd/\(number)")
          return target?.hasSuffix("inotify") == true
        }
        #expect(instances.count == 1)
        withExtendedLifetime(values) {}
      }
    }
  #endif

  // MARK: Subscriptions

  // H19
  @Test func theFilesInMemoryGoWithTheirHoldersAndHaveNoObserversLeft() {
    weak var files: AnyObject?
    var kept: [SharedSubscription] = []
    do {
      let storage = FileStorage.inMemory
      files = storage.place
      withDependencies {
        $0.defaultFileStorage = storage
      } operation: {
        for number in 0..<10 {
          @Shared(.fileStorage(URL(filePath: "/\(number % 3)"))) var value = 0
          $value.withLock { $0 = number }
          #expect(storage.observerCount == 1)
        }
        #expect(storage.observerCount == 0)
        // A subscription that nobody cancels keeps neither its files nor its key.
        let key = FileStorageKey<Int>.fileStorage(URL(filePath: "/0"))
        kept.append(
          key.subscribe(context: .userInitiated, subscriber: SharedSubscriber(callback: { _ in })))
        #expect(storage.observerCount == 1)
      }
    }
    #expect(files == nil)
    #expect(kept.count == 1)
  }
}

/// Runs a body on a thread that may wait.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { hasEnded in
    DispatchQueue.global().async {
      body()
      hasEnded.resume()
    }
  }
}
