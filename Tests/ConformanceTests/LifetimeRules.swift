// H4, H5, H6, H11, H12 and H17: lifetime, isolation, access and cost, on the hosts where each applies.
//
// H4, H5 and H6 are about what the live hosts do with threads. A test store is used by one task at a
// time, and its effects run on the thread of that task.

import Dispatch
import Foundation
import Observation
import Rondo
import RondoTesting
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Synchronization
import Testing

/// A state that does something when it is released.
private struct Dropping: Equatable, Sendable {
  final class Drop: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    deinit { work() }
  }

  var count = 0
  var drop: Drop?

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.count == rhs.count }
}

/// A place from which a test's closures take the last reference to something.
private final class Slot<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  func put(_ value: Value?) { content.withLock { $0 = value } }
  func take() -> Value? { content.withLock { $0.take() } }
}

@MainActor @Suite struct LifetimeRules {
  private static let rounds = Soak.count(100, long: 300)

  // H4
  @Test func H4_aStoreMayBeReleasedOnAnotherThreadWhileItsMachineIsAtWork() async {
    for _ in 0..<Self.rounds {
      let slot = Slot<Store<Int, Int>>()
      let isReleased = Count()
      weak var weakStore: Store<Int, Int>?
      do {
        let store = Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            // The last reference goes on another thread, in the middle of the drain.
            onOtherThread { if slot.take() != nil { isReleased.add() } }
            return action > 0 ? .send(action - 1) : .none
          }
        }
        weakStore = store
        withObservationTracking {
          _ = store.state
        } onChange: {
        }
        slot.put(store)
      }
      weakStore?.send(3)
      #expect(isReleased.value == 1)
      #expect(weakStore == nil)
    }
  }

  // H4
  @Test(arguments: HostKind.allCases)
  func H4_handlesTokensAndHostsMayBeDroppedInsideAReducer(kind: HostKind) async {
    for _ in 0..<20 {
      let slot = Slot<any Sendable>()
      let host = await kind.make(0) {
        Reduce<Int, Int> { state, action in
          state += action
          _ = slot.take()
          return action == 1 ? .run { _ in await suspendUntilCancelled() } : .none
        }
      }
      let scheduler = DispatchQueue.test
      let work = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 1) {}
      slot.put(UncheckedBox(value: work))
      let task = await host.send(1)
      slot.put(UncheckedBox(value: task))
      await host.send(2)
      #expect(await host.state == 3)
      await task.cancel()
    }
  }

  // H4
  @Test func H4_aStoreMayBeReleasedFromADeinitInsideItsState() async {
    for _ in 0..<Self.rounds {
      let slot = Slot<Store<Dropping, Int>>()
      weak var weakStore: Store<Dropping, Int>?
      do {
        let store = Store(initialState: Dropping(drop: Dropping.Drop { _ = slot.take() })) {
          Reduce<Dropping, Int> { state, action in
            state.count += action
            state.drop = nil
            return .send(0).filter { _ in false }
          }
        }
        weakStore = store
        slot.put(store)
      }
      weakStore?.send(1)
      #expect(weakStore == nil)
    }
  }

  // H4
  @Test func H4_aChildStoreMayBeReleasedInsideAnObserverAndOnAnotherThread() async {
    struct Parent: Equatable { var child = 0 }
    enum Action: CasePathable {
      case child(Int)

      struct AllCasePaths: Sendable {
        let child = AnyCasePath(Action.child)
      }
      static let allCasePaths = AllCasePaths()
    }
    for round in 0..<Self.rounds {
      let slot = Slot<Store<Int, Int>>()
      let store = Store(initialState: Parent()) {
        Reduce<Parent, Action> { state, action in
          if case .child(let amount) = action { state.child += amount }
          return .none
        }
      }
      do {
        let child = store.scope(state: \.child, action: \.child)
        _ = child.state
        slot.put(child)
      }
      let subscription = store.subscribe { _ in
        if round % 2 == 0 { _ = slot.take() } else { onOtherThread { _ = slot.take() } }
      }
      store.send(.child(1))
      store.send(.child(1))
      #expect(store.state.child == 2)
      subscription.cancel()
    }
  }

  // H5
  @Test(arguments: [false, true])
  func H5_aSubscriptionIsNotCalledAfterItsCancellation(isOnActor: Bool) async {
    struct Adder: Reducer {
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        state += action
        return .none
      }
    }
    let seen = Count()
    if isOnActor {
      let store = StoreActor(initialState: 0) { Adder() }
      await store.subscribe { _ in seen.add() }.cancel()
      await store.send(1)
      #expect(await store.state == 1)
    } else {
      let store = Store(initialState: 0) { Adder() }
      let subscription = store.subscribe { _ in seen.add() }
      await Task.detached { subscription.cancel() }.value
      store.send(1)
      #expect(store.state == 1)
    }
    #expect(seen.value == 0)
  }

  // H5
  @Test func H5_observingAStoreActorBeforeItsFirstEffectMarksNoThread() async {
    for round in 0..<Self.rounds {
      let store = StoreActor(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += 1
          guard action == 0 else { return .none }
          return .merge(
            (1...4).map { number in .run { send in for _ in 0..<10 { send.post(number) } } })
        }
      }
      let seen = Count()
      var subscription: AnyCancellable?
      switch round % 3 {
      case 0: subscription = await store.subscribe { seen.add($0.actions.count) }
      case 1: _ = await store.states
      default: _ = await store.commits
      }
      await store.send(0).finish()
      #expect(await store.state == 41)
      if subscription != nil { #expect(seen.value == 41) }
      subscription?.cancel()
    }
  }

  // H6
  @Test func H6_aReadInsideAReducerSeesTheStateBeforeTheAction() {
    final class Later { weak var store: Store<[Int], Int>? }
    let later = Later()
    var reads: [[Int]] = []
    var counts: [Int] = []
    let store = Store(initialState: [0]) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        if let store = later.store {
          reads.append(store.state)
          counts.append(store.count)
        }
        state[0] += 1
        return .none
      }
    }
    later.store = store
    let subscription = store.subscribe { _ in }
    store.send(1)
    store.send(2)
    #expect(reads == [[0], [1, 1]])
    #expect(counts == [1, 2])
    #expect(store.state == [2, 1, 2])
    subscription.cancel()
  }

  // H6
  @Test func H6_aReadFromAStatesDidSetSeesTheStateBeforeTheAction() {
    final class Later {
      weak var store: Store<State, Int>?
      var reads: [Int] = []
    }
    struct State {
      let later: Later
      var number = 0 {
        didSet {
          // nonisolated(unsafe): the store reduces on the main actor, which is where this runs.
          nonisolated(unsafe) let later = later
          MainActor.assumeIsolated {
            if let store = later.store { later.reads.append(store.number) }
          }
        }
      }
    }
    let later = Later()
    let store = Store(initialState: State(later: later)) {
      Reduce<State, Int> { state, action in
        state.number += action
        state.number += action
        return .none
      }
    }
    later.store = store
    let subscription = store.subscribe { _ in }
    store.send(1)
    store.send(10)
    #expect(later.reads == [0, 0, 2, 2])
    #expect(store.number == 22)
    subscription.cancel()
  }

  // H6
  @Test func H6_onChangeInTheMiddleOfAListEditSeesTheStateBeforeAndKeepsItsCopy() {
    struct Row: Equatable, Identifiable, Sendable {
      let id: Int
      var count = 0
    }
    struct State: Equatable, Sendable { var rows: IdentifiedArrayOf<Row> }
    let before = State(rows: [Row(id: 1), Row(id: 2)])
    let store = Store(initialState: before) {
      Reduce<State, Int> { state, action in
        state.rows[id: 1]?.count += action
        state.rows.append(Row(id: 3))
        state.rows.remove(id: 2)
        return .none
      }
    }
    let copies = Log<State>()
    let subscription = store.subscribe { _ in }
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated { copies.append(store.state) }
    }
    store.send(5)
    let after = State(rows: [Row(id: 1, count: 5), Row(id: 3)])
    #expect(store.state == after)
    // A state that is compared as a whole is known to have changed once the action is done.
    #expect(copies.entries == [before] || copies.entries == [after])
    store.send(5)
    #expect(copies.entries == [before] || copies.entries == [after])
    subscription.cancel()
  }

  // H11
  @Test(arguments: HostKind.allCases)
  func H11_nestingUnderOneIdIsLinear(kind: HostKind) async {
    let depth = Scale.million / 50
    let host = await kind.make(0) {
      Reduce<Int, Int> { state, action in
        state += 1
        guard action > 0 else { return .none }
        var effect = Effect<Int>.send(0)
        for _ in 0..<depth { effect = effect.cancellable(id: 1, cancelInFlight: true) }
        return effect
      }
    }
    let task = await host.send(1)
    #expect(task.isFinished)
    #expect(await host.state == 2)
  }

  // H12
  @Test(arguments: HostKind.stores)
  func H12_anEffectThatAnswersItselfWithoutEndIsReportedOnce(kind: HostKind) async {
    let messages = await issues {
      let host = await withLoopLimit(actions: 1_000) {
        await kind.make(0) {
          Reduce<Int, String> { state, action in
            state += 1
            // It ends, because on a busy machine it goes on for a minute before the test comes to its turn.
            return state < 5_000 ? .send("again") : .none
          }
        }
      }
      await host.send("start")
      #expect(await host.state >= 1_000)
      host.release()
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("again") == true)
  }

  // H12
  @Test func H12_anObserverThatAlwaysSendsIsReportedOnceAndTheRestComesInLaterTurns() async {
    let isOver = Promise<Void>()
    let messages = await issues {
      let store = withLoopLimit(rounds: 100) {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            return .none
          }
        }
      }
      let subscription = store.subscribe { commit in
        if commit.newState < 250 {
          store.send(commit.newState)
        } else {
          isOver.fulfil()
        }
      }
      store.send(0)
      #expect(store.state == 101)
      await isOver.value
      #expect(store.state == 250)
      subscription.cancel()
    }
    #expect(messages.count == 1)
    #expect(messages.first?.contains("97, 98, 99") == true, "\(messages)")
  }

  // H12, R1
  @Test func H12_anActionThatIsSentAfterALoopWasCutComesBehindTheRestOfTheLoop() async {
    let messages = await issues {
      let store = withLoopLimit(actions: 10) {
        Store(initialState: [Int]()) {
          Reduce<[Int], Int> { state, action in
            state.append(action)
            return (1..<12).contains(action) ? .send(action + 1) : .none
          }
        }
      }
      store.send(1)
      let task = store.send(100)
      await task.finish()
      #expect(store.state == Array(1...11) + [100, 12] || store.state == Array(1...12) + [100])
    }
    #expect(messages.count == 1, "\(messages)")
  }

  // H12, R5
  @Test func H12_theTaskOfASendLastsForEffectsThatComeBehindACut() async {
    let messages = await issues {
      let mayEnd = Promise<Void>()
      let store = withLoopLimit(actions: 10) {
        Store(initialState: [Int]()) {
          Reduce<[Int], Int> { state, action in
            state.append(action)
            if action == 12 { return .run { _ in await mayEnd.value } }
            return (1..<12).contains(action) ? .send(action + 1) : .none
          }
        }
      }
      let task = store.send(1)
      let other = store.send(100)
      await other.finish()
      #expect(store.state == Array(1...12) + [100])
      #expect(!task.isFinished)
      #expect(store.send(101).isFinished)
      mayEnd.fulfil()
      await task.finish()
      store.checkInvariants()
    }
    #expect(messages.count == 1, "\(messages)")
  }

  // H17
  @Test(arguments: HostKind.allCases)
  func H17_aPieceOfAClosureThatIsOverKeepsNothing(kind: HostKind) async {
    let count = Soak.count(1_000, long: 100_000)
    let alive = Count()
    let host = await kind.make(0) {
      Reduce<Int, Int> { state, action in
        state += 1
        guard action == 0 else { return .none }
        return .run { send in
          for _ in 0..<count {
            let witness = Counted(alive)
            await withTaskCancellation(id: 1) { _ = witness }
          }
          await send(1)
        }
      }
    }
    let warm = await host.send(0)
    await host.finish(warm)
    let limit = max(8 * 1024, count / 8)
    var kept: [Int] = []
    repeat {
      let before = residentKilobytes()
      let task = await host.send(0)
      await host.finish(task)
      kept.append(residentKilobytes() - before)
    } while kept.last! >= limit && kept.count < 6
    #expect(alive.value == 0)
    // Other tests use memory, too, so one round that keeps little is enough.
    #expect(kept.last! < limit, "\(kept) KiB are kept of \(count) pieces.")
    #expect(await host.state == 2 + 2 * kept.count)
  }
}

private final class Counted: Sendable {
  let count: Count
  init(_ count: Count) {
    self.count = count
    count.add()
  }
  deinit { count.add(-1) }
}

/// Something that is only kept and let go of.
private struct UncheckedBox: @unchecked Sendable {
  // @unchecked: nobody uses the value.
  let value: Any
}

/// The memory that the process has in use, in KiB.
private func residentKilobytes() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4
}
