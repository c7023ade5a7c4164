// Handles that cancel.

import Dispatch
import Foundation
import RondoScheduling
import Testing

@Suite struct CancellableTests {
  let log = Log<Int>()

  // R9
  @Test func aHandleCancelsOnce() {
    let handle = AnyCancellable { log.append(1) }
    handle.cancel()
    handle.cancel()
    #expect(log.entries == [1])
  }

  // R9
  @Test func aHandleCancelsWhenItIsReleased() {
    var handle: AnyCancellable? = AnyCancellable { log.append(1) }
    withExtendedLifetime(handle) {}
    handle = nil
    #expect(log.entries == [1])
  }

  // R9
  @Test func whatIsHeldIsReleasedOnCancellation() {
    weak var weakProbe: Probe?
    let handle: AnyCancellable
    do {
      let probe = Probe()
      weakProbe = probe
      handle = AnyCancellable { probe.touch() }
    }
    #expect(weakProbe != nil)
    handle.cancel()
    #expect(weakProbe == nil)
  }

  // R9
  @Test func aHandleHasStoppedItsWorkWhenTheSecondOfTwoThreadsReturns() {
    let handles = Log<AnyCancellable>()
    let handle = AnyCancellable(stop: { log.append(1) }) {
      // The first thread is still at it.
      let isCancelled = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        handles.entries.first?.cancel()
        isCancelled.signal()
      }
      isCancelled.wait()
      log.append(2)
    }
    handles.append(handle)
    handle.cancel()
    #expect(log.entries == [1, 1, 2])
  }

  // R9
  @Test func aHandleMayCancelItself() {
    let handles = Log<AnyCancellable>()
    handles.append(AnyCancellable { handles.entries.first?.cancel() })
    handles.entries.first?.cancel()
  }

  // R9
  @Test func aSetKeepsHandlesUntilItLetsGo() {
    var set: Set<AnyCancellable> = []
    AnyCancellable { log.append(1) }.store(in: &set)
    AnyCancellable { log.append(2) }.store(in: &set)
    #expect(set.count == 2)
    #expect(log.entries == [])
    set.removeAll()
    #expect(log.entries.sorted() == [1, 2])
  }

  // R9
  @Test func anArrayKeepsAnyCancellable() {
    struct Plain: Cancellable {
      var log: Log<Int>
      func cancel() { log.append(1) }
    }
    var array: [AnyCancellable] = []
    let cancellable: any Cancellable = Plain(log: log)
    cancellable.store(in: &array)
    #expect(log.entries == [])
    array.removeAll()
    #expect(log.entries == [1])
  }

  // R9
  @Test func handlesAreEqualWhenTheyAreTheSame() {
    let handle = AnyCancellable {}
    #expect(handle == handle)
    #expect(handle != AnyCancellable {})
  }
}
