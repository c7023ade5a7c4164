// The tree that is shown: commits go in, frames come out.

import RondoAnimation

/// The tree that is shown: commits go in, frames come out.
///
/// ```swift
/// let stage = Stage()
/// stage.commit(tree(for: state), at: .zero)
/// withAnimation {
///   stage.commit(tree(for: newState), at: .seconds(1))
/// }
/// stage.frame(at: .seconds(1) + .milliseconds(100))
/// ```
///
/// A stage has no clock. Instants are durations since an origin of the caller's choice; every
/// animation of a commit begins at its instant, and a frame is a pure function of its own: seeking
/// to an instant shows what stepping there shows. Only what was before the last commit, or the last
/// ``advance(to:)``, is gone.
///
/// It belongs to the isolation that it was made on, and so do the closures in its trees.
public final class Stage {
  private let root = StageNode(
    key: StageNode.Key(identity: [], occurrence: 0),
    node: Node(.group([])),
    slots: [],
    serial: 0
  )
  private var nextSerial = 1
  /// Nodes whose modifier moves.
  private var live: [StageNode] = []
  private var activity = Activity()
  private var leaving: [Reconciler.Departure] = []
  private var isShown = false
  private var hasMatches = false
  private var lastCount = 0
  /// Closures of nodes that have come, to be run at the end of what is going on.
  private var appeared: [() -> Void] = []

  /// The instant of the last commit, or of the last ``advance(to:)``.
  public private(set) var instant = Duration.zero

  /// Whether commits are explained. It costs about as much as the commit itself.
  public var explains = false

  /// Why the last commit animated what it did, if ``explains`` was set.
  public private(set) var explanation: Explanation?

  /// A stage on which nothing is shown.
  public init() {}

  /// Runs the completions that still wait: nothing that they wait for will ever be shown.
  deinit {
    for completion in activity.abandon() { completion.release() }
  }

  /// Shows a new tree. What differs from the one before moves, if the transaction that arrives at it
  /// says with which animation.
  ///
  /// After the commit is made, completions whose time has come run, and then what appears for the
  /// first time. They may commit again.
  ///
  /// - Parameters:
  ///   - tree: What is to be seen from now on.
  ///   - transaction: How the change is to be shown. It holds for this commit alone.
  ///   - instant: When. Not before the last one.
  ///
  /// Complexity: O(*n*) in the number of nodes.
  public func commit(
    _ tree: Node,
    transaction: Transaction = .current,
    at instant: Duration
  ) {
    transaction.holdCompletions()
    defer { transaction.releaseCompletions() }
    let ended = settle(at: instant)
    let shown = hasMatches ? matches(at: instant).sources : [:]
    var reconciler = Reconciler(
      at: instant, activity: activity, nextSerial: nextSerial, explains: explains)
    reconciler.reconcile([tree], in: root, transaction, isShown: isShown)
    if hasMatches || reconciler.hasMatches { reconciler.match(shown, matches(at: nil)) }
    hasMatches = reconciler.hasMatches
    take(reconciler)
    explanation = reconciler.explanation
    isShown = true
    let replaced = settle(at: instant)
    for completion in ended + replaced { completion.release() }
    appeared += reconciler.appeared
    runAppeared()
  }

  private func take(_ reconciler: Reconciler) {
    activity = reconciler.activity
    nextSerial = reconciler.nextSerial
    leaving += reconciler.left
    live += reconciler.live
  }

  private func runAppeared() {
    let actions = appeared
    appeared = []
    for action in actions { action() }
  }

  /// The picture at an instant.
  ///
  /// Complexity: O(*n*) in the number of nodes.
  public func frame(at instant: Duration) -> StageFrame {
    var frame = StageFrame(instant: instant)
    frame.nodes.reserveCapacity(lastCount)
    for child in root.children {
      resolve(child, in: Appearance(), depth: 0, clip: -1, into: &frame)
    }
    lastCount = frame.nodes.count
    return frame
  }

  /// Forgets the motions that are over, and runs the completions whose time has come.
  ///
  /// Frames do not need it; the code that draws calls it once for each of them.
  ///
  /// Complexity: O(*k*) in the number of values under way.
  public func advance(to instant: Duration) {
    for completion in settle(at: instant) { completion.release() }
    if !appeared.isEmpty { runAppeared() }
  }

  /// Whether anything is under way, or waited for, since the last ``advance(to:)`` or commit.
  public var isAnimating: Bool { !activity.isEmpty }

  /// The number of values under way.
  public var activeCount: Int { activity.count }

  /// All nodes, parents before their children.
  var nodes: [StageNode] {
    var nodes: [StageNode] = []
    for child in root.children { child.forEach { nodes.append($0) } }
    return nodes
  }

  // MARK: - Cleaning up

