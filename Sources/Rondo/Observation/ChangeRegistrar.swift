// Observers of values that any thread may change, and the reads of a closure that observes them.

import Observation
import RondoAnimation
import Synchronization

/// The observers of something that any thread may change.
///
/// `Observation` begins to watch what a closure has read when the closure has returned. A change
/// that another thread makes before that wakes nobody. So changes are counted, and ``TrackedReads``
/// compares the counts when the watching has begun.
struct ChangeRegistrar: Sendable {
  private let registrar = ObservationRegistrar()
  private let changes = ChangeCount()

  /// Notes a read. To be called before the value is read, so that no change between the two is
  /// missed.
  func willRead<Subject: Observable, Member>(
    _ subject: Subject, _ keyPath: KeyPath<Subject, Member>
  ) {
    changes.willRead()
    registrar.access(subject, keyPath: keyPath)
  }

  /// Wakes the readers. To be called after the change, because an observer on another thread may
  /// read the value again at once.
  func didChange<Subject: Observable, Member>(
    _ subject: Subject, _ keyPath: KeyPath<Subject, Member>
  ) {
    changes.didChange()
    registrar.withMutation(of: subject, keyPath: keyPath) {}
  }
}

/// The number of changes of something that any thread may change.
final class ChangeCount: Sendable {
  private let count = Atomic<UInt>(0)

  fileprivate var value: UInt { count.load(ordering: .acquiring) }

  /// Notes a read, for the closure on this thread whose reads are tracked.
  func willRead() {
    TrackedReads.current?.note(self)
  }

  /// Counts a change that was made on this thread.
  func didChange() {
    let before = count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    TrackedReads.current?.noteOwnChange(of: self, before)
  }
}

/// The reads of a closure: values that any thread may change, with the counts of their changes.
///
/// It is used by one thread at a time.
package final class TrackedReads {
  private struct Read {
    /// Kept, so that no other one gets its identity.
    let changes: ChangeCount
    /// The number of changes before the read, and of those that the closure itself has made.
    var count: UInt
  }

  private var reads: [ObjectIdentifier: Read] = [:]
  /// The reads of the closure around the one that runs.
  private var outer: TrackedReads?

  private static var running: ThreadLocalObject<TrackedReads> {
    ThreadLocalObject(\.trackedReads)
  }

  /// The reads of the closure that runs on this thread.
  static var current: TrackedReads? { running.current }

  package init() {}

  /// Runs a closure, and calls another one when something that the first has read is about to
  /// change, or has changed.
  ///
  /// - Returns: The result of the first closure, and whether another thread has changed a value that
  ///   it has read before `Observation` began to watch. Such a change may have called the other
  ///   closure, or not.
  package func track<Result>(
    _ apply: () -> Result, onChange: @escaping @Sendable () -> Void
  ) -> (result: Result, hasChanged: Bool) {
    reads.removeAll(keepingCapacity: true)
    outer = Self.current
    let result = withObservationTracking {
      Self.running.with(self, apply)
    } onChange: {
      onChange()
    }
    // As for `Observation`, the reads of an inner closure are reads of the outer one.
    outer?.reads.merge(reads) { earlier, _ in earlier }
    outer = nil
    return (result, reads.values.contains { $0.changes.value != $0.count })
  }

  fileprivate func note(_ changes: ChangeCount) {
    let id = ObjectIdentifier(changes)
    guard reads[id] == nil else { return }
    reads[id] = Read(changes: changes, count: changes.value)
  }

  /// A change by the closure itself does not count.
  fileprivate func noteOwnChange(of changes: ChangeCount, _ before: UInt) {
    let id = ObjectIdentifier(changes)
    if reads[id]?.count == before { reads[id]?.count = before &+ 1 }
    outer?.noteOwnChange(of: changes, before)
  }
}
