// A mark that is never made twice.

import Synchronization

/// A mark by which two versions of something are told apart in constant time. No two that are made
/// in one process are equal. It is no part of a value's identity or of its text.
@usableFromInline
struct Stamp: Hashable, Sendable {
  @usableFromInline let number: UInt64

  @usableFromInline
  init() {
    number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  @inlinable
  static func == (lhs: Stamp, rhs: Stamp) -> Bool {
    lhs.number == rhs.number
  }
}

private let counter = Atomic<UInt64>(0)

extension Stamp {
  /// A mark that all of those share which have none of their own.
  @inlinable static var none: Stamp { Stamp(number: .max) }

  @inlinable
  init(number: UInt64) {
    self.number = number
  }
}
