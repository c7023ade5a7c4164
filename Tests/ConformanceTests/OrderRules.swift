// R6, R14: every input of a machine has one place, and what was put earlier is handled earlier.

import Foundation
import Rondo
import RondoRuntimeTestSupport
import RondoSeededRandomness
import Synchronization
import Testing

@MainActor @Suite struct OrderRules {
  // R14
  @Test func R14_aCancelThatHasReturnedIsNotOvertakenInAnObserver() {
    let callback = LockIsolated<(@Sendable (String) -> Void)?>(nil)
    let store = Store(initialState: [String]()) {
      Script { $0 == "tap" ? .future { callback.setValue($0) } : .none }
    }
    let task = store.send("tap")
    let subscription = store.subscribe { commit in
      guard commit.actions == ["go"] else { return }
      onOtherThread { task.cancel() }
      callback.value?("late")
    }
    store.send("go")
    #expect(store.state == ["tap", "go"])
    #expect(task.isFinished)
    subscription.cancel()
  }

  // R14
  @Test(arguments: [false, true])
  func R14_anActionWhoseTaskIsCancelledWhileItIsReducedAnswersNothing(isInATree: Bool) {
    let callback = LockIsolated<(@Sendable (String) -> Void)?>(nil)
    let task = LockIsolated<StoreTask?>(nil)
    let store = Store(initialState: [String]()) {
      Script { action in
        switch action {
        case "tap": return .future { callback.setValue($0) }
        case "answer":
          onOtherThread { task.value?.cancel() }
          return isInATree ? .merge(.send("late"), .send("later")) : .send("late")
        default: return .none
        }
      }
    }
    task.setValue(store.send("tap"))
    callback.value?("answer")
    #expect(store.state == ["tap", "answer"])
  }

  // R6
  @Test func R6_aMessageComesBehindThoseOfOtherEffectsThatWait() {
    let callbacks = LockIsolated<[String: @Sendable (String) -> Void]>([:])
    let store = Store(initialState: [String]()) {
      Script { action in
        guard action.hasPrefix("open") else { return .none }
        return .future { callback in callbacks.withValue { $0[action] = callback } }
      }
    }
    for name in ["open 1", "open 2"] { store.send(name) }
    let subscription = store.subscribe { commit in
      guard commit.actions == ["go"] else { return }
      onOtherThread { callbacks.value["open 1"]?("first") }
      callbacks.value["open 2"]?("second")
      store.send("third")
    }
    store.send("go")
    #expect(store.state == ["open 1", "open 2", "go", "first", "second", "third"])
    subscription.cancel()
  }

  // R6
  @Test func R6_anActionThatIsSentComesBehindMessagesThatWait() {
    let callback = LockIsolated<(@Sendable (String) -> Void)?>(nil)
    let store = Store(initialState: [String]()) {
      Script { $0 == "tap" ? .future { callback.setValue($0) } : .none }
    }
    store.send("tap")
    onOtherThread { callback.value?("first") }
    store.send("second")
    #expect(store.state == ["tap", "first", "second"])
  }

