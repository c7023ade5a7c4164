// The isolation of a machine that a lock protects.

import Foundation
import RondoAnimation
import RondoScheduling
import Synchronization

/// An isolation by a lock: a thread holds the recursive lock while it runs work of the machine.
///
/// The closures of effects do not run in it: they begin, and are cancelled, when the thread has given the lock back.
/// They may wait for another thread that needs it. That thread lets its own closures begin meanwhile.
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
    /// The work of an effect that is to begin.
    var next: Unchecked<Work>?
    var cancellations: [Unchecked<() -> Void>] = []
  }

  /// The work of an effect that begins when the lock is free.
  private struct Work {
    /// Puts aside what the machine has still to start behind the work. Called in the lock.
    let park: () -> Void
    let begin: () -> Void
  }

  /// The work that a thread lets begin, one after another.
  private final class Loop {
    let isolation: LockIsolation
    /// The loop further up the stack, of another isolation.
    let outer: Loop?
    var works = Queue<Work>()

    init(_ isolation: LockIsolation, inside outer: Loop?) {
      self.isolation = isolation
      self.outer = outer
    }
  }

  private static var loops: ThreadLocalObject<Loop> { ThreadLocalObject(\.beginningLoop) }

  /// - Parameter actor: The actor that closures of effects run on. They hold it.
  init(_ actor: (any Actor)?) {
    self.actor = actor
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    lock.lock()
    held.withLock { $0.depth += 1 }
    doLeftWork()
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

  /// Lets the work of an effect begin on this thread when the lock is free. To be called in the lock. The machine starts
  /// nothing else until then.
  ///
  /// - Parameters:
  ///   - park: Puts aside what the machine has still to start. Called before the lock is given back.
  ///   - begin: Begins.
  func beginOutside(park: @escaping () -> Void, begin: @escaping () -> Void) {
    let work = Unchecked(Work(park: park, begin: begin))
    held.withLock { held in
      assert(held.next == nil, "Two effects begin at once.")
      held.next = work
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
      return held.depth == 0 ? exchange(&held, with: Held()) : nil
    }
    taken?.next?.value.park()
    lock.unlock()
    guard let taken else { return }
    doWhatIsLeft()
    for cancel in taken.cancellations { cancel.value() }
    if let next = taken.next { letBegin(next.value) }
  }

  /// Lets work begin. What begins because of it on this thread waits for the loop, so that the stack does not grow.
  private func letBegin(_ work: Work) {
    let innermost = Self.loops.current
    var loop = innermost
    while let other = loop, other.isolation !== self { loop = other.outer }
    if let loop { return loop.works.append(work) }
    let new = Loop(self, inside: innermost)
    new.works.append(work)
    Self.loops.with(new) {
      while let work = new.works.removeFirst() { work.begin() }
    }
  }

  // No work is forgotten: a thread adds its work before it tries the lock, and the holder looks for work
  // after it has given the lock back.
  private func doWhatIsLeft() {
    while left.withLock({ !$0.isEmpty }), lock.try() {
      held.withLock { $0.depth += 1 }
      doLeftWork()
      leave()
    }
  }

  /// Does what others have left. To be called in the lock, before anything that comes later.
  private func doLeftWork() {
    for work in left.withLock({ exchange(&$0, with: []) }) { work.value() }
  }
}
