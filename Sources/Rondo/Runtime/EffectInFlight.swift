// The effects in flight, for messages and for hosts that follow what effects do.

import RondoScheduling

/// An effect that has been started and has not ended.
package struct EffectInFlight {
  package enum Work {
    /// The closure of an effect, in a task.
    case task
    /// Work that calls a closure back: a callback or a timer.
    case callback
    /// An operator that waits for a scheduler, or for its turn.
    case operation
  }

  package let work: Work

  /// The name of the effect for messages, such as `run "quotes"`, `timer` or `debounce`.
  package let label: String

  /// The place in the source where the effect or the operator was made.
  package let position: SourcePosition?

  /// The action that returned the effect.
  package let action: Any?

  /// The cancellation ids that it runs under, innermost first.
  package let ids: [AnyHashable]

  /// The root of the `send` that has started the effect.
  package let root: RootFrame

  let frame: Frame

  init?(_ frame: Frame) {
    guard let label = frame.pendingWork else { return nil }
    self.frame = frame
    self.label = label
    let source = frame as? SourceFrame
    work = source.map { $0.isTask ? .task : .callback } ?? .operation
    position = frame.position
    action = frame.actionFrame.action
    root = frame.actionFrame.root
    ids = frame.lineage.prefix { !($0 is ActionFrame) }.compactMap(\.registration?.id.base)
  }

  /// Whether something that waits on a test timeline waits for this effect.
  package func isOrigin(_ origin: (any Sendable)?) -> Bool {
    if let origin = origin as? ScheduledOrigin {
      return origin.target == ObjectIdentifier(frame.dueTarget)
    }
    return origin as? SourceFrame === frame
  }
}

/// The origin of what waits on a scheduler for a target of the runtime, and not inside of a closure.
final class ScheduledOrigin: Sendable {
  let target: ObjectIdentifier

  init(_ target: ObjectIdentifier) {
    self.target = target
  }
}

/// The origins of all items that wait on a test timeline, as sets, so that many effects can
/// be looked up fast.
package struct WaitOrigins {
  private var objects: Set<ObjectIdentifier> = []
  private var frames: Set<ObjectIdentifier> = []

  package init(_ origins: some Sequence<(any Sendable)?>) {
    for origin in origins {
      if let origin = origin as? ScheduledOrigin {
        objects.insert(origin.target)
      } else if let frame = origin as? SourceFrame {
        frames.insert(ObjectIdentifier(frame))
      }
    }
  }

  /// Whether something waits for an effect.
  package func contains(_ effect: EffectInFlight) -> Bool {
    objects.contains(ObjectIdentifier(effect.frame.dueTarget))
      || frames.contains(ObjectIdentifier(effect.frame))
  }
}

/// The closure of an effect, in its task.
package struct StartedEffect {
  private let frame: SourceFrame

  /// The task that runs the closure.
  package let task: Task<Void, Never>

  init(_ frame: SourceFrame, _ task: Task<Void, Never>) {
    self.frame = frame
    self.task = task
  }

  /// Whether it was cancelled. Nothing that it still sends arrives.
  package var isCancelled: Bool { frame.isCancelled }

  /// Whether the closure has returned.
  package var isOver: Bool { frame.isOver }

  /// Whether it is one of the effects in flight.
  package func isSame(as effect: EffectInFlight) -> Bool { effect.frame === frame }
}