  // R6: what a closure sends is behind what its thread has put behind others.
  @Test(arguments: [false, true], [false, true])
  func R6_aClosureThatBeginsDoesNotOvertakeWhatItsThreadHasPutBefore(
    othersWait: Bool, sendsByStore: Bool
  ) {
    let callbacks = LockIsolated<[String: @Sendable (String) -> Void]>([:])
    let owner = LockIsolated<Store<[String], String>?>(nil)
    defer { owner.setValue(nil) }
    let sendThird: @Sendable () -> Void = {
      MainActor.assumeIsolated { _ = owner.value?.send("third") }
    }
    let store = Store(initialState: [String]()) {
      Script { action in
        guard action != "begin" else {
          return .run { send in
            if othersWait { onOtherThread { callbacks.value["open 1"]?("first") } }
            callbacks.value["open 2"]?("second")
            if sendsByStore {
              sendThird()
            } else {
              await send("third")
            }
          }
        }
        guard action.hasPrefix("open") else { return .none }
        return .future { callback in callbacks.withValue { $0[action] = callback } }
      }
    }
    owner.setValue(store)
    for name in ["open 1", "open 2", "begin"] { store.send(name) }
    #expect(
      store.state == ["open 1", "open 2", "begin"] + (othersWait ? ["first"] : [])
        + ["second", "third"])
  }

  // H28
  @Test func H28_whoAwaitsATaskElsewhereComesBehindTheObservers() async {
    for _ in 0..<200 {
      let shown = Log<Int>()
      let store = StoreActor(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state = action
          return action == 1 ? .run { send in await send(2) } : .none
        }
      }
      let subscription = await store.subscribe { shown.append($0.newState) }
      let task = await store.send(1)
      await task.finish()
      #expect(shown.entries.last == 2)
      subscription.cancel()
    }
  }

  /// One action that a thread has put into a machine.
  private struct Mark: Hashable, Carried, Sendable {
    let thread: Int
    let number: Int
    /// Whether the effect that it comes from had been cancelled before.
    let isLate: Bool
  }

  private enum Action: Carried, Sendable {
    case open(Int)
    /// Calls a closure while the action is reduced.
    case poke
    case mark(Mark)
  }

  // R6, R14: eight threads, the isolation of the host among them, emit through effects and cancel them. The
  // host does so between its turns and in the middle of them. The effects of a test store are cancelled by the
  // thread of the test alone.
  @Test(arguments: HostKind.stores)
  func R6_whatAThreadHasDoneFirstIsHandledFirst(kind: HostKind) async {
    await forEachSeed(Soak.isOn ? 10 : 5) { random in
      let effects = 12
      let opened = LockIsolated<[Int: Send<Action>]>([:])
      let onPoke = LockIsolated<(@Sendable () -> Void)?>(nil)
      let all = Promise<Void>()
      let host = await kind.make([Mark]()) {
        Reduce<[Mark], Action> { state, action in
          switch action {
          case .open(let number):
            return .run { send in
              if opened.withValue({
                $0[number] = send
                return $0.count == effects
              }) {
                all.fulfil()
              }
              await suspendUntilCancelled()
            }
          case .poke: onPoke.value?()
          case .mark(let mark): state.append(mark)
          }
          return .none
        }
      }
      var tasks: [any HostTask] = []
      for number in 0..<effects { tasks.append(await host.send(.open(number))) }
      await all.value
      let sends = opened.value
      let handles = tasks.map { $0 as? StoreTask }
      let areCancelled = (0..<effects).map { _ in Flag() }

      @Sendable func act(_ thread: Int, _ number: Int, _ random: inout Randomness) {
        let effect = random.int(in: 0..<effects)
        if let handle = handles[effect], random.int(in: 0..<40) == 0 {
          handle.cancel()
          areCancelled[effect].set()
        } else {
          sends[effect]?.post(
            .mark(Mark(thread: thread, number: number, isLate: areCancelled[effect].isSet)))
        }
      }

      let steps = 60
      let isOver = (1..<8).map { _ in Promise<Void>() }
      for thread in 1..<8 {
        let own = Randomness(seed: random.next())
        Thread.detachNewThread { [own] in
          var own = own
          for number in 0..<steps { act(thread, number, &own) }
          isOver[thread - 1].fulfil()
        }
      }
      let own = Mutex(Randomness(seed: random.next()))
      for number in 0..<steps {
        if number.isMultiple(of: 2) {
          await host.perform { own.withLock { act(0, number, &$0) } }
        } else {
          onPoke.setValue { own.withLock { act(0, number, &$0) } }
          await host.send(.poke)
        }
        if kind == .testStore, random.int(in: 0..<20) == 0 {
          let effect = random.int(in: 0..<effects)
          await tasks[effect].cancel()
          areCancelled[effect].set()
        }
      }
      for promise in isOver { await promise.value }
      for task in tasks { await task.cancel() }
      for task in tasks { await host.finish(task) }

      check(await host.state)
      host.release()
    }
  }

  // R6, R14, R30: the same without a store. Every second effect is read as a sequence, whose reader gets what came
  // before it was cancelled, and learns of that when it asks for the next value.
  @Test func R6_whatAThreadHasDoneFirstIsDeliveredFirstWithoutAStore() async {
    await forEachSeed(Soak.isOn ? 10 : 5) { random in
      let effects = 12
      let logs = (0..<effects).map { _ in Log<Mark>() }
      let areCancelled = (0..<effects).map { _ in Flag() }
      var sends: [Send<Mark>] = []
      var cancels: [@Sendable () -> Void] = []
      for log in logs {
        let hasBegun = Promise<Send<Mark>>()
        let effect = Effect<Mark>.run { send in
          hasBegun.fulfil(send)
          await suspendUntilCancelled()
        }
        if sends.count.isMultiple(of: 2) {
          let subscription = effect.sink(isolation: nil) { log.append($0) }
          cancels.append { subscription.cancel() }
        } else {
          let values = effect.values
          let reader = Task { for await mark in values { log.append(mark) } }
          cancels.append { reader.cancel() }
        }
        sends.append(await hasBegun.value)
      }
      let steps = 60
      let isOver = (0..<8).map { _ in Promise<Void>() }
      for thread in 0..<8 {
        let own = Randomness(seed: random.next())
        Thread.detachNewThread { [own, sends, cancels] in
          var random = own
          for number in 0..<steps {
            let effect = random.int(in: 0..<effects)
            if random.int(in: 0..<40) == 0 {
              cancels[effect]()
              if effect.isMultiple(of: 2) { areCancelled[effect].set() }
            } else {
              sends[effect].post(
                Mark(thread: thread, number: number, isLate: areCancelled[effect].isSet))
            }
          }
          isOver[thread].fulfil()
        }
      }
      for promise in isOver { await promise.value }
      for cancel in cancels { cancel() }
      for log in logs { check(log.entries) }
    }
  }

  private func check(_ marks: [Mark]) {
    #expect(marks.allSatisfy { !$0.isLate })
    for thread in 0..<8 {
      let numbers = marks.filter { $0.thread == thread }.map(\.number)
      #expect(numbers == numbers.sorted(), "thread \(thread)")
    }
  }
}

/// A mark that is set once, from anywhere.
private final class Flag: Sendable {
  private let state = Atomic(false)

  var isSet: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
}
