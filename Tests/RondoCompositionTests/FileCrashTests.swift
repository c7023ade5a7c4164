// H15: every system call of a save fails, or is the last one that the process makes.

import Foundation
import RondoRuntimeTestSupport
import Synchronization
import Testing

@testable import Rondo

struct FileCrashTests {
  /// The way in which a call of a save goes wrong.
  private enum Fate: String, CaseIterable {
    /// The call fails, and the process goes on.
    case failing
    /// The call is made, and no other one after it.
    case dying
  }

  /// The files before the save.
  enum Before: String, CaseIterable, CustomTestStringConvertible {
    case nothing, file, damagedFile, link, missingFolder

    var testDescription: String { rawValue }
  }

  /// A row of the table: a call, and how the save ended.
  private struct Row {
    var call: String
    var outcomes: [Fate: String] = [:]
  }

  // H15
  @Test(arguments: Before.allCases)
  func theFileIsTheOldOneOrTheNewOne(before: Before) throws {
    var rows: [Row] = []
    for number in 0... {
      var row = Row(call: "")
      for fate in Fate.allCases {
        let run = try Run(before)
        let call = run.save(number, isDying: fate == .dying)
        row.call = call?.rawValue ?? ""
        guard call != nil else { continue }
        row.outcomes[fate] = run.check()
      }
      guard !row.call.isEmpty else { break }
      rows.append(row)
    }
    print(table(of: rows, before))
    #expect(rows.count >= 10)
  }

  private func table(of rows: [Row], _ before: Before) -> String {
    let lines = rows.enumerated().map { index, row in
      let columns = ["\(index + 1)", row.call] + Fate.allCases.map { row.outcomes[$0] ?? "–" }
      return zip(columns, [3, 9, 34, 34])
        .map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " ")
    }
    return "A save where there is: \(before)\n" + lines.joined(separator: "\n")
  }

  /// The files that a process has open.
  private final class OpenedFiles: Sendable {
    let numbers = Mutex<Set<Int32>>([])
  }

  /// One save, with a call that fails or is the last one.
  private final class Run {
    private let program: LiveProgram
    private let before: Before
    private let path: String
    private let real: String
    private let opened = OpenedFiles()
    private var error: (any Error)?

    private static let old = "\"old\""
    private static let new = "\"new\""
    private static let damage = "{"

    init(_ before: Before) throws {
      self.before = before
      program = LiveProgram()
      path = program.path(before == .missingFolder ? "a/b/file.json" : "file.json")
      real = before == .link ? program.path("real.json") : path
      switch before {
      case .nothing, .missingFolder: break
      case .file: try program.write(Self.old, to: "file.json")
      case .damagedFile: try program.write(Self.damage, to: "file.json")
      case .link:
        try program.write(Self.old, to: "real.json")
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "real.json")
      }
      guard before != .nothing, before != .missingFolder else { return }
      #expect(chmod(real, 0o640) == 0)
      if getuid() == 0 { #expect(chown(real, 12_345, 23_456) == 0) }
    }

    deinit {
      closeAll()
    }

    /// Closes all files, as the system does when a process has ended.
    private func closeAll() {
      for file in opened.numbers.withLock({ $0 }) { close(file) }
      opened.numbers.withLock { $0 = [] }
    }

    /// Saves a new content.
    ///
    /// - Returns: The call that has met its fate; `nil` if there were fewer.
    func save(_ number: Int, isDying: Bool) -> FileCalls.Call? {
      let state = Mutex((count: 0, met: FileCalls.Call?.none))
      var live = FileCalls.live
      live.open = { [live, opened] path, flags, mode in
        let file = live.open(path, flags, mode)
        if file >= 0 { _ = opened.numbers.withLock { $0.insert(file) } }
        return file
      }
      live.close = { [live, opened] file in
        _ = opened.numbers.withLock { $0.remove(file) }
        return live.close(file)
      }
      let calls = live.asking { call in
        state.withLock { state in
          defer { state.count += 1 }
          if state.count == number { state.met = call }
          if isDying { return state.count > number ? EIO : nil }
          return state.count == number ? EIO : nil
        }
      }
      let file = StoredFile(
        FilePath(URL(filePath: path)), FileStorage.fileSystem(calls: calls).place)
      let result = Mutex<Result<Void, any Error>?>(nil)
      let hasEnded = DispatchSemaphore(value: 0)
      file.save(
        StoredFile.Change(
          value: Self.new, base: StoredFile.Base(Data(Self.old.utf8)),
          encode: { Data(Self.new.utf8) },
          replacement: { _, _, _ in .value }, setKnown: { _ in nil }),
        SaveContinuation { answer in
          result.withLock { $0 = answer }
          hasEnded.signal()
        })
      hasEnded.wait()
      if case .failure(let error) = result.withLock({ $0 }) { self.error = error }
      return state.withLock(\.met)
    }

    /// Looks at what the save has left, then starts anew.
    ///
    /// - Returns: What has come of it, in words.
    func check() -> String {
      closeAll()
      let content = try? String(contentsOfFile: path, encoding: .utf8)
      let isNew = content == Self.new
      switch before {
      case .nothing, .missingFolder: #expect(isNew || content == nil)
      case .file, .link: #expect(isNew || content == Self.old)
      case .damagedFile:
        #expect(isNew || content == Self.damage)
        if isNew { #expect(program.text(of: "file.json.damaged-1") == Self.damage) }
      }
      checkAttributes()
      var words: Substring = "saved"
      if let error { words = "\(error)".split(separator: ": ").last ?? "" }
      let age = isNew ? "new" : "old"
      let litter = program.litter ? ", litter" : ""
      startAnew()
      return "\(age) file\(litter); \(words)"
    }

    private func checkAttributes() {
      guard before != .nothing, before != .missingFolder else { return }
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o640)
      if getuid() == 0 { #expect(status.st_uid == 12_345 && status.st_gid == 23_456) }
      if before == .link {
        #expect(
          (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == "real.json")
      }
    }

    /// The next start reads the file, clears what was left, and saves.
    private func startAnew() {
      withDependencies {
        $0.defaultFileStorage = FileStorage.fileSystem(calls: .live)
      } operation: {
        let key = FileStorageKey<String>.fileStorage(URL(filePath: path))
        let isLoaded = Mutex(false)
        key.load(
          context: .userInitiated,
          continuation: LoadContinuation { _ in isLoaded.withLock { $0 = true } })
        #expect(isLoaded.withLock { $0 })
        #expect(!program.litter)
        #expect(throws: Never.self) {
          try FileStorage.fileSystem(calls: .live)
            .save(Data(Self.new.utf8), to: URL(filePath: path))
        }
      }
      #expect((try? String(contentsOfFile: path, encoding: .utf8)) == Self.new)
      // A damaged file is kept once, also where it took two attempts.
      let kept = program.names.filter { $0.contains(".damaged-") }
      #expect(kept.count <= 1)
    }
  }
}

extension LiveProgram {
  /// Whether there is a temporary file anywhere.
  fileprivate var litter: Bool {
    let files = FileManager.default.enumerator(atPath: folder.path)
    return files?.contains { ($0 as? String)?.hasSuffix(".rondo-tmp") == true } ?? false
  }
}
