// Shared values that are kept in a file.

import Foundation

/// Keeps a shared value in a file.
///
/// ```swift
/// @Shared(.fileStorage(.documentsDirectory.appending(path: "games.json"))) var games = [Game]()
/// ```
///
/// A change is written soon after it was made, on a queue of its own. When several changes come
/// faster than they can be written, only the last one is written. `try await $games.save()` waits
/// until it is written. A value that still waits when the program ends is written then.
///
/// A change that cannot be written, because the disk is full for example, stays in memory. It is written
/// with the next change, or when the program ends. Until then it is newer than the file, also to
/// `load()`: what another program writes meanwhile is not shown, and is treated as described below when
/// the change is written. A value that cannot be encoded does not wait.
///
/// A missing or empty file leaves the value that stands in the source. A file that cannot be
/// decoded is *damaged*: the error is the `loadError` of the shared value. Before a value is saved,
/// the damaged file is kept beside as `games.json.damaged-1`, or under the next such name that is
/// free.
///
/// When another program has changed the file since it was read, a value is not written over it. The
/// same holds for values of two types in one file: the one that was changed first is written. With a
/// `merge` function one value is made of both. Without one, saving fails with a
/// ``FileStorageError`` whose `isConflict` is `true`, and the value becomes that of the other program.
/// `saveError` tells it, and `save()` throws it, once, also where the refused change was made before.
public struct FileStorageKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let url: URL
  private let file: StoredFile
  private let content: FileContent<Value>
  private let encode: @Sendable (Value) throws -> Data
  private let merge: Merge?

  /// Makes one value of two.
  typealias Merge = @Sendable (_ mine: Value, _ theirs: Value, _ base: Value?) -> Value

  init(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data,
    merge: Merge?
  ) {
    self.url = url
    self.encode = encode
    self.merge = merge
    content = FileContent(decode: decode)
    file = DependencyValues.current.defaultFileStorage.file(at: url)
  }

  public var id: some Hashable & Sendable {
    StoragePlace(key: file.path, storage: file.storage)
  }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    file.removeLitter()
    var finding = file.find()
    var value = content.value(of: finding)
    // The program may have changed or written the value meanwhile.
    if !file.isLatest(finding) {
      finding = file.find()
      value = content.value(of: finding)
    }
    content.take(value, of: finding, in: file, continuation.resume)
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    // The closure does not keep the file, which keeps it.
    file.observe { [content, weak file] finding in
      guard let file, !content.isKnown(finding.content) else { return }
      content.take(content.value(of: finding), of: finding, in: file, subscriber.yield)
    }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    let isAskedFor = context == .userInitiated
    let change = StoredFile.Change(
      value: value,
      base: content.base,
      encode: { [encode] in try encode(value) },
      replacement: { [self] in try replacement(of: $0, by: value, $1, isOwn: $2) },
      setKnown: { [content] in content.setKnown($0) },
      isOwn: !isAskedFor)
    let didSave: @Sendable (Result<Void, any Error>) -> Void = { [content] result in
      if let error = result.failure as? FileStorageError, error.isConflict {
        content.setConflict(error)
      }
      continuation.resumeAgain(with: result)
    }
    file.save(
      change,
      SaveContinuation(description, later: didSave) { [content] result in
        guard isAskedFor else { return didSave(result) }
        // A caller that waits for this save also gets the refusal of an earlier change.
        let conflict = content.setConflict(nil)
        continuation.resume(with: result.flatMap { conflict.map { .failure($0) } ?? .success(()) })
      } onLeak: {
      })
  }

  /// Chooses the content to write over that of another program: the value if the other content is
  /// damaged, nothing if this program has not changed the value, and else a merged value.
  ///
  /// - Throws: A conflict if there is no function that merges, or an error of encoding.
  private func replacement(
    of other: Data, by value: Value, _ base: Data?, isOwn: Bool
  ) throws -> StoredFile.Replacement {
    guard let theirs = try? content.decode(other) else { return .value }
    guard isOwn else { return .other(nil) }
    guard let merge else {
      throw FileStorageError(
        path: file.path.text, operation: .writing, reason: FileStorageError.conflict)
    }
    let base = base.flatMap { try? content.decode($0) }
    return .other(try encode(merge(value, theirs, base)))
  }

  public var description: String { ".fileStorage(\(url.absoluteString))" }
}

/// The content of a file, as far as a key knows it.
private struct FileContent<Value: Sendable>: Sendable {
  private struct State {
    /// The content when it was last read or written, if it was good.
    var known: Data?
    /// The content that the present value was made from.
    var base = StoredFile.Base(nil)
    /// The refusal of a change that nobody has waited for.
    var conflict: FileStorageError?
  }

  let decode: @Sendable (Data) throws -> Value
  private let state = LockIsolated(State())

