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
  /// The files with values that are not on the disk yet, of all storages.
  fileprivate static let unwritten = Mutex<[ObjectIdentifier: StoredFile]>([:])

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

  /// Writes all values of a storage that wait to be written, and returns when that is done.
  static func writeAll(of storage: any Files) {
    for file in unwritten.withLock({ Array($0.values) })
    where file.storage == ObjectIdentifier(storage) {
      file.write()
    }
  }
}

/// A file, with the values that are about to be written to it.
///
/// Values are written one after the other. When several are made from each other faster than they can
/// be written, only the last one is written. One that could not be written waits for the next one. No
/// lock is held while a value is decoded, so decoding may read other files.
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
    let content: Mutex<Data?>

    init(_ content: Data?) {
      self.content = Mutex(content)
    }
  }

  /// The content to write over one that other code has written.
  enum Replacement {
    /// The new value. The other content is damaged, and kept under another name.
    case value
    /// A value that was made of both; `nil` where the other one stays.
    case other(Data?)
  }

  /// The value that is not on the disk yet or, where there is none, the content.
  struct Finding: Sendable {
    let latest: Change?
    /// `nil` where there is no file, or an empty one.
    let content: Result<Data?, any Error>
    fileprivate let changes: Int
  }

  /// A change, with those who hear what becomes of it.
  private struct Waiting: Sendable {
    var change: Change
    var continuations: [SaveContinuation]
  }

  private struct State {
    /// The last change that was made from each base, in the order in which the bases came.
    var waiting: [Waiting] = []
    var beingWritten: Change?
    var isWriteScheduled = false
    /// The number of changes that were made, and of those that were written.
    var changes = 0
    /// Look for a new content, for the keys that observe the file.
    var checks: [UInt64: @Sendable () -> Void] = [:]
    var lastCheck: UInt64 = 0

    /// The value that is not on the disk yet. One that was made from another base comes behind it.
    var latest: Change? {
      let change = beingWritten ?? waiting.first?.change
      return waiting.first { $0.change.base === change?.base }?.change ?? change
    }

    /// Lets a change wait in the place of the one before, which it was made from.
    ///
    /// - Returns: The one before.
    mutating func wait(for change: Change, _ continuation: SaveContinuation) -> Change? {
      guard let index = waiting.firstIndex(where: { $0.change.base === change.base }) else {
        waiting.append(Waiting(change: change, continuations: [continuation]))
        return nil
      }
      waiting[index].continuations.append(continuation)
      let replaced = exchange(&waiting[index].change, with: change)
      if replaced.isOwn { waiting[index].change.isOwn = true }
      return replaced
    }

    /// Keeps a change that could not be written, unless there is a newer one.
    mutating func keep(_ failed: Waiting) {
      guard let index = waiting.firstIndex(where: { $0.change.base === failed.change.base }) else {
        waiting.append(
          Waiting(change: failed.change, continuations: failed.continuations.suffix(1)))
        return
      }
      waiting[index].change.isOwn = true
    }
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
  var latest: Change? { state.withLock(\.latest) }

  // MARK: Reading

  /// Finds the value that is not on the disk yet, or reads the content.
  func find() -> Finding {
    let (latest, changes) = state.withLock { ($0.latest, $0.changes) }
    return Finding(
      latest: latest, content: Result { latest == nil ? try content() : nil }, changes: changes)
  }

  /// The content. An empty file is like none.
  private func content() throws -> Data? {
    try files.read(path).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether no value was changed or written since something was found.
  func isLatest(_ finding: Finding) -> Bool { state.withLock(\.changes) == finding.changes }

  /// Removes the temporary files of processes that ended while they wrote the file.
  func removeLitter() { files.removeLitter(beside: path) }

  /// Calls a closure with every content that was written by other code.
  func observe(_ didRead: @escaping @Sendable (Finding) -> Void) -> SharedSubscription {
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
  private func check(_ didRead: (Finding) -> Void) {
    let finding = find()
    // A value that is about to be written is newer.
    guard finding.latest == nil else { return }
    didRead(finding)
    if files.queue == nil, (try? content()) != (try? finding.content.get()) {
      check(didRead)
    }
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
    let (isFirst, replaced) = state.withLock { state in
      state.changes += 1
      let replaced = state.wait(for: change, continuation)
      if files.queue != nil {
        StoredFiles.unwritten.withLock { $0[ObjectIdentifier(self)] = self }
      }
      return (!exchange(&state.isWriteScheduled, with: true), replaced)
    }
    withExtendedLifetime(replaced) {}
    guard isFirst else { return }
    if let queue = files.queue {
      queue.async { self.write() }
    } else {
      write()
    }
  }

  /// Writes the values that wait to be written, each once.
  func write() {
    let count = writing.withLock {
      state.withLock { state in
        state.isWriteScheduled = false
        return state.waiting.count
      }
    }
    var isOther = false
    var answers: [(continuations: [SaveContinuation], result: Result<Void, any Error>)] = []
    for _ in 0..<count {
      guard let (waiting, result) = writing.withLock({ writeFirst() }) else { break }
      // The value becomes another one: that of the other program, or the merged one.
      if (try? result.get()) ?? result.isConflict { isOther = true }
      answers.append((waiting.continuations, result.map { _ in }))
    }
    if isOther {
      for check in state.withLock({ $0.checks.valuesByNumber }) {
        SharedPersistence.afterSaving(check)
      }
    }
    for (continuations, result) in answers {
      for continuation in continuations { continuation.resumeAgain(with: result) }
    }
  }
  /// Writes the value that came first, in the lock.
  private func writeFirst() -> (Waiting, Result<Bool, any Error>)? {
    let first = state.withLock { state -> Waiting? in
      guard !state.waiting.isEmpty else { return nil }
      let first = state.waiting.removeFirst()
      state.beingWritten = first.change
      return first
    }
    guard let first else { return nil }
    let data = Result { try first.change.encode() }
    let result = data.flatMap { data in Result { try write(first.change, data) } }
    let replaced = state.withLock { state in
      state.changes += 1
      let written = state.beingWritten.take()
      // The next change, or the end of the program, tries again. The last one to hear of the failure
      // hears what has become of it.
      if data.failure == nil, result.failure != nil, !result.isConflict, first.change.isOwn {
        state.keep(first)
      }
      if state.waiting.isEmpty {
        _ = StoredFiles.unwritten.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
      }
      return written
    }
    withExtendedLifetime(replaced) {}
    return (first, result)
  }

  /// - Returns: Whether the file has another value: one that was made of two, or that of another
  ///   program where there is nothing else to write.
  private func write(_ change: Change, _ data: Data) throws -> Bool {
    let base = change.base.content.withLock { $0 }
    var known: Data??
    var isOther = false
    func goBack() {
      if let known { _ = change.setKnown(known) }
      change.base.content.withLock { $0 = base }
    }
    do {
      try files.change(path) { old in
        var new = WholeFile.NewContent(data: data)
        isOther = false
        if let old, !old.isEmpty, old != base {
          switch try change.replacement(old, base, change.isOwn) {
          case .value: new.keepsOld = true
          case .other(let other):
            isOther = true
            guard let other else {
              goBack()
              return nil
            }
            new.data = other
          }
        }
        // Without a queue, observers are told while the file is replaced. They must be able to read
        // it.
        if files.queue == nil {
          _ = state.withLock { state in
            state.changes += 1
            return state.beingWritten.take()
          }
        }
        // Observers still have to see a merged content. Until then, the next value is made from
        // `data`.
        let before = change.setKnown(data)
        if known == nil { known = .some(before) }
        change.base.content.withLock { $0 = data }
        return new
      }
    } catch {
      goBack()
      throw error
    }
    return isOther
  }
}

extension Result {
  fileprivate var isConflict: Bool { (failure as? FileStorageError)?.isConflict == true }
}
