// R2: what makes a commit, and who gets it.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct CommitTests {
  // R2
  @Test func separateSendsMakeSeparateCommits() {
    let store = script([:])
    let log = CommitLog(store)
    store.send("a")
    store.send("b")
    #expect(log.entries == ["[] -> [a] by [a] untagged", "[a] -> [a, b] by [b] untagged"])
  }

  // R2
  @Test func transactionsAreComparedByWhatTheySetAndNotByWhoMadeThem() {
    var oneWay = Transaction(tag: "x")
    oneWay.isContinuous = true
    var otherWay = Transaction()
    otherWay.isContinuous = true
    otherWay.tag = "x"
    let store = script([
      "tap": .merge(.send("a").transaction(oneWay), .send("b").transaction(otherWay))
    ])
    let log = CommitLog(store)
    store.send("tap")
    #expect(log.entries.count == 2)
    #expect(log.entries.last?.contains("by [a, b]") == true)
  }

  // R2
  @Test func animationNilAndNoAnimationAreDifferentTransactions() {
    let store = script(["tap": .merge(.send("a"), .send("b").animation(nil))])
    let log = CommitLog(store)
    store.send("tap")
    #expect(
      log.entries == [
        "[] -> [tap, a] by [tap, a] untagged", "[tap, a] -> [tap, a, b] by [b] nil",
      ])
  }

  // R2
  @Test func aCommitWithoutAChangeReachesSubscribersUnlessTheyAskForChangesOnly() {
    let store = Store(initialState: 1) {
      Reduce<Int, Int> { state, action in
        state = action
        return .none
      }
    }
    var all: [Bool] = []
    var changes: [Int] = []
    let subscriptions = [
      store.subscribe { all.append($0.hasChanges) },
      store.subscribe(changesOnly: true) { changes.append($0.newState) },
    ]
    for action in [1, 2, 2, 3] { store.send(action) }
    #expect(all == [false, true, false, true])
    #expect(changes == [2, 3])
    for subscription in subscriptions { subscription.cancel() }
  }

  // R2
  @Test func aChangeThatIsTakenBackWithinACommitIsNone() {
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return action > 0 ? .send(-action) : .none
      }
    }
    var changes = 0
    let subscription = store.subscribe(changesOnly: true) { _ in changes += 1 }
    store.send(1)
    #expect(changes == 0)
    subscription.cancel()
  }

  // R2
  @Test func everyCommitOfAStateThatCannotBeComparedCountsAsAChange() {
    struct State { var count = 0 }
    let store = Store(initialState: State()) {
      Reduce<State, String> { _, _ in .none }
    }
    var changes = 0
    let subscription = store.subscribe(changesOnly: true) { _ in changes += 1 }
    store.send("nothing")
    #expect(changes == 1)
    subscription.cancel()
  }

  // R2
  @Test func answersThatComeDueOneByOneMakeACommitEach() {
    let scheduler = DispatchQueue.test
    let store = script(["tap": .merge(.send("a"), .send("b")).receive(on: scheduler)])
    let log = CommitLog(store)
    store.send("tap")
    scheduler.advance()
    #expect(
      log.entries == [
        "[] -> [tap] by [tap] untagged",
        "[tap] -> [tap, a] by [a] untagged",
        "[tap, a] -> [tap, a, b] by [b] untagged",
      ])
  }

  // R2
  @Test func aSubscriberThatIsCancelledDuringACommitHearsNothingMoreOfIt() {
    let store = script([:])
    let second = Later<AnyCancellable>()
    var heard = 0
    let first = store.subscribe { _ in second.value?.cancel() }
    second.value = store.subscribe { _ in heard += 1 }
    store.send("tap")
    store.send("tap")
    #expect(heard == 0)
    first.cancel()
  }

  // R2
  @Test func aCommitMadeByHandKnowsWhetherItsStatesDiffer() {
    let changed = Commit(oldState: 1, newState: 2, actions: ["add"], transaction: .init())
    let unchanged = Commit(oldState: 1, newState: 1, actions: ["look"])
    struct Opaque {}
    let unknown = Commit(oldState: Opaque(), newState: Opaque(), actions: ["look"])
    #expect(changed.hasChanges)
    #expect(!unchanged.hasChanges)
    #expect(unknown.hasChanges)
    #expect(unchanged.transaction.isEmpty)
  }
}

/// Commits as text: `[old] -> [new] by [actions] transaction`.
@MainActor
final class CommitLog {
  private(set) var entries: [String] = []
  private var subscription: AnyCancellable?

  init(_ store: Store<[String], String>) {
    func list(_ words: [String]) -> String { "[\(words.joined(separator: ", "))]" }
    subscription = store.subscribe { [unowned self] commit in
      entries.append(
        "\(list(commit.oldState)) -> \(list(commit.newState)) by \(list(commit.actions)) "
          + "\(commit.transaction)")
    }
  }
}
