// A file in which shared values are kept, with the value that is about to be written to it.

import Dispatch
import Foundation
import Synchronization

/// The files of one storage that keys have opened, by their paths.
final class StoredFiles: Sendable {
  private struct Entry {
    weak var file: StoredFile?
  }

  private let entries = Mutex<[FilePath: Entry]>([:])

  /// The file at a path, made now if no key has opened it.
  func file(_ path: FilePath, orElse make: () -> StoredFile) -> StoredFile {
    entries.withLock { entries in
      if let file = entries[path]?.file { return file }
      if entries.count >= 64 { entries = entries.filter { $0.value.file != nil } }
      let file = make()
      entries[path] = Entry(file: file)
      return file
    }
  }

  /// Writes all values that wait to be written, and returns when that is done.
  func writeAll() {
    for file in entries.withLock({ $0.values.compactMap(\.file) }) { file.write() }
  }
}

/// A file, with the value that is about to be written to it.
///
/// Values are written one after the other. When several come faster than they can be written, only
/// the last one is written. No lock is held while a value is decoded, so decoding may read other
/// files.
final class StoredFile: Sendable {
  /// A value that is to be written.
  struct Change: Sendable {
    let value: any Sendable
    let encode: @Sendable () throws -> Data
    /// Whether the new value may replace a content of the file.
    let canReplace: @Sendable (Data) -> Bool
    /// Notes the content of the file; returns what was noted before.
    let setKnown: @Sendable (Data?) -> Data?
  }

  private struct State {
    var waiting: Change?
    var beingWritten: Change?
    var continuations: [SaveContinuation] = []
  }

  let path: FilePath
  private let files: any Files
  private let state = Mutex(State())
  /// Held while a value is written, so that no older one comes after a newer one.
  private let writing = NSRecursiveLock()

  init(_ path: FilePath, _ files: any Files) {
    self.path = path
    self.files = files
  }

  /// The identity of the storage.
  var storage: ObjectIdentifier { ObjectIdentifier(files) }

  /// The value that is not on the disk yet.
  var latest: Change? { state.withLock { $0.waiting ?? $0.beingWritten } }

  // MARK: Reading

  /// The content; `nil` where there is no file.
  func read() throws -> Data? {
    files.removeLitter(beside: path)
    return try files.read(path)
  }

  /// Calls a closure with every content that was written by other code.
  ///
  /// - Parameters:
  ///   - didRead: Takes the content, `nil` where there is no file any more, or an error. Returns
  ///     whether the content was new.
  ///   - isNewer: Takes a value that was saved meanwhile, and is newer than the content.
  func observe(
    _ didRead: @escaping @Sendable (Result<Data?, any Error>) -> Bool,
    isNewer: @escaping @Sendable (any Sendable) -> Void
  ) -> SharedSubscription {
    let check: @Sendable () -> Void = { [weak self] in
      self?.whileNoOtherThreadWrites { file in
        // A value that is about to be written is newer.
        guard file.latest == nil else { return }
        guard didRead(Result { try file.files.read(file.path) }) else { return }
        if let newer = file.latest { isNewer(newer.value) }
      }
    }
    let subscription = files.observe(path, check)
    // The file may have changed since it was read, before it was watched.
    files.queue?.async(execute: check)
    return subscription
  }

  /// Keeps other threads from writing the file. Otherwise an old content, read before another
  /// thread has written a newer one, could be taken for a change. Without a queue no other thread
  /// needs to be kept out: the thread that writes tells the observers.
  private func whileNoOtherThreadWrites(_ body: (StoredFile) -> Void) {
    guard files.queue != nil else { return body(self) }
    writing.withLock { body(self) }
  }

  // MARK: Writing

  /// Writes a value soon, or at once where the storage has no queue.
  func save(_ change: Change, _ continuation: SaveContinuation) {
    // The value that waited before is released outside of the lock: its end may use the file.
    let replaced = state.withLock { state in
      state.continuations.append(continuation)
      return exchange(&state.waiting, with: change)
    }
    guard replaced == nil else { return }
    if let queue = files.queue {
      queue.async { self.write() }
    } else {
      write()
    }
  }

  /// Writes the value that waits to be written, if there is one.
  func write() {
    writing.lock()
    let (change, continuations) = state.withLock { state in
      defer { state.continuations = [] }
      state.beingWritten = state.waiting.take()
      return (state.beingWritten, state.continuations)
    }
    let result = Result { if let change { try write(change) } }
    _ = state.withLock { $0.beingWritten.take() }
    writing.unlock()
    for continuation in continuations { continuation.resume(with: result) }
  }

  private func write(_ change: Change) throws {
    let data = try change.encode()
    let old = try contentToReplace() ?? Data()
    let keepsOld = !old.isEmpty && !change.canReplace(old)
    // Without a queue, observers are told while the file is replaced. They must be able to read it.
    if files.queue == nil { _ = state.withLock { $0.beingWritten.take() } }
    let known = change.setKnown(data)
    do {
      try files.replace(path, with: data, keepsOld: keepsOld)
    } catch {
      _ = change.setKnown(known)
      throw error
    }
  }

  /// The content before it is replaced. An error in reading it is a reason not to write.
  private func contentToReplace() throws -> Data? {
    do {
      return try files.read(path)
    } catch let error as FileStorageError {
      throw FileStorageError(path: error.path, operation: .writing, reason: error.reason)
    }
  }
}
