// The search for children with effects in flight in the state, after any reducer has run.

/// Finds the children of one place in their parent's state, by their addresses.
///
/// Every effect of a child carries one. With those of the features around the child, the store can
/// go down from its own state to the child, and see whether the child is still there.
@usableFromInline
final class ChildLocator: @unchecked Sendable {
  // @unchecked: made of key paths and case paths, and used on the isolation of one store.

  /// Calls a closure with the state of a child and the stamp of its presentation, if it is there. Of
  /// several children it is the one with the known identity.
  private typealias Find = (
    _ parent: UnsafeMutableRawPointer, _ known: ChildIdentity,
    _ body: (_ child: UnsafeMutableRawPointer, _ presentation: Stamp) -> Void
  ) -> Void

  private let find: Find

  /// The type of the state of a child.
  let childType: Any.Type

  /// Reads the identity of the only child at the place; `nil` where the child that is found is always the
  /// known one.
  private let identity: ChildIdentityReader?

  /// Names the elements of a list that may have changed since a version; `nil` where there is no list.
  let changes: ((_ parent: UnsafeMutableRawPointer, _ since: Stamp?) -> ElementChanges)?

  /// Returns whether the place is stored in the parent's state: only a change of that state changes it.
  let isStored: () -> Bool

  /// The part of the parent that the child is, where it is no case.
  let part: ChildPlace?

  private init(
    _ childType: Any.Type, _ identity: ChildIdentityReader? = nil, part: ChildPlace? = nil,
    changes: ((_ parent: UnsafeMutableRawPointer, _ since: Stamp?) -> ElementChanges)? = nil,
    isStored: @escaping () -> Bool = { true }, _ find: @escaping Find
  ) {
    self.childType = childType
    self.identity = identity
    self.part = part
    self.changes = changes
    self.isStored = isStored
    self.find = find
  }

  /// Calls a closure with the state of a child, if there is one.
  func lend(
    _ parent: UnsafeMutableRawPointer, _ known: ChildIdentity,
    _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    find(parent, known) { child, _ in body(child) }
  }

  /// Calls a closure with the state of a child, if it is there and is the known one.
  ///
  /// - Returns: Whether it is.
  func lendKnown(
    _ parent: UnsafeMutableRawPointer, _ known: ChildIdentity,
    _ body: (UnsafeMutableRawPointer) -> Void
  ) -> Bool {
    var isThere = false
    find(parent, known) { child, presentation in
      if let identity, identity(child, stamp: presentation) != known { return }
      isThere = true
      body(child)
    }
    return isThere
  }

  /// A part that is there for as long as its parent is.
  @usableFromInline
  static func part<Parent, Child>(_ access: StateAccess<Parent, Child>) -> ChildLocator {
    ChildLocator(Child.self, part: ChildPlace(access.keyPath), isStored: { access.isStored }) {
      parent, _, body in
      access.read(at: parent) { body(UnsafeMutableRawPointer(mutating: $0), .none) }
    }
  }

  /// The value of a case.
  @usableFromInline
  static func value<Parent, Child>(
    _ path: AnyCasePath<Parent, Child>, _ identity: ChildIdentityReader
  ) -> ChildLocator {
    ChildLocator(Child.self, identity) { parent, _, body in
      guard var value = path.extract(from: parent.bound(to: Parent.self).pointee)
      else { return }
      withUnsafeMutablePointer(to: &value) { body(UnsafeMutableRawPointer($0), .none) }
    }
  }

  /// An optional.
  @usableFromInline
  static func optional<Parent, Child>(
    _ access: StateAccess<Parent, Child?>, _ identity: ChildIdentityReader
  ) -> ChildLocator {
    ChildLocator(Child.self, identity, isStored: { access.isStored }) { parent, _, body in
      access.read(at: parent) {
        // The value of an optional has the same address as the optional.
        if $0.pointee != nil { body(UnsafeMutableRawPointer(mutating: $0), .none) }
      }
    }
  }

  /// A child that is presented.
  @usableFromInline
  static func presentation<Parent, Child>(
    _ access: StateAccess<Parent, PresentationState<Child>>, _ identity: ChildIdentityReader
  ) -> ChildLocator {
    ChildLocator(Child.self, identity, isStored: { access.isStored }) { parent, _, body in
      access.read(at: parent) { presentation in
        guard let box = presentation.pointee.box, box.state != nil else { return }
        withUnsafeMutablePointer(to: &box.state!) {
          body(UnsafeMutableRawPointer($0), box.presentation)
        }
      }
    }
  }

