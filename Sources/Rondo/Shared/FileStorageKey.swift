// Shared values that are kept in a file.

import Dispatch
import Foundation

/// Keeps a shared value in a file.
///
/// ```swift
/// @Shared(.fileStorage(.documentsDirectory.appending(component: "games.json"))) var games: [Game] = []
/// ```
///
/// A change is written soon after it was made, on a queue of its own; of several changes that come
/// faster than they can be written, the last one. `try await $games.save()` waits for that.
public struct FileStorageKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  private let url: URL
  private let storage: FileStorage
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data
  private let writer = FileWriter<Value>()

  init(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) {
    self.url = url
    self.decode = decode
    self.encode = encode
    storage = DependencyValues.current.defaultFileStorage
  }

  public var id: FileStorageKeyID { FileStorageKeyID(url: url, storage: storage.id) }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    // What another holder has left to be written comes first.
    storage.queue?.sync {}
    continuation.resume(with: Result { try read() })
  }

  /// `nil` where there is no file, or an empty one.
  private func read() throws -> Value? {
    guard storage.fileExists(at: url) else { return nil }
    let data = try storage.load(from: url)
    writer.known.withLock { $0 = data }
    return data.isEmpty ? nil : try decode(data)
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    storage.observe(url) { [storage, url, decode, writer] in
      // What is about to be written is newer.
      guard !writer.isBusy else { return }
      guard let data = try? storage.load(from: url), !data.isEmpty else {
        return subscriber.yieldReturningInitialValue()
      }
      let isKnown = writer.known.withLock { known in
        defer { known = data }
        return known == data
      }
      if !isKnown { subscriber.yield(with: Result { try decode(data) }) }
    }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    writer.write(value, continuation, on: storage.queue) { [storage, encode, url, writer] value in
      let data = try encode(value)
      writer.known.withLock { $0 = data }
      try storage.save(data, to: url)
    }
  }

  public var description: String { ".fileStorage(\(url.absoluteString.debugDescription))" }
}

/// What tells values in files apart.
public struct FileStorageKeyID: Hashable, Sendable {
  let url: URL
  let storage: ObjectIdentifier
}

extension SharedReaderKey {
  /// Keeps a shared value in a file, as JSON.
  ///
  /// - Parameters:
  ///   - url: The file. It is made when there is something to write.
  ///   - decoder: How the value is read.
  ///   - encoder: How the value is written.
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
  ///   - decode: Reads the value.
  ///   - encode: Writes the value.
  public static func fileStorage<Value>(
    _ url: URL,
    decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url, decode: decode, encode: encode)
  }
}

/// Writes the last of the values that it is given.
private final class FileWriter<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var continuations: [SaveContinuation] = []
    var isWriting = false
  }

  /// What the file was when it was last read or written.
  let known = Locked<Data?>(nil)
  private let state = Locked(State())

  var isBusy: Bool { state.withLock { $0.isWriting || $0.value != nil } }

  func write(
    _ value: Value, _ continuation: SaveContinuation, on queue: DispatchQueue?,
    _ write: @escaping @Sendable (Value) throws -> Void
  ) {
    let isFirst = state.withLock { state in
      defer { state.value = value }
      state.continuations.append(continuation)
      return state.value == nil
    }
    guard isFirst else { return }
    let work: @Sendable () -> Void = { [self] in self.write(write) }
    if let queue { queue.async(execute: work) } else { work() }
  }

  private func write(_ write: (Value) throws -> Void) {
    let (value, continuations) = state.withLock { state in
      state.isWriting = true
      defer { state.continuations = [] }
      return (state.value.take(), state.continuations)
    }
    let result = Result { if let value { try write(value) } }
    state.withLock { $0.isWriting = false }
    for continuation in continuations { continuation.resume(with: result) }
  }
}
