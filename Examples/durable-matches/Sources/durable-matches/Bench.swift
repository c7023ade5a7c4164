// Benchmarks: actions a second beside plain inserts, memory of stores that are put away, recovery times.

import Foundation
import MatchFeature
import PostgresJournal
import RondoDurable
import SQLiteJournal
import Synchronization

/// A feature with next to nothing in it, so that what is measured is its keeping.
private typealias Counters = DurableStores<BenchCounter.State, BenchCounter.Action>

struct Bench {
  private let arguments: Arguments
  private let seconds: Double

  init(_ arguments: Arguments) throws(UsageError) {
    self.arguments = arguments
    seconds = try arguments.number("seconds", or: 3)
  }

  func run() async throws {
    let (journal, name) = try await arguments.journal()
    print("journal: \(name)\n")
    if arguments.text("due") != nil {
      return try await measureDue(journal, Int(try arguments.number("due", or: 100_000)))
    }
    if arguments.text("idle") != nil {
      return try await measureIdle(journal, Int(try arguments.number("idle", or: 20_000)))
    }
    if arguments.text("turns") != nil {
      return try await measureTurns(journal, Int(try arguments.number("turns", or: 10_000)))
    }
    var options = DurableOptions()
    options.snapshotInterval = 1000
    options.idleTime = .milliseconds(500)
    let stores = Counters(
      journal: journal,
      feature: BenchCounter.feature(kind: "bench\(UInt32.random(in: 0...(.max)))"),
      options: options)
    let serving = Task { await stores.run() }
    // The first action waits for the leases.
    try await stores["first"].send(.add(1))

    print("stores at once   plain inserts/s   actions/s   ratio of times")
    let only = try arguments.text("stores").map { _ in Int(try arguments.number("stores", or: 1)) }
    for count in only.map({ [$0] }) ?? [1, 10, 100, 1000] {
      // In turns, so that other programs on the computer disturb both.
      var (floor, actions) = (0.0, 0.0)
      let rounds = 6
      for _ in 0..<rounds {
        floor += try await plainRate(at: count, journal, seconds / Double(rounds))
        actions += try await rate(at: count, seconds / Double(rounds)) { number in
          try await stores["s\(number)"].send(.add(1))
        }
      }
      print(
        pad("\(count)", 14) + pad("\(Int(floor / Double(rounds)))", 18)
          + pad("\(Int(actions / Double(rounds)))", 12)
          + pad(String(format: "%.2f", floor / actions), 17))
    }

    defer { serving.cancel() }
    guard only == nil else { return }
    let passive = Int(try arguments.number("memory", or: 10_000))
    try await measureMemory(stores, passive)
    try await measureRecovery(journal, Int(try arguments.number("recovery", or: 10_000)))
  }

  private let plain = PlainInserts()

