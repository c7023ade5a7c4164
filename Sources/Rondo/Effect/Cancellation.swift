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
  ///   - cancelInFlight: Whether to cancel what is running under the id first.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    cancellable(id: id, policy: cancelInFlight ? .newest : .unlimited)
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
    return modified { CancellableNode($0, id: AnyHashable(id), policy: policy) }
  }

  /// An effect that cancels what is running under an id, in this feature and its children.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    Self(node: CancelNode([AnyHashable(id)]))
  }

  /// An effect that cancels what is running under any of some ids.
  public static func cancel<ID: Hashable & Sendable>(ids: some Sequence<ID>) -> Self {
    Self(node: CancelNode(ids.map { AnyHashable($0) }))
  }
}

final class CancelNode: EffectNode, @unchecked Sendable {
  let ids: [AnyHashable]

  init(_ ids: [AnyHashable]) {
    self.ids = ids
  }

  override var cancelledIDs: [AnyHashable]? { ids }

  override var label: String {
    "cancel(\(ids.map { "\($0.base)" }.joined(separator: ", ")))"
  }

  override func start(under parent: Frame, _ interpreter: Interpreter) {
    interpreter.cancel(ids, parent.path)
    interpreter.finishChild(of: parent)
  }
}

final class CancellableNode: ModifierNode, @unchecked Sendable {
  let id: AnyHashable
  let policy: CancellationPolicy

  init(_ child: EffectNode, id: AnyHashable, policy: CancellationPolicy) {
    self.id = id
    self.policy = policy
    super.init(child)
  }

  override var label: String { "cancellable[\(id.base)]" }

  override func makeFrame(under parent: Frame, _ interpreter: Interpreter) -> Frame? {
    let scopedID = ScopedID(id: id, path: parent.path)
    let registry = interpreter.registry
    switch policy {
    case .unlimited:
      break
    case .newest:
      interpreter.cancelExactly(scopedID)
      // The one who cancelled may be below what was cancelled.
      guard parent.isAttached else { return nil }
    case .oldest:
      guard registry.count(scopedID) == 0 else {
        interpreter.finishChild(of: parent)
        return nil
      }
    case .atMost(let limit):
      guard registry.count(scopedID) < limit else {
        _ = CancellableFrame(id, limit: limit, waiting: child, under: parent, registry)
        return nil
      }
      return CancellableFrame(id, limit: limit, waiting: nil, under: parent, registry)
    }
    return CancellableFrame(id, limit: nil, waiting: nil, under: parent, registry)
  }
}

/// An effect that can be cancelled by its id, running or waiting for its turn.
class CancellableFrame: Frame {
  let id: AnyHashable
  /// How many may run under the id at a time.
  let limit: Int?
  /// What to start when it is this frame's turn.
  fileprivate var waiting: EffectNode?
  /// The place in the order of registration.
  fileprivate(set) var serial: UInt64 = 0
  private let registry: CancellationRegistry

  override var pendingWork: String? { waiting == nil ? nil : "cancellable" }

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
    _ id: AnyHashable,
    limit: Int? = nil,
    waiting: EffectNode? = nil,
    under parent: Frame,
    intercepts: Bool = false,
    _ registry: CancellationRegistry
  ) {
    self.id = id
    self.limit = limit
    self.waiting = waiting
    self.registry = registry
    super.init(under: parent, intercepts: intercepts)
    registry.insert(self)
  }

  override func didDetach(cancelled: Bool, _ interpreter: Interpreter) {
    registry.remove(self)
    waiting = nil
    let id = ScopedID(id: id, path: path)
    while let next = registry.takeNext(id), let node = next.waiting.take() {
      interpreter.start(node, under: next)
    }
  }
}

/// Who is running, or waiting, under which id.
///
/// A frame is entered under its id at its own path and at every path above, so that cancelling finds
/// all it has to without a search. Registering and removing are O(depth of the path); cancelling is
/// O(*n* log *n*) in what is found.
final class CancellationRegistry {
  private var entries: [ScopedID: Entry] = [:]
  private var lastSerial: UInt64 = 0

