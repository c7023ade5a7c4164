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
    slots: []
  )
  private var activity = Activity()
  private var leaving: [Commit.Departure] = []
  private var isShown = false
  private var hasMatches = false
  private var lastCount = 0

  /// Whether commits are explained. It costs about as much as the commit itself.
  public var explains = false

  /// Why the last commit animated what it did, if ``explains`` was set.
  public private(set) var explanation: Explanation?

  /// A stage on which nothing is shown.
  public init() {}

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
    var commit = Commit(at: instant, activity: activity, explains: explains)
    commit.reconcile([tree], in: root, transaction, isShown: isShown)
    if hasMatches || commit.hasMatches { commit.match(shown, matches(at: nil)) }
    hasMatches = commit.hasMatches
    activity = commit.activity
    leaving += commit.left
    explanation = commit.explanation
    isShown = true
    let replaced = settle(at: instant)
    for completion in ended + replaced { completion.release() }
    for action in commit.appeared { action() }
  }

  /// What is to be seen at an instant.
  ///
  /// Complexity: O(*n*) in the number of nodes.
  public func frame(at instant: Duration) -> Frame {
    var frame = Frame(instant: instant)
    frame.nodes.reserveCapacity(lastCount)
    for child in root.children {
      resolve(child, in: Appearance(), depth: 0, at: instant, into: &frame.nodes)
    }
    lastCount = frame.nodes.count
    return frame
  }

  /// Lets go of what is over, and runs the completions whose time has come.
  ///
  /// Frames do not need it; whoever draws calls it once for each of them.
  ///
  /// Complexity: O(*k*) in the number of values under way.
  public func advance(to instant: Duration) {
    for completion in settle(at: instant) { completion.release() }
  }

  /// Whether anything is under way, or waited for, since the last ``advance(to:)`` or commit.
  public var isAnimating: Bool { !activity.isEmpty }

  /// How many values are under way.
  public var activeCount: Int { activity.count }

  // MARK: - Cleaning up

  private func settle(at instant: Duration) -> [AnimationCompletion] {
    let ended = activity.settle(at: instant)
    guard !leaving.isEmpty else { return ended }
    leaving.removeAll { departure in
      let node = departure.node
      // It may have come back, or gone with the container around it.
      guard let presence = node.presence, node.isLeaving, !presence.isDisposed else { return true }
      guard presence.hasLeft(at: instant) else { return false }
      departure.container.children.removeAll { $0 === node }
      node.forEach { for slot in $0.animatedSlots { slot.isDisposed = true } }
      return true
    }
    return ended
  }

  // MARK: - Resolving

  private func resolve(
    _ node: StageNode,
    in outer: Appearance,
    depth: Int,
    at instant: Duration,
    into nodes: inout [ResolvedNode]
  ) {
    guard !node.hasLeft(at: instant) else { return }
    // Written where it stays: a copy of a resolved node costs more than resolving it.
    let index = nodes.count
    nodes.append(node.template)
    nodes[index].depth = depth
    node.resolve(&nodes[index].appearance, in: outer, at: instant)
    if let shape = node.shape, shape.isActive { nodes[index].show(shape.shape(at: instant)) }
    guard !node.children.isEmpty else { return }
    let appearance = nodes[index].appearance
    for child in node.children {
      resolve(child, in: appearance, depth: depth + 1, at: instant, into: &nodes)
    }
  }

  // MARK: - Matched geometry

  /// Where every matched node is shown at an instant, or belongs in the end if there is none.
  private func matches(at instant: Duration?) -> [MatchedPlace] {
    var result: [MatchedPlace] = []
    func visit(_ node: StageNode, in outer: Appearance, leaving: StageNode?) {
      guard !node.hasLeft(at: instant) else { return }
      var appearance = node.template.appearance
      node.resolve(&appearance, in: outer, at: instant)
      let leaving = leaving ?? (node.isLeaving ? node : nil)
      if let match = node.match {
        result.append(
          MatchedPlace(
            node: node,
            id: match.id,
            isSource: match.isSource,
            rect: appearance.frame,
            leaving: leaving
          )
        )
      }
      for child in node.children { visit(child, in: appearance, leaving: leaving) }
    }
    for child in root.children { visit(child, in: Appearance(), leaving: nil) }
    return result
  }
}