  private func settle(at instant: Duration) -> [AnimationCompletion] {
    self.instant = instant
    let ended = activity.settle(at: instant)
    if !live.isEmpty { finishBodies(at: instant) }
    guard !leaving.isEmpty else { return ended }
    var containers: [StageNode] = []
    var gone: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    leaving.removeAll { departure in
      let node = departure.node
      // It may have come back, or gone with the container around it.
      guard let presence = node.presence, node.isLeaving, !presence.isDisposed else { return true }
      guard presence.hasLeft(at: instant) else { return false }
      node.forEach { for slot in $0.animatedSlots { slot.isDisposed = true } }
      // All that go from one container are taken from it at once.
      let container = ObjectIdentifier(departure.container)
      if gone[container] == nil { containers.append(departure.container) }
      gone[container, default: []].insert(ObjectIdentifier(node))
      return true
    }
    for container in containers {
      let nodes = gone[ObjectIdentifier(container)] ?? []
      container.children.removeAll { nodes.contains(ObjectIdentifier($0)) }
    }
    return ended
  }

  /// Brings nodes up to date whose modifiers have come to rest.
  private func finishBodies(at instant: Duration) {
    let resting = live.filter { $0.layer.map { !$0.isActive } ?? true }
    guard !resting.isEmpty else { return }
    live.removeAll { $0.layer.map { !$0.isActive } ?? true }
    for node in resting { node.isLive = false }
    for node in resting where node.layer?.isDisposed == false {
      var reconciler = Reconciler(
        at: instant, activity: activity, nextSerial: nextSerial, explains: false)
      reconciler.finish(node)
      take(reconciler)
      appeared += reconciler.appeared
    }
  }

  // MARK: - Resolving

  private func resolve(
    _ node: StageNode,
    in outer: Appearance,
    depth: Int,
    clip: Int,
    into frame: inout StageFrame,
    wrapping: [any VisualEffect]? = nil
  ) {
    var clip = clip
    let children = resolveAlone(node, in: outer, depth, &clip, into: &frame, wrapping)
    guard let appearance = children.isEmpty ? nil : frame.nodes.last?.appearance else { return }
    // Calls inside of one another are fast, and overflow the stack in a deep tree.
    guard depth < 128 else {
      return resolveDeep(
        DrawnLevel(children: children[...], appearance: appearance, depth: depth + 1, clip: clip),
        into: &frame)
    }
    for child in children {
      resolve(child, in: appearance, depth: depth + 1, clip: clip, into: &frame)
    }
  }

  /// Resolves nodes of a deep tree without calls inside of one another.
  private func resolveDeep(_ level: DrawnLevel, into frame: inout StageFrame) {
    var levels = [level]
    while let last = levels.indices.last {
      guard let child = levels[last].children.popFirst() else {
        levels.removeLast()
        continue
      }
      let level = levels[last]
      var clip = level.clip
      let children = resolveAlone(
        child, in: level.appearance, level.depth, &clip, into: &frame, nil)
      guard let appearance = children.isEmpty ? nil : frame.nodes.last?.appearance else { continue }
      levels.append(
        DrawnLevel(
          children: children[...], appearance: appearance, depth: level.depth + 1, clip: clip))
    }
  }

  /// The children of a node that are still to be resolved, and what is around them.
  private struct DrawnLevel {
    var children: ArraySlice<StageNode>
    let appearance: Appearance
    let depth: Int
    let clip: Int
  }

  /// Resolves a node, and what of its inside holds for this frame alone.
  ///
  /// - Returns: The children that are still to be resolved. The node is the last one of the frame then.
  @inline(__always)
  private func resolveAlone(
    _ node: StageNode,
    in outer: Appearance,
    _ depth: Int,
    _ clip: inout Int,
    into frame: inout StageFrame,
    _ wrapping: [any VisualEffect]?
  ) -> [StageNode] {
    let instant = frame.instant
    guard !node.hasLeft(at: instant) else { return [] }
    if let presence = node.presence, presence.hasBody, wrapping == nil {
      let wrapped = presence.wrap(Node(.placed(node)), at: instant)
      resolve(wrapped, as: nil, in: outer, depth: depth, clip: clip, track: 0, into: &frame)
      return []
    }
    // Written where it stays: a copy of a resolved node costs more than resolving it.
    let index = frame.nodes.count
    frame.nodes.append(node.template)
    frame.nodes[index].depth = depth
    frame.nodes[index].clip = clip
    node.resolve(
      &frame.nodes[index].appearance, in: outer, at: instant, wrapping: wrapping ?? [])
    if let shape = node.shape, shape.isActive { frame.nodes[index].show(shape.shape(at: instant)) }
    if let text = node.text, text.isActive { frame.nodes[index].fade(text.shown(at: instant)) }
    if node.isClipped, let shape = node.clip { clip = frame.add(shape, at: index, in: clip) }
    guard let layer = node.layer, layer.isActive else { return node.childrenAsDrawn }
    frame.nodes[index].appearance.opacity *= layer.opacity(at: instant)
    let appearance = frame.nodes[index].appearance
    resolve(
      [layer.body(at: instant)], among: node.children, in: appearance, depth: depth + 1, clip: clip,
      track: node.serial, into: &frame)
    return []
  }

