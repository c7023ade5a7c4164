// Access to a part of a state: by its place in memory where it has one, else by its key path.

@_spi(Reflection) import Swift

/// A key path that reads and changes a part of a state in place, where the part is stored.
///
/// A key path to a computed property copies the value out and back in, so that a list in it is
/// copied when one of its elements changes. But most computed properties of states have a stored
/// one behind them: `@ObservableState` and `@Presents` keep the value there, and the state's layout
/// names the place. The part is changed at that place, and its observers are told in the same way
/// as by the accessors. See ``StateLayout``.
@usableFromInline
final class StateAccess<Root, Value> {
  @usableFromInline let keyPath: KeyPath<Root, Value>

  /// The place of the part in the root, in bytes; ``isNowhere`` where it is computed, and
  /// ``isUnknown`` for a presentation that has not been seen yet.
  // Unchecked: no access to it lasts while other code runs.
  @exclusivity(unchecked)
  @usableFromInline var offset: Int

  /// Tells the observers of the part; `nil` where it cannot be observed.
  @usableFromInline let observation: FieldObservation?

  @inlinable static var isNowhere: Int { -1 }
  @inlinable static var isUnknown: Int { -2 }

  /// The place of the call that has the key path, for a report.
  @usableFromInline let position: SourcePosition?

  /// - Parameter position: The place of the call that has the key path, where it may be reported.
  @inlinable
  init(_ keyPath: KeyPath<Root, Value>, at position: SourcePosition? = nil) {
    self.keyPath = keyPath
    self.position = position
    // Succeeds for structures only: the fields of a class are elsewhere in memory.
    if let offset = MemoryLayout<Root>.offset(of: keyPath) {
      self.offset = offset
      observation = nil
    } else {
      observation = FieldObservation(keyPath)
      offset =
        observation?.offset ?? (Self.isUnobservedPresentation ? Self.isUnknown : Self.isNowhere)
    }
  }

  /// Whether the part is stored in the root, as far as is known.
  @inlinable var isStored: Bool { offset != Self.isNowhere }

  /// Whether the part is a presentation in a state that is not observed. Then a variable with
  /// `@PresentationState` may hold it: that is stored, and its projection, which reducers name, is
  /// computed.
  @usableFromInline
  static var isUnobservedPresentation: Bool {
    Value.self is any Presentation.Type && !(Root.self is any ObservableState.Type)
  }

  /// The place of the only stored property of the part's type; `nil` where there is none, or more
  /// than one.
  private static var placeOfOnlyField: Int? {
    var places: [Int] = []
    _ = _forEachField(of: Root.self) { _, offset, type, _ in
      if type == Value.self { places.append(offset) }
      return true
    }
    return places.count == 1 ? places[0] : nil
  }

  /// Calls a closure with the part, to be read or changed in place.
  @inlinable
  @inline(__always)
  func with<Result>(
    _ root: inout Root, _ body: (UnsafeMutablePointer<Value>) -> Result
  ) -> Result {
    guard isFound(in: &root) else {
      // The callers that change the part have a writable key path.
      let keyPath = unsafeDowncast(keyPath, to: WritableKeyPath<Root, Value>.self)
      return withUnsafeMutablePointer(to: &root[keyPath: keyPath]) { body($0) }
    }
    return withUnsafeMutablePointer(to: &root) { root in
      let root = UnsafeMutableRawPointer(root)
      let part = (root + offset).bound(to: Value.self)
      guard let observation else { return body(part) }
      let before = observation.identity(part)
      let result = body(part)
      if observation.identity.hasChanged(since: before, part) { observation.wakeObservers(root) }
      return result
    }
  }

  /// Calls a closure with the part, to be read and not changed. The read is not observed: it is for
  /// reducers.
  @inlinable
  @inline(__always)
  func read<Result>(_ root: inout Root, _ body: (UnsafePointer<Value>) -> Result) -> Result {
    guard isFound(in: &root) else {
      return withUnsafePointer(to: root[keyPath: keyPath]) { body($0) }
    }
    return withUnsafeMutablePointer(to: &root) {
      body((UnsafeRawPointer($0) + offset).bound(to: Value.self))
    }
  }

