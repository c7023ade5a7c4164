// An object that every thread has for itself.

import RondoAnimation

/// An object that is in force on a thread while a body runs there.
struct ObjectOfThread<Object: AnyObject>: Sendable {
  private let slot = ThreadSlot()

  /// The object that is in force on this thread; `nil` where there is none.
  var current: Object? {
    // The body that the object is in force for keeps it alive.
    slot.pointer.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a body with an object in force.
  func with<Result>(_ object: Object, _ body: () throws -> Result) rethrows -> Result {
    let outer = slot.pointer
    slot.pointer = Unmanaged.passUnretained(object).toOpaque()
    defer { slot.pointer = outer }
    return try withExtendedLifetime(object, body)
  }
}
