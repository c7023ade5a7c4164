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
/// A missing or empty file leaves the value that stands in the source. A file that cannot be
/// decoded is *damaged*: the error is the `loadError` of the shared value. Before a value is saved,
/// the damaged file is kept beside as `games.json.damaged-1`, or under the next such name that is
/// free.
public struct FileStorageKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let url: URL
  private let file: StoredFile
  private let content: FileContent<Value>
  private let encode: @Sendable (Value) throws -> Data

  init(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) {
    self.url = url
    self.encode = encode
    content = FileContent(decode: decode)
    file = DependencyValues.current.defaultFileStorage.file(at: url)
  }

  public var id: FileStorageKeyID { FileStorageKeyID(path: file.path, storage: file.storage) }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: Result { try load() })
  }

  /// `nil` where there is no file, or an empty one.
  private func load() throws -> Value? {
    // A value that waits to be written is newer than the file.
    if let latest = file.latest {
      if let value = latest.value as? Value { return value }
      return try content.decode(latest.encode())
    }
    return try content.value(of: file.read())
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    // The closures do not keep the file, which keeps them.
    file.observe { [content] result in
      guard !content.isKnown(result) else { return false }
      subscriber.yield(with: Result { try content.value(of: result.get()) })
      return true
    } isNewer: { value in
      if let value = value as? Value { subscriber.yield(value) }
    }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    let change = StoredFile.Change(
      value: value,
      encode: { [encode] in try encode(value) },
      canReplace: { [content] in content.isGood($0) },
      setKnown: { [content] in content.setKnown($0) })
    file.save(change, continuation)
  }

  public var description: String { ".fileStorage(\(url.absoluteString.debugDescription))" }
}

/// The content of a file, as far as a key knows it.
private struct FileContent<Value: Sendable>: Sendable {
  let decode: @Sendable (Data) throws -> Value
  /// The content when it was last read or written, if it was good.
  private let known = LockIsolated<Data?>(nil)

  init(decode: @escaping @Sendable (Data) throws -> Value) {
    self.decode = decode
  }

  /// Whether a content is the one that is known. No file, and an empty one, are the same.
  func isKnown(_ content: Result<Data?, any Error>) -> Bool {
    guard case .success(let content) = content else { return false }
    return known.withLock { $0 ?? Data() } == content ?? Data()
  }

  /// The value of a content; `nil` where there is no file, or an empty one.
  func value(of content: Data?) throws -> Value? {
    guard let content, !content.isEmpty else {
      setKnown(nil)
      return nil
    }
    let value = try decode(content)
    setKnown(content)
    return value
  }

  /// Whether a content can be decoded.
  func isGood(_ content: Data) -> Bool {
    isKnown(.success(content)) || (try? decode(content)) != nil
  }

  /// - Returns: The content that was known before.
  @discardableResult
  func setKnown(_ content: Data?) -> Data? {
    known.withLock { known in
      defer { known = content }
      return known
    }
  }
}

extension FileStorageKey: SharedKeyWords {
  func words(forLoading error: any Error) -> String {
    guard !(error is FileStorageError) else { return "\(error). The value is the default." }
    return """
      \(file.path.text.debugDescription) is damaged: \(Words.of(error)). The value is the default. \
      The file is kept under another name, ending in '.damaged-1', -2 and so on, before a value is \
      saved.
      """
  }

  func words(forSaving error: any Error) -> String {
    let reason =
      error is FileStorageError
      ? "\(error)"
      : "\(file.path.text.debugDescription) cannot be written: \(Words.of(error))"
    return "\(reason). The value is kept in memory, and saved again when it changes."
  }
}

/// The identity of a value in a file: the storage and the path.
public struct FileStorageKeyID: Hashable, Sendable {
  let path: FilePath
  let storage: ObjectIdentifier
}

extension SharedReaderKey {
  /// Keeps a shared value in a file, as JSON.
  ///
  /// - Parameters:
  ///   - url: The file. It is made when there is something to write.
  ///   - decoder: Reads the value.
  ///   - encoder: Writes the value.
  public static func fileStorage<Value: Codable>(
    _ url: URL, decoder: JSONDecoder? = nil, encoder: JSONEncoder? = nil
  ) -> Self where Self == FileStorageKey<Value> {
    fileStorage(
      url,
      decode: { try (decoder ?? JSONDecoder()).decode(Value.self, from: $0) },
      encode: { try (encoder ?? JSONEncoder()).encode($0) })
  }

  /// Keeps a shared value in a file, in any format.
  ///
  /// - Parameters:
  ///   - url: The file. It is made when there is something to write.
  ///   - decode: Reads the value. It may read other shared values.
  ///   - encode: Writes the value.
  public static func fileStorage<Value>(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url, decode: decode, encode: encode)
  }
}
