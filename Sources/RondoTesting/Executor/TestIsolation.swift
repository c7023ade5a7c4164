// The isolation of a test store: the thread that pumps.

import Rondo
import RondoAnimation

/// The isolation that a test store's machine lives on.
///
/// A test store is used by one test at a time, from whichever thread that happens to be on. While a
/// method of the store is at work there, the thread says so in a slot; what effects emit in the
/// meantime, all of which run on this very thread, is handled at once. What is emitted from another
/// thread waits in the executor's queue.
final class TestIsolation: HostIsolation {
  let executor = PumpedExecutor()

  var taskExecutor: (any TaskExecutor)? { executor }

  /// Runs code of the store, or effects, on the current thread.
  func whileCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = currentIsolation.pointer
    currentIsolation.pointer = Unmanaged.passUnretained(self).toOpaque()
    defer { currentIsolation.pointer = outer }
    return try body()
  }

  func runIfCurrent(_ work: () -> Void) -> Bool {
    guard currentIsolation.pointer == Unmanaged.passUnretained(self).toOpaque() else {
      return false
    }
    work()
    return true
  }

  func hop(_ work: @escaping @Sendable () -> Void) {
    executor.enqueue(work)
  }
}

private let currentIsolation = ThreadSlot()
