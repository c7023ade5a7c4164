// H3: many tasks send, observe, scope, cancel and drop at the same time, on every host.

import Dispatch
import Foundation
import Observation
import Rondo
import RondoTesting
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Synchronization
import Testing

/// A feature that keeps a sum, starts effects of all kinds, and has a child.
private struct Stressed: Reducer {
  struct State: Equatable, Sendable {
    var sum = 0
    var child = Child()
    /// An object that drops a parked object when the state releases it, on any thread.
    var drop: Drop?
  }

  struct Child: Equatable, Sendable { var sum = 0 }

  final class Drop: Sendable, Equatable {
    let tally: Tally
    init(_ tally: Tally) {
      self.tally = tally
      tally.drops.add()
    }
    deinit {
      tally.drops.add(-1)
      // Drops a parked object here, in the middle of a reduction.
      tally.parked.take()
    }
    static func == (lhs: Drop, rhs: Drop) -> Bool { lhs === rhs }
  }

  enum Action: CasePathable, Sendable {
    case add(Int)
    case child(Int)
    case answer(Int)
    case task(Int)
    case wait(id: Int)
    case cancel(id: Int)
    case limited
    case renew

    struct AllCasePaths: Sendable {
      let child = AnyCasePath(Action.child)
    }
    static let allCasePaths = AllCasePaths()
  }

  let tally: Tally

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let amount):
      state.sum += amount
      return .none
    case .child(let amount):
      state.child.sum += amount
      return .send(.add(amount))
    case .answer(let amount):
      state.sum += amount
      return .merge(.send(.add(1)), .send(.add(-1)).animation())
    case .task(let count):
      tally.parked.take()
      return .run { [tally] send in
        let life = Life(tally)
        for _ in 0..<count { await send(.add(1)) }
        tally.answers.add(count)
        _ = life
      }
    case .wait(let id):
      return .run { [tally] _ in
        let life = Life(tally)
        await suspendUntilCancelled()
        _ = life
      }
      .cancellable(id: id, cancelInFlight: id % 2 == 0)
    case .cancel(let id):
      return .cancel(id: id)
    case .limited:
      return .run { [tally] _ in
        let life = Life(tally)
        await Task.yield()
        _ = life
      }
      .cancellable(id: "limited", policy: .atMost(2))
    case .renew:
      state.drop = Drop(tally)
      return .none
    }
  }
}

/// The counts that all tasks of a stress share.
private final class Tally: Sendable {
  let operations = Count()
  let sent = Count()
  let answers = Count()
  let seen = Count()
  let drops = Count()
  let lives = Count()
  let parked = Parked()
}

/// An object that is alive as long as the closure of an effect runs.
private final class Life: Sendable {
  let tally: Tally
  init(_ tally: Tally) {
    self.tally = tally
    tally.lives.add()
  }
  deinit { tally.lives.add(-1) }
}

/// Handles, tokens and stores that wait for somebody else to drop them.
private final class Parked: Sendable {
  private let content = Mutex<[UncheckedValue]>([])

  private struct UncheckedValue: @unchecked Sendable {
    // @unchecked: nobody uses the value; it is only released.
    let value: Any
  }

  func put(_ value: Any) {
    let value = UncheckedValue(value: value)
    content.withLock { $0.append(value) }
  }

  func take() {
    let last = content.withLock { $0.popLast() }
    _ = last
  }

  func empty() {
    let all = content.withLock { content in
      defer { content = [] }
      return content
    }
    _ = all
  }
}

@MainActor @Suite struct StressTests {
  nonisolated private static let tasks = 16
  nonisolated private static let operationsOfATask = Soak.count(30, long: 1_000)

