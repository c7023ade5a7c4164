// Cancelling effects by an id, and what an id may be used for besides.

import RondoScheduling

/// What happens when an effect is started under an id that others are running under.
public enum CancellationPolicy: Hashable, Sendable {
  /// All run.
  case unlimited
  /// The new one runs, the others are cancelled.
  case newest
  /// The others run, the new one is dropped.
  case oldest
  /// The new one runs when fewer than so many do, and waits until then otherwise. Those that wait
  /// are started in the order in which they came.
  case atMost(Int)
}

extension Effect {
  /// Lets the effect be cancelled by an id.
  ///
  /// The id is registered when the effect is started, before anything of it runs; so a
  /// ``cancel(id:)`` behind it in the same merge, or returned for the very next action, finds it.
  /// Ids are scoped to one store and, within it, to the feature that returned the effect: a feature
  /// reaches its own effects and those of its children.
  ///
  /// - Parameters:
  ///   - id: Any value, by convention a case of an `enum CancelID`.
  ///   - cancelInFlight: Whether to cancel what is running under the id first. What this effect is
  ///     itself a part of goes on.
  @inlinable
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    cancellable(TypedCancellationID(id), cancelInFlight ? .newest : .unlimited)
  }

  @usableFromInline
  func cancellable(_ id: CancellationID, _ policy: CancellationPolicy) -> Self {
    modified { CancellableNode($0, id: id, policy: policy) }
  }

  /// Lets the effect be cancelled by an id, and says how effects under the same id share it.
  ///
  /// ```swift
  /// upload.cancellable(id: CancelID.upload, policy: .atMost(3))
  /// ```
  ///
  /// - Parameters:
  ///   - id: Any value.
  ///   - policy: What to do when others are running under the id.
  public func cancellable(
    id: some Hashable & Sendable,
    policy: CancellationPolicy,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    var policy = policy
    if case .atMost(let count) = policy, count < 1 {
      reportIssue(
        """
        An effect is cancellable with the policy .atMost(\(count)), under which it could never run. \
        Use .atMost(1) or more; .atMost(1) is used now.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
      policy = .atMost(1)
    }
    return cancellable(TypedCancellationID(id), policy)
  }

  /// An effect that cancels what is running under an id, in this feature and its children.
  @inlinable
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(node: CancelNode(TypedCancellationID(id)))
  }

  /// An effect that cancels what is running under any of some ids.
  public static func cancel<ID: Hashable & Sendable>(ids: some Sequence<ID>) -> Self {
    let ids = ids.map(TypedCancellationID.init)
    return Self(node: ids.first.map { CancelNode($0, Array(ids.dropFirst())) })
  }
}

@usableFromInline
final class CancelNode: EffectNode, @unchecked Sendable {
  let first: CancellationID
  let others: [CancellationID]

  @usableFromInline
  init(_ first: CancellationID, _ others: [CancellationID] = []) {
    self.first = first
    self.others = others
  }

  override var asCancel: CancelNode? { self }

  override var label: String {
    "cancel(\(([first] + others).map { "\($0.base)" }.joined(separator: ", ")))"
  }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    interpreter.cancel(self, parent.path)
    interpreter.finishChild(of: parent)
  }
}

final class CancellableNode: ModifierNode, @unchecked Sendable {
  let id: CancellationID
  let policy: CancellationPolicy

  init(_ child: EffectNode, id: CancellationID, policy: CancellationPolicy) {
    self.id = id
    self.policy = policy
    super.init(child)
  }

  override var label: String { "cancellable[\(id.base)]" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    let place = ScopedID(id: id, path: parent.path)
    switch policy {
    case .unlimited:
      break
    case .newest:
      interpreter.cancelOthers(place, under: parent)
      // Whoever was told of its cancellation may have cancelled this one.
      guard parent.isAttached else { return nil }
    case .oldest:
      guard interpreter.runningOthers(place, under: parent) == 0 else {
        interpreter.finishChild(of: parent)
        return nil
      }
    case .atMost(let limit):
      guard interpreter.runningOthers(place, under: parent) < limit else {
        _ = CancellableFrame(id, limit: limit, waiting: child, under: parent, interpreter)
        return nil
      }
    }
    // Work that emits has a frame that can be registered itself.
    if let source = child as? SourceNode {
      source.start(under: parent, as: id, interpreter)
      return nil
    }
    return CancellableFrame(id, under: parent, interpreter)
  }
}

/// A frame that can be cancelled by an id, whether what is below it runs or waits for its turn.
class CancellableFrame: Frame {
  /// What it is registered under; `nil` for work that was given no id.
  final let id: CancellationID?
  /// How many may run under the id at a time.
  final let limit: Int?
  /// What to start when it is this frame's turn.
  private final var waiting: EffectNode?
  /// Whether it waits inside of an effect that runs under the same id.
  private(set) final var isInner = false
  /// The place in the order of registration; 0 while it is not registered.
  private(set) final var serial: UInt64 = 0

  final var isWaiting: Bool { waiting != nil }
  override var pendingWork: String? { isWaiting ? "cancellable" : nil }
  override final var cancellationID: CancellationID? { id }

  /// That of the first effect below that knows its place.
  override var sourcePlace: SourcePlace? {
    var next = waiting
    while let node = next {
      if let place = node.sourcePlace { return place }
      next = node.children.first
    }
    return nil
  }

  init(
    _ id: CancellationID?,
    limit: Int? = nil,
    waiting: EffectNode? = nil,
    under parent: Frame,
    _ interpreter: Interpreter
  ) {
    self.id = id
    self.limit = limit
    self.waiting = waiting
    super.init(under: parent)
    guard let id else { return }
    isInner = waiting != nil && enclosingCount(at: ScopedID(id: id, path: path)) > 0
    serial = interpreter.registry.insert(self, id)
  }

  /// How many of the effects that this one is a part of are registered at a place.
  final func enclosingCount(at place: ScopedID) -> Int {
    parent?.registeredCount(at: place) ?? 0
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    guard let id, serial != 0 else { return }
    let lane = interpreter.registry.remove(self, id)
    serial = 0
    waiting = nil
    while let next = lane?.takeNext(), let node = next.waiting.take() {
      interpreter.start(node, under: next)
    }
  }
}

extension Interpreter {
  /// Cancels what runs or waits under some ids, at a path and below.
  func cancel(_ ids: CancelNode, _ path: NavigationPath?) {
    cancel(ScopedID(id: ids.first, path: path))
    for id in ids.others {
      cancel(ScopedID(id: id, path: path))
    }
  }

  /// Cancels what runs or waits under an id, at its path and below.
  func cancel(_ id: ScopedID) {
    registry.forEach(id, end)
  }

  /// Makes room for a new effect: cancels what runs or waits under an id, at exactly its path, but not
  /// what the new one is to be a part of.
  ///
  /// - Parameter parent: The frame that the new effect is started under.
  func cancelOthers(_ id: ScopedID, under parent: Frame) {
    registry.forEach(id) { frame in
      if frame.path == id.path, !parent.isPart(of: frame) { end(frame) }
    }
  }

  /// How many run under an id, at exactly its path, without what a new one is to be a part of.
  func runningOthers(_ id: ScopedID, under parent: Frame) -> Int {
    let count = registry.running(id)
    return count > 0 ? count - parent.registeredCount(at: id) : 0
  }
}
