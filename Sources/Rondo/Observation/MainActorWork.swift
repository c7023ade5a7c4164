// The machines that are at work on the main actor, and the closures that wait for them.

import Dispatch
import RondoAnimation
import RondoScheduling

/// One machine of the main actor, on the stack of those that are at work there.
///
/// A reducer or an observer of one store may send to another one, so several can be at work, one
/// inside the other.
final class MainActorWork {
  // nonisolated(unsafe): used on the main actor only. Unmanaged: a machine at work is alive, and it
  // owns its entry.
  nonisolated(unsafe) private static var top: Unmanaged<MainActorWork>?
  nonisolated(unsafe) private static var reducingCount = 0

  /// The entry of the machine that is at work further up the stack.
  private var outer: Unmanaged<MainActorWork>?

  /// Whether a reducer of the machine is at work, so that its state may be half changed.
  private(set) var isReducing = false

  /// Closures that observe and run after the commit in progress.
  var woken = WokenObservers() {
    didSet { hasWokenObservers = !woken.isEmpty }
  }
  /// Whether there are any of them.
  private(set) var hasWokenObservers = false

  /// The machine at work that was entered last.
  static var innermost: MainActorWork? { top?.takeUnretainedValue() }

  /// Whether any reducer of the main actor is at work.
  static var isAnyReducing: Bool { reducingCount > 0 }

  /// The innermost machine of the main actor that has a reducer at work.
  static var reducing: MainActorWork? {
    guard isAnyReducing else { return nil }
    var next = innermost
    while let work = next, !work.isReducing { next = work.outer?.takeUnretainedValue() }
    return next
  }

  /// Whether no other machine is at work further up the stack.
  var isOutermost: Bool { outer == nil }

  func enter() {
    outer = Self.top
    Self.top = .passUnretained(self)
  }

  func leave() {
    assert(Self.innermost === self, "A machine leaves while another one is at work inside of it.")
    Self.top = outer
    outer = nil
  }

  /// Lets the closures that still wait run in the next turn of the main queue, because the machine has
  /// no turn any more.
  func handOn() {
    guard hasWokenObservers else { return }
    exchange(&woken, with: WokenObservers()).runInNextTurn()
  }

  func willReduce() {
    isReducing = true
    Self.reducingCount += 1
  }

  func didReduce() {
    isReducing = false
    Self.reducingCount -= 1
  }
}

/// The closures to run when a change is complete.
struct WokenObservers: Sendable {
  private var observers: [Observer] = []

  private struct Observer: Sendable {
    // Weak, because a closure whose token is released meanwhile does not run.
    weak var token: ObserveToken?
    let stamp: Stamp
    /// The transaction of the change that woke it; `nil` where `run` gives the transaction.
    var transaction: HeldTransaction?

    init(_ token: ObserveToken, _ transaction: HeldTransaction?) {
      self.token = token
      stamp = token.stamp
      self.transaction = transaction
    }
  }

  var isEmpty: Bool { observers.isEmpty }

  mutating func add(_ token: ObserveToken) {
    observers.append(Observer(token, nil))
  }

  /// Runs the closures. If a reducer is at work further up the stack, they wait for its commit
  /// instead.
  func run(_ transaction: HeldTransaction) {
    if let work = MainActorWork.reducing {
      for var observer in observers {
        observer.transaction = observer.transaction ?? transaction
        work.woken.observers.append(observer)
      }
      return
    }
    MainActor.assumeIsolated {
      for observer in observers.sorted(by: { $0.stamp.number < $1.stamp.number }) {
        observer.token?.run((observer.transaction ?? transaction).value)
      }
    }
  }

  // MARK: Outside of a store

  private static let nextTurn = Inbox<Observer>()

  /// Schedules a closure for the next turn of the main queue, with all others that wait for that
  /// turn.
  static func addToNextTurn(_ token: ObserveToken) {
    addToNextTurn(Observer(token, HeldTransaction(.current)))
  }

  /// Lets the closures run in the next turn of the main queue.
  func runInNextTurn() {
    for observer in observers { Self.addToNextTurn(observer) }
  }

  private static func addToNextTurn(_ observer: Observer) {
    guard nextTurn.add(observer) == .wakesReader else { return }
    DispatchQueue.main.async { runNextTurn() }
  }

  /// Runs what waits for the next turn of the main queue.
  fileprivate static func runNextTurn() {
    var woken = WokenObservers()
    var waiting = nextTurn.take()
    while let observer = waiting?.removeFirst() { woken.observers.append(observer) }
    woken.run(HeldTransaction())
  }
}

/// Runs the closures that observe and wait for the next turn of the main queue; elsewhere than on
/// the main queue does nothing.
package func runWokenObservers() {
  guard isOnMainQueue() else { return }
  WokenObservers.runNextTurn()
}
