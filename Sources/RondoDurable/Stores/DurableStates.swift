// Watching: the states of a store as a sequence, from any process.

import Foundation
import Rondo

/// The states of a store, from now on.
///
/// ```swift
/// for try await state in orders["order-17"].states { show(state) }
/// ```
///
/// The first is the present one. After that each is one that differs in its turn from the one before. Who takes them slowly
/// gets the newest: nothing is kept meanwhile. The sequence ends when the store is deleted, and when the task is cancelled.
///
/// A process that owns the store hears of each turn. Others look in each poll interval, all their stores in one question.
///
/// It throws a ``DurableError`` where the store cannot be read, and where its owner cannot go on with it. A journal that is
/// away later than for the first state is waited for.
public struct DurableStates<State: Codable & Sendable, Action: Codable & Sendable>: AsyncSequence,
  Sendable
{
  public typealias Element = State
  let stores: DurableStores<State, Action>
  let name: String

  public func makeAsyncIterator() -> Iterator { Iterator(stores: stores, name: name) }

  /// The place in the sequence of one who watches.
  public struct Iterator: AsyncIteratorProtocol {
    let stores: DurableStores<State, Action>
    let name: String
    private var seen: Seen?
    private var hasEnded = false

    init(stores: DurableStores<State, Action>, name: String) {
      (self.stores, self.name) = (stores, name)
    }

    public mutating func next() async throws -> State? {
      guard !hasEnded else { return nil }
      // Ended, unless it goes on below.
      hasEnded = true
      guard let reading = try await stores.nextReading(of: name, after: seen) else { return nil }
      hasEnded = false
      seen = Seen(number: reading.number, deletion: reading.deletion)
      return reading.state
    }
  }
}

/// The state that one who watches has seen last.
struct Seen: Sendable {
  var number: Int64
  /// The number of the last deletion then.
  var deletion: Int64
}

/// A task that waits for a change of a store.
struct Watcher {
  let waiter: CheckedContinuation<Void, any Error>
  /// The number of the turn that it knows.
  let number: Int64
}

extension DurableStores {
  /// The next state for one who watches; `nil` at the end.
  func nextReading(of name: String, after seen: Seen?) async throws -> Reading? {
    try check(name, "the name of a store")
    while !Task.isCancelled {
      let reading: Reading
      let lease = self.lease(of: name)
      do {
        reading = try await read(name)
      } catch DurableError.unavailable(_, let reason) where seen != nil {
        journalFailed(reason, .reading)
        await time.sleep(pause)
        continue
      }
      guard let seen else { return reading }
      if reading.deletion > seen.deletion { return nil }
      if reading.number != seen.number { return reading }
      // A shard that has come meanwhile may have brought a turn, of which nobody tells one who was not waiting yet.
      guard self.lease(of: name) == lease else { continue }
      try await waitForChange(of: name, seen.number)
    }
    return nil
  }

  private func waitForChange(of name: String, _ number: Int64) async throws {
    listen()
    lastWaiter += 1
    let watcher = lastWaiter
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
        guard !Task.isCancelled else { return waiter.resume() }
        watchers[name, default: [:]][watcher] = Watcher(waiter: waiter, number: number)
        watch()
      }
    } onCancel: {
      start { $0.endWatching(name, watcher) }
    }
  }

  private func endWatching(_ name: String, _ number: Int) {
    let watcher = watchers[name]?.removeValue(forKey: number)
    if watchers[name]?.isEmpty == true { watchers[name] = nil }
    watcher?.waiter.resume()
  }

  /// Lets all who watch a store look at it.
  func tellWatchers(of name: String, _ error: (any Error)? = nil) {
    guard !watchers.isEmpty else { return }
    for watcher in (watchers.removeValue(forKey: name) ?? [:]).values {
      if let error { watcher.waiter.resume(throwing: error) } else { watcher.waiter.resume() }
    }
  }

  /// Looks for what other processes do with the stores that are watched here, in each poll interval.
  private func watch() {
    guard !isWatching else { return }
    isWatching = true
    start { stores in
      while !stores.watchers.isEmpty {
        await stores.time.sleep(stores.pause)
        await stores.lookForChanges()
      }
      stores.isWatching = false
    }
  }

  /// Asks once for all stores that are watched here and belong to others.
  func lookForChanges() async {
    guard !isLookingForChanges else { return }
    let names = watchers.keys.filter { lease(of: $0) == nil }
    guard !names.isEmpty else { return }
    isLookingForChanges = true
    defer { isLookingForChanges = false }
    do {
      let stores = names.map(key)
      let numbers = try await journal.lastTurns(of: stores)
      let failures = try await journal.failures(of: stores)
      if !isServing { journalAnswered(.reading) }
      for name in names {
        if let reason = failures[key(name)] {
          tellWatchers(of: name, DurableError.refused(store: key(name), reason: reason))
        } else if let watching = watchers[name] {
          let number = numbers[key(name)] ?? 0
          if watching.values.contains(where: { $0.number != number }) { tellWatchers(of: name) }
        }
      }
    } catch {
      journalFailed("\(error)", .reading)
    }
  }
}

extension DurableStore {
  /// The states of the store from now on: see ``DurableStates``.
  public var states: DurableStates<State, Action> { DurableStates(stores: stores, name: name) }
}