  // H3, H4
  @Test func stores() async {
    let tally = Tally()
    let base = Randomness.one()
    var store: StoreOf<Stressed>? = Store(initialState: Stressed.State()) { Stressed(tally: tally) }
    let shared = store!
    await withTaskGroup { group in
      for task in 0..<Self.tasks {
        group.addTask { [weak shared] in
          var random = Randomness(seed: base.seed &+ UInt64(task))
          for _ in 0..<Self.operationsOfATask {
            await Self.operate(shared, tally, &random)
            // Half of what was parked is dropped by a thread of the pool.
            if random.bool() { tally.parked.take() }
          }
        }
      }
    }
    await settle(tally) { id in store!.send(.cancel(id: id)) }
    #expect(store!.state.sum == tally.sent.value + tally.answers.value, "\(base)")
    #expect(store!.effectsInFlight.isEmpty, "\(base)")
    weak let weakStore = store
    _ = consume shared
    store = nil
    tally.parked.empty()
    #expect(weakStore == nil, "\(base)")
    expectNothingLeft(tally, base)
  }

  /// One operation on a store, from the main actor.
  private static func operate(
    _ store: StoreOf<Stressed>?, _ tally: Tally, _ random: inout Randomness
  ) {
    guard let store else { return }
    tally.operations.add()
    let id = random.int(in: 0..<4)
    switch random.int(in: 0..<16) {
    case 0, 1:
      tally.sent.add()
      store.send(.add(1))
    case 2:
      tally.sent.add(2)
      store.send(.answer(2), animation: .default)
    case 3, 4: tally.parked.put(store.send(.task(random.int(in: 0..<4))))
    case 5: tally.parked.put(store.send(.wait(id: id)))
    case 6: store.send(.cancel(id: id))
    case 7: store.send(.wait(id: id)).cancel()
    case 8: store.send(.limited)
    case 9: store.send(.renew)
    case 10: tally.parked.put(store.subscribe { _ in tally.seen.add() })
    case 11: tally.parked.put(store.states)
    case 12: tally.parked.put(store.commits)
    case 13:
      tally.parked.put(
        observe { [weak store] in
          tally.seen.add(store?.sum == nil ? 0 : 1)
          // An observer releases an object that others have parked.
          tally.parked.take()
        })
    case 14:
      let child = store.scope(state: \.child, action: \.child)
      tally.sent.add(3)
      child.send(3)
      tally.parked.put(child)
    default:
      withObservationTracking {
        _ = store.state
      } onChange: {
        tally.seen.add()
        tally.parked.take()
      }
      let other = Store(initialState: Stressed.State()) { Stressed(tally: tally) }
      other.send(.wait(id: id))
      other.send(.renew)
      tally.parked.put(other)
    }
  }

  // H3, H4, H5
  @Test func storeActors() async {
    let tally = Tally()
    let base = Randomness.one()
    var store: StoreActorOf<Stressed>? = StoreActor(initialState: Stressed.State()) {
      Stressed(tally: tally)
    }
    weak let weakStore = store
    await withTaskGroup { [store = store!] group in
      for task in 0..<Self.tasks {
        group.addTask {
          var random = Randomness(seed: base.seed &+ UInt64(task))
          for _ in 0..<Self.operationsOfATask {
            await Self.operate(store, tally, &random)
            if random.bool() { tally.parked.take() }
          }
        }
      }
    }
    await settle(tally) { [store = store!] id in await store.send(.cancel(id: id)) }
    #expect(await store!.state.sum == tally.sent.value + tally.answers.value, "\(base)")
    await store!.send(.add(0)).finish()
    store = nil
    tally.parked.empty()
    await released { weakStore == nil && tally.lives.value == 0 && tally.drops.value == 0 }
    #expect(weakStore == nil, "\(base)")
    expectNothingLeft(tally, base)
  }

