// D6: a crash at every single write of random programs.

import Foundation
import Rondo
import RondoDurable
import RondoScheduling
import RondoSeededRandomness
import Testing

/// One step of a program.
private enum Step: CustomStringConvertible {
  case send(Ledger.Action, id: String)
  case advance(seconds: Int)
  /// The process ends, between two writes, and there is none for some time.
  case crash(downFor: Int)

  var description: String {
    switch self {
    case .send(let action, let id): "\(id): \(action)"
    case .advance(let seconds): "advance \(seconds)"
    case .crash(let seconds): "crash, \(seconds)"
    }
  }

  static func random(_ random: inout Randomness) -> [Step] {
    var steps: [Step] = []
    for index in 0..<random.int(in: 3..<9) {
      let id = "m\(index)"
      switch random.int(in: 0..<14) {
      case 0...1: steps.append(.send(.add(random.int(in: 1..<9)), id: id))
      case 2: steps.append(.send(.countDown(random.int(in: 0..<3)), id: id))
      case 3...4: steps.append(.send(.double(random.int(in: 1..<9)), id: id))
      case 5...7:
        let resume = ["deadline", "remaining", "restart"][random.int(in: 0..<3)]
        steps.append(
          .send(.wait(index, seconds: random.int(in: 1..<6), resume: resume), id: id))
      case 8: steps.append(.send(.stopWaiting, id: id))
      case 9: steps.append(.send(.draw, id: id))
      case 10: steps.append(.send(.listen(index), id: id))
      case 11: steps.append(.send(.listenAndDouble(1000 + index), id: id))
      case 12: steps.append(.crash(downFor: random.int(in: 0..<4)))
      default: steps.append(.advance(seconds: random.int(in: 1..<5)))
      }
    }
    return steps + [.advance(seconds: 10), .advance(seconds: 10)]
  }
}

/// A program, and how its processes are set up.
private struct Program {
  var steps: [Step]
  /// Whether ordinary effects start again after a crash.
  var restarts: Bool
  /// The seconds for which turns behind a snapshot are kept; `nil` for ever.
  var retention: Int?

  init(_ random: inout Randomness) {
    steps = Step.random(&random)
    restarts = random.bool()
    retention = random.int(in: 0..<3) == 0 ? 2 : nil
  }

  /// The numbers that are listened to.
  var heard: [Int] {
    steps.compactMap {
      switch $0 {
      case .send(.listen(let number), _), .send(.listenAndDouble(let number), _): number
      default: nil
      }
    }
  }

  /// The numbers that an ordinary effect has doubled by durable work.
  var doubledByEffects: [Int] {
    steps.compactMap {
      if case .send(.listenAndDouble(let number), _) = $0 { number } else { nil }
    }
  }
}

/// A run of a program, with processes that crash and are started again.
private struct ProgramRun {
  let pump: Pump
  let database = InMemoryJournal.Database()
  let clock = TestClock<Duration>()
  let performed = Performed()
  let program: Program
  var worker: Worker
  var started = 1
  /// The steps in which the journal has crashed.
  var crashed: Set<Int> = []
  /// The write at which the journal crashes, counted over all processes.
  private var fault: Fault?
  private var earlierWrites = 0

  struct Fault {
    var write: Int
    var isDone: Bool
  }

  /// The number of writes of all processes.
  var writes: Int { earlierWrites + worker.journal.writes }

  init(_ program: Program, _ random: Randomness, fault: Fault? = nil) {
    pump = Pump(random)
    self.program = program
    self.fault = fault
    worker = ProgramRun.worker(pump, database, clock, performed, program, "1", fault)
    worker.tick()
    restartIfCrashed()
  }

  private static func worker(
    _ pump: Pump, _ database: InMemoryJournal.Database, _ clock: TestClock<Duration>,
    _ performed: Performed, _ program: Program, _ name: String, _ fault: Fault?
  ) -> Worker {
    let feature = DurableFeature.ledger(performed: performed).whenInterrupted { _ in
      program.restarts ? .restart : .drop
    }
    return Worker(
      pump, database, clock: clock, feature: feature, name: name,
      faults: fault.map { .crash(atWrite: $0.write, after: $0.isDone) } ?? .none
    ) { options in
      // No lease ends by itself: the model knows of no time in which nobody has claimed.
      options.lease = .seconds(60)
      if let retention = program.retention { options.retention = .seconds(retention) }
    }
  }

