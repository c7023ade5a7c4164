// Reaches a part of a state: by its place in memory where it has one, else by its key path.

/// A writable key path that knows whether it merely names bytes.
///
/// A key path to a stored property takes tens of nanoseconds to follow, and its offset one.
@usableFromInline
struct StateAccess<Root, Value> {
  @usableFromInline let keyPath: WritableKeyPath<Root, Value>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Value>) {
    self.keyPath = keyPath
    // Structures only: what a class stores is elsewhere.
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Lends the part out, to be read or changed in place.
  @inlinable
  @inline(__always)
  func with<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
    guard let offset else { return body(&root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) { root in
      let part = UnsafeMutableRawPointer(root) + offset
      return body(&part.assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Lends the part out to be read. A computed property is only asked for.
  @inlinable
  @inline(__always)
  func read<Result>(_ root: inout Root, _ body: (Value) -> Result) -> Result {
    guard let offset else { return body(root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) { root in
      let part = UnsafeMutableRawPointer(root) + offset
      return body(part.assumingMemoryBound(to: Value.self).pointee)
    }
  }
}