  /// The elements of a list.
  @usableFromInline
  static func elements<Parent, ID, Element>(
    _ access: StateAccess<Parent, IdentifiedArray<ID, Element>>
  ) -> ChildLocator {
    ChildLocator(
      Element.self,
      changes: { parent, since in
        access.read(at: parent) { ElementChanges(of: $0.pointee, since: since) }
      }, isStored: { access.isStored }
    ) { parent, known, body in
      guard let id = known.id as? ID else { return }
      access.read(at: parent) {
        guard let index = $0.pointee.index(id: id) else { return }
        $0.pointee.storage.withUnsafeBufferPointer {
          body(UnsafeMutableRawPointer(mutating: $0.baseAddress! + index), .none)
        }
      }
    }
  }

  /// The elements of a stack.
  static func stack<Parent, Element>(
    _ access: StateAccess<Parent, StackState<Element>>
  ) -> ChildLocator {
    ChildLocator(
      Element.self,
      changes: { parent, since in
        access.read(at: parent) { ElementChanges(of: $0.pointee.entries, since: since) }
      }, isStored: { access.isStored }
    ) { parent, known, body in
      guard let id = known.id as? StackElementID else { return }
      access.read(at: parent) {
        guard let entry = $0.pointee.entries[id: id], entry.addition.number == known.stamp,
          var element = entry.element
        else { return }
        withUnsafeMutablePointer(to: &element) { body(UnsafeMutableRawPointer($0), .none) }
      }
    }
  }
}

extension StateAccess {
  /// Calls a closure with the part of a state that is named by its address, to be read.
  fileprivate func read<Result>(
    at root: UnsafeMutableRawPointer, _ body: (UnsafePointer<Value>) -> Result
  ) -> Result {
    read(&root.bound(to: Root.self).pointee, body)
  }
}

/// The elements of a list that may have changed since it was last looked at.
struct ElementChanges {
  /// The ids of these elements; `nil` where it may be all.
  let ids: [AnyHashable]?
  /// The version of the list; `nil` where it has none.
  let version: Stamp?

  init<ID, Element>(of list: IdentifiedArray<ID, Element>, since: Stamp?) {
    version = list.log?.version
    ids = since.flatMap { list.log?.ids(since: $0) }.map { $0.map { AnyHashable($0) } }
  }
}

/// An effect of a part that is there for as long as its parent is.
final class PartNode: ModifierNode, @unchecked Sendable {
  // @unchecked: immutable.
  let locator: ChildLocator
  let embed: @Sendable (Any) -> Any

  init(_ child: EffectNode, _ locator: ChildLocator, _ embed: @escaping @Sendable (Any) -> Any) {
    self.locator = locator
    self.embed = embed
    super.init(child)
  }

  override var label: String { "map" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    PartFrame(self, under: parent)
  }
}

private final class PartFrame: Frame, FeatureFrame {
  let node: PartNode
  /// The part, once something below it has needed it.
  private var existing: LiveFeature?

  init(_ node: PartNode, under parent: Frame) {
    self.node = node
    super.init(under: parent, intercepts: true)
  }

  func ownFeature(in registry: ChildRegistry) -> LiveFeature {
    if let existing { return existing }
    let feature = registry.enter(node.locator, under: parent!.feature(in: registry))
    existing = feature
    return feature
  }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    emission.value = node.embed(emission.value)
    return .pass
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    existing.take()?.leave()
  }
}

/// Records that a child's own reducer has changed the child's identity. The child keeps its
/// effects.
final class RenameChildNode: EffectNode, @unchecked Sendable {
  // @unchecked: immutable.
  let place: ChildPlace
  let old: ChildIdentity
  let new: ChildIdentity

  init(_ place: ChildPlace, from old: ChildIdentity, to new: ChildIdentity) {
    self.place = place
    self.old = old
    self.new = new
  }

  override var label: String { "renameChild" }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    let children = interpreter.children
    parent.feature(in: children).rename(at: place, from: old, to: new)
    interpreter.finishChild(of: parent)
  }
}

extension Effect {
  /// This effect of a child's reducer, merged with one that records a change of the child's
  /// identity.
  @inlinable
  @inline(__always)
  func renamingChild(
    at place: @autoclosure () -> ChildPlace, from old: ChildIdentity?, to new: ChildIdentity?
  ) -> Self {
    guard let old, let new, old != new else { return self }
    return renamingChild(place(), old, new)
  }

  @usableFromInline
  func renamingChild(_ place: ChildPlace, _ old: ChildIdentity, _ new: ChildIdentity) -> Self {
    Self(node: RenameChildNode(place, from: old, to: new)).merge(with: self)
  }
}