  @discardableResult
  private mutating func restartIfCrashed() -> Bool {
    guard worker.journal.hasCrashed else { return false }
    restart(downFor: 0)
    return true
  }

  private mutating func restart(downFor seconds: Int) {
    earlierWrites += worker.journal.writes
    var fault = fault
    fault?.write -= earlierWrites
    worker.journal.crash()
    database.expireLeases()
    database.advance(by: .seconds(seconds))
    clock.timeline.advance(by: .seconds(seconds))
    started += 1
    worker = ProgramRun.worker(pump, database, clock, performed, program, "\(started)", fault)
    worker.tick()
  }

  private mutating func perform(_ step: Step, _ index: Int) {
    switch step {
    case .crash(let seconds): restart(downFor: seconds)
    case .send(let action, let id):
      for _ in 0..<5 {
        if restartIfCrashed() { crashed.insert(index) }
        if case .success = worker.send(action, id: id) { break }
        worker.tick()
      }
    case .advance(let seconds):
      worker.advance(by: .seconds(seconds))
    }
    worker.tick()
    if restartIfCrashed() { crashed.insert(index) }
    worker.tick()
  }

  mutating func perform() {
    for (index, step) in program.steps.enumerated() { perform(step, index) }
  }
}

/// The log as it would be if nothing were ever stored. Only a crash in the moment in which a timer is due
/// has two outcomes: its action was written before, or it begins again.
private struct LogModel: Equatable {
  var log: [String] = []
  private var timer: Timer?
  private var now = 0

  private struct Timer: Equatable {
    var due: Int
    var number: Int
    var duration: Int
    var resume: String
  }

  /// The possible logs after one step.
  func after(_ step: Step, crashes: Bool) -> [LogModel] {
    var next = self
    switch step {
    case .crash(let seconds):
      next.now += seconds
      next.resume(after: seconds)
      next.fire()
      return [next]
    case .advance(let seconds):
      next.now += seconds
      guard crashes else {
        next.fire()
        return [next]
      }
      var fired = next
      fired.fire()
      fired.resume(after: 0)
      next.resume(after: 0)
      next.fire()
      return fired == next ? [next] : [fired, next]
    case .send(let action, _):
      next.handle(action)
      if crashes { next.resume(after: 0) }
      return [next]
    }
  }

  private mutating func handle(_ action: Ledger.Action) {
    switch action {
    case .add(let number): log.append("add \(number)")
    case .countDown(let number):
      log.append("count \(number)")
      for number in stride(from: number, to: 0, by: -1) {
        log += ["add \(number)", "count \(number - 1)"]
      }
    case .double(let number): log += ["double \(number)", "doubled \(number) \(2 * number)"]
    case .wait(let number, let seconds, let resume):
      log.append("wait \(number)")
      timer = Timer(due: now + seconds, number: number, duration: seconds, resume: resume)
    case .stopWaiting:
      log.append("stop")
      timer = nil
    case .draw: log.append("drawn")
    case .listen(let number), .listenAndDouble(let number): log.append("listen \(number)")
    default: Issue.record("The model does not know \(action).")
    }
  }

  private mutating func resume(after seconds: Int) {
    switch timer?.resume {
    case "remaining": timer?.due += seconds
    case "restart": timer.map { timer?.due = now + $0.duration }
    default: break
    }
  }

  private mutating func fire() {
    guard let due = timer, due.due <= now else { return }
    log += ["waited \(due.number)", "add \(due.number)"]
    timer = nil
  }
}

private struct Rows: Decodable {
  struct Work: Decodable { var id: String }
  var cause: String
  var started: [Work]?
  var ended: [String]?
}

@Suite struct CrashTests {
  private let key = StoreKey(kind: "ledger", name: "a")

