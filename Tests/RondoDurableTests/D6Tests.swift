// D6: a crash at every single write of random programs.

import Foundation
import Rondo
import RondoDurable
import RondoScheduling
import SeededRandomness
import Testing

/// One step of a program.
private enum Step: CustomStringConvertible {
  case send(Ledger.Action, id: String)
  case advance(seconds: Int)
  /// The process ends, between two writes.
  case crash

  var description: String {
    switch self {
    case .send(let action, let id): "\(id): \(action)"
    case .advance(let seconds): "advance \(seconds)"
    case .crash: "crash"
    }
  }

  static func random(_ random: inout Randomness) -> [Step] {
    var steps: [Step] = []
    for index in 0..<random.int(in: 3..<9) {
      switch random.int(in: 0..<10) {
      case 0...1: steps.append(.send(.add(random.int(in: 1..<9)), id: "m\(index)"))
      case 2: steps.append(.send(.countDown(random.int(in: 0..<3)), id: "m\(index)"))
      case 3...4: steps.append(.send(.double(random.int(in: 1..<9)), id: "m\(index)"))
      case 5...6:
        steps.append(
          .send(.wait(index, seconds: random.int(in: 1..<6), resume: "deadline"), id: "m\(index)"))
      case 7: steps.append(.send(.stopWaiting, id: "m\(index)"))
      case 8: steps.append(.send(.draw, id: "m\(index)"))
      default: steps.append(.advance(seconds: random.int(in: 1..<5)))
      }
    }
    return steps + [.advance(seconds: 10)]
  }
}

/// A run of a program, with processes that crash and are started again.
private struct ProgramRun {
  let pump: Pump
  let database = InMemoryJournal.Database()
  let clock = TestClock<Duration>()
  let performed = Performed()
  var worker: Worker
  var started = 1

  init(_ random: Randomness, faults: InMemoryJournal.Faults) {
    pump = Pump(random)
    worker = Worker(
      pump, database, clock: clock, feature: .ledger(performed: performed), name: "1",
      faults: faults)
    worker.tick()
  }

  private mutating func restartIfCrashed() {
    guard worker.journal.hasCrashed else { return }
    restart()
  }

  mutating func restart() {
    worker.journal.crash()
    database.expireLeases()
    started += 1
    worker = Worker(
      pump, database, clock: clock, feature: .ledger(performed: performed), name: "\(started)")
    worker.tick()
  }

  mutating func perform(_ step: Step) {
    switch step {
    case .crash: restart()
    case .send(let action, let id):
      for _ in 0..<5 {
        restartIfCrashed()
        if case .success = worker.send(action, id: id) { break }
        worker.tick()
      }
    case .advance(let seconds):
      worker.advance(by: .seconds(seconds))
    }
    worker.tick()
    restartIfCrashed()
    worker.tick()
  }

  mutating func perform(_ steps: [Step]) {
    for step in steps { perform(step) }
  }
}

private struct Rows: Decodable {
  struct Work: Decodable { var id: String }
  var cause: String
  var started: [Work]?
  var ended: [String]?
}

@Suite struct D6Tests {
  private let key = StoreKey(kind: "ledger", name: "a")

  /// The state as it would be if nothing were ever stored, and nothing ever crashed.
  private func model(_ steps: [Step]) -> [String] {
    var log: [String] = []
    var timer: (due: Int, number: Int)?
    var now = 0
    for step in steps {
      switch step {
      case .crash: break
      case .send(.add(let number), _): log.append("add \(number)")
      case .send(.countDown(let number), _):
        log.append("count \(number)")
        for number in stride(from: number, to: 0, by: -1) {
          log += ["add \(number)", "count \(number - 1)"]
        }
      case .send(.double(let number), _):
        log += ["double \(number)", "doubled \(number) \(2 * number)"]
      case .send(.wait(let number, let seconds, _), _):
        log.append("wait \(number)")
        timer = (now + seconds, number)
      case .send(.stopWaiting, _):
        log.append("stop")
        timer = nil
      case .send(.draw, _): log.append("drawn")
      case .send: Issue.record("The model does not know \(step).")
      case .advance(let seconds):
        now += seconds
        if let due = timer, due.due <= now {
          log += ["waited \(due.number)", "add \(due.number)"]
          timer = nil
        }
      }
    }
    return log
  }

  private func check(_ run: ProgramRun, _ steps: [Step], _ expected: Ledger.State, _ crash: String)
  {
    let state = try? run.worker.state()
    #expect(state == expected, "\(crash): \(steps)")
    #expect(run.database.doubles.isEmpty, "\(crash): \(steps)")
    let rows = run.database.turns(of: key)
    for case .send(_, let id) in steps {
      #expect(rows.count { $0.message == id } == 1, "\(crash), \(id): \(steps)")
    }
    let bodies = rows.compactMap { try? JSONDecoder().decode(Rows.self, from: $0.body) }
    #expect(bodies.count == rows.count)
    for key in Set(run.performed.all) {
      #expect(bodies.count { $0.ended?.contains(key) == true } == 1, "\(crash), \(key): \(steps)")
    }
    #expect(run.database.waiting == 0)
  }

  // D6
  @Test func D6_aCrashAtAnyWriteLosesNothingAndDoublesNothing() {
    let wanted = ProcessInfo.processInfo.environment["RONDO_CRASH_RUNS"].flatMap(Int.init) ?? 2000
    var runs = 0
    var seed: UInt64 = 0
    while runs < wanted {
      seed += 1
      var random = Randomness.one(seed)
      let steps = Step.random(&random)
      var quiet = ProgramRun(random, faults: .none)
      quiet.perform(steps)
      let expected = (try? quiet.worker.state()) ?? Ledger.State()
      let log = expected.log.map { $0.hasPrefix("drawn") ? "drawn" : $0 }
      #expect(log == model(steps), "\(random): \(steps)")
      check(quiet, steps, expected, "\(random), no crash")
      for write in 1...max(quiet.worker.journal.writes, 1) {
        for isDone in [false, true] {
          var run = ProgramRun(
            Randomness(seed: seed &* 1000 &+ UInt64(write)),
            faults: .crash(atWrite: write, after: isDone))
          run.perform(steps)
          check(run, steps, expected, "\(random), crash at write \(write), done: \(isDone)")
          runs += 1
        }
      }
      if ProcessInfo.processInfo.environment["RONDO_SEED"] != nil { break }
    }
  }
}

extension Randomness {
  /// The generator of a seed, or the one in `RONDO_SEED`.
  fileprivate static func one(_ seed: UInt64) -> Randomness {
    let given = ProcessInfo.processInfo.environment["RONDO_SEED"].flatMap(UInt64.init)
    return Randomness(seed: given ?? seed)
  }
}
