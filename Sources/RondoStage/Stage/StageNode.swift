// A node of the stage's own tree: what lives on from one commit to the next.

import RondoAnimation

/// A node of the stage's own tree: what lives on from one commit to the next.
final class StageNode {
  /// Which of its container's children this is. The number tells children apart that claim to be
  /// the same.
  struct Key: Hashable {
    let identity: [IdentityStep]
    let occurrence: Int
  }

  enum Slot {
    case effect(EffectSlot)
    /// The value of an `.animation(_:value:)` at the commit before.
    case watched(any Equatable)
    case none
  }

  let key: Key
  private(set) var node: Node
  /// One for each of the node's modifiers.
  var slots: [Slot]
  var shape: ShapeSlot?
  var layer: LayerSlot?
  /// Whether the stage will bring the node up to date once its modifier has come to rest.
  var isLive = false
  var text: TextSlot?
  /// A number that no other node of the stage has ever had.
  let serial: Int
  var children: [StageNode] = [] {
    didSet { drawn = nil }
  }
  /// The children back to front, as far as that is known.
  private var drawn: [StageNode]?
  /// Set while the node comes or goes.
  var presence: Presence?
  var geometry: GeometrySlot?
  /// The transaction as the modifiers around `.matchedGeometry` have changed it.
  var geometryTransaction = Transaction()
  /// The extent of the content.
  private var size: Size
  /// The place among the siblings, back to front.
  private(set) var zIndex: Double
  /// The shape that hides what is outside of it.
  private(set) var clip: (any Shape)?
  /// Whether there is one. Most nodes have none, and an existential is slow to look at.
  private(set) var isClipped: Bool
  /// The node as it is to be seen, apart from what is under way and from the nodes around it.
  private(set) var template: ResolvedNode
  /// Whether the template has what the effects make of the content, because none is under way.
  private var isSettled = false

  init(key: Key, node: Node, slots: [Slot], serial: Int) {
    self.key = key
    self.node = node
    self.slots = slots
    self.serial = serial
    size = node.content.naturalSize
    clip = node.clip
    zIndex = node.zIndex
    isClipped = clip != nil
    template = ResolvedNode(node, track: serial)
  }

  /// Takes over a new description, after the slots have.
  func take(_ node: Node) {
    self.node = node
    size = node.content.naturalSize
    clip = node.clip
    zIndex = node.zIndex
    isClipped = clip != nil
    template = ResolvedNode(node, track: serial)
    isSettled = false
  }

  var isLeaving: Bool { presence?.isLeaving ?? false }

  /// The children back to front.
  var childrenAsDrawn: [StageNode] {
    if let drawn { return drawn }
    let sorted =
      children.contains { $0.zIndex != 0 } ? children.backToFront(by: \.zIndex) : children
    drawn = sorted
    return sorted
  }

  /// Forgets in which order the children are drawn.
  func forgetOrder() { drawn = nil }

  /// The action that a tap on the node runs.
  var tapAction: (() -> Void)? {
    for case .tap(let action) in node.modifiers.reversed() { return action }
    return nil
  }

  /// The match with other nodes.
  var match: GeometryMatch? {
    for case .matchedGeometry(let match) in node.modifiers { return match }
    return nil
  }

  /// The transition of the outermost `.transition`.
  var transition: AnyTransition {
    for case .transition(let transition) in node.modifiers.reversed() { return transition }
    return .opacity
  }

  /// Whether a description is one of this node: the same kind of content in modifiers of the same
  /// kinds.
  func accepts(_ new: Node) -> Bool {
    guard new.modifiers.count == slots.count, acceptsContent(new.content) else { return false }
    for index in slots.indices {
      switch (node.modifiers[index], new.modifiers[index], slots[index]) {
      case (.effect, .effect(let effect), .effect(let slot)):
        guard slot.accepts(effect) else { return false }
      case (.transaction, .transaction, _), (.onChange, .onChange, _),
        (.transition, .transition, _), (.matchedGeometry, .matchedGeometry, _),
        (.onAppear, .onAppear, _), (.contentTransition, .contentTransition, _),
        (.clip, .clip, _), (.zIndex, .zIndex, _), (.tap, .tap, _), (.scope, .scope, _),
        (.endOfScope, .endOfScope, _):
        continue
      default:
        return false
      }
    }
    return true
  }

