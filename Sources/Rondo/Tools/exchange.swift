// Taking a value and leaving another one.

/// Stores a new value and returns the old one.
func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