  /// Whether a content is the one that is known.
  func isKnown(_ content: Result<Data?, any Error>) -> Bool {
    guard case .success(let content) = content else { return false }
    return state.withLock { $0.known == content }
  }

  /// The content that a value which is saved now was made from.
  var base: StoredFile.Base { state.withLock(\.base) }

  /// The value that was found: one that waits to be written or that of the content, `nil` where there
  /// is none.
  func value(of finding: StoredFile.Finding) -> Result<Value?, any Error> {
    Result {
      if let latest = finding.latest {
        return try latest.value as? Value ?? decode(latest.encode())
      }
      guard let content = try finding.content.get() else { return nil }
      return try decode(content)
    }
  }

  /// Hands over a value that was found. It is not taken if the program has changed or written the value
  /// since, because that one is newer.
  func take(
    _ value: Result<Value?, any Error>, of finding: StoredFile.Finding, in file: StoredFile,
    _ handOver: (Result<Value?, any Error>) -> Void
  ) {
    guard case .success = value else { return handOver(value) }
    let handover = Handover {
      guard file.isLatest(finding) else { return false }
      let base = finding.latest?.base ?? StoredFile.Base(try? finding.content.get())
      let known = base.content.withLock { $0 }
      state.withLock { state in
        state.known = known
        state.base = base
      }
      return true
    }
    Handover.running.with(handover) { handOver(value) }
    // A key may be loaded without a place for its value. Then nobody has asked yet.
    _ = handover.isTaken()
  }

  /// - Returns: The conflict that was noted before.
  @discardableResult
  func setConflict(_ conflict: FileStorageError?) -> FileStorageError? {
    state.withLock { exchange(&$0.conflict, with: conflict) }
  }

  /// - Returns: The content that was known before.
  @discardableResult
  func setKnown(_ content: Data?) -> Data? {
    state.withLock { exchange(&$0.known, with: content) }
  }
}

extension FileStorageKey: SharedKeyWords {
  private var words: FileWords { FileWords(path: file.path.text) }

  func words(forLoading error: any Error) -> String { words.words(forLoading: error) }
  func words(forSaving error: any Error) -> String { words.words(forSaving: error) }
}

/// The messages for errors of a file. They tell which value is in use, and what becomes of the file.
struct FileWords: SharedKeyWords {
  let path: String

  func words(forLoading error: any Error) -> String {
    guard !(error is FileStorageError) else { return "\(error). The value stays as it is." }
    return """
      \(path.debugDescription) is damaged: \(ErrorText.of(error)). The value stays as it is. \
      The file is kept under another name, ending in '.damaged-1', -2 and so on, before a value is \
      saved.
      """
  }

  func words(forSaving error: any Error) -> String {
    if (error as? FileStorageError)?.isConflict == true {
      return "\(error). The value is that of the other program. See `merge` of `.fileStorage`."
    }
    let reason =
      error is FileStorageError
      ? "\(error)" : "\(path.debugDescription) cannot be written: \(ErrorText.of(error))"
    if error is EncodingError { return "\(reason). The value is kept in memory alone." }
    return
      "\(reason). The value is kept in memory, and saved with the next change or when the program ends."
  }
}

extension SharedReaderKey {
  /// Keeps a shared value in a file, as JSON.
  ///
  /// - Parameters:
  ///   - url: The file. It is made when there is something to write.
  ///   - decoder: Reads the value.
  ///   - encoder: Writes the value.
  ///   - merge: Makes one value of two, where another program has changed the file since it was read:
  ///     of the value that is saved, that of the other program, and the one that both were made from,
  ///     which is `nil` where there was no file. Without it such a value is not saved, which is an
  ///     error.
  public static func fileStorage<Value: Codable>(
    _ url: URL, decoder: JSONDecoder? = nil, encoder: JSONEncoder? = nil,
    merge: (@Sendable (_ mine: Value, _ theirs: Value, _ base: Value?) -> Value)? = nil
  ) -> Self where Self == FileStorageKey<Value> {
    fileStorage(
      url,
      decode: { try (decoder ?? JSONDecoder()).decode(Value.self, from: $0) },
      encode: { try (encoder ?? JSONEncoder()).encode($0) },
      merge: merge)
  }

  /// Keeps a shared value in a file, in any format.
  ///
  /// - Parameters:
  ///   - url: The file. It is made when there is something to write.
  ///   - decode: Reads the value. It may read other shared values.
  ///   - encode: Writes the value.
  ///   - merge: Makes one value of the value that is saved, that of another program, and the one that
  ///     both were made from.
  public static func fileStorage<Value>(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data,
    merge: (@Sendable (_ mine: Value, _ theirs: Value, _ base: Value?) -> Value)? = nil
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url, decode: decode, encode: encode, merge: merge)
  }
}
