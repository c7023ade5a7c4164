// Files that shared values are kept in.

import Dispatch
import Foundation
import Synchronization

/// Files: those of the machine, or some in memory.
///
/// In tests, `.fileStorage` keys use files in memory, of which every test has its own:
///
/// ```swift
/// let store = TestStore(initialState: List.State()) { List() } withDependencies: {
///   $0.defaultFileStorage = .inMemory
///   try? $0.defaultFileStorage.save(Data("[]".utf8), to: .list)
/// }
/// ```
public struct FileStorage: Hashable, Sendable {
  private let files: any Files

  /// The files of the machine.
  ///
  /// A file is replaced in one step: at any instant, also after a crash, it has its old content or
  /// its new one. Its permissions, its owner and its group stay as they are. A symbolic link stays
  /// a link, and the file that it leads to is replaced.
  public static let fileSystem: FileStorage = {
    let files = FileSystem(.live)
    // Changes that wait to be written are written before the program ends.
    WaitingWrites.add { StoredFiles.writeAll(of: files) }
    return FileStorage(files: files)
  }()

  /// The files of the machine, by way of other system calls.
  package static func fileSystem(calls: FileCalls) -> FileStorage {
    FileStorage(files: FileSystem(calls))
  }

  /// A new storage in memory, without files, for every use of this property.
  public static var inMemory: FileStorage { FileStorage(files: FilesInMemory()) }

  /// Reads a file.
  ///
  /// - Throws: A `CocoaError` if there is no such file. A ``FileStorageError`` if it cannot be
  ///   read.
  public func load(from url: URL) throws -> Data {
    guard let data = try files.read(FilePath(url)) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSURLErrorKey: url])
    }
    return data
  }

  /// Writes a file: all of it, or nothing. Missing folders are made.
  ///
  /// - Throws: A ``FileStorageError`` if it cannot be written.
  public func save(_ data: Data, to url: URL) throws {
    try files.replace(FilePath(url), with: data)
  }

  /// Whether there is a file.
  public func fileExists(at url: URL) -> Bool {
    (try? files.read(FilePath(url))) != nil
  }

  /// A file that values are kept in. All keys of one file have the same one.
  func file(at url: URL) -> StoredFile {
    let path = FilePath(url)
    return files.stored.file(path) { StoredFile(path, files) }
  }

  /// The place that the files are in.
  var place: any Files { files }

  /// The number of keys that hear of changes of files in memory.
  var observerCount: Int { (files as? FilesInMemory)?.observerCount ?? 0 }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.files === rhs.files }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(files)) }
}

/// The name of a file: the same for all URLs that name the same path.
struct FilePath: Hashable, Sendable {
  /// The path; the text of the URL if it is not the URL of a file.
  let text: String
  /// Whether it is a path.
  let isPath: Bool

  init(_ url: URL) {
    let path = url.isFileURL ? url.standardizedFileURL.path : ""
    isPath = !path.isEmpty && !path.utf8.contains(0)
    text = isPath ? path : url.absoluteString
  }
}

/// A place that holds files.
protocol Files: AnyObject, Sendable {
  /// The files that keys have opened.
  var stored: StoredFiles { get }

  /// The queue that values are written on; `nil` to write them at once.
  var queue: DispatchQueue? { get }

  /// The content of a file; `nil` where there is none.
  func read(_ path: FilePath) throws -> Data?

  /// Replaces the content of a file.
  func replace(_ path: FilePath, with data: Data) throws

  /// Changes the content of a file, so that nobody else changes it meanwhile.
  ///
  /// - Parameter body: Makes the new content of the old one, which is `nil` where there is no file.
  ///   It may be called several times; what the last call returns is written. `nil` leaves the file as
  ///   it is.
  func change(_ path: FilePath, _ body: (_ old: Data?) throws -> WholeFile.NewContent?) throws

  /// Removes the temporary files of processes that ended while they wrote a file.
  func removeLitter(beside path: FilePath)

