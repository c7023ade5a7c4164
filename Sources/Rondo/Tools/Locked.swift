// A value behind a lock.

import Foundation

/// A value behind a lock, which may be of a type that is not `Sendable`.
final class Locked<Value>: @unchecked Sendable {
  // @unchecked: the value is behind the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
