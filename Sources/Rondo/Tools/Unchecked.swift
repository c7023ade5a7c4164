// A value that goes from one isolation to another.

/// A value that the runtime hands from one isolation to another without sharing it.
struct Unchecked<Value>: @unchecked Sendable {
  // @unchecked: the code that makes it gives the value away, and one isolation at a time uses it.
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
