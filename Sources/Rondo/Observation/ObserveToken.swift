// The handle of a closure that observes.

import Dispatch
import Observation
import RondoAnimation
import RondoScheduling
import Synchronization

/// The handle that `observe(_:)` returns: the closure runs until the handle is
/// cancelled or released.
@MainActor
public final class ObserveToken {
  private var apply: (@MainActor (Transaction) -> Void)?
  /// The number of the run whose reads wake the token; 0 when it is woken.
  private let awaited = Atomic<UInt>(0)
  private var runCount: UInt = 0
  private let reads = TrackedReads()
  /// The position in the order of running: a closure that began to observe earlier runs earlier.
  nonisolated let stamp = Stamp()

  /// The work to do when the closure that runs has returned; `nil` while none runs.
  // nonisolated(unsafe): used on the main actor only, also by code that the compiler cannot know to
  // run there.
  // Unchecked, because no access to it lasts during a call, and every action accesses it.
  @exclusivity(unchecked) nonisolated(unsafe) static var afterwards: [() -> Void]?
  nonisolated static var isRunning: Bool { afterwards != nil }

  init(_ apply: @escaping @MainActor (Transaction) -> Void) {
    self.apply = apply
  }

  deinit {
    // A change on another thread may hold the token for a moment and be the last to release it. But
    // the objects that the closure holds belong to the main actor, so they are released there.
    guard !isOnMainQueue(), let apply else { return }
    DispatchQueue.main.async { _ = apply }
  }

  /// Ends the observation: the closure does not run again, and is released.
  public func cancel() {
    // Released when the access has ended: what the closure holds may cancel this token, too.
    let closure = apply.take()
    withExtendedLifetime(closure) {}
  }

  /// Keeps the token in a set: the closure runs for as long as the set, or another copy of it,
  /// lives.
  public nonisolated func store(in tokens: inout Set<ObserveToken>) {
    tokens.insert(self)
  }

  func start() {
    guard Self.isRunning else { return run(Transaction()) }
    Self.afterwards?.append { [weak self] in self?.run(Transaction()) }
  }

  /// Runs the closure. The next change of what the closure reads wakes the token.
  func run(_ transaction: Transaction) {
    guard let apply else { return }
    runCount += 1
    let run = runCount
    awaited.store(run, ordering: .sequentiallyConsistent)
    let outer = exchange(&Self.afterwards, with: [])
    withAmbientTransaction(Transaction()) {
      let (_, hasChanged) = reads.track {
        apply(transaction)
      } onChange: { [weak self] in
        self?.wake(run)
      }
      // In the next turn, as for every change by another thread: a thread that never stops changing
      // the value must not keep a `send` from returning.
      if hasChanged, isAwaiting(run) { WokenObservers.addToNextTurn(self) }
    }
    let afterwards = exchange(&Self.afterwards, with: outer)
    afterwards?.forEach { $0() }
  }

  /// Whether nothing has woken the token since a run. The caller is to wake it.
  private nonisolated func isAwaiting(_ run: UInt) -> Bool {
    awaited.compareExchange(expected: run, desired: 0, ordering: .sequentiallyConsistent).exchanged
  }

  /// Called before or after a change of what a run has read, on any thread.
  private nonisolated func wake(_ run: UInt) {
    guard isAwaiting(run) else { return }
    guard isOnMainQueue(), let work = MainActorWork.innermost else {
      return WokenObservers.addToNextTurn(self)
    }
    work.woken.add(self)
  }
}

extension ObserveToken: Hashable {
  public nonisolated static func == (lhs: ObserveToken, rhs: ObserveToken) -> Bool {
    lhs === rhs
  }

  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
