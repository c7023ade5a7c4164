// Runs an effect without a store.

import Foundation
import RondoAnimation
import RondoScheduling

/// The outlet of an effect that runs without a store: a closure.
///
/// Values are delivered on the thread that they arrive on, be it that of a scheduler they were last
/// received on. A recursive lock, held while a value is delivered, keeps them apart.
final class Runner<Output>: Outlet, OutletHost {
  private let receiveValue: (Output) -> Void
  private let receiveCompletion: () -> Void
  private var root: RootFrame?
  /// Set while the runner has to keep itself alive.
  private var ownLifetime: Lifetime?

  init(receiveValue: @escaping (Output) -> Void, receiveCompletion: @escaping () -> Void) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    super.init()
    host = self
  }

  func makeIsolation(for outlet: Outlet) -> any HostIsolation { Monitor() }

  /// Starts the effect.
  ///
  /// - Parameter keepsItself: Whether the runner lives until the effect has ended, rather than as
  ///   long as someone holds its lifetime.
  @discardableResult
  func start(_ effect: Effect<Output>, keepsItself: Bool = false) -> Lifetime {
    let lifetime = Lifetime(of: self)
    _ = interpreter.mailbox.isolation.runIfCurrent {
      guard let node = effect.node else { return receiveCompletion() }
      if keepsItself { ownLifetime = lifetime }
      let root = RootFrame(action: nil, interpreter)
      self.root = root
      perform { interpreter.run(node, under: root) }
    }
    return lifetime
  }

  func cancel() {
    _ = interpreter.mailbox.isolation.runIfCurrent {
      let released = ownLifetime.take()
      if let root = root.take() { interpreter.end(root) }
      withExtendedLifetime(released) {}
    }
  }

  override func receive(_ emission: Emission, _ root: RootFrame) {
    // Operators keep the types right on the way up; see `Effect.modified`.
    let output = emission.value as! Output
    receive(output, emission.resolvedTransaction)
  }

  override func receive(_ answer: EffectNode, _ transaction: Transaction, _ root: RootFrame) {
    let output = unsafeDowncast(answer, to: SendNode<Output>.self).output
    receive(output, transaction)
  }

  private func receive(_ output: Output, _ transaction: Transaction) {
    transaction.holdCompletions()
    defer { transaction.releaseCompletions() }
    withAmbientTransaction(transaction.releasingCompletions) { receiveValue(output) }
  }

  override func didEnd(_ root: RootFrame) {
    ownLifetime = nil
    receiveCompletion()
  }
}

/// A lock as an isolation: whoever has something to say takes it.
private struct Monitor: HostIsolation {
  private let lock = NSRecursiveLock()

  func runIfCurrent(_ work: () -> Void) -> Bool {
    lock.withLock(work)
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    lock.withLock(work)
  }
}