  /// One operation on a store actor, from the pool.
  nonisolated private static func operate(
    _ store: StoreActorOf<Stressed>, _ tally: Tally, _ random: inout Randomness
  ) async {
    tally.operations.add()
    let id = random.int(in: 0..<4)
    switch random.int(in: 0..<13) {
    case 0, 1:
      tally.sent.add()
      await store.send(.add(1))
    case 2:
      tally.sent.add(2)
      await store.send(.answer(2), animation: .default)
    case 3, 4: tally.parked.put(await store.send(.task(random.int(in: 0..<4))))
    case 5: tally.parked.put(await store.send(.wait(id: id)))
    case 6: await store.send(.cancel(id: id))
    case 7: await store.send(.wait(id: id)).cancel()
    case 8: await store.send(.limited)
    case 9: await store.send(.renew)
    case 10: tally.parked.put(await store.subscribe { _ in tally.seen.add() })
    case 11: tally.parked.put(await store.states)
    default:
      let other = StoreActor(initialState: Stressed.State()) { Stressed(tally: tally) }
      tally.parked.put(await other.commits)
      await other.send(.wait(id: id))
      await other.send(.renew)
      tally.parked.put(other)
    }
  }

  // H3, H4: a test store is used by one task at a time, so each task has its own.
  @Test func testStores() async {
    let tally = Tally()
    let base = Randomness.one()
    await withTaskGroup { group in
      for task in 0..<Self.tasks {
        group.addTask {
          var random = Randomness(seed: base.seed &+ UInt64(task))
          let store = TestStore(initialState: Stressed.State()) { Stressed(tally: tally) }
          store.exhaustivity = .off
          var (sent, answers) = (0, 0)
          for _ in 0..<Self.operationsOfATask {
            tally.operations.add()
            let id = random.int(in: 0..<4)
            switch random.int(in: 0..<8) {
            case 0:
              sent += 1
              await store.send(.add(1))
            case 1:
              sent += 2
              await store.send(.answer(2), animation: .default)
            case 2:
              let count = random.int(in: 0..<4)
              answers += count
              await store.send(.task(count))
            case 3: await store.send(.wait(id: id))
            case 4: await store.send(.cancel(id: id))
            case 5: await store.send(.wait(id: id)).cancel()
            case 6: await store.send(.limited)
            default: await store.send(.renew)
            }
            if random.bool() { tally.parked.take() }
          }
          await store.skipInFlightEffects(strict: false)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.sum == sent + answers, "\(base)")
        }
      }
    }
    await released { tally.lives.value == 0 && tally.drops.value == 0 }
    expectNothingLeft(tally, base)
  }

  // R30, E8
  @Test nonisolated func childrenWithoutAStore() async {
    let count = Soak.count(500, long: 2_000)
    // Children come and go on some threads, while others have none.
    let effects = (0..<8).map { number in
      Effect<Int>.run { await $0(number) }
        .receive(on: DispatchQueue(label: "\(number)"))
        .flatMap { number in
          .merge(
            (0..<count).map { child in
              let effect = Effect<Int>.run { await $0(number) }
              return number < 4 ? effect : effect.scoped(to: child)
            })
        }
    }
    var sum = 0
    for await number in Effect.merge(effects).values { sum += number }
    #expect(sum == 28 * count)
  }

  /// Cancels the effects that wait for a cancellation, and lets all tasks come to their end.
  private func settle(_ tally: Tally, _ cancel: (Int) async -> Void) async {
    tally.parked.empty()
    await released {
      false
    } while: {
      for id in 0..<4 { await cancel(id) }
      return tally.lives.value > 0
    }
  }

  /// Lets other tasks run until a condition holds, at most a million times.
  private func released(
    _ isDone: () -> Bool, while goesOn: () async -> Bool = { true }
  ) async {
    for _ in 0..<1_000_000 {
      guard !isDone(), await goesOn() else { break }
      await Task.yield()
    }
    // Others get the time to read the last messages.
    for _ in 0..<100 { await Task.yield() }
  }

  private func expectNothingLeft(_ tally: Tally, _ base: Randomness) {
    #expect(tally.operations.value == Self.tasks * Self.operationsOfATask, "\(base)")
    #expect(tally.lives.value == 0, "\(base)")
    #expect(tally.drops.value == 0, "\(base)")
    print("Stress: \(tally.operations.value) operations, \(tally.seen.value) calls of observers.")
  }
}