  /// Calls a closure whenever somebody has written or removed a file.
  func observe(_ path: FilePath, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

// MARK: - In memory

private final class FilesInMemory: Files {
  private struct State {
    var files: [FilePath: Data] = [:]
    var observers: [UInt64: (path: FilePath, didChange: @Sendable () -> Void)] = [:]
    var lastObserver: UInt64 = 0

    /// Keeps the content of a file under the first name that is free.
    mutating func keep(_ data: Data, of path: FilePath) {
      for number in 1... {
        let name = FilePath(URL(filePath: "\(path.text).damaged-\(number)"))
        guard files[name] == nil else { continue }
        files[name] = data
        return
      }
    }
  }

  private let state = Mutex(State())
  let stored = StoredFiles()

  var queue: DispatchQueue? { nil }

  var observerCount: Int { state.withLock { $0.observers.count } }

  func read(_ path: FilePath) -> Data? {
    state.withLock { $0.files[path] }
  }

  func replace(_ path: FilePath, with data: Data) {
    change(path) { _ in WholeFile.NewContent(data: data) }
  }

  func change(
    _ path: FilePath, _ body: (_ old: Data?) throws -> WholeFile.NewContent?
  ) rethrows {
    while true {
      let old = read(path)
      guard let new = try body(old) else { return }
      let observers = state.withLock { state -> [@Sendable () -> Void]? in
        guard state.files[path] == old else { return nil }
        if new.keepsOld, let old { state.keep(old, of: path) }
        state.files[path] = new.data
        return state.observers.filter { $0.value.path == path }.mapValues(\.didChange)
          .valuesByNumber
      }
      guard let observers else { continue }
      for observer in observers { SharedPersistence.afterSaving(observer) }
      return
    }
  }

  func removeLitter(beside path: FilePath) {}

  func observe(
    _ path: FilePath, _ didChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    let id = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = (path, didChange)
      return state.lastObserver
    }
    return SharedSubscription { [weak self] in
      _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
    }
  }
}

// MARK: - On disk

private final class FileSystem: Files {
  private let calls: FileCalls
  private let writing = DispatchQueue(label: "Rondo.FileStorage", qos: .utility)
  /// The temporary files that were in a folder when a file in it was first read. A folder is listed
  /// once, so that many files in one folder do not take quadratic time.
  private let litter = Mutex<[String: [String]]>([:])
  let stored = StoredFiles()

  init(_ calls: FileCalls) {
    self.calls = calls
  }

  var queue: DispatchQueue? { writing }

  func read(_ path: FilePath) throws -> Data? {
    try file(path, for: .reading).read()
  }

  func replace(_ path: FilePath, with data: Data) throws {
    try file(path, for: .writing).replace(with: WholeFile.NewContent(data: data))
  }

  func change(
    _ path: FilePath, _ body: (_ old: Data?) throws -> WholeFile.NewContent?
  ) throws {
    try file(path, for: .writing).change(body)
  }

  func removeLitter(beside path: FilePath) {
    guard path.isPath else { return }
    let file = WholeFile(path: path.text, calls: calls)
    file.removeLitter { folder in
      if let names = litter.withLock({ $0[folder] }) { return names }
      let names = file.temporaryFiles(in: folder)
      litter.withLock { $0[folder] = names }
      return names
    }
  }

  private func file(
    _ path: FilePath, for operation: FileStorageError.Operation
  ) throws(FileStorageError) -> WholeFile {
    guard path.isPath else {
      throw FileStorageError(path: path.text, operation: operation, reason: "Not a file URL")
    }
    return WholeFile(path: path.text, calls: calls)
  }

  func observe(
    _ path: FilePath, _ didChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    #if os(Linux)
      guard path.isPath else { return SharedSubscription {} }
      let file = WholeFile(path: path.text, calls: calls)
      let target = (try? file.resolved()) ?? path.text
      try? WholeFile.makeFolder(of: target, calls)
      return FolderWatches.ofProcess.watch(file, on: writing, didChange)
    #else
      return SharedSubscription {}
    #endif
  }
}