  private func check(_ run: ProgramRun, _ crash: String) {
    let (program, steps) = (run.program, run.program.steps)
    var models = [LogModel()]
    for (index, step) in steps.enumerated() {
      models = models.flatMap { $0.after(step, crashes: run.crashed.contains(index)) }
    }
    let state = (try? run.worker.state()) ?? Ledger.State()
    let ofEffects = program.doubledByEffects.map { "doubled \($0) \(2 * $0)" }
    let log = state.log.filter { !$0.hasPrefix("heard") && !ofEffects.contains($0) }
      .map { $0.hasPrefix("drawn") ? "drawn" : $0 }
    #expect(models.contains { $0.log == log }, "\(crash): \(log), \(steps)")
    let added = log.compactMap { $0.hasPrefix("add ") ? Int($0.dropFirst(4)) : nil }
    #expect(state.sums["all", default: 0] == added.reduce(0, +), "\(crash): \(steps)")
    #expect(state.seen == Set(added), "\(crash): \(steps)")
    #expect(run.database.doubles.isEmpty, "\(crash): \(steps)")
    #expect(run.database.waiting == 0, "\(crash): \(steps)")
    checkEars(state, program, hasCrashed: run.started > 1, crash)
    checkRows(run, crash)
  }

  /// An ordinary effect that was interrupted has started again, or was dropped; one that was not has run
  /// once. So has the durable work that it starts.
  private func checkEars(
    _ state: Ledger.State, _ program: Program, hasCrashed: Bool, _ crash: String
  ) {
    let expected = !hasCrashed ? 1...1 : program.restarts ? 1...2 : 0...1
    for number in program.heard {
      let count = state.log.count { $0 == "heard \(number)" }
      #expect(expected.contains(count), "\(crash), heard \(number): \(program.steps)")
    }
    for number in program.doubledByEffects {
      let count = state.log.count { $0 == "doubled \(number) \(2 * number)" }
      #expect(expected.contains(count), "\(crash), doubled \(number): \(program.steps)")
    }
  }

  private func checkRows(_ run: ProgramRun, _ crash: String) {
    let rows = run.database.turns(of: key)
    // A turn may be deleted already, and is then handled all the same.
    let expected = run.program.retention == nil ? 1...1 : 0...1
    for case .send(_, let id) in run.program.steps {
      #expect(
        expected.contains(rows.count { $0.message == id }), "\(crash), \(id): \(run.program.steps)")
    }
    let bodies = rows.compactMap { try? JSONDecoder().decode(Rows.self, from: $0.body) }
    #expect(bodies.count == rows.count)
    for key in Set(run.performed.all) {
      #expect(
        expected.contains(bodies.count { $0.ended?.contains(key) == true }),
        "\(crash), \(key): \(run.program.steps)")
    }
    // The rows that are left follow each other, up to the last one.
    let numbers = rows.map(\.number)
    #expect(numbers == (numbers.first.map { Array($0...(numbers.last ?? $0)) } ?? []))
  }

  // D6
  @Test func D6_aCrashAtAnyWriteLosesNothingAndDoublesNothing() {
    let wanted = Soak.count(100, long: 10_000)
    var runs = 0
    var seed: UInt64 = 0
    while runs < wanted {
      seed += 1
      var random = Randomness.one(seed)
      let program = Program(&random)
      var quiet = ProgramRun(program, random)
      quiet.perform()
      check(quiet, "\(random), no crash")
      for write in 1...max(quiet.writes, 1) {
        for isDone in [false, true] {
          var run = ProgramRun(
            program, Randomness(seed: seed &* 1000 &+ UInt64(write)),
            fault: .init(write: write, isDone: isDone))
          run.perform()
          check(run, "\(random), crash at write \(write), done: \(isDone)")
          runs += 1
        }
      }
      if Randomness.givenSeed != nil { break }
    }
  }
}

extension Randomness {
  /// The generator of a seed, or the one in `RONDO_SEED`.
  fileprivate static func one(_ seed: UInt64) -> Randomness {
    Randomness(seed: givenSeed ?? seed)
  }
}
