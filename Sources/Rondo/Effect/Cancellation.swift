// Cancelling effects by an id, and limiting how many effects run under one id.

import RondoScheduling

/// A rule for an effect that is started under an id while others are running under it.
public enum CancellationPolicy: Hashable, Sendable {
  /// All run.
  case unlimited
  /// The new one runs, the others are cancelled.
  case newest
  /// The others run, the new one is dropped.
  case oldest
  /// The new one runs at once if fewer effects than this number run. Otherwise it waits for its
  /// turn. Effects that wait are started in the order in which they came; where their limits
  /// differ, the first that has room. An effect that is limited again under the same id inside
  /// itself counts once.
  case atMost(Int)
}

extension Effect {
  /// Lets the effect be cancelled by an id.
  ///
  /// The id is registered when the effect is started, before anything of it runs; so a
  /// `cancel(id:)` behind it in the same merge, or returned for the very next action, finds it.
  /// Ids are scoped to one store and, within it, to the feature that returned the effect: a feature
  /// reaches its own effects and those of its children.
  ///
  /// - Parameters:
  ///   - id: Any value, by convention a case of an `enum CancelID`.
  ///   - cancelInFlight: Whether to cancel what is running under the id first. An effect that
  ///     contains this one goes on.
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

final class CancellableNode: ModifierNode {
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
      // Code that was told of the cancellation may have cancelled this effect.
      guard parent.isAttached else { return nil }
    case .oldest:
      guard interpreter.registry.runningOthers(place, under: parent) == 0 else {
        interpreter.finishChild(of: parent)
        return nil
      }
    case .atMost(let limit):
      guard interpreter.registry.hasRoom(place, limit: limit, under: parent) else {
        interpreter.hasMemory = true
        let frame = CancellableFrame(waiting: child, limit: limit, under: parent)
        interpreter.registry.insert(frame, id, isWaiting: true)
        interpreter.journal?.didStart(frame)
        interpreter.journal?.willWait(frame, on: .turn, for: nil)
        return nil
      }
    }
    // Work that emits has a frame that can be registered itself.
    if let source = child as? SourceNode {
      source.start(under: parent, as: id, interpreter)
      return nil
    }
    let frame = CancellableFrame(under: parent)
    interpreter.registry.insert(frame, id)
    return frame
  }
}
