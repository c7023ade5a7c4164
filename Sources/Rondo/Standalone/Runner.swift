// Runs an effect without a store.

import RondoAnimation
import RondoScheduling

/// Runs an effect for a closure.
///
/// Values are delivered on the thread that they arrive on, such as the thread of the scheduler that
/// last received them. A recursive lock is held while a value is delivered, so that two threads never
/// deliver at the same time. It is not held while the closure of an effect begins or is cancelled.
///
/// A runner lives, held by its mailbox, until its effect has ended or was cancelled.
final class Runner<Output>: Machine {
  private let receiveValue: (Output) -> Void
  private let receiveCompletion: () -> Void
  private let lock: LockIsolation

  /// - Parameter actor: The actor that closures of the effect run on. They hold it.
  init(
    on actor: (any Actor)? = nil,
    receiveValue: @escaping (Output) -> Void, receiveCompletion: @escaping () -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    // Values lead to no others.
    let limit = LoopLimit(actions: .max, duration: .seconds(Int64.max / 2))
    lock = LockIsolation(actor)
    super.init(
      isolation: lock, position: nil, limit: limit, dropsLoops: false,
      isOnMainActor: false)
  }

  func start(_ effect: Effect<Output>) {
    guard let node = effect.node else { return receiveCompletion() }
    _ = lock.runIfCurrent {
      let root = RootFrame(action: nil, HeldTransaction(), interpreter)
      drain { interpreter.run(node, under: root) }
    }
  }

  /// Ends the effect, from anywhere. If another thread delivers a value at this moment, that thread ends it
  /// afterwards: two effects may cancel each other.
  func cancel() {
    lock.runOrLeave { [self] in close() }
  }

  override func handle(_ envelope: Envelope) {
    let output = envelope.action.output(as: Output.self)
    move(to: .delivering)
    withExtendedLifetime(envelope.transaction) {
      withAmbientTransaction(envelope.transaction.value) { receiveValue(output) }
    }
    move(to: .settling)
  }

  override func receive(_ emission: Emission, _ root: RootFrame) {
    // Operators keep the types right on the way up; see `Effect.modified`.
    receive(SendNode(emission.value as! Output), emission.resolvedTransaction, root)
  }

  override func didEnd(_ root: RootFrame) {
    close()
    receiveCompletion()
  }
}
