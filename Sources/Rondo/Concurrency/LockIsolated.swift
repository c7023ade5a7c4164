// Values that code on several threads shares, with names that users know.

import Synchronization

/// A value behind a lock.
///
/// ```swift
/// let played = LockIsolated<[Sound]>([])
/// store.dependencies.audio.play = { sound in played.withValue { $0.append(sound) } }
/// …
/// #expect(played.value == [.tap])
/// ```
@dynamicMemberLookup
public final class LockIsolated<Value>: Sendable {
  private let mutex: Mutex<Unchecked<Value>>

  /// A value, to be used under the lock only.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    mutex = Mutex(Unchecked(try value()))
  }

  /// Runs a piece of code with the value. It must not use the value by another way.
  public func withValue<Result>(
    _ operation: (inout Value) throws -> Result
  ) rethrows -> Result {
    HiddenMemory.noteUse()
    return try withLock(operation)
  }

  /// Runs a piece of code with the value, as ``withValue(_:)`` does, for code of the library itself: what
  /// that keeps is no memory of a feature.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try mutex.withLock { Unchecked(try body(&$0.value)) }.value
  }

  /// Replaces the value.
  public func setValue(_ newValue: @autoclosure () throws -> Value) rethrows {
    let newValue = try newValue()
    HiddenMemory.noteUse()
    // The value before is released outside of the lock: its end may use this one.
    let old = withLock { exchange(&$0, with: newValue) }
    withExtendedLifetime(old) {}
  }

  /// A part of the value.
  public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
    HiddenMemory.noteUse()
    return withLock { $0[keyPath: keyPath] }
  }
}

extension LockIsolated where Value: Sendable {
  /// The value.
  public var value: Value {
    HiddenMemory.noteUse()
    return withLock { $0 }
  }
}

extension LockIsolated: Equatable where Value: Equatable {
  public static func == (lhs: LockIsolated, rhs: LockIsolated) -> Bool {
    let right = rhs.withLock { $0 }
    return lhs.withValue { $0 == right }
  }
}

extension LockIsolated: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    withValue { hasher.combine($0) }
  }
}

extension LockIsolated: CustomStringConvertible {
  public var description: String { withValue { "\($0)" } }
}
