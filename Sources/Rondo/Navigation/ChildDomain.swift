// The one mechanism behind optional children, cases, lists, presentation and stacks: a child domain
// has a place in its parent, an identity there, and a lifetime.

import RondoScheduling

/// The place of one or several children in a parent: usually a property of its state.
@usableFromInline
struct ChildPlace: Hashable, @unchecked Sendable {
  // @unchecked: key paths are immutable, and those of reducers capture `Sendable` values only.
  private let key: AnyHashable

  @usableFromInline
  init(_ keyPath: AnyKeyPath) {
    key = AnyHashable(keyPath)
  }

  /// A place without a key path, named by the line of the source that declares the child.
  @usableFromInline
  init(_ position: SourcePosition) {
    key = AnyHashable("\(position.fileID):\(position.line):\(position.column)")
  }
}

/// The id of one child: its place, and its identity among the children that are or were there.
@usableFromInline
struct ChildID: Hashable, @unchecked Sendable {
  // @unchecked: identities are made of ids, which are values.
  let place: ChildPlace
  let identity: ChildIdentity
  /// Whether the child can ask to be removed.
  var isPresented = false

  /// The id of one of several children at a place.
  @usableFromInline
  init(place: ChildPlace, identity: ChildIdentity) {
    self.place = place
    self.identity = identity
  }

  /// The id of the only child at a place. It needs no identity: an earlier child at the place has
  /// nothing in flight.
  @usableFromInline
  init(place: ChildPlace) {
    self.init(place: place, identity: ChildIdentity(stamp: .none))
  }
}

extension SourcePosition {
  /// Reports an action for a child that is not there. The position is that of the call that composes
  /// the child into its parent.
  ///
  /// - Parameters:
  ///   - label: The name of the function that composes the child.
  ///   - child: The type of the child's state.
  ///   - parent: The type of the parent's state.
  ///   - problem: The reason why the child is not there.
  @usableFromInline
  func reportMissingChild(
    of label: String, _ child: Any.Type, in parent: Any.Type, _ problem: String, _ action: Any
  ) {
    report(
      label, "received \(summary(of: action)) for a child \(typeName(child)), but \(problem).",
      """
      The state was left as it was, and the parent still gets the action. Send to a child only while \
      it is there, let its own reducer return its effects, so that they end with it, and let no \
      reducer that runs before this one remove it.
      """, of: parent)
  }

  /// Reports a mistake at the line that composes the child; in a test, at the line of the test that
  /// sends the action.
  ///
  /// - Parameters:
  ///   - label: The name of the function that composes the child.
  ///   - parent: The type of the parent's state.
  func report(_ label: String, _ problem: String, _ advice: String, of parent: Any.Type) {
    guard let send = DependencyValues.current.testPosition?.position else {
      return reportIssue("\(label) of \(typeName(parent)) \(problem) \(advice)", at: self)
    }
    reportIssue(
      "\(label) of \(typeName(parent)) (\(self)) \(problem) \(advice)", at: send)
  }
}

/// A text for messages: no child has the id, and these are the ids there are.
///
/// - Parameter ids: The first ids. The fourth only says that there are more than three.
@usableFromInline
func missingID<ID>(_ id: ID, among ids: [ID]) -> String {
  guard !ids.isEmpty else { return "none has the id \(id): there are none at all" }
  let listed = ids.prefix(3).map { "\($0)" }.joined(separator: ", ")
  return "none has the id \(id): there are \(listed)\(ids.count > 3 ? ", …" : "")"
}

// MARK: - Effects of a child

extension Effect {
  /// The effect of a child, as one of its parent.
  ///
  /// Its outputs are embedded in the parent's. Its cancellation ids are the child's own, one step
  /// further down the navigation path, and it ends with the child.
  ///
  /// - Parameters:
  ///   - locator: Finds the child in its parent's state.
  ///   - known: The identity of the child after its own reducer has run; `nil` where the id already
  ///     holds it.
  ///   - dismissal: The parent's action that asks for the child to be removed.
  @inlinable
  func ofChild<Parent>(
    _ id: @autoclosure () -> ChildID,
    _ locator: ChildLocator,
    known: @autoclosure () -> ChildIdentity? = nil,
    dismissal: (@Sendable () -> Parent)? = nil,
    embed: @escaping @Sendable (Output) -> Parent
  ) -> Effect<Parent> {
    guard let node else { return .none }
    // An effect that answers at once has nothing in flight that could outlive the child.
    guard !node.isSend else {
      return .send(embed(node.output(as: Output.self)))
    }
    return ofChild(node, id(), locator, known(), dismissal, embed)
  }

  @usableFromInline
  func ofChild<Parent>(
    _ node: EffectNode, _ id: ChildID, _ locator: ChildLocator, _ known: ChildIdentity?,
    _ dismissal: (@Sendable () -> Parent)?, _ embed: @escaping @Sendable (Output) -> Parent
  ) -> Effect<Parent> {
    var dismiss: (@Sendable () -> Any)?
    if let dismissal { dismiss = { dismissal() } }
    var id = id
    id.isPresented = dismiss != nil
    let child = ChildNode(node, id, locator, known, dismiss: dismiss) { embed($0 as! Output) }
    return Effect<Parent>(node: child)
  }

