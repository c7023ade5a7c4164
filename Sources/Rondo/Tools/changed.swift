// Copies of values.

/// A copy of a value with a change to it.
package func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
  var copy = value
  change(&copy)
  return copy
}
