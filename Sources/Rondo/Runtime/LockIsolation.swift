// The isolation of a machine that a lock protects.

import Foundation
import RondoScheduling
import Synchronization

/// An isolation by a lock: a thread holds the recursive lock while it runs work of the machine.
///
/// The closures of effects do not run in it: they begin, and are cancelled, when the thread has given the lock back.
/// They may wait for another thread that needs it.
final class LockIsolation: HostIsolation {
  let actor: (any Actor)?
  private let lock = NSRecursiveLock()
  /// The work of threads that have not waited for the lock.
  private let left = Mutex<[Unchecked<() -> Void>]>([])
  /// Changed by the thread that holds the lock.
  private let held = Mutex(Held())

  private struct Held: Sendable {
    /// The number of times that the thread has taken the lock.
    var depth = 0
    /// Whether a thread lets work of effects begin, one after another.
    var isBeginning = false
    /// Lets the work of an effect begin. The machine starts nothing else until it has.
    var next: Unchecked<() -> Void>?
    var cancellations: [Unchecked<() -> Void>] = []

    /// Takes what is to be done when the lock is free.
    mutating func take() -> Self {
      var taken = self
      if isBeginning { taken.next = nil } else { next = nil }
      if taken.next != nil { isBeginning = true }
      cancellations = []
      return taken
    }
  }

  /// - Parameter actor: The actor that closures of effects run on. They hold it.
  init(_ actor: (any Actor)?) {
    self.actor = actor
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    lock.lock()
    held.withLock { $0.depth += 1 }
    work()
    leave()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    _ = runIfCurrent(work)
  }

  /// Runs work now, or leaves it to the thread that holds the lock.
  func runOrLeave(_ work: @escaping () -> Void) {
    let work = Unchecked(work)
    left.withLock { $0.append(work) }
    doWhatIsLeft()
  }

  /// Lets the work of an effect begin when the lock is free. To be called in the lock.
  func beginOutside(_ begin: @escaping () -> Void) {
    let begin = Unchecked(begin)
    held.withLock { held in
      assert(held.next == nil, "Two effects begin at once.")
      held.next = begin
    }
  }

  /// Cancels something when the lock is free. To be called in the lock.
  func cancelOutside(_ cancel: @escaping () -> Void) {
    let cancel = Unchecked(cancel)
    held.withLock { $0.cancellations.append(cancel) }
  }

  /// Gives the lock back, and does what is to be done outside of it.
  private func leave() {
    let taken = held.withLock { held -> Held? in
      held.depth -= 1
      return held.depth == 0 ? held.take() : nil
    }
    lock.unlock()
    guard let taken else { return }
    doWhatIsLeft()
    for cancel in taken.cancellations { cancel.value() }
    // Work that begins because of this waits for the loop, so that the stack does not grow.
    var begin = taken.next
    while let work = begin {
      work.value()
      begin = lock.withLock {
        held.withLock { held in
          if held.next == nil { held.isBeginning = false }
          return held.next.take()
        }
      }
      doWhatIsLeft()
    }
  }

  // No work is forgotten: a thread adds its work before it tries the lock, and the holder looks for work
  // after it has given the lock back.
  private func doWhatIsLeft() {
    while left.withLock({ !$0.isEmpty }), lock.try() {
      held.withLock { $0.depth += 1 }
      for work in left.withLock({ exchange(&$0, with: []) }) { work.value() }
      leave()
    }
  }
}
