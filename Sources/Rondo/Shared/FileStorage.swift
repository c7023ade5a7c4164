// Files that shared values are kept in.

import Dispatch
import Foundation

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
  public static let fileSystem = FileStorage(files: FileSystem())

  /// Files in memory: none, every time that it is asked for.
  public static var inMemory: FileStorage { FileStorage(files: FilesInMemory()) }

  /// Reads a file.
  public func load(from url: URL) throws -> Data { try files.load(url) }

  /// Writes a file: all of it, or nothing. Missing folders are made.
  public func save(_ data: Data, to url: URL) throws { try files.save(data, url) }

  /// Whether there is a file.
  public func fileExists(at url: URL) -> Bool { files.exists(url) }

  /// Calls a closure whenever somebody has written or removed a file.
  func observe(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    files.observe(url, didChange)
  }

  /// Where files are written; `nil` for at once.
  var queue: DispatchQueue? { files.queue }

  var id: ObjectIdentifier { ObjectIdentifier(files) }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.files === rhs.files }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private protocol Files: AnyObject, Sendable {
  var queue: DispatchQueue? { get }
  func load(_ url: URL) throws -> Data
  func save(_ data: Data, _ url: URL) throws
  func exists(_ url: URL) -> Bool
  func observe(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription
}

private final class FilesInMemory: Files {
  private struct State {
    var files: [URL: Data] = [:]
    var observers: [UInt64: (url: URL, didChange: @Sendable () -> Void)] = [:]
    var lastObserver: UInt64 = 0
  }

  private let state = Locked(State())

  var queue: DispatchQueue? { nil }

  func load(_ url: URL) throws -> Data {
    guard let data = state.withLock({ $0.files[url] }) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    return data
  }

  func save(_ data: Data, _ url: URL) {
    let observers = state.withLock { state in
      state.files[url] = data
      return state.observers.values.filter { $0.url == url }
    }
    for observer in observers { observer.didChange() }
  }

  func exists(_ url: URL) -> Bool {
    state.withLock { $0.files[url] != nil }
  }

  func observe(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    let id = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = (url, didChange)
      return state.lastObserver
    }
    return SharedSubscription { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
    }
  }
}

private final class FileSystem: Files {
  /// What has been put on the queue is written before the program exits.
  private static let writing: DispatchQueue = {
    let queue = DispatchQueue(label: "Rondo.FileStorage", qos: .utility)
    atexit { FileStorage.fileSystem.queue?.sync {} }
    return queue
  }()

  var queue: DispatchQueue? { Self.writing }

  func load(_ url: URL) throws -> Data { try Data(contentsOf: url) }

  func save(_ data: Data, _ url: URL) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url, options: .atomic)
  }

  func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  // Changes are heard of on the queue on which files are written, so never in the middle of that.
  func observe(_ url: URL, _ didChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    #if os(Linux)
      try? FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let watch = FolderWatch(url, on: Self.writing, didChange)
      return SharedSubscription { watch?.end() }
    #else
      return SharedSubscription {}
    #endif
  }
}
