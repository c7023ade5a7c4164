// The closures that observe and run at the end of a change.

import Dispatch
import RondoAnimation
import RondoScheduling
import Synchronization

/// The closures to run when a change is complete.
struct WokenObservers: Sendable {
  private var observers: [Observer] = []

  private struct Observer: Sendable {
    // Weak, because a closure whose token is released meanwhile does not run.
    weak var token: ObserveToken?
    let stamp: Stamp
    /// The transaction of the change that woke it; `nil` where `run` gives the transaction.
    var transaction: Transaction?
  }

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ token: ObserveToken, _ transaction: Transaction? = nil) {
    observers.append(Observer(token: token, stamp: token.stamp, transaction: transaction))
  }

  /// Runs the closures. If a reducer is at work further up the stack, they wait for its commit
  /// instead.
  func run(_ transaction: Transaction) {
    if let work = MainActorWork.reducing {
      for var observer in observers {
        observer.transaction = observer.transaction ?? transaction
        work.woken.observers.append(observer)
      }
      return
    }
    MainActor.assumeIsolated {
      for observer in observers.sorted(by: { $0.stamp.number < $1.stamp.number }) {
        observer.token?.run((observer.transaction ?? transaction).releasingCompletions)
      }
    }
  }

  // MARK: Outside of a store

  private static let nextTurn = Mutex(WokenObservers())

  /// Schedules a closure for the next turn of the main queue, with all others that wait for that
  /// turn.
  static func addToNextTurn(_ token: ObserveToken) {
    let transaction = Transaction.current.holdingCompletions
    let isFirst = nextTurn.withLock { woken in
      woken.add(token, transaction)
      return woken.observers.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async { runNextTurn() }
  }

  /// Runs what waits for the next turn of the main queue.
  fileprivate static func runNextTurn() {
    nextTurn.withLock { exchange(&$0, with: WokenObservers()) }.run(Transaction())
  }
}

/// Runs the closures that observe and wait for the next turn of the main queue; elsewhere than on
/// the main queue does nothing.
package func runWokenObservers() {
  guard isOnMainQueue() else { return }
  WokenObservers.runNextTurn()
}
