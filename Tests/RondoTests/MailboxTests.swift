// R6: how emissions from anywhere reach the host's isolation.

import Dispatch
import Foundation
import Synchronization
import Testing
import RondoRuntimeTestSupport

@testable import Rondo

@MainActor @Suite struct MailboxTests {
  // R6
  @Test func emissionsThatWaitAreHandledInOneHopInTheOrderInWhichTheyWereMade() async {
    let host = HopCounter()
    let (store, send) = await openStore(host)
    onOtherThread { for number in 1...100 { send.post("\(number)") } }
    #expect(host.count == 1)
    #expect(store.state == ["tap"])
    host.runAll()
    let posted = (1...100).map { "\($0)" }
    #expect(store.state.first == "tap" && store.state.dropFirst() == posted[...])
    #expect(host.count == 1)
    onOtherThread { send.post("later") }
    #expect(host.count == 2)
    host.runAll()
    #expect(store.state.last == "later")
  }

  // E5. A message of another thread is counted for a moment before it is in the mailbox.
  @Test func aLoopBehindAClosureWhoseMessageIsOnItsWayIsKnown() {
    let issues = captureIssues {
      let store = withDependencies {
        $0.loopLimit = LoopLimit(actions: 1_000)
      } operation: {
        Store(initialState: 0) {
          Reduce<Int, Int> { state, action in
            state += 1
            guard action != 0 else {
              return .run { send in
                await send(1)
                let frame = SourceFrame.current!
                frame.noteWaiting()
                await send(2)
                frame.noteRead()
              }
            }
            return action == 2 && state < 5_000 ? .merge(.send(2), .cancel(id: 0)) : .none
          }
        }
      }
      store.send(0)
      #expect(store.state < 5_000)
    }
    #expect(issues.count == 1, "\(issues)")
  }

  // R6
  @Test func actionsHandledInOneHopShareACommit() async {
    let host = HopCounter()
    let (store, send) = await openStore(host)
    var commits: [[String]] = []
    let subscription = store.subscribe { commits.append($0.actions) }
    onOtherThread { for word in ["a", "b", "c"] { send.post(word) } }
    host.runAll()
    #expect(commits == [["a", "b", "c"]])
    subscription.cancel()
  }

  // R6
  @Test func theAnswersOfAnActionAreHandledBeforeTheEmissionBehindIt() async {
    let host = HopCounter()
    let (store, send) = await openStore(host, ["a": .send("of a")])
    onOtherThread { for word in ["a", "b"] { send.post(word) } }
    host.runAll()
    #expect(store.state == ["tap", "a", "of a", "b"])
  }

  // R6
  @Test func anEmissionOnTheMainActorIsHandledAfterThoseThatWait() async {
    let host = HopCounter()
    let (store, send) = await openStore(host)
    onOtherThread { send.post("first") }
    send.post("second")
    #expect(store.state == ["tap", "first", "second"])
    host.runAll()
    #expect(store.state == ["tap", "first", "second"])
  }

  // R6
  @Test func anEmissionInsideOfAnObserverIsHandledAfterThoseOfItsEffectThatWait() async {
    let host = HopCounter()
    let (store, send) = await openStore(host)
    let subscription = store.subscribe { commit in
      guard commit.actions == ["go"] else { return }
      onOtherThread { send.post("first") }
      send.post("second")
    }
    store.send("go")
    host.runAll()
    #expect(store.state == ["tap", "go", "first", "second"])
    subscription.cancel()
  }

  // R6
  @Test func anEmissionInsideOfAnObserverIsHandledInTheSameDrain() async {
    let (store, send) = await openStore(HopCounter())
    let subscription = store.subscribe { commit in
      if commit.actions == ["go"] { send.post("answer") }
    }
    store.send("go")
    #expect(store.state == ["tap", "go", "answer"])
    subscription.cancel()
  }

  // R6
  @Test func anActionSentToTheStoreIsHandledAfterEmissionsThatWait() async {
    let host = HopCounter()
    let (store, send) = await openStore(host)
    onOtherThread { send.post("emitted") }
    store.send("sent")
    #expect(store.state == ["tap", "emitted", "sent"])
    host.runAll()
    #expect(store.state == ["tap", "emitted", "sent"])
  }

  // R6
  @Test func anImmediateSchedulerDeliversSynchronously() {
    let store = script([
      "tap": .send("answer").delay(for: 1, scheduler: DispatchQueue.immediate)
    ])
    #expect(store.send("tap").isFinished)
    #expect(store.state == ["tap", "answer"])
  }

  // R6
  @Test func aSchedulerThatIsAdvancedOnAnotherThreadDeliversThroughTheHost() {
    let host = HopCounter()
    let scheduler = DispatchQueue.test
    let store = Store(
      initialState: [String](),
      reducer: {
        Script {
          $0 == "tap"
            ? .merge(.send("a"), .send("b")).delay(for: 1, scheduler: scheduler.animation()) : .none
        }
      }, scheduler: host)
    let log = TagLog(store)
    store.send("tap")
    onOtherThread { scheduler.advance(by: 1) }
    #expect(store.state == ["tap"])
    #expect(host.count == 1)
    host.runAll()
    #expect(log.entries == ["tap untagged", "a .default", "b .default"])
  }

  // R6
  @Test func manyThreadsLoseNothingAndKeepTheOrderOfEach() async {
    let store = Store(initialState: [[Int]](repeating: [], count: 8)) {
      Reduce<[[Int]], (thread: Int, number: Int)?> { state, action in
        guard let (thread, number) = action else {
          return .merge(
            (0..<8).map { thread in
              .run { send in
                for number in 0..<1_000 { await send((thread, number)) }
              }
            })
        }
        state[thread].append(number)
        return .none
      }
    }
    await store.send(nil).finish()
    #expect(store.state == [[Int]](repeating: Array(0..<1_000), count: 8))
  }
}

/// A store with an effect in flight, and that effect's `send`.
@MainActor
private func openStore(
  _ host: HopCounter, _ effects: [String: Effect<String>] = [:]
) async -> (Store<[String], String>, Send<String>) {
  let opened = Promise<Send<String>>()
  let open = Effect<String>.run { send in
    opened.fulfil(send)
    await suspendUntilCancelled()
  }
  let store = Store(
    initialState: [String](),
    reducer: { Script { $0 == "tap" ? open : effects[$0] ?? .none } },
    scheduler: host)
  store.send("tap")
  return (store, await opened.value)
}

/// A main loop of its own: keeps the hops that it is asked for, until it is told to run them.
private final class HopCounter: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = Never

  private let hops = Mutex<(waiting: [@Sendable () -> Void], count: Int)>(([], 0))

  var count: Int { hops.withLock(\.count) }

  @MainActor
  func runAll() {
    let waiting = hops.withLock { hops in
      defer { hops.waiting = [] }
      return hops.waiting
    }
    for hop in waiting { hop() }
  }

  var now: SchedulerTimeType { DispatchQueue.test.now }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: Never?, _ work: @escaping @Sendable () -> Void) {
    hops.withLock { hops in
      hops.waiting.append(work)
      hops.count += 1
    }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ work: @escaping @Sendable () -> Void
  ) {
    schedule(options: options, work)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    AnyCancellable {}
  }
}
