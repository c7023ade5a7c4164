// The functions of a machine for hosts outside of this module: test stores and durable stores.

import RondoAnimation
import RondoScheduling

// Everything here is to be called on the host's isolation.
extension Machine {
  /// Called when an effect dismisses the feature that the machine runs, which no parent presents.
  package var didDismiss: (() -> Void)? {
    get { interpreter.didDismissRoot }
    set { interpreter.didDismissRoot = newValue }
  }

  /// Tells the observers of something that a test has done.
  package func tell(_ event: MachineEvent) {
    interpreter.journal?.tell(event)
  }

  /// A handle for what a `send` has started.
  package func task(_ root: RootFrame?) -> StoreTask {
    StoreTask(root)
  }

  /// Whether nothing is in flight.
  package var isIdle: Bool { interpreter.top.firstChild == nil }

  /// The effects in flight, depth first in the tree of running effects.
  package var effectsInFlight: [EffectInFlight] {
    interpreter.ledger.compactMap(EffectInFlight.init)
  }

  /// The number of closures of effects that have ended so far.
  package var endedCount: Int { interpreter.recorder?.endedCount ?? 0 }

  /// Whether the closures of effects that are started are kept for ``takeStarted()``.
  package var followsEffects: Bool {
    get { interpreter.started != nil }
    set { interpreter.started = newValue ? [] : nil }
  }

  /// The closures that were started since the last call.
  package func takeStarted() -> [StartedEffect] {
    guard interpreter.started?.isEmpty == false else { return [] }
    return exchange(&interpreter.started, with: []) ?? []
  }

  /// Lets the closures of effects wait for ``begin(_:)`` when they are started, from now on. What they
  /// would do to the world outside is then not done before the host has kept what led to it.
  package func holdWork() {
    if interpreter.heldWork == nil { interpreter.heldWork = [] }
  }

  /// Whether closures wait for ``begin(_:)``.
  package var isHoldingWork: Bool { interpreter.heldWork != nil }

  /// The closures that wait, and were not taken before.
  package func takeHeldWork() -> HeldWork {
    guard interpreter.heldWork?.isEmpty == false else { return HeldWork(frames: []) }
    return HeldWork(frames: exchange(&interpreter.heldWork, with: []) ?? [])
  }

  /// The closures that wait and were not cancelled, with the numbers of their effects in recordings.
  package var heldEffects: [(effect: Int, label: String)] {
    (interpreter.heldWork ?? []).compactMap { frame in
      guard frame.isAttached, let number = interpreter.journal?.number(of: frame) else {
        return nil
      }
      return (number, frame.node.label)
    }
  }

  /// Lets the closure of one effect begin.
  ///
  /// - Returns: Whether it has waited.
  package func beginHeldWork(of effect: Int) -> Bool {
    let index = interpreter.heldWork?.firstIndex { frame in
      frame.isAttached && interpreter.journal?.number(of: frame) == effect
    }
    guard let index, let frame = interpreter.heldWork?.remove(at: index) else { return false }
    begin(HeldWork(frames: [frame]))
    return true
  }

  /// Lets closures no longer wait, and those begin that do.
  package func stopHoldingWork() {
    let interpreter = interpreter
    drain { interpreter.step { interpreter.releaseHeldWork() } }
  }

  /// Lets closures begin, unless they have been cancelled meanwhile.
  package func begin(_ work: HeldWork) {
    guard !work.isEmpty else { return }
    let interpreter = interpreter
    drain {
      interpreter.step { for frame in work.frames { frame.begin(interpreter) } }
    }
  }

  /// Takes what effects ask the host for.
  package var takeRequest: ((any HostRequest) -> Void)? {
    get { interpreter.takeRequest }
    set { interpreter.takeRequest = newValue }
  }

  /// Whether an operator was used whose memory no list of effects shows: `throttle`, `receive(on:)`,
  /// `scan`, `prefix`.
  package var hasMemory: Bool { interpreter.hasMemory }

  /// Cancels one effect, unless it has ended.
  package func cancel(_ effect: EffectInFlight) {
    guard effect.frame.isAttached else { return }
    interpreter.journal?.cause = .task
    drain { interpreter.step { interpreter.cancel(effect.frame) } }
  }

  /// Cancels everything that is in flight.
  package func cancelAll() {
    interpreter.journal?.cause = .host
    drain { interpreter.endAll() }
  }
}

extension Interpreter {
  /// Lets closures of effects no longer wait for their host, and those begin that do.
  func releaseHeldWork() {
    for frame in exchange(&heldWork, with: nil) ?? [] { frame.begin(self) }
  }
}

/// Closures of effects that have been started, and wait for their host to let them begin.
package struct HeldWork {
  fileprivate let frames: [SourceFrame]

  package var isEmpty: Bool { frames.isEmpty }
}
