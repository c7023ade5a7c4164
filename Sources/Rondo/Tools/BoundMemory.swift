// Values of a known type behind raw pointers.

extension UnsafeRawPointer {
  /// The place of a value. The caller knows that a value of the type is there.
  @inlinable
  @inline(__always)
  func bound<Value>(to type: Value.Type) -> UnsafePointer<Value> {
    assert(isAligned(for: type), "No \(type) is at \(self).")
    return assumingMemoryBound(to: type)
  }

  @inlinable
  func isAligned<Value>(for type: Value.Type) -> Bool {
    UInt(bitPattern: self) % UInt(MemoryLayout<Value>.alignment) == 0
  }
}

extension UnsafeMutableRawPointer {
  /// The place of a value, to be changed. The caller knows that a value of the type is there.
  @inlinable
  @inline(__always)
  func bound<Value>(to type: Value.Type) -> UnsafeMutablePointer<Value> {
    UnsafeMutablePointer(mutating: UnsafeRawPointer(self).bound(to: type))
  }
}
