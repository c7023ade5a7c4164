// Closures that observe and wait for the end of a change.

import Dispatch
import RondoAnimation
import Synchronization

/// Those who are to run when a change is complete.
struct WokenObservers: Sendable {
  private var observers: [Observer] = []

  private struct Observer: Sendable {
    // Weak, because one that is let go of meanwhile does not run.
    weak var token: ObserveToken?
    let stamp: Stamp
    /// Which change woke it; `nil` where that is said when it runs.
    var transaction: Transaction?
  }

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ token: ObserveToken, _ transaction: Transaction? = nil) {
    observers.append(Observer(token: token, stamp: token.stamp, transaction: transaction))
  }

  /// Runs them, unless a reducer is at work further up the stack: then they wait for its commit.
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

  /// Has a closure run in the next turn of the main queue, with all others that wait for it.
  static func addToNextTurn(_ token: ObserveToken) {
    let transaction = Transaction.current.holdingCompletions
    let isFirst = nextTurn.withLock { woken in
      woken.add(token, transaction)
      return woken.observers.count == 1
    }
    guard isFirst else { return }
    DispatchQueue.main.async {
      nextTurn.withLock { exchange(&$0, with: WokenObservers()) }.run(Transaction())
    }
  }
}
