// A value on an actor, as clients and tests had it before `LockIsolated`.

import Rondo

/// A value on an actor of its own. New code uses `LockIsolated`, or declares an actor.
///
/// ```swift
/// let count = ActorIsolated(0)
/// await count.withValue { $0 += 1 }
/// ```
public final actor ActorIsolated<Value> {
  /// The value.
  public var value: Value

  /// A value, to be used on the actor only.
  public init(_ value: @autoclosure @Sendable () throws -> sending Value) rethrows {
    self.value = try value()
  }

  /// Runs a piece of code with the value.
  public func withValue<Result: Sendable>(
    _ operation: @Sendable (inout Value) throws -> Result
  ) rethrows -> Result {
    HiddenMemory.noteUse()
    return try operation(&value)
  }

  /// Replaces the value.
  public func setValue(_ newValue: @autoclosure @Sendable () throws -> sending Value) rethrows {
    value = try newValue()
  }
}
