// D17: what operators see and do: figures, traces, and work that is given up.

import Foundation
import Rondo
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D17Tests {
  let pump = Pump(Randomness(seed: 17))
  let database = InMemoryJournal.Database()

  private func metrics(_ worker: Worker) throws -> [String] {
    let metrics = pump.run { [stores = worker.stores] in await stores.metrics }
    return try #require(try metrics?.get()).text.split(separator: "\n").map(String.init)
  }

  @Test func D17_metricsSayWhatThereIs() throws {
    let other = Worker(pump, database, name: "other \"x\"")
    other.send(.add(1))
    #expect(try metrics(other).contains("rondo_durable_inbox_messages{kind=\"ledger\"} 1"))
    let worker = Worker(pump, database, name: "one \"x\"")
    worker.tick()
    for number in 1...3 { worker.send(.add(number)) }
    worker.advance(by: .seconds(2))
    let lines = try metrics(worker)
    for line in [
      "# TYPE rondo_durable_inbox_messages gauge",
      "rondo_durable_inbox_messages{kind=\"ledger\"} 0",
      "rondo_durable_lease_age_seconds{kind=\"ledger\",shard=\"0\",worker=\"one \\\"x\\\"\"} 2",
      "rondo_durable_owned_shards{kind=\"ledger\"} 2",
      "rondo_durable_failed_stores{kind=\"ledger\"} 0",
      "rondo_durable_set_aside{kind=\"ledger\"} 0",
      "rondo_durable_journal_up{kind=\"ledger\"} 1",
      "rondo_durable_active_stores{kind=\"ledger\"} 1",
      "# TYPE rondo_durable_commit_seconds histogram",
      "rondo_durable_turns_total{kind=\"ledger\"} 4",
    ] { #expect(lines.contains(line), "\(line)") }
    let infinite = "rondo_durable_commit_seconds_bucket{kind=\"ledger\",le=\"+Inf\"} "
    let commits = try #require(lines.first { $0.hasPrefix(infinite) }?.dropFirst(infinite.count))
    #expect(lines.contains("rondo_durable_commit_seconds_count{kind=\"ledger\"} \(commits)"))
    worker.journal.crash()
    #expect(try metrics(worker).contains("rondo_durable_journal_up{kind=\"ledger\"} 0"))
  }

  @Test func D17_figuresOfTwoKindsAreOneText() {
    let figures = JournalFigures(inbox: 1, due: 0, setAside: 0, shards: [], failures: [:])
    let text = (DurableMetrics(figures, of: "a") + DurableMetrics(figures, of: "b\n")).text
    let lines = text.split(separator: "\n")
    #expect(lines.count { $0 == "# TYPE rondo_durable_inbox_messages gauge" } == 1)
    #expect(lines.contains("rondo_durable_inbox_messages{kind=\"a\"} 1"))
    #expect(lines.contains("rondo_durable_inbox_messages{kind=\"b\\n\"} 1"))
  }

  @Test func D17_workThatIsAbandonedEndsWithoutAnAnswer() throws {
    let performed = Performed()
    performed.gate.close()
    let worker = Worker(pump, database, feature: .ledger(performed: performed))
    worker.tick()
    worker.send(.double(2))
    worker.send(.wait(1, seconds: 5, resume: "deadline"))
    let key = try #require(performed.all.first)
    func abandon(_ work: String) -> Result<DurableDelivery, any Error>? {
      pump.run { [stores = worker.stores] in try await stores["a"].abandon(work) }
    }
    #expect(try abandon(key)?.get() == .handled)
    #expect(try abandon("wait")?.get() == .handled)
    #expect(try abandon("nothing")?.get() == .handled)
    performed.gate.open()
    worker.advance(by: .seconds(10))
    #expect(try worker.state().log == ["double 2", "wait 1"])
    #expect(performed.cancellations == 1)
    // The next owner knows of no work either.
    database.expireLeases()
    let next = Worker(pump, database, feature: .ledger(performed: performed), name: "next")
    next.tick()
    next.advance(by: .seconds(10))
    #expect(try next.state().log == ["double 2", "wait 1"])
    #expect(performed.all.count == 1)
  }

  @Test func D17_anotherProcessAbandonsWorkThroughTheInbox() throws {
    let owner = Worker(pump, database)
    owner.tick()
    owner.send(.wait(1, seconds: 50, resume: "deadline"))
    let message = JournalMessage(
      key: MessageKey(store: StoreKey(kind: "ledger", name: "a"), id: "x"),
      action: JournalMessage.abandonment(of: "wait"), version: 0)
    #expect(message.abandonedWork == "wait")
    _ = pump.run { [journal = owner.journal] in try await journal.post(message) }
    owner.tick()
    owner.advance(by: .seconds(60))
    #expect(try owner.state().log == ["wait 1"])
    #expect(database.waiting == 0)
  }

  @Test func D17_stepsAreTraced() throws {
    let steps = LockIsolated<[String]>([])
    let worker = Worker(pump, database) {
      $0.onTrace = { step in steps.withValue { $0.append(step.description) } }
    }
    worker.tick()
    worker.send(.double(2), id: "m")
    worker.tick()
    let words = steps.value
    #expect(words.first?.hasPrefix("ledger/a: loaded in") == true)
    #expect(words.contains("ledger/a: turn 1, message 'm'"))
    #expect(words.contains { $0.hasPrefix("wrote 1 turns in") })
    #expect(words.contains("ledger/a: attempt 1 at the work ledger/a/1.0 ('double')"))
    #expect(words.contains("ledger/a: the work ledger/a/1.0 ('double') has answered"))
    #expect(words.contains("ledger/a: turn 2, effect"))
  }
}
