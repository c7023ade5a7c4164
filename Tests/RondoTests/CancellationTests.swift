// R12, R14: cancelling effects by their ids on a `Store`, with other threads.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct CancellationTests {
  // R6, R14
  @Test func anEmissionThatWaitsIsDroppedWhenOneBeforeItCancelsItsEffect() async {
    let host = DispatchQueue.test
    let hasSent = Promise<Void>()
    let store = Store(
      initialState: [String](),
      reducer: {
        Script { action in
          switch action {
          case "tap":
            .run { @concurrent send in
              await send("in time")
              await send("cancel")
              await send("late")
              hasSent.fulfil()
              await suspendUntilCancelled()
            }
            .cancellable(id: 1)
          case "cancel": .cancel(id: 1)
          default: .none
          }
        }
      }, scheduler: host)
    store.send("tap")
    await hasSent.value
    store.send("sent")
    await host.run()
    #expect(store.state == ["tap", "in time", "cancel", "sent"])
  }

  // R14
  @Test func aCancelledEffectEmitsNothingMoreFromAnyThread() async {
    let opened = Promise<Send<String>>()
    let store = script([
      "tap": .run { send in
        opened.fulfil(send)
        await suspendUntilCancelled()
      }
      .cancellable(id: 1),
      "cancel": .cancel(id: 1),
    ])
    let task = store.send("tap")
    let send = await opened.value
    send.post("a")
    store.send("cancel")
    let issues = captureIssues {
      send.post("b")
      onOtherThread { send.post("c") }
    }
    await task.finish()
    #expect(store.state == ["tap", "a", "cancel"])
    #expect(issues.isEmpty)
  }
}