  private struct Entry {
    /// The usual case, an id with one effect, needs no second dictionary.
    var first: CancellableFrame?
    var others: [UInt64: CancellableFrame] = [:]
    /// Of those at exactly this path: how many run, how many wait, and who they are. Frames that
    /// were cancelled while they waited are skipped when their turn comes.
    var running = 0
    var waiting = 0
    var queue = Queue<CancellableFrame>()

    var isEmpty: Bool { first == nil && others.isEmpty }

    mutating func insert(_ frame: CancellableFrame, _ isOwn: Bool) {
      if isEmpty { first = frame } else { others[frame.serial] = frame }
      guard isOwn else { return }
      guard frame.waiting != nil else {
        running += 1
        return
      }
      waiting += 1
      queue.append(frame)
    }

    mutating func remove(_ frame: CancellableFrame, _ isOwn: Bool) {
      if first === frame { first = nil } else { others[frame.serial] = nil }
      guard isOwn else { return }
      guard frame.waiting != nil else {
        running -= 1
        return
      }
      waiting -= 1
      if queue.count > 2 * waiting + 16 { queue.removeAll { !$0.isAttached } }
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  func insert(_ frame: CancellableFrame) {
    lastSerial += 1
    frame.serial = lastSerial
    forEachPath(of: frame) { id, isOwn in
      entries[id, default: Entry()].insert(frame, isOwn)
    }
  }

  func remove(_ frame: CancellableFrame) {
    forEachPath(of: frame) { id, isOwn in
      guard let index = entries.index(forKey: id) else { return }
      entries.values[index].remove(frame, isOwn)
      if entries.values[index].isEmpty { entries.remove(at: index) }
    }
  }

  /// Calls a closure with what runs or waits under an id at its path and below, in the order of
  /// registration. The closure may change the registry.
  func forEach(_ id: ScopedID, _ body: (CancellableFrame) -> Void) {
    guard let index = entries.index(forKey: id) else { return }
    let first = entries.values[index].first
    let others = entries.values[index].others
    guard !others.isEmpty else { return first.map(body) ?? () }
    ((first.map { [$0] } ?? []) + others.values).sorted { $0.serial < $1.serial }.forEach(body)
  }

  /// How many run under an id, at exactly its path.
  func count(_ id: ScopedID) -> Int {
    entries[id]?.running ?? 0
  }

  /// Takes the first that waits under an id, if there is room for it.
  func takeNext(_ id: ScopedID) -> CancellableFrame? {
    while let frame = entries[id]?.queue.first {
      guard frame.isAttached else {
        entries[id]?.queue.removeFirst()
        continue
      }
      guard count(id) < frame.limit ?? .max else { return nil }
      entries[id]?.queue.removeFirst()
      entries[id]?.waiting -= 1
      entries[id]?.running += 1
      return frame
    }
    return nil
  }

  private func forEachPath(of frame: CancellableFrame, _ body: (ScopedID, _ isOwn: Bool) -> Void) {
    var path = frame.path
    body(ScopedID(id: frame.id, path: path), true)
    while let below = path {
      path = below.parent
      body(ScopedID(id: frame.id, path: path), false)
    }
  }
}

extension Interpreter {
  func cancel(_ ids: [AnyHashable], _ path: NavigationPath?) {
    for id in ids {
      cancel(ScopedID(id: id, path: path))
    }
  }

  /// Cancels what runs or waits under an id, at its path and below.
  func cancel(_ id: ScopedID) {
    registry.forEach(id, end)
  }

  /// Cancels what runs or waits under an id, at exactly its path.
  func cancelExactly(_ id: ScopedID) {
    registry.forEach(id) { frame in
      if frame.path == id.path { end(frame) }
    }
  }
}
