// Access to the fields of `RondoThreadState`, which lists what a thread knows.

import RondoConcurrencyShims

/// A value that every thread has for itself: a field of `RondoThreadState`.
// Always inlined: the compiler turns a key path into a place in memory where it sees which one it is.
@frozen @usableFromInline
package struct ThreadLocal<Value> {
  @usableFromInline let field: WritableKeyPath<RondoThreadState, Value>

  @inlinable
  @inline(__always)
  package init(_ field: WritableKeyPath<RondoThreadState, Value>) {
    self.field = field
  }

  /// The value on the calling thread.
  @inlinable
  package var current: Value {
    @inline(__always) get { rondo_threadState().pointee[keyPath: field] }
    @inline(__always) nonmutating set { rondo_threadState().pointee[keyPath: field] = newValue }
  }

  /// Runs a body while the calling thread has a value.
  @inlinable
  @inline(__always)
  package func with<Result>(_ value: Value, _ body: () throws -> Result) rethrows -> Result {
    let outer = current
    current = value
    defer { current = outer }
    return try body()
  }
}

/// An object that is in force on a thread while a body runs there: a field of `RondoThreadState`.
@frozen @usableFromInline
package struct ThreadLocalObject<Object: AnyObject> {
  @usableFromInline let pointer: ThreadLocal<UnsafeMutableRawPointer?>

  @inlinable
  @inline(__always)
  package init(_ field: WritableKeyPath<RondoThreadState, UnsafeMutableRawPointer?>) {
    pointer = ThreadLocal(field)
  }

  /// The object that is in force on the calling thread; `nil` where there is none.
  @inlinable
  @inline(__always)
  package var current: Object? {
    // The body that the object is in force for keeps it alive.
    pointer.current.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a body with an object in force, or with none.
  @inlinable
  @inline(__always)
  package func with<Result>(_ object: Object?, _ body: () throws -> Result) rethrows -> Result {
    try pointer.with(object.map { Unmanaged.passUnretained($0).toOpaque() }) {
      try withExtendedLifetime(object, body)
    }
  }
}
