// A file in which shared values are kept, with the value that is about to be written to it.

import Dispatch
import Foundation
import Synchronization

/// The files of one storage that keys have opened, by their paths.
final class StoredFiles: Sendable {
  private struct Entry: WeakEntry {
    weak var file: StoredFile?
    var object: AnyObject? { file }
  }

  private let entries = LockIsolated(WeakEntries<FilePath, Entry>())

  /// The file at a path, made now if no key has opened it.
  func file(_ path: FilePath, orElse make: () -> StoredFile) -> StoredFile {
    let (file, released) = entries.withLock { entries in
      if let file = entries[path]?.file {
        return (file, WeakEntries<FilePath, Entry>.Released?.none)
      }
      let file = make()
      return (file, entries.update(Entry(file: file), for: path))
    }
    withExtendedLifetime(released) {}
    return file
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
    /// The content that the value was made from.
    let base: Base
    let encode: @Sendable () throws -> Data
    /// Makes the content that is to take the place of another one, which other code has written.
    let replacement: @Sendable (_ other: Data, _ base: Data?, _ isOwn: Bool) throws -> Replacement
    /// Notes the content of the file; returns what was noted before.
    let setKnown: @Sendable (Data?) -> Data?
    /// Whether the program has changed the value. Else somebody has asked to save it as it is.
    var isOwn = true
  }

  /// The content that values were made from, one from the other. Each of them that is written takes
  /// its place.
  final class Base: Sendable {
    struct State {
      var content: Data?
      /// Whether there is a change that could not be written.
      var hasFailed = false
    }

    let state: Mutex<State>

    init(_ content: Data?) {
      state = Mutex(State(content: content))
    }
  }

  /// The content to write over one that other code has written.
  enum Replacement {
    /// The new value. The other content is damaged, and kept under another name.
    case value
    /// A value that was made of both; `nil` where the other one stays.
    case other(Data?)
  }

  private struct State {
    var waiting: Change?
    var beingWritten: Change?
    var continuations: [SaveContinuation] = []
    /// Look for a new content, for the keys that observe the file.
    var checks: [UInt64: @Sendable () -> Void] = [:]
    var lastCheck: UInt64 = 0
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
  /// - Parameter didRead: Takes the content, `nil` where there is no file any more, or an error.
  func observe(
    _ didRead: @escaping @Sendable (Result<Data?, any Error>) -> Void
  ) -> SharedSubscription {
    let check: @Sendable () -> Void = { [weak self] in
      self?.whileNoOtherThreadWrites { $0.check(didRead) }
    }
    let id = state.withLock { state in
      state.lastCheck += 1
      state.checks[state.lastCheck] = check
      return state.lastCheck
    }
    let subscription = files.observe(path, check)
    // The file may have changed since it was read, before it was watched.
    files.queue?.async(execute: check)
    return SharedSubscription { [weak self] in
      subscription.cancel()
      let removed = self?.state.withLock { $0.checks.removeValue(forKey: id) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Hands over the content, and again as long as it has changed meanwhile.
  private func check(_ didRead: (Result<Data?, any Error>) -> Void) {
    // A value that is about to be written is newer.
    guard latest == nil else { return }
    let content = Result { try files.read(path) }
    didRead(content)
    if files.queue == nil, (try? files.read(path)) != (try? content.get()) { check(didRead) }
  }

  /// Keeps other threads from writing the file. Otherwise an old content, read before another
  /// thread has written a newer one, could be taken for a change. In memory, where the thread that
  /// writes tells the observers, no other thread is kept out: ``check(_:)`` looks again.
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
      var change = change
      change.isOwn = change.isOwn || state.waiting?.isOwn == true
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
    let result = Result { try change.map(write) ?? false }
    _ = state.withLock { $0.beingWritten.take() }
    writing.unlock()
    // The value becomes another one: that of the other program, or the merged one.
    let isOther = (try? result.get()) ?? ((result.failure as? FileStorageError)?.isConflict == true)
    if isOther {
      for check in state.withLock({ $0.checks.valuesByNumber }) {
        SharedPersistence.afterSaving(check)
      }
    }
    for continuation in continuations { continuation.resume(with: result.map { _ in }) }
  }

  /// - Returns: Whether the file has another value: one that was made of two, or that of another
  ///   program where there is nothing else to write.
  private func write(_ change: Change) throws -> Bool {
    let data = try change.encode()
    let base = change.base.state.withLock { $0 }
    var known: Data??
    var isOther = false
    do {
      try files.change(path) { old in
        var new = WholeFile.NewContent(data: data)
        isOther = false
        if let old, !old.isEmpty, old != base.content {
          switch try change.replacement(old, base.content, change.isOwn || base.hasFailed) {
          case .value: new.keepsOld = true
          case .other(let other):
            isOther = true
            guard let other else { return nil }
            new.data = other
          }
        }
        // Without a queue, observers are told while the file is replaced. They must be able to read
        // it.
        if files.queue == nil { _ = state.withLock { $0.beingWritten.take() } }
        // Observers still have to see a merged content. Until then, the next value is made from
        // `data`.
        let before = change.setKnown(data)
        if known == nil { known = .some(before) }
        change.base.state.withLock { $0.content = data }
        return new
      }
    } catch {
      if let known { _ = change.setKnown(known) }
      change.base.state.withLock { state in
        state = base
        state.hasFailed = change.isOwn || base.hasFailed
      }
      throw error
    }
    change.base.state.withLock { $0.hasFailed = false }
    return isOther
  }
}
