// One process of a test: stores on a journal, on the test's executor and virtual time.

import Foundation
import Rondo
import RondoScheduling
import Synchronization
import Testing

@testable import RondoDurable

struct Worker {
  let pump: Pump
  let clock: TestClock<Duration>
  let database: InMemoryJournal.Database
  let journal: InMemoryJournal
  let stores: DurableStores<Ledger.State, Ledger.Action>
  let events: Events

  final class Events: Sendable {
    private let list = Mutex<[DurableEvent]>([])
    var all: [DurableEvent] { list.withLock { $0 } }
    /// The errors of stores that cannot be activated.
    var failures: [String] {
      all.compactMap { if case .cannotActivate(let error) = $0 { "\(error)" } else { nil } }
    }
    func add(_ event: DurableEvent) { list.withLock { $0.append(event) } }
  }

  init(
    _ pump: Pump, _ database: InMemoryJournal.Database,
    clock: TestClock<Duration> = TestClock(),
    feature: DurableFeature<Ledger.State, Ledger.Action> = .ledger(), name: String = "worker",
    faults: InMemoryJournal.Faults = .none, hook: GatedJournal.Hook? = nil,
    options change: (inout DurableOptions) -> Void = { _ in },
    newKey: @escaping @Sendable (StoreKey, Int64) -> ChanceKey = Worker.reproducible
  ) {
    self.pump = pump
    self.clock = clock
    self.database = database
    journal = InMemoryJournal(database, faults: faults)
    let events = Events()
    self.events = events
    var options = DurableOptions()
    options.shards = 2
    options.snapshotInterval = 4
    options.onEvent = { events.add($0) }
    change(&options)
    let used = hook.map { [journal] in GatedJournal(journal, $0) as any Journal }
    stores = DurableStores(
      journal: used ?? journal, feature: feature, options: options, clock: clock, worker: name,
      executor: pump, newKey: newKey)
  }

  /// Random bits that depend on the store and its turn, so that a run can be compared with another one.
  static let reproducible: @Sendable (StoreKey, Int64) -> ChanceKey = { store, turn in
    ChanceKey(words: [UInt64(store.shard(of: 1 << 20)), UInt64(turn), 0, 0])
  }

  /// Does what is due, until nothing can go on.
  func tick() {
    pump.run { [stores] in await stores.tick() }
  }

  /// Lets time pass, here and in the database, and does what is due then.
  func advance(by duration: Duration) {
    pass(duration)
    tick()
  }

  /// Lets time pass, here and in the database.
  func pass(_ duration: Duration) {
    database.advance(by: duration)
    clock.timeline.advance(by: duration)
    pump.drain()
  }

  /// Sends an action, and runs all that follows. Returns `nil` if the sender still waits.
  @discardableResult
  func send(
    _ action: Ledger.Action, to name: String = "a", id: String? = nil
  ) -> Result<DurableDelivery, any Error>? {
    pump.run { [stores] in try await stores[name].send(action, id: id) }
  }

  /// Sends an action, and runs all that follows. The box gets `handled`, `duplicate` or the error, when the sender has it.
  func outcome(
    of action: Ledger.Action, to name: String = "a", id: String? = nil
  ) -> LockIsolated<String?> {
    let outcome = LockIsolated<String?>(nil)
    pump.start { [stores] in
      do {
        let delivery = try await stores[name].send(action, id: id)
        outcome.withValue { $0 = "\(delivery)" }
      } catch {
        outcome.withValue { $0 = "\(error)" }
      }
    }
    pump.drain()
    return outcome
  }

  /// Runs as a program does, until the task is cancelled.
  func serve() -> Task<Void, Never> {
    let serving = Task(executorPreference: pump) { [stores] in await stores.run() }
    pump.drain()
    return serving
  }

  /// The number of stores in memory.
  func activeCount() throws -> Int {
    try pump.value { [stores] in await stores.activeCount }
  }

  /// The shards that it owns.
  func shards() throws -> [Int] {
    try pump.value { [stores] in await stores.shards }
  }

  /// The rows of a store, as the journal reads them.
  func stored(_ name: String = "a") throws -> StoredStore? {
    try pump.value { [journal] in try await journal.load(StoreKey(kind: "ledger", name: name)) }
  }

  func state(of name: String = "a") throws -> Ledger.State {
    try pump.value { [stores] in try await stores[name].state }
  }
}

extension DurableStores {
  /// The number of stores that have a timer, and the moment of the first one, as the time since 2001.
  var dueCount: Int { dueStores.count }
  var firstDue: Duration? { dueStores.firstDue }
}

extension InMemoryJournal.Database {
  /// Changes the body of the first turn of a store, as a fault of the disk does.
  func damageFirstTurn(of store: StoreKey, _ body: String = "{}") throws {
    var row = try #require(turns(of: store).first)
    row.body = Data(body.utf8)
    replace(row, of: store)
  }
}