  /// Resolves a description that holds for this frame alone.
  ///
  /// - Parameters:
  ///   - match: The node that it is one of, if it was there at the last commit.
  ///   - track: A number for the place of the node.
  private func resolve(
    _ description: Node,
    as match: StageNode?,
    in outer: Appearance,
    depth: Int,
    clip: Int,
    track: Int,
    into frame: inout StageFrame
  ) {
    let instant = frame.instant
    var effects: [any VisualEffect] = []
    for case .effect(let effect) in description.modifiers { effects.append(effect) }
    if case .placed(let node) = description.content {
      return resolve(
        node, in: outer, depth: depth, clip: clip, into: &frame, wrapping: effects)
    }
    if let match, match.hasLeft(at: instant) { return }
    var resolved = ResolvedNode(description, track: match?.serial ?? track)
    resolved.depth = depth
    resolved.clip = clip
    for index in description.modifiers.indices {
      guard case .effect(let effect) = description.modifiers[index] else { continue }
      if case .effect(let slot) = match?.slots[index], slot.isActive, slot.leads(to: effect) {
        slot.apply(at: instant, to: &resolved.appearance)
      } else {
        effect.apply(to: &resolved.appearance)
      }
    }
    match?.presence?.apply(at: instant, to: &resolved.appearance)
    resolved.appearance.place(inside: outer)
    match?.geometry?.apply(at: instant, to: &resolved.appearance)
    if let slot = match?.layer, slot.isActive {
      resolved.appearance.opacity *= slot.opacity(at: instant)
    }
    if case .shape(let shape) = description.content, let slot = match?.shape, slot.isActive,
      slot.leads(to: shape)
    {
      resolved.show(slot.shape(at: instant))
    }
    let index = frame.nodes.count
    frame.nodes.append(resolved)
    var clip = clip
    for case .clip(let shape) in description.modifiers {
      clip = frame.add(shape, at: index, in: clip)
    }
    let children: [Node] =
      switch description.content {
      case .empty, .text, .shape, .placed: []
      case .group(let children): children
      case .layer(let layer):
        if let slot = match?.layer, slot.isActive { [slot.body(at: instant)] } else { [layer.body] }
      }
    resolve(
      children, among: match?.children ?? [], in: resolved.appearance, depth: depth + 1, clip: clip,
      track: resolved.track, into: &frame)
  }

  /// Resolves descriptions that hold for this frame alone, and what is leaving beside them.
  private func resolve(
    _ descriptions: [Node],
    among nodes: [StageNode],
    in outer: Appearance,
    depth: Int,
    clip: Int,
    track: Int,
    into frame: inout StageFrame
  ) {
    var keys = KeyCounter()
    let staying = Dictionary(
      nodes.lazy.filter { !$0.isLeaving }.map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in first })
    var parts = descriptions.enumerated().map { index, description in
      let match = staying[keys.key(of: description)].flatMap { $0.accepts(description) ? $0 : nil }
      return (index: index, description: description, match: match)
    }
    if descriptions.contains(where: { $0.zIndex != 0 }) {
      parts = parts.backToFront(by: \.description.zIndex)
    }
    for (index, description, match) in parts {
      resolve(
        description, as: match, in: outer, depth: depth, clip: clip,
        track: track &* 64 &+ index &+ 1 << 40, into: &frame)
    }
    for node in nodes where node.isLeaving {
      resolve(node, in: outer, depth: depth, clip: clip, into: &frame)
    }
  }

  // MARK: - Matched geometry

  /// The places of all matched nodes at an instant, or in the end if there is none.
  private func matches(at instant: Duration?) -> [MatchedPlace] {
    var result: [MatchedPlace] = []
    var pending = root.children.reversed().map {
      (node: $0, outer: Appearance(), leaving: StageNode?.none)
    }
    while let (node, outer, around) = pending.popLast() {
      guard !node.hasLeft(at: instant) else { continue }
      var appearance = node.template.appearance
      node.resolve(&appearance, in: outer, at: instant)
      let leaving = around ?? (node.isLeaving ? node : nil)
      if let match = node.match {
        result.append(
          MatchedPlace(node: node, match: match, rect: appearance.frame, leaving: leaving))
      }
      for child in node.children.reversed() { pending.append((child, appearance, leaving)) }
    }
    return result
  }
}

extension StageFrame {
  /// Adds a shape that fills the frame of a node.
  ///
  /// - Returns: Its index among the clips.
  fileprivate mutating func add(_ shape: any Shape, at index: Int, in outer: Int) -> Int {
    clips.append(Clip(shape: shape, appearance: nodes[index].appearance, outer: outer))
    nodes[index].clip = clips.count - 1
    return clips.count - 1
  }
}

extension ResolvedNode {
  var track: Int { source.track }

  /// Shows a text that fades into another one.
  fileprivate mutating func fade(_ text: (old: String?, opacity: Double, shift: Double)) {
    if let old = text.old, case .text(let new) = content {
      // Without a frame of its own the node is as large as its text.
      if appearance.size == TextMeasure.size(of: new) {
        appearance.size = TextMeasure.size(of: old)
      }
      show(old)
    }
    appearance.opacity *= text.opacity
    if text.shift != 0 { appearance.move(x: 0, y: text.shift * appearance.scale.y) }
  }
}
