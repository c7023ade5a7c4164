// Queues and run loops. Tests wait for the scheduled work itself, not for time.

import Dispatch
import Foundation
import RondoAnimation
import RondoCompatibility
import RondoScheduling
import Synchronization
import Testing

@Suite struct LiveSchedulerTests {
  /// Runs one piece of work by each endpoint and collects what it finds.
  private func collect<Base: Scheduler, Value: Sendable>(
    on scheduler: Base,
    _ value: @escaping @Sendable () -> Value
  ) async -> [Value] {
    let now = await withCheckedContinuation { continuation in
      scheduler.schedule { continuation.resume(returning: value()) }
    }
    let later = await withCheckedContinuation { continuation in
      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) {
        continuation.resume(returning: value())
      }
    }
    let stream = AsyncStream<Value>.makeStream()
    let ticks = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
      stream.continuation.yield(value())
    }
    var iterator = stream.stream.makeAsyncIterator()
    let first = await iterator.next()
    let second = await iterator.next()
    ticks.cancel()
    return [now, later] + [first, second].compactMap { $0 }
  }

  // R21
  @Test func allEndpointsOfTheMainQueueAreOnTheMainQueue() async {
    #expect(await collect(on: DispatchQueue.main, isOnMainQueue) == [true, true, true, true])
  }

  // R21
  @Test func allEndpointsOfTheUISchedulerAreOnTheMainQueue() async {
    #expect(await collect(on: UIScheduler.shared, isOnMainQueue) == [true, true, true, true])
  }

  // R21
  @Test func otherQueuesAreNotTheMainQueue() async {
    let queue = DispatchQueue(label: "other")
    #expect(await collect(on: queue, isOnMainQueue) == [false, false, false, false])
    #expect(await collect(on: OperationQueue(), isOnMainQueue) == [false, false, false, false])
    await withRunLoop { loop in
      let threads = await collect(on: loop, isOnMainQueue)
      #expect(threads == [false, false, false, false])
    }
  }

  // R28
  @Test func liveWorkIsUntagged() async {
    let queue = DispatchQueue(label: "untagged")
    #expect(await collect(on: queue) { Transaction.current.isEmpty } == [true, true, true, true])
  }

  // R21
  @Test @MainActor func theUISchedulerRunsInlineOnTheMainActor() {
    let log = Log<Transaction>()
    withAnimation {
      UIScheduler.shared.schedule { log.append(.current) }
      #expect(!Transaction.current.isEmpty)
    }
    // R28: inline does not mean inside the caller's transaction.
    #expect(log.entries == [Transaction()])
  }

  // R21
  @Test func theUISchedulerHopsFromElsewhere() async {
    let isInline = Mutex(true)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isInline.withLock { isInline in
          UIScheduler.shared.schedule {
            #expect(isOnMainQueue())
            // Waits for the end of the caller's block, if it is not inside it.
            continuation.resume()
          }
          isInline = false
        }
      }
    }
    #expect(!isInline.withLock { $0 })
  }

  // R21
  @Test func optionsReachTheQueue() async {
    let group = DispatchGroup()
    let options = DispatchQueue.SchedulerOptions(qos: .utility, flags: .enforceQoS, group: group)
    #expect(options.flags == .enforceQoS)
    let log = Log<Int>()
    let queue = DispatchQueue(label: "options")
    queue.schedule(options: options) { log.append(1) }
    queue.schedule(after: queue.now, tolerance: .zero, options: options) { log.append(2) }
    await withCheckedContinuation { continuation in
      group.notify(queue: queue) { continuation.resume() }
    }
    #expect(log.entries.sorted() == [1, 2])
  }

  // R21
  @Test func noRunBeginsOnceARepetitionIsCancelled() async {
    let queue = DispatchQueue(label: "ticks", attributes: .concurrent)
    for _ in 0..<20 {
      let isCancelled = Atomic(false)
      let late = Atomic(0)
      let ticks = queue.schedule(after: queue.now, interval: .microseconds(50)) {
        if isCancelled.load(ordering: .sequentiallyConsistent) {
          late.add(1, ordering: .relaxed)
        }
      }
      try? await queue.sleep(for: .microseconds(200))
      ticks.cancel()
      // A run that had begun before may still be at its first line; one turn lets it pass.
      await withCheckedContinuation { continuation in
        queue.async(flags: .barrier) { continuation.resume() }
      }
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      try? await queue.sleep(for: .microseconds(200))
      #expect(late.load(ordering: .relaxed) == 0)
    }
  }

  // R21
  @Test func aRepetitionEndsWhenItsHandleIsReleased() async {
    let queue = DispatchQueue(label: "released")
    weak var weakProbe: Probe?
    do {
      let probe = Probe()
      weakProbe = probe
      _ = queue.schedule(after: queue.now.advanced(by: 1_000), interval: 1) { probe.touch() }
    }
    #expect(weakProbe == nil)
  }

  // R31
  @Test func anIntervalThatIsNotPositiveIsAnIssueEverywhere() async {
    func issue(on scheduler: some Scheduler) -> [String] {
      captureIssues {
        _ = scheduler.schedule(after: scheduler.now, interval: .zero) { Issue.record("ran") }
      }
      .map(\.message)
    }
    func message(_ subject: String) -> [String] {
      [
        """
        Work on \(subject) was asked to repeat at an interval of zero or less. \
        Nothing has been scheduled; pass a positive interval, or schedule the work once.
        """
      ]
    }
    #expect(issue(on: DispatchQueue.main) == message("a dispatch queue"))
    #expect(issue(on: UIScheduler.shared) == message("a dispatch queue"))
    #expect(issue(on: OperationQueue.main) == message("an operation queue"))
    #expect(issue(on: RunLoop.main.scheduler) == message("a run loop"))
    #expect(issue(on: DispatchQueue.immediate) == message("an immediate scheduler"))
  }

  // R31
  @Test func enormousDelaysDoNotTrap() {
    let stride = DispatchQueue.SchedulerTimeType.Stride(DispatchTimeInterval.never)
    let queue = DispatchQueue(label: "far")
    _ = queue.schedule(after: queue.now.advanced(by: stride), interval: stride) {}
    let operations = OperationQueue()
    let far = SchedulerDate.Stride(.greatestFiniteMagnitude)
    _ = operations.schedule(after: operations.now.advanced(by: far), interval: far) {}
    let loop = RunLoop.current.scheduler
    _ = loop.schedule(after: loop.now.advanced(by: far), interval: far) {}
  }
}
