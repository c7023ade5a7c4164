// R1, R4 to R6: the store that is an actor.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@Suite struct StoreActorTests {
  private func script(
    _ effects: @escaping @Sendable (String) -> Effect<String>
  ) -> StoreActor<[String], String> {
    StoreActor(initialState: []) { Script(effects: effects) }
  }

  // R1
  @Test func sendHandlesTheActionAndItsSynchronousAnswers() async {
    let store = script { $0 == "tap" ? .merge(.send("a"), .send("b")) : .none }
    let task = await store.send("tap")
    #expect(task.isFinished)
    #expect(await store.state == ["tap", "a", "b"])
    let count = await store.count
    #expect(count == 3)
  }

  // R6
  @Test func aSchedulerThatIsAdvancedElsewhereDeliversThroughTheActor() async {
    let scheduler = DispatchQueue.test
    let store = script { action in
      action == "tap" ? .send("answer").delay(for: 1, scheduler: scheduler) : .none
    }
    let task = await store.send("tap")
    onOtherThread { scheduler.advance(by: 1) }
    await task.finish()
    #expect(await store.state == ["tap", "answer"])
  }

  // R4
  @Test func aTaskIsCancelledFromAnywhere() async {
    let store = script { $0 == "tap" ? .run { _ in await suspendUntilCancelled() } : .none }
    let task = await store.send("tap")
    onOtherThread { task.cancel() }
    await task.finish()
    #expect(task.isFinished)
    #expect(task.isCancelled)
  }

  // R5
  @Test func emissionsThatWaitForAReleasedActorAreReleased() async {
    let hasSent = Promise<Void>()
    let isReleased = Promise<Void>()
    weak var weakWitness: Witness?
    do {
      let witness = Witness()
      weakWitness = witness
      let store = StoreActor(initialState: 0) {
        Reduce<Int, Witness?> { _, action in
          guard let witness = action else { return .none }
          return .run { @concurrent send in
            await send(witness)
            hasSent.fulfil()
            await isReleased.value
            await send(witness)
          }
        }
      }
      await store.send(witness)
      await hasSent.value
    }
    isReleased.fulfil()
    await untilReleased { weakWitness }
  }

  // R26
  @Test func anAnimationOfASendTagsItsCommit() async {
    let log = Log<String>()
    let store = script { _ in .none }
    let subscription = await store.subscribe { log.append("\($0.transaction)") }
    await store.send("a", animation: .default)
    #expect(log.entries == [".default"])
    subscription.cancel()
  }

  // R6
  @Test func manyActorsRunAtOnce() async {
    let total = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let store = StoreActor(initialState: 0) {
            Reduce<Int, Int> { state, action in
              state += 1
              return action > 0 ? .run { send in await send(action - 1) } : .none
            }
          }
          await store.send(50).finish()
          return await store.state
        }
      }
      return await group.reduce(0, +)
    }
    #expect(total == 5_100)
  }
}
