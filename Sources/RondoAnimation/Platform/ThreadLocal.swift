// Access to the fields of `RondoThreadState`, which lists what a thread knows.

import RondoConcurrencyShims

/// A value that the calling thread has for itself: a field of `RondoThreadState`. It is used on that thread only.
// Always inlined: so the compiler knows the place of the field, and needs no key path.
@frozen @usableFromInline
package struct ThreadLocal<Value> {
  @usableFromInline let pointer: UnsafeMutablePointer<Value>

  @inlinable
  @inline(__always)
  package init(_ field: WritableKeyPath<RondoThreadState, Value>) {
    // Every field of a structure in C is stored.
    pointer = rondo_threadState().pointer(to: field)!
  }

  /// The value.
  @inlinable
  package var current: Value {
    @inline(__always) get { pointer.pointee }
    @inline(__always) nonmutating set { pointer.pointee = newValue }
  }

  /// Runs a body while the thread has a value.
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
  @usableFromInline let field: ThreadLocal<UnsafeMutableRawPointer?>

  @inlinable
  @inline(__always)
  package init(_ field: WritableKeyPath<RondoThreadState, UnsafeMutableRawPointer?>) {
    self.field = ThreadLocal(field)
  }

  /// The object that is in force on the thread; `nil` where there is none.
  @inlinable
  @inline(__always)
  package var current: Object? {
    // The body that the object is in force for keeps it alive.
    field.current.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a body with an object in force, or with none.
  @inlinable
  @inline(__always)
  package func with<Result>(_ object: Object?, _ body: () throws -> Result) rethrows -> Result {
    try field.with(object.map { Unmanaged.passUnretained($0).toOpaque() }) {
      try withExtendedLifetime(object, body)
    }
  }
}
