// A list that scheduled work appends to from anywhere.

import Synchronization

final class Log<Entry: Sendable>: Sendable {
  private let storage = Mutex<[Entry]>([])

  var entries: [Entry] { storage.withLock { $0 } }

  func append(_ entry: Entry) {
    storage.withLock { $0.append(entry) }
  }
}