  /// The number of rows such as those of turns that clients of the database write in a second, each in a
  /// transaction of its own. SQLite has one client, PostgreSQL up to 32, of which each has a thread.
  private func plainRate(
    at count: Int, _ journal: any Journal, _ seconds: Double
  ) async throws -> Double {
    let bytes = Data(repeating: 65, count: 150)
    let time = Duration.seconds(seconds)
    if let journal = journal as? SQLiteJournal {
      return Double(try await journal.insertPlainRows(bytes, for: time)) / seconds
    }
    let clients = try await plain.connections(min(count, 32), arguments)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in clients {
        group.addTask { try await client.insertPlainRows(bytes, for: time) }
      }
      return try await group.reduce(0, +)
    }
    return Double(total) / seconds
  }

  /// The number of times a second that several tasks together can do something.
  private func rate(
    at count: Int, _ seconds: Double, _ body: @escaping @Sendable (_ task: Int) async throws -> Void
  ) async throws -> Double {
    // Connections are made, and stores loaded, before the time is taken.
    try await withThrowingTaskGroup { group in
      for task in 0..<count { group.addTask { try await body(task) } }
      try await group.waitForAll()
    }
    let clock = ContinuousClock()
    let start = clock.now
    let end = start.advanced(by: .seconds(seconds))
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<count {
        group.addTask {
          var done = 0
          while clock.now < end {
            try await body(task)
            done += 1
          }
          return done
        }
      }
      var total = 0
      for try await done in group { total += done }
      return total
    }
    return Double(total) / ((clock.now - start) / .seconds(1))
  }

  private func measureMemory(_ stores: Counters, _ count: Int) async throws {
    let before = residentKilobytes()
    let clock = ContinuousClock()
    let start = clock.now
    let width = 500
    for first in stride(from: 0, to: count, by: width) {
      try await withThrowingTaskGroup { group in
        for number in first..<min(first + width, count) {
          group.addTask { try await stores["p\(number)"].send(.add(1)) }
        }
        try await group.waitForAll()
      }
    }
    let made = clock.now - start
    let full = residentKilobytes()
    while await stores.activeCount > 0 { try await Task.sleep(for: .milliseconds(50)) }
    let after = residentKilobytes()
    print(
      """

      \(count) stores, each with one action: \(String(format: "%.1f", made / .seconds(1))) s
        resident before \(before) KiB, with what is in memory at the end \(full) KiB, all put away \(after) KiB
        that is \((after - before) * 1024 / count) bytes for each store that is put away
      """)
  }

  private func measureRecovery(_ journal: any Journal, _ longest: Int) async throws {
    print("\nturns behind the snapshot   milliseconds until the first answer of a new process")
    var length = 10
    while length <= longest {
      var options = DurableOptions()
      options.snapshotInterval = .max
      let kind = "recovery\(UInt32.random(in: 0...(.max)))"
      let first = Counters(
        journal: journal, feature: BenchCounter.feature(kind: kind), options: options)
      let serving = Task { await first.run() }
      try await first["a"].send(.add(1))
      for start in stride(from: 1, to: length, by: 500) {
        try await withThrowingTaskGroup { group in
          for _ in start..<min(start + 500, length) {
            group.addTask { try await first["a"].send(.add(1)) }
          }
          try await group.waitForAll()
        }
      }
      // A reader that owns nothing loads the store as a new owner does.
      let second = Counters(
        journal: journal, feature: BenchCounter.feature(kind: kind), options: options)
      let clock = ContinuousClock()
      let start = clock.now
      let state = try await second["a"].state
      let time = (clock.now - start) / .seconds(1) * 1000
      guard state.sum == length else { throw UsageError("The sum is \(state.sum), not \(length).") }
      print(pad("\(length)", 25) + pad(String(format: "%.1f", time), 15))
      serving.cancel()
      await serving.value
      length *= 10
    }
  }

  /// Sends an action to each of many stores, some hundreds at a time.
  private func send(_ action: BenchCounter.Action, to stores: Counters, _ count: Int) async throws {
    try await withThrowingTaskGroup { group in
      for task in 0..<500 {
        group.addTask {
          for number in stride(from: task, to: count, by: 500) {
            try await stores["p\(number)"].send(action)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The time that a new process needs for stores whose timers were due while there was none.
  private func measureDue(_ journal: any Journal, _ count: Int) async throws {
    let kind = "due\(UInt32.random(in: 0...(.max)))"
    let fired = Fired()
    let feature = BenchCounter.feature(kind: kind) { fired.note($0) }
    let clock = ContinuousClock()
    let first = Counters(journal: journal, feature: feature)
    let serving = Task { await first.run() }
    // The timers are due in an order that is not that of the names, all of them a while after the last was set.
    let wait = 30 + Double(count) / 1500
    let began = clock.now
    try await withThrowingTaskGroup { group in
      for task in 0..<500 {
        group.addTask {
          for number in stride(from: task, to: count, by: 500) {
            let place = number &* 7919 % count
            let passed = (clock.now - began) / .seconds(1)
            try await first["p\(number)"].send(
              .remind(place, after: wait - passed + Double(place) / Double(count) * 5))
          }
        }
      }
      try await group.waitForAll()
    }
    print("\(count) stores with a timer made in \(clock.now - began)")
    serving.cancel()
    await serving.value
    let last = began + .seconds(wait + 6)
    guard clock.now < last - .seconds(6) else {
      throw UsageError("The stores were not made before the first timer was due.")
    }
    try await clock.sleep(until: last)
    var options = DurableOptions()
    options.idleTime = .seconds(600)
    let second = Counters(journal: journal, feature: feature, options: options)
    let (start, before) = (clock.now, processorSeconds())
    let again = Task { await second.run() }
    while fired.count < count { try await Task.sleep(for: .milliseconds(20)) }
    let (time, used) = (clock.now - start, processorSeconds() - before)
    print(
      "all of them fired after \(time), with \(String(format: "%.1f", used)) s of a core, resident \(residentKilobytes() / 1024) MiB; the most that one came before "
        + "its turn, in places: \(fired.worst)")
    again.cancel()
    await again.value
  }

  /// The processor time that stores in memory cost which have nothing to do.
  private func measureIdle(_ journal: any Journal, _ count: Int) async throws {
    var options = DurableOptions()
    options.idleTime = .seconds(3600)
    let kind = "idle\(UInt32.random(in: 0...(.max)))"
    let stores = Counters(
      journal: journal, feature: BenchCounter.feature(kind: kind), options: options)
    let serving = Task { await stores.run() }
    func measure(_ what: String) async throws {
      try await Task.sleep(for: .seconds(2))
      let before = processorSeconds()
      try await Task.sleep(for: .seconds(20))
      let used = (processorSeconds() - before) / 20 * 100
      print(
        "\(await stores.activeCount) stores in memory, \(what): \(String(format: "%.2f", used)) % of a core"
      )
    }
    try await stores["p0"].send(.add(1))
    try await measure("one alone")
    try await send(.add(1), to: stores, count)
    try await measure("nothing to do")
    try await send(.remind(0, after: 3600), to: stores, count)
    try await measure("a timer in an hour each")
    serving.cancel()
    await serving.value
  }

  private func processorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  /// The time of the turns of one store, by their number.
  private func measureTurns(_ journal: any Journal, _ count: Int) async throws {
    let kind = "turns\(UInt32.random(in: 0...(.max)))"
    let stores = Counters(journal: journal, feature: BenchCounter.feature(kind: kind))
    let serving = Task { await stores.run() }
    try await stores["a"].send(.add(1))
    let clock = ContinuousClock()
    var times: [Double] = []
    for _ in 1...count {
      let start = clock.now
      try await stores["a"].send(.add(1))
      times.append((clock.now - start) / .seconds(1) * 1e6)
    }
    print("turns                 median microseconds   mean")
    for end in [100, 1000, 2000, 5000, 10_000, 20_000] where end <= count {
      let window = times[max(0, end - 500)..<end].sorted()
      let mean = window.reduce(0, +) / Double(window.count)
      print(
        pad("\(max(1, end - 499)) to \(end)", 16)
          + pad(String(format: "%.0f", window[window.count / 2]), 22)
          + pad(String(format: "%.0f", mean), 10))
    }
    serving.cancel()
    await serving.value
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func residentKilobytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// The places of timers that have fired, in that order.
private final class Fired: Sendable {
  private let state = Mutex((count: 0, worst: 0))
  var count: Int { state.withLock(\.count) }
  var worst: Int { state.withLock(\.worst) }

  func note(_ place: Int) {
    state.withLock { state in
      state.worst = max(state.worst, place - state.count)
      state.count += 1
    }
  }
}

/// Connections for plain inserts, made when they are needed.
private actor PlainInserts {
  private var all: [PostgresJournal] = []

  func connections(_ count: Int, _ arguments: Arguments) async throws -> [PostgresJournal] {
    while all.count < count {
      guard let journal = try await arguments.journal().0 as? PostgresJournal else {
        throw UsageError("The plain inserts need a database.")
      }
      try await journal.makePlainTable()
      // It connects with its first insert.
      _ = try await journal.insertPlainRows(Data(), for: .milliseconds(1))
      all.append(journal)
    }
    return Array(all.prefix(count))
  }
}
