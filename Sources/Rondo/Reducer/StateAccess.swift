// Reaches a part of a state: by its place in memory where it has one, else by its key path.

/// A writable key path, followed in place.
///
/// A key path to a computed property copies what it leads to, out and back in, so that a list in
/// there is copied when one of its elements changes. Most properties of states are computed only in
/// name: `@ObservableState`, `@Presents` and `@PresentationState` keep the value in a stored one. So
/// the first time the storage is looked for, and from then on the part is reached there; whoever
/// observes it is told what the accessors would have told. See ``StoredField``.
@usableFromInline
final class StateAccess<Root, Value> {
  @usableFromInline let keyPath: WritableKeyPath<Root, Value>

  /// Where the part lies in the root: ``isUnknown`` at first, ``isNowhere`` where it is computed.
  // Unchecked: it is set and read in between, and never held.
  @exclusivity(unchecked)
  @usableFromInline var offset: Int

  /// What those who observe the part want to know of a change of it; `nil` where nobody can.
  @exclusivity(unchecked)
  @usableFromInline var identity: FieldIdentity?

  @inlinable static var isUnknown: Int { -1 }
  @inlinable static var isNowhere: Int { -2 }

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Value>) {
    self.keyPath = keyPath
    // Structures only: what a class stores is elsewhere.
    offset = MemoryLayout<Root>.offset(of: keyPath) ?? Self.isUnknown
  }

  /// Lends the part out, to be read or changed in place.
  @inlinable
  @inline(__always)
  func with<Result>(
    _ root: inout Root, _ body: (UnsafeMutablePointer<Value>) -> Result
  ) -> Result {
    guard isFound(in: &root) else {
      return withUnsafeMutablePointer(to: &root[keyPath: keyPath]) { body($0) }
    }
    let identityBefore = identity.map { pointer(&root, $0.callAsFunction) }
    let result = pointer(&root) { body($0.assumingMemoryBound(to: Value.self)) }
    if let identity, pointer(&root, identity.callAsFunction) != identityBefore {
      StoredField.wakeObservers(&root, keyPath)
    }
    return result
  }

  /// Lends the part out, to be read and not changed.
  @inlinable
  @inline(__always)
  func read<Result>(_ root: inout Root, _ body: (UnsafePointer<Value>) -> Result) -> Result {
    guard isFound(in: &root) else {
      return withUnsafePointer(to: root[keyPath: keyPath]) { body($0) }
    }
    return pointer(&root) { body(UnsafePointer($0.assumingMemoryBound(to: Value.self))) }
  }

  @inlinable
  @inline(__always)
  func isFound(in root: inout Root) -> Bool {
    guard offset < 0 else { return true }
    guard offset == Self.isUnknown else { return false }
    find(in: &root)
    return offset >= 0
  }

  @inlinable
  @inline(__always)
  func pointer<Result>(
    _ root: inout Root, _ body: (UnsafeMutableRawPointer) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &root) { body(UnsafeMutableRawPointer($0) + offset) }
  }

  @usableFromInline
  func find(in root: inout Root) {
    guard let field = StoredField.find(keyPath, in: root) else { return offset = Self.isNowhere }
    identity = field.identity
    offset = field.offset
  }
}
