// Random programs: work that schedules work, repeats, and cancels what repeats.

import RondoSeededRandomness
import RondoAnimation
import RondoScheduling
import Synchronization
import Testing

/// One piece of work, its timing, and the work that it schedules in turn.
struct Step: Sendable, CustomStringConvertible {
  enum Timing: Sendable {
    case now
    /// Runs after some units of 100 ms. There are few different delays, so that many coincide.
    case after(Int)
    /// Runs after a delay, and then at an interval in the same unit, for some runs.
    case every(first: Int, interval: Int, runs: Int)
  }

  var id: Int
  var timing: Timing
  var children: [Step] = []
  /// The id of a repetition that this work cancels, whether or not it is there.
  var cancels: Int?

  var description: String {
    "\(id) \(timing)\(cancels.map { " cancels \($0)" } ?? "")"
      + (children.isEmpty ? "" : " \(children)")
  }

  /// Some steps, with fresh ids.
  static func random(
    depth: Int,
    lastID: inout Int,
    using generator: inout Randomness
  ) -> [Step] {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      lastID += 1
      var step = Step(id: lastID, timing: .random(using: &generator))
      if Int.random(in: 0..<4, using: &generator) == 0 {
        step.cancels = Int.random(in: 1...lastID, using: &generator)
      }
      if depth > 0, Bool.random(using: &generator) {
        step.children = random(depth: depth - 1, lastID: &lastID, using: &generator)
      }
      return step
    }
  }
}

extension Step.Timing {
  static func random(using generator: inout Randomness) -> Self {
    let first = Int.random(in: -1...5, using: &generator)
    return switch Int.random(in: 0..<4, using: &generator) {
    case 0: .now
    case 1, 2: .after(first)
    default:
      .every(
        first: first,
        interval: Int.random(in: 1...3, using: &generator),
        runs: Int.random(in: 1...4, using: &generator)
      )
    }
  }
}

/// One run of a piece of work: its id, its instant, and its transaction.
struct Event<SchedulerTimeType: Hashable & Sendable>: Equatable, Sendable {
  var id: Int
  var now: SchedulerTimeType
  var transaction = Transaction()
}

/// Runs programs on a scheduler and keeps a log.
final class Interpreter<Base: Scheduler>: Sendable where Base.SchedulerTimeType: Hashable {
  let scheduler: Base
  let log = Log<Event<Base.SchedulerTimeType>>()
  private let repetitions = Mutex<[Int: any Cancellable]>([:])
  private let runs = Mutex<[Int: Int]>([:])

  init(_ scheduler: Base) {
    self.scheduler = scheduler
  }

  func schedule(_ steps: [Step]) {
    for step in steps { schedule(step) }
  }

  private func schedule(_ step: Step) {
    switch step.timing {
    case .now:
      scheduler.schedule { [self] in run(step) }
    case .after(let delay):
      scheduler.schedule(after: date(delay)) { [self] in run(step) }
    case .every(let first, let interval, let limit):
      let repetition = scheduler.schedule(
        after: date(first),
        interval: .milliseconds(100 * interval)
      ) { [self] in
        run(step)
        if count(step.id) == limit { cancel(step.id) }
      }
      repetitions.withLock { $0[step.id] = repetition }
    }
  }

  private func run(_ step: Step) {
    log.append(Event(id: step.id, now: scheduler.now, transaction: .current))
    if let id = step.cancels { cancel(id) }
    schedule(step.children)
  }

  private func cancel(_ id: Int) {
    repetitions.withLock { $0.removeValue(forKey: id) }?.cancel()
  }

  private func count(_ id: Int) -> Int {
    runs.withLock { runs in
      runs[id, default: 0] += 1
      return runs[id]!
    }
  }

  private func date(_ delay: Int) -> Base.SchedulerTimeType {
    scheduler.now.advanced(by: .milliseconds(100 * delay))
  }
}

/// Fails with the first event in which two logs differ; the whole logs would fill pages.
func expectEqualLogs<Entry: Equatable>(
  _ log: [Entry],
  _ model: [Entry],
  _ context: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard log != model else { return }
  let index = zip(log, model).enumerated().first { $1.0 != $1.1 }?.offset
  let first = index ?? min(log.count, model.count)
  let actual = log.dropFirst(first).first.map { "\($0)" } ?? "nothing"
  let expected = model.dropFirst(first).first.map { "\($0)" } ?? "nothing"
  Issue.record(
    "event \(first) is \(actual) instead of \(expected); \(context)",
    sourceLocation: sourceLocation
  )
}
