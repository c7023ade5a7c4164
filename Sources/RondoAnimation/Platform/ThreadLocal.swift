// What a thread knows: the fields of `RondoThreadState`, which has the list of them.

import RondoConcurrencyShims

/// A value that every thread has for itself: a field of `RondoThreadState`.
// Used from inlined code, or else the compiler would not see which field it is.
@frozen @usableFromInline
package struct ThreadLocal<Value> {
  @usableFromInline let field: WritableKeyPath<RondoThreadState, Value>

  @inlinable
  package init(_ field: WritableKeyPath<RondoThreadState, Value>) {
    self.field = field
  }

  /// The value on the calling thread.
  @inlinable
  package var current: Value {
    get { rondo_threadState().pointee[keyPath: field] }
    nonmutating set { rondo_threadState().pointee[keyPath: field] = newValue }
  }

  /// Runs a body while the calling thread has a value.
  @inlinable
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
  package init(_ field: WritableKeyPath<RondoThreadState, UnsafeMutableRawPointer?>) {
    pointer = ThreadLocal(field)
  }

  /// The object that is in force on the calling thread; `nil` where there is none.
  @inlinable
  package var current: Object? {
    // The body that the object is in force for keeps it alive.
    pointer.current.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a body with an object in force, or with none.
  @inlinable
  package func with<Result>(_ object: Object?, _ body: () throws -> Result) rethrows -> Result {
    try pointer.with(object.map { Unmanaged.passUnretained($0).toOpaque() }) {
      try withExtendedLifetime(object, body)
    }
  }
}