  /// Calls a closure with the part, and registers the read for a closure that observes.
  @usableFromInline
  func observe(_ root: UnsafePointer<Root>, _ body: (UnsafePointer<Value>) -> Void) {
    if offset == Self.isUnknown || (offset >= 0 && isChecked) { find(at: root) }
    guard offset >= 0 else {
      return withUnsafePointer(to: root.pointee[keyPath: keyPath]) { body($0) }
    }
    let root = UnsafeRawPointer(root)
    observation?.noteAccess(root)
    body((root + offset).bound(to: Value.self))
  }

  @inlinable
  @inline(__always)
  func isFound(in root: inout Root) -> Bool {
    guard offset < 0 || isChecked else { return true }
    guard offset != Self.isNowhere else { return false }
    withUnsafePointer(to: &root) { find(at: $0) }
    return offset >= 0
  }

  /// Whether it is asked at each access if the place that was found is still the right one. A release build does not:
  /// to ask the key path takes as long as a small reducer.
  @inlinable
  @inline(__always)
  var isChecked: Bool {
    #if DEBUG
      observation == nil && Self.isUnobservedPresentation
        && MemoryLayout<Root>.offset(of: keyPath) == nil
    #else
      false
    #endif
  }

  /// Finds out whether the key path leads to the only stored presentation of its type, once
  /// something is presented: both then refer to the same box. Where they no longer do, the key path leads to a variable
  /// that is computed, and that is reported.
  @usableFromInline
  func find(at root: UnsafePointer<Root>) {
    func boxAddress(_ value: Value) -> UInt? { (value as! any Presentation).boxAddress }
    let box = boxAddress(root.pointee[keyPath: keyPath])
    let wasFound = offset >= 0
    guard box != nil || wasFound else { return }
    offset = Self.isNowhere
    guard let place = Self.placeOfOnlyField else { return }
    let stored = (UnsafeRawPointer(root) + place).bound(to: Value.self)
    if boxAddress(stored.pointee) == box { return offset = place }
    guard wasFound else { return }
    reportIssue(
      """
      A computed variable of \(typeName(Root.self)) presents a \(typeName(Value.self)) that is not always the one \
      which is stored. A release build takes the stored one. Name the variable with '@PresentationState' in 'ifLet', \
      and decide in the reducer what it presents.
      """,
      at: position ?? SourcePosition())
  }
}

/// A presentation of any type.
@usableFromInline
protocol Presentation {
  /// The address of the box with the presented state; `nil` when nothing is presented.
  var boxAddress: UInt? { get }
}

/// Tells the observers of one field of a state about reads and changes, without knowing its type.
@usableFromInline
struct FieldObservation {
  @usableFromInline let offset: Int
  /// Reads the identity of the field. The observers are woken when it has changed.
  @usableFromInline let identity: FieldIdentity
  let noteAccess: (_ root: UnsafeRawPointer) -> Void
  @usableFromInline let wakeObservers: (_ root: UnsafeRawPointer) -> Void

  /// `nil` for a key path that leads to no observed field, or to one that cannot be changed in
  /// place.
  @usableFromInline
  init?(_ keyPath: AnyKeyPath) {
    guard let type = type(of: keyPath).rootType as? any ObservableState.Type,
      let found = type.observation(of: keyPath)
    else { return nil }
    self = found
  }

  fileprivate init?<State>(_ field: ObservedField<State>?, _ layout: StateLayout<State>) {
    guard let field, let offset = field.offset, let identity = field.identity(),
      let registrarOffset = layout.registrarOffset
    else { return nil }
    func registrar(_ root: UnsafeRawPointer) -> ObservationStateRegistrar {
      (root + registrarOffset).bound(to: ObservationStateRegistrar.self).pointee
    }
    self.offset = offset
    self.identity = identity
    noteAccess = { field.noteAccess(registrar($0), $0.bound(to: State.self)) }
    wakeObservers = { field.wakeObservers(registrar($0), $0.bound(to: State.self)) }
  }
}

extension ObservableState {
  fileprivate static func observation(of keyPath: AnyKeyPath) -> FieldObservation? {
    let layout = StateLayout<Self>.shared
    return FieldObservation(layout.field(keyPath), layout)
  }
}