  /// The effect of a feature that is a part of its parent, for as long as that lives.
  @inlinable
  func ofPart<Parent>(
    _ locator: ChildLocator, _ embed: @escaping @Sendable (Output) -> Parent
  ) -> Effect<Parent> {
    guard let node else { return .none }
    guard !node.isSend else {
      return .send(embed(node.output(as: Output.self)))
    }
    return ofPart(node, locator, embed)
  }

  @usableFromInline
  func ofPart<Parent>(
    _ node: EffectNode, _ locator: ChildLocator, _ embed: @escaping @Sendable (Output) -> Parent
  ) -> Effect<Parent> {
    Effect<Parent>(node: PartNode(node, locator) { embed($0 as! Output) })
  }

  /// The effect, as one of a child that has no place in a state.
  ///
  /// - Parameter element: The id of the child among its siblings.
  package func scoped(to element: some Hashable & Sendable) -> Self {
    let id = ChildID(place: ChildPlace(\Self.self), identity: ChildIdentity(id: element))
    return modified { ChildNode($0, id, nil, nil, dismiss: nil) { $0 } }
  }

  /// This effect, merged with one that ends the child at a place, if the child is no longer there.
  ///
  /// The child is looked for before and after its parent's reducer runs. A child that its own
  /// reducer gives another case or another identity is still the same child.
  @inlinable
  @inline(__always)
  func endingChild(
    at place: @autoclosure () -> ChildPlace, from before: ChildIdentity?,
    to after: @autoclosure () -> ChildIdentity?
  ) -> Self {
    // Optionals are compared piece by piece: as a whole they are destroyed through their metadata.
    guard let before else { return self }
    if let after = after(), after == before { return self }
    return endingChildren(at: place())
  }

  /// This effect, merged with one that ends all children at a place.
  @usableFromInline
  func endingChildren(at place: ChildPlace) -> Self {
    merge(with: .endChildren(at: place) { _ in false })
  }

  /// An effect that cancels everything that children at a place have in flight, except for those
  /// that are still alive.
  ///
  /// - Parameter ids: The ids of the only elements that may have gone; `nil` where it may be any child.
  static func endChildren(
    at place: ChildPlace, among ids: [AnyHashable]? = nil,
    butFor isAlive: @escaping @Sendable (ChildIdentity) -> Bool
  ) -> Self {
    Self(node: EndChildrenNode(place, among: ids, isAlive))
  }
}

final class ChildNode: ModifierNode {
  let id: ChildID
  /// `nil` for a child that has no place in a state.
  let locator: ChildLocator?
  /// The identity of the child after its own reducer has run; `nil` where the id already holds it.
  let known: ChildIdentity?
  let dismiss: (@Sendable () -> Any)?
  let embed: @Sendable (Any) -> Any

  init(
    _ child: EffectNode, _ id: ChildID, _ locator: ChildLocator?, _ known: ChildIdentity?,
    dismiss: (@Sendable () -> Any)?, embed: @escaping @Sendable (Any) -> Any
  ) {
    self.id = id
    self.locator = locator
    self.known = known
    self.dismiss = dismiss
    self.embed = embed
    super.init(child)
  }

  override var label: String { "child" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    ChildFrame(self, under: parent, interpreter.children)
  }
}

/// The frame of everything that a child has in flight for one action. It is found by the child's
/// place, so that it can be ended.
final class ChildFrame: Frame, FeatureFrame {
  let node: ChildNode
  private let child: LiveFeature
  /// The position in the order in which the frames of children have come.
  let serial: UInt64
  private var hasGone = false

  override var isOfChild: Bool { true }
  override var hasGoneWithChild: Bool { hasGone }

  fileprivate init(_ node: ChildNode, under parent: Frame, _ registry: ChildRegistry) {
    self.node = node
    child = registry.enter(node, under: parent.feature(in: registry))
    serial = registry.nextSerial()
    super.init(
      under: parent, intercepts: true, path: NavigationPath(node.id, under: parent.path))
    child.add(self)
  }

  func ownFeature(in registry: ChildRegistry) -> LiveFeature { child }

  override func intercept(
    _ emission: inout Emission, _ interpreter: Interpreter
  ) -> Interception {
    emission.value = node.embed(emission.value)
    return .pass
  }

  override func didLeave(cancelled: Bool, _ interpreter: Interpreter) {
    hasGone = cancelled && interpreter.isEndingChild
    child.remove(self)
  }
}

final class EndChildrenNode: EffectNode {
  let place: ChildPlace
  /// The ids of the only elements that may have gone; `nil` where it may be any child.
  let ids: [AnyHashable]?
  let isAlive: @Sendable (ChildIdentity) -> Bool

  init(
    _ place: ChildPlace, among ids: [AnyHashable]?,
    _ isAlive: @escaping @Sendable (ChildIdentity) -> Bool
  ) {
    self.place = place
    self.ids = ids
    self.isAlive = isAlive
  }

  override var label: String { "endChildren" }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    let children = interpreter.children
    interpreter.whileEndingChildren {
      let feature = parent.feature(in: children)
      children.end(feature.children(at: place, among: ids, butFor: isAlive), interpreter)
    }
    interpreter.finishChild(of: parent)
  }
}

extension Interpreter {
  /// The children that have something in flight.
  var children: ChildRegistry {
    if let features { return features as! ChildRegistry }
    // Effects that a lock protects have no store.
    let children = ChildRegistry(isSearched: mailbox.lock == nil)
    features = children
    return children
  }
}
