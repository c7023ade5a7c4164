// Work on a live scheduler in which each piece schedules the next.

import RondoCompatibility
import RondoSeededRandomness
import Foundation
import RondoAnimation
import RondoScheduling
import Synchronization

enum Chain {
  enum Link: Sendable {
    case now
    case after(milliseconds: Int)
    case every(milliseconds: Int, runs: Int)

    static func random(using generator: inout Randomness) -> Link {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: .now
      case 1: .after(milliseconds: Int.random(in: -1...2, using: &generator))
      default: .every(milliseconds: 1, runs: Int.random(in: 1...3, using: &generator))
      }
    }
  }

  /// Runs the links one after another and returns when the last one has run.
  static func run<Base: Scheduler>(_ links: [Link], on scheduler: Base) async -> [Event<Int>] {
    let log = Log<Event<Int>>()
    for (id, link) in links.enumerated() {
      await run(link, on: scheduler) { run in
        log.append(Event(id: id, now: run, transaction: .current))
      }
    }
    return log.entries
  }

  private static func run<Base: Scheduler>(
    _ link: Link,
    on scheduler: Base,
    _ work: @escaping @Sendable (_ run: Int) -> Void
  ) async {
    let repetition = Mutex<(any Cancellable)?>(nil)
    let runs = Atomic(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      switch link {
      case .now:
        scheduler.schedule {
          work(0)
          continuation.resume()
        }
      case .after(let milliseconds):
        let date = scheduler.now.advanced(by: .milliseconds(milliseconds))
        scheduler.schedule(after: date) {
          // Calendar time is read from another clock than timers go by; the two may differ a little.
          if scheduler.now.advanced(by: .microseconds(100)) >= date { work(0) }
          continuation.resume()
        }
      case .every(let milliseconds, let limit):
        let interval = Base.SchedulerTimeType.Stride.milliseconds(milliseconds)
        let date = scheduler.now.advanced(by: interval)
        // The lock makes the first run wait until its own handle is there.
        repetition.withLock { handle in
          handle = scheduler.schedule(after: date, interval: interval) {
            repetition.withLock { handle in
              guard handle != nil else { return }
              let run = runs.add(1, ordering: .relaxed).newValue
              work(run)
              guard run == limit else { return }
              handle?.cancel()
              handle = nil
              continuation.resume()
            }
          }
        }
      }
    }
  }
}

extension OperationQueue {
  static func serial() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

/// Runs a body with the scheduler of a run loop that runs on a thread of its own meanwhile.
func withRunLoop(_ body: (RunLoopScheduler) async -> Void) async {
  let isOver = Mutex(false)
  let scheduler = await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      let loop = RunLoop.current
      // A loop without a timer or source would not wait.
      let keepAlive = Timer(timeInterval: 1_000_000, repeats: true) { _ in }
      loop.add(keepAlive, forMode: .default)
      continuation.resume(returning: loop.scheduler)
      while !isOver.withLock({ $0 }) {
        _ = loop.run(mode: .default, before: .distantFuture)
      }
      keepAlive.invalidate()
    }
  }
  await body(scheduler)
  await withCheckedContinuation { continuation in
    scheduler.schedule {
      isOver.withLock { $0 = true }
      continuation.resume()
    }
  }
}
