// Completions run exactly once, when nobody holds them back any more.

import RondoAnimation
import Synchronization
import Testing

@Suite struct AnimationCompletionTests {
  // R25
  @Test func nothingAnimatedCompletesAtTheEndOfTheBody() {
    let log = Log()
    withAnimation {
      log.add("body")
    } completion: {
      log.add("completion")
    }
    log.add("after")
    #expect(log.entries == ["body", "completion", "after"])
  }

  @Test func holdsKeepItFromRunning() {
    let log = Log()
    var transaction = Transaction()
    withAnimation(.linear, completionCriteria: .removed) {
      transaction = .current
      transaction.holdCompletions()
      transaction.holdCompletions()
    } completion: {
      log.add("completion")
    }
    #expect(transaction.animationCompletions.map(\.criteria) == [.removed])
    transaction.releaseCompletions()
    #expect(log.entries == [])
    transaction.releaseCompletions()
    #expect(log.entries == ["completion"])
  }

  @Test func runsOnceHoweverOftenItIsHeldAgain() {
    let log = Log()
    var transaction = Transaction(animation: .linear)
    transaction.addAnimationCompletion { log.add("completion") }
    withTransaction(transaction) {}
    withTransaction(transaction) {}
    #expect(log.entries == ["completion"])
  }

  @Test func runsWhenTheBodyThrows() {
    struct Failure: Error {}
    let log = Log()
    #expect(throws: Failure.self) {
      try withAnimation {
        throw Failure()
      } completion: {
        log.add("completion")
      }
    }
    #expect(log.entries == ["completion"])
  }

  @Test func outerOnesWaitForInnerAnimationsToo() {
    let log = Log()
    var inner = Transaction()
    withAnimation {
      withAnimation(.linear) {
        inner = .current
        inner.holdCompletions()
      } completion: {
        log.add("inner")
      }
    } completion: {
      log.add("outer")
    }
    #expect(log.entries == [])
    inner.releaseCompletions()
    #expect(log.entries.sorted() == ["inner", "outer"])
  }

  @MainActor @Test func runsOnTheMainActorThatItWasMadeOn() async {
    let log = Log()
    let transaction = withAnimation {
      let transaction = Transaction.current
      transaction.holdCompletions()
      return transaction
    } completion: {
      MainActor.assertIsolated()
      log.add("completion")
    }
    await Task.detached { transaction.releaseCompletions() }.value
    for _ in 0..<1_000 where log.entries.isEmpty { await Task.yield() }
    #expect(log.entries == ["completion"])
  }

  @MainActor @Test func runsAtOnceOnTheMainThread() {
    let log = Log()
    withAnimation {
      log.add("body")
    } completion: {
      log.add("completion")
    }
    #expect(log.entries == ["body", "completion"])
  }

  @Test func runsOnceWhoeverReleasesTheLastHold() async {
    let count = Count()
    let transaction = withAnimation {
      for _ in 0..<100 { Transaction.current.holdCompletions() }
      return Transaction.current
    } completion: {
      count.value.wrappingAdd(1, ordering: .relaxed)
    }
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { transaction.releaseCompletions() } }
    }
    // The completion runs on the isolation that it was made on, which may be a moment later.
    for _ in 0..<1_000 where count.value.load(ordering: .relaxed) == 0 { await Task.yield() }
    #expect(count.value.load(ordering: .relaxed) == 1)
  }

  // R2: two calls that differ in their completions are not one commit.
  @Test func tellTransactionsApart() {
    var first = Transaction(animation: .linear)
    var second = first
    first.addAnimationCompletion {}
    second.addAnimationCompletion {}
    let copy = first
    #expect(first != second)
    #expect(first == copy)
  }
}

/// A log of events, in order.
final class Log {
  private(set) var entries: [String] = []

  func add(_ entry: String) {
    entries.append(entry)
  }
}

private final class Count: Sendable {
  let value = Atomic(0)
}
