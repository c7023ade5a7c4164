// The closure of an effect that has been started, for a host that follows what it does.

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
