// H25: a loop without end is known soon, and the rest of the program lives.

import Dispatch
import Rondo
import RondoTesting
import RondoRuntimeTestSupport
import Synchronization
import Testing

@MainActor @Suite struct LoopRules {
  /// Appends to its state, and answers itself for ever.
  private struct Loop: Reducer {
    let didHandle: @Sendable () -> Void

    func reduce(into state: inout Int, action: String) -> Effect<String> {
      state += 1
      didHandle()
      switch action {
      case "ping": return .send("pong")
      case "pong": return .send("ping")
      default: return .none
      }
    }
  }

  // H25
  @Test func H25_aLoopIsKnownAfterSoManyActionsAndTheProgramLives() async {
    var turns: [Int] = []
    var stateAtCancel = 0
    var lastState = 0
    let messages = await issues {
      let store = Store(initialState: 0) { Loop {} }
      var task: StoreTask?
      // The loop goes on, a slice a turn, until the observer of the sixth cancels it.
      let subscription = store.subscribe {
        turns.append($0.actions.count)
        guard turns.count == 6 else { return }
        stateAtCancel = store.state
        task?.cancel()
      }
      task = store.send("ping")
      while turns.count < 6 { await nextTurn() }
      await nextTurn()
      await nextTurn()
      lastState = store.state
      subscription.cancel()
    }
    #expect(turns[0] <= 100_001)
    #expect(turns.dropFirst().allSatisfy { $0 <= 1_000 }, "\(turns)")
    #expect(lastState - stateAtCancel < 10)
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("ping") == true, "\(messages)")
  }

  // H25
  @Test func H25_aLoopIsKnownAfterSomeTime() async {
    let now = Mutex(Duration.zero)
    var count = 0
    let messages = await issues {
      let store = withDependencies {
        $0.loopLimit = LoopLimit(duration: .seconds(1))
        $0.loopLimit.time = { now.withLock { $0 } }
      } operation: {
        Store(initialState: 0) { Loop { now.withLock { $0 += .milliseconds(10) } } }
      }
      let task = store.send("ping")
      count = store.state
      task.cancel()
    }
    #expect((100...140).contains(count))
    #expect(messages.count == 1, "\(messages)")
  }

  // H25
  @Test func H25_aLoopEndsInATestThatSaysWhichActionsGoRound() async {
    var count = 0
    let messages = await issues {
      let store = withLoopLimit(actions: 20_000) { TestStore(initialState: 0) { Loop {} } }
      store.exhaustivity = .off
      await store.send("ping")
      count = store.currentState
    }
    #expect(count <= 20_001)
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.contains("ping") == true, "\(messages)")
  }

  // H25
  @Test(arguments: HostKind.allCases)
  func H25_manyActionsOfOneActionAreNoLoop(kind: HostKind) async {
    let count = 500
    var state = 0
    let now = Mutex(Duration.zero)
    let messages = await issues {
      let host = await withDependencies {
        $0.loopLimit = LoopLimit(actions: 100, duration: .milliseconds(50))
        $0.loopLimit.time = { now.withLock { $0 } }
      } operation: {
        await kind.make(0) {
          Reduce<Int, Int> { state, action in
            state += 1
            now.withLock { $0 += .milliseconds(1) }
            return action == 0 ? .merge((1...count).map { .send($0) }) : .none
          }
        }
      }
      await host.finish(host.send(0))
      state = await host.state
      host.release()
    }
    #expect(state == count + 1)
    #expect(messages == [])
  }

  /// Each of many rows tells all rows; and a loop that says much in each round.
  @Test(arguments: [[0, 0], [0, 1]], [500, 1_000])
  func H25_aLoopOfActionsThatFansOutIsOne(next: [Int], count: Int) async {
    var state = 0
    let messages = await issues {
      let store = withLoopLimit(actions: 5_000) {
        TestStore(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            guard action == 0 else { return .none }
            return .merge((0..<count).map { .send($0 == 0 ? next[0] : next[1]) })
          }
        }
      }
      store.exhaustivity = .off
      await store.send(0)
      state = store.currentState
    }
    #expect(state <= 5_000 + 10 * count)
    #expect(messages.count == 1, "\(messages)")
  }

  // H25
  @Test(arguments: HostKind.allCases)
  func H25_aTurnThatHandlesManyMessagesIsNoLoop(kind: HostKind) async {
    let count = 500
    var state = 0
    let messages = await issues {
      let host = await withLoopLimit(actions: 100) {
        await kind.make(0) {
          Reduce<Int, Int> { state, action in
            state += 1
            guard action == 0 else { return .none }
            return .run { send in for number in 1...count { send.post(number) } }
          }
        }
      }
      await host.finish(host.send(0))
      state = await host.state
      host.release()
    }
    #expect(state == count + 1)
    #expect(messages == [])
  }

  /// Lets the main queue do what waits there.
  // H25, E4: a turn that was cut leaves actions behind, and what is asked for later comes behind those.
  @Test func H25_whatAClosureAsksForComesBehindWhatItHasSentBeforeACut() async {
    var messages: [String] = []
    var isWorking: Bool?
    let looks = Mutex(0)
    messages = await issues {
      let store = withDependencies {
        $0.loopLimit.time = {
          .milliseconds(
            looks.withLock {
              $0 += 10; return $0
            })
        }
      } operation: {
        Store(initialState: 0) { Cut() }
      }
      let task = store.send("begin")
      while store.state >= 0 { await nextTurn() }
      isWorking = store.effectsInFlight.contains { $0.label == "run \"work\"" }
      #expect(store.state == -20_003)
      task.cancel()
    }
    #expect(isWorking == false)
    #expect(messages == [])
  }

  /// Counts its actions. A closure notes at its end how many there were before, as a negative number.
  private struct Cut: Reducer {
    func reduce(into state: inout Int, action: String) -> Effect<String> {
      if let count = Int(action) { state = -count } else { state += 1 }
      return switch action {
      case "begin":
        .run { send in
          await Task.yield()
          await send("many")
          await send("work")
          Task.cancel(id: "work")
          await send("\(await send.state(\Int.self) ?? 0)")
        }
      case "many": .merge((0..<20_000).map { _ in .send("one") })
      case "work": Effect.run(name: "work") { _ in try await Task.never() }.cancellable(id: "work")
      default: .none
      }
    }
  }

  private func nextTurn() async {
    await withCheckedContinuation { waiter in DispatchQueue.main.async { waiter.resume() } }
  }
}