  private func acceptsContent(_ new: Node.Content) -> Bool {
    switch (node.content, new) {
    case (.empty, .empty), (.text, .text), (.group, .group): true
    case (.shape, .shape(let shape)): self.shape?.accepts(shape) ?? false
    case (.layer(let old), .layer(let new)): old.type == new.type
    default: false
    }
  }

  /// Gives the appearance at an instant, or in the end if there is none, in place of that of the
  /// template. The caller has made sure that the node has not gone.
  ///
  /// - Parameter wrapping: Effects that a transition has put around the node.
  func resolve(
    _ appearance: inout Appearance,
    in outer: Appearance,
    at instant: Duration?,
    wrapping: [any VisualEffect] = []
  ) {
    if !isSettled || instant == nil { applyEffects(to: &appearance, at: instant) }
    if let instant { presence?.apply(at: instant, to: &appearance) }
    for effect in wrapping { effect.apply(to: &appearance) }
    appearance.place(inside: outer)
    if let instant { geometry?.apply(at: instant, to: &appearance) }
  }

  private func applyEffects(to appearance: inout Appearance, at instant: Duration?) {
    appearance = Appearance()
    appearance.size = size
    var isIdle = true
    for case .effect(let slot) in slots {
      slot.apply(at: instant, to: &appearance)
      isIdle = isIdle && !slot.isActive
    }
    if isIdle {
      template.appearance = appearance
      isSettled = true
    }
  }

  /// Whether the node has gone by an instant.
  func hasLeft(at instant: Duration?) -> Bool {
    guard let instant, let presence else { return false }
    return presence.hasLeft(at: instant)
  }

  /// Every slot of the node itself.
  var animatedSlots: [AnimatedSlot] {
    var result: [AnimatedSlot] = []
    for case .effect(let slot) in slots { result.append(slot) }
    if let shape { result.append(shape) }
    if let layer { result.append(layer) }
    if let text { result.append(text) }
    if let presence { result.append(presence) }
    if let geometry { result.append(geometry) }
    return result
  }

  /// Calls a closure with the node and all below it, parents before their children.
  func forEach(_ body: (StageNode) -> Void) {
    var pending = [self]
    while let node = pending.popLast() {
      body(node)
      pending += node.children.reversed()
    }
  }

  /// Releases the nodes below one by one, because nested releases would overflow the stack.
  deinit {
    guard !children.isEmpty else { return }
    drawn = nil
    var pending = children
    children = []
    while var node = pending.popLast() {
      guard isKnownUniquelyReferenced(&node), !node.children.isEmpty else { continue }
      let children = node.children
      node.children = []
      pending += children
    }
  }
}

extension Node {
  /// The shape of the outermost `.clipShape`.
  fileprivate var clip: (any Shape)? {
    for case .clip(let shape) in modifiers.reversed() { return shape }
    return nil
  }

  /// The number of the outermost `.zIndex`.
  var zIndex: Double {
    for case .zIndex(let value) in modifiers.reversed() { return value }
    return 0
  }

  /// The way in which a change of the text is shown.
  var contentTransition: ContentTransition {
    for case .contentTransition(let transition) in modifiers.reversed() { return transition }
    return .identity
  }
}

extension Array {
  /// The elements in ascending order of a number, and equal ones in their own.
  func backToFront(by number: (Element) -> Double) -> [Element] {
    enumerated().sorted { (number($0.element), $0.offset) < (number($1.element), $1.offset) }
      .map(\.element)
  }
}
