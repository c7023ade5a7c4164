// A completion waits for the commits that carry its transaction, wherever these have to wait.

import Dispatch
import Rondo
import Synchronization
import Testing

@MainActor
@Suite struct QueuedCompletionTests {
  /// A feature that keeps the words that it hears, and answers `ask` with an effect.
  private struct Recipient: Reducer {
    struct State: Equatable {
      var heard: [String] = []
    }

    enum Action: Equatable {
      case hear(String)
      case ask
      case stop
    }

    var answer: Effect<Action> = .none

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        switch action {
        case .hear(let word):
          state.heard.append(word)
          return .none
        case .ask: return answer.cancellable(id: "answer")
        case .stop: return .cancel(id: "answer")
        }
      }
    }
  }

  private typealias TestStore = Store<Recipient.State, Recipient.Action>

  private func store(_ answer: Effect<Recipient.Action> = .none) -> TestStore {
    Store(initialState: Recipient.State()) { Recipient(answer: answer) }
  }

  /// Writes down each commit and its transaction.
  private func record(_ store: TestStore, _ log: SharedLog) -> AnyCancellable {
    store.subscribe { commit in
      let heard = commit.newState.heard.joined(separator: "+")
      log.add("\(heard) \(commit.transaction.animation?.description ?? "-")")
    }
  }

  /// A transaction that writes down when it is complete.
  private func transaction(_ log: SharedLog, _ word: String = "complete") -> Transaction {
    var transaction = Transaction(animation: .linear)
    transaction.addAnimationCompletion { log.add(word) }
    return transaction
  }

  // R25
  @Test func anActionSentFromAnObserverIsCommittedBefore() {
    let (log, store) = (SharedLog(), store())
    let first = store.subscribe { commit in
      guard commit.newState.heard == ["a"] else { return }
      withAnimation(.linear) {
        _ = store.send(.hear("b"))
      } completion: {
        log.add("complete")
      }
      log.add("sent")
    }
    let second = record(store, log)
    store.send(.hear("a"))
    log.add("returned")
    #expect(log.entries == ["sent", "a -", "a+b .linear", "complete", "returned"])
    first.cancel()
    second.cancel()
  }

  // R25
  @Test func theTransactionOfACallIsCompleteWhenItHasBeenCommitted() {
    let (log, store) = (SharedLog(), store())
    let recording = record(store, log)
    store.send(.hear("a"), transaction: transaction(log))
    log.add("returned")
    #expect(log.entries == ["a .linear", "complete", "returned"])
    recording.cancel()
  }

  // R25
  @Test func whatACompletionSendsIsHandled() {
    let (log, store) = (SharedLog(), store())
    let observer = store.subscribe { commit in
      guard commit.newState.heard == ["a"] else { return }
      withAnimation {
        _ = store.send(.hear("b"))
      } completion: {
        store.send(.hear("c"))
      }
    }
    let recording = record(store, log)
    store.send(.hear("a"))
    #expect(store.heard == ["a", "b", "c"])
    #expect(log.entries == ["a -", "a+b .default", "a+b+c -"])
    observer.cancel()
    recording.cancel()
  }

  // R25
  @Test func withoutObserversItRunsWhenTheActionHasBeenHandled() {
    let log = SharedLog()
    let tag = transaction(log)
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        log.add("handled \(action)")
        return action == 1 ? .send(2).transaction(tag) : .none
      }
    }
    store.send(1)
    #expect(log.entries == ["handled 1", "handled 2", "complete"])
  }

  // R25, R26
  @Test func theTransactionOfAnEffectIsCompleteWhenItsAnswerHasBeenCommitted() {
    let log = SharedLog()
    let store = store(.send(.hear("a")).transaction(transaction(log)))
    let recording = record(store, log)
    store.send(.ask)
    #expect(log.entries == [" -", "a .linear", "complete"])
    recording.cancel()
  }

  // R25, R27
  @Test func anEmissionFromElsewhereIsCommittedBefore() async {
    let log = SharedLog()
    let store = store(
      .run { send in
        withAnimation(.linear) {
          send.post(.hear("a"))
        } completion: {
          log.add("complete")
        }
      })
    let recording = record(store, log)
    await store.send(.ask).finish()
    await log.waits(for: "complete")
    #expect(log.entries == [" -", "a .linear", "complete"])
    recording.cancel()
  }

  /// An effect that posts an action with an animation, and writes down that it has, and the completion.
  private func posting(
    _ text: String, _ log: SharedLog, _ posted: SharedLog
  ) -> Effect<Recipient.Action> {
    .run { send in
      withAnimation(.linear) {
        send.post(.hear(text))
      } completion: {
        log.add("complete")
      }
      posted.add("posted")
    }
  }

  // R25, R27
  @Test func anEmissionThatASchedulerHoldsIsCommittedBefore() async {
    let (log, scheduler) = (SharedLog(), DispatchQueue.test)
    let posted = SharedLog()
    let store = store(posting("a", log, posted).receive(on: scheduler))
    let recording = record(store, log)
    store.send(.ask)
    await posted.waits(for: "posted")
    #expect(log.entries == [" -"])
    for _ in 0..<10_000 where log.entries.count < 3 { await scheduler.advance() }
    #expect(log.entries == [" -", "a .linear", "complete"])
    recording.cancel()
  }

  // R25
  @Test func whatIsCancelledOnItsWayIsCompleteAtOnce() async {
    let (log, scheduler) = (SharedLog(), DispatchQueue.test)
    let posted = SharedLog()
    let store = store(posting("a", log, posted).receive(on: scheduler))
    store.send(.ask)
    await posted.waits(for: "posted")
    #expect(log.entries == [])
    store.send(.stop)
    for _ in 0..<10_000 where log.entries.isEmpty { await scheduler.advance() }
    #expect(log.entries == ["complete"])
    #expect(store.heard == [])
  }

  // R25
  @Test func whoKeepsACommitKeepsNoCompletionBack() {
    let log = SharedLog()
    let store = store(.send(.hear("a")).transaction(transaction(log)))
    var kept: [Transaction] = []
    let subscription = store.subscribe { kept.append($0.transaction) }
    store.send(.ask)
    #expect(kept.count == 2 && log.entries == ["complete"])
    subscription.cancel()
  }

  // R2, R25
  @Test func actionsOfOneTransactionStayOneCommit() {
    let (log, store) = (SharedLog(), store())
    let observer = store.subscribe { commit in
      guard commit.newState.heard == ["a"] else { return }
      withAnimation(.linear) {
        store.send(.hear("b"))
        store.send(.hear("c"))
      } completion: {
        log.add("complete")
      }
    }
    let recording = record(store, log)
    store.send(.hear("a"))
    #expect(log.entries == ["a -", "a+b+c .linear", "complete"])
    observer.cancel()
    recording.cancel()
  }

  // R25, R30
  @Test func withoutAStoreItRunsWhenTheValueHasBeenReceived() {
    let log = SharedLog()
    let effect = Effect<String>.send("a").transaction(transaction(log))
    let cancellable = effect.sink { log.add("\($0) \(Transaction.current.animation!)") }
    #expect(log.entries == ["a .linear", "complete"])
    cancellable.cancel()
  }
}

/// A log of events, in order, written from any thread.
private final class SharedLog: Sendable {
  private let words = Mutex<[String]>([])
  private let news = AsyncStream.makeStream(of: String.self)

  var entries: [String] { words.withLock { $0 } }

  func add(_ word: String) {
    words.withLock { $0.append(word) }
    news.continuation.yield(word)
  }

  /// Waits until a word has been added; to be called once for each log.
  func waits(for word: String) async {
    for await next in news.stream where next == word { return }
  }
}
