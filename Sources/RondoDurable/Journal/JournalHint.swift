// Hints of a journal that something may be new, and their way from one source to all listeners.

import Synchronization

/// A word of a journal that there may be something new for the stores of a shard.
///
/// Hints may be missing, and may come without a reason; they only make waiting shorter.
public struct JournalHint: Hashable, Sendable {
  /// The kind of thing that may be new.
  public enum Event: String, Sendable {
    /// A message has arrived in the inbox: the owner of the shard looks.
    case arrived
    /// A message was handled: those who wait for it look.
    case handled
  }

  /// The kind of feature.
  public var kind: String
  /// The shard of the store.
  public var shard: Int
  /// The kind of thing that may be new.
  public var event: Event

  /// A hint; each parameter is the property of its name.
  public init(kind: String, shard: Int, event: Event) {
    self.kind = kind
    self.shard = shard
    self.event = event
  }

  /// The hint as a short text, such as the payload of a notification.
  public var text: String { "\(event.rawValue) \(shard) \(kind)" }

  /// The hint that a text stands for; `nil` if it is none.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let event = Event(rawValue: String(words[0])),
      let shard = Int(words[1]), !words[2].isEmpty
    else { return nil }
    self.init(kind: String(words[2]), shard: shard, event: event)
  }
}

/// Hands each hint to all who listen for its kind.
///
/// A journal has one, however many kinds of stores use it, and gives each a stream by ``hints(of:)``.
public final class JournalHints: Sendable {
  private let state = Mutex(State())

  private struct State {
    var lastID = 0
    var listeners: [Int: (kind: String, stream: AsyncStream<JournalHint?>.Continuation)] = [:]
    var isServed = false
  }

  /// Hints without listeners.
  public init() {}

  /// The hints of a kind from now on; `nil` stands for any hint, where some may have been missed. The oldest are
  /// dropped where nobody takes them.
  public func hints(of kind: String) -> AsyncStream<JournalHint?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { stream in
      let id = state.withLock { state in
        state.lastID += 1
        state.listeners[state.lastID] = (kind, stream)
        return state.lastID
      }
      stream.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[id] = nil }
      }
    }
  }

  /// Hands a hint to those who listen for its kind.
  public func tell(_ hint: JournalHint) {
    let streams = state.withLock { state in
      state.listeners.values.filter { $0.kind == hint.kind }.map(\.stream)
    }
    for stream in streams { stream.yield(hint) }
  }

  /// Tells all who listen that hints may have been missed.
  public func tellOfGap() {
    let streams = state.withLock { $0.listeners.values.map(\.stream) }
    for stream in streams { stream.yield(nil) }
  }

  /// Whether the caller is to begin to listen to the database for all: somebody wants hints, and nobody does.
  public func begin() -> Bool {
    state.withLock { state in
      guard !state.isServed, !state.listeners.isEmpty else { return false }
      state.isServed = true
      return true
    }
  }

  /// Whether the one who has begun is to end: nobody wants hints any more.
  public func endsIfUnused() -> Bool {
    state.withLock { state in
      if state.listeners.isEmpty { state.isServed = false }
      return !state.isServed
    }
  }
}
