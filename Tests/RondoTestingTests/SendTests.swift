// Sending actions and asserting what they change.

import RondoTesting
import Testing

@Suite struct SendTests {
  // T1
  @Test func aChangeIsAsserted() async {
    let store = makeStore()
    await store.send(.increment) { $0.count = 1 }
    await store.send(.decrement) { $0.count = 0 }
    #expect(store.state.count == 0)
  }

  // T1
  @Test func noChangeNeedsNoClosure() async {
    let store = makeStore()
    await store.send(.nothing)
  }

  // T5
  @Test func actionsThatAreSentAtOnceAreReceivedInOrder() async {
    let store = makeStore()
    await store.send(.chain(2)) { $0.count = 1 }
    await store.receive(.chain(1)) { $0.count = 2 }
    await store.receive(.chain(0)) { $0.count = 3 }
  }

  // T5
  @Test func theStateIsThatOfTheActionAssertedLast() async {
    let store = makeStore()
    await store.send(.chain(1)) { $0.count = 1 }
    #expect(store.state.count == 1)
    await store.receive(.chain(0)) { $0.count = 2 }
    #expect(store.state.count == 2)
  }

  // T5
  @Test func anAssertionSeesTheStateBefore() async {
    let store = makeStore()
    await store.send(.chain(1)) {
      $0.count = 1
      #expect(store.state.count == 0)
    }
    await store.receive(.chain(0)) {
      #expect(store.state.count == 1)
      $0.count = store.state.count + 1
    }
  }

  // T5
  @Test func anEndThatStartsAnotherEffectIsNotTheSenderOfItsAnswers() async {
    let store = makeStore()
    let scheduler = store.scheduler
    let one = Effect<Counter.Action>.send(.increment).receive(on: scheduler)
      .cancellable(id: "queue", policy: .atMost(1))
    let two = Effect<Counter.Action>.send(.note("a")).cancellable(id: "queue", policy: .atMost(1))
    await store.send(.own(.init(one)))
    await store.send(.own(.init(two)))
    await store.advance()
    await store.receive(.increment) { $0.count = 1 }
    await store.receive(.note("a")) { $0.log = ["a"] }
  }

  // T5
  @Test func anActionIsReducedBeforeTheEffectThatSentItGoesOn() async {
    struct Feature: Reducer {
      let handled: LockIsolated<[Int]>
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        handled.withValue { $0.append(action) }
        guard action == 0 else { return .none }
        return .run { [handled] send in
          await send(1)
          let count = handled.value.count
          await send(count)
        }
      }
    }
    let store = TestStore(initialState: 0) { Feature(handled: LockIsolated([])) }
    await store.send(0)
    await store.receive(1)
    await store.receive(2)
  }

  // T6
  @Test func anAnimationTakesThePlaceOfThatOfTheTransaction() async {
    let store = makeStore()
    var transaction = Transaction(animation: .default)
    transaction.disablesAnimations = true
    await store.send(
      .own(
        .init { [transaction] send in
          var spring = transaction
          spring.animation = .spring
          await send(.increment, transaction: spring)
        }))
    await store.receive(.increment, animation: .spring, transaction: transaction) { $0.count = 1 }
  }

  // T5
  @Test(arguments: [Exhaustivity.on, .off])
  func whatCameBeforeAnActionFromElsewhereIsNotAssertedAsThatAction(exhaustivity: Exhaustivity)
    async
  {
    let callback = LockIsolated<(@Sendable (Counter.Action) -> Void)?>(nil)
    let store = makeStore()
    store.exhaustivity = exhaustivity
    await store.send(.own(.init(.future { answer in callback.setValue(answer) })))
    await store.send(.own(.init { _ in while !Task.isCancelled { await Task.yield() } }))
    // The store has left its effect busy, so that this waits until the next action.
    callback.value?(.note("before"))
    let issues = await captureIssues { await store.send(.increment) { $0.count = 1 } }
    #expect(store.state == Counter.State(count: 1, log: ["before"]))
    #expect(
      issues.map { $0.message.prefix { $0 != "\n" } }
        == (exhaustivity == .on
          ? ["1 action had not been received when .increment was sent:"] : []))
    await store.skipInFlightEffects()
  }

  // T7
  @Test func theStateCanBeAssertedAnyTime() async {
    let store = makeStore()
    await store.send(.increment) { $0.count = 1 }
    store.assert { $0.count = 1 }
    let issues = captureIssues { store.assert { $0.count = 2 } }
    #expect(issues.count == 1)
  }

  // T7
  @Test func aTaskRunsToItsEnd() async {
    let store = makeStore()
    let task = await store.send(.sleep)
    #expect(!task.isFinished)
    await store.advance(by: .seconds(1))
    await task.finish()
    #expect(task.isFinished)
    await store.receive(.increment) { $0.count = 1 }
  }

  // T7
  @Test func aTaskIsCancelled() async {
    let store = makeStore()
    let task = await store.send(.sleep)
    await task.cancel()
    #expect(task.isCancelled)
    await store.advance(by: .seconds(2))
    await store.finish()
  }
}
