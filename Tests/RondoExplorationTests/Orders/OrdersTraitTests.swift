// Tests that are run in many orders (X2, X5, X7).

import Foundation
import RondoProcesses
import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration
@testable import RondoTestStore

@Suite struct OrdersTraitTests {
  private static let runs = Mutex(0)

  @Test(.orders(600)) func aTestThatAllowsEveryOrderHoldsInEveryOrder() async {
    let store = TestStore(initialState: Trio.State()) { Trio() }
    await store.send(.start)
    await store.receive(
      inAnyOrder: .equal(.said("a1")), .equal(.said("a2")), .equal(.said("b")), .equal(.said("c"))
    ) {
      $0.log = store.currentLog
    }
  }

  @Test(.order("0:2/3")) func anOrderIsRunAgain() async {
    let store = TestStore(initialState: Trio.State()) { Trio() }
    await store.send(.start)
    await store.receive(.said("c")) { $0.log = ["c"] }
    await store.receive(.said("a1")) { $0.log = ["c", "a1"] }
    await store.receive(.said("a2")) { $0.log = ["c", "a1", "a2"] }
    await store.receive(.said("b")) { $0.log = ["c", "a1", "a2", "b"] }
  }

  @Test(.orders(2_000)) func aTestWithoutChoicesRunsOnce() async {
    let count = Self.runs.withLock { runs in
      runs += 1
      return runs
    }
    let store = TestStore(initialState: Chain.State()) { Chain() }
    await store.send(.start)
    await store.receive(.said("1")) { $0.log = ["1"] }
    await store.receive(.said("2")) { $0.log = ["1", "2"] }
    await store.receive(.said("3")) { $0.log = ["1", "2", "3"] }
    #expect(count == 1)
  }

  // MARK: Failures

  @Test func aFailureIsReportedOnceAndInTheSmallestOrder() async throws {
    let issues = try await issues(of: .orders(2_000)) {
      let words = await wordsOfTrio()
      #expect(words.firstIndex(of: "b")! > words.firstIndex(of: "a2")!)
    }
    try #require(issues.count == 2)
    #expect(issues[0].contains("Expectation failed"))
    #expect(
      issues[1] == """
        The test fails when its effects run in another order; in 1 other order it has held. \
        This order again: @Test(.order("0:1/3"))

          0 s  .start  sent
        ▸ 0 s  .said("b")  from run "b" of .start
          0 s  .said("a1")  from run "a" of .start
          0 s  .said("a2")  from run "a" of .start
          0 s  .said("c")  from run "c" of .start

        (▸: something else was there first)

        First in, first out these actions come as .start, .said("a1"), .said("a2"), .said("b"), \
        .said("c"); in this order as .start, .said("b"), .said("a1"), .said("a2"), .said("c"). If \
        both are right, let the test say so: 'await store.receive(inAnyOrder: .equal(…), .case(…))'.
        """)
  }

  // X22
  @Test func anOrderThatHasFailedRunsFirstTheNextTime() async throws {
    let folder = TemporaryFolder()
    func messages(isMended: Bool) async throws -> [String] {
      try await TestSettings.with(\.orders, folder.path) {
        try await issues(of: .orders(300)) {
          let words = await wordsOfTrio()
          #expect(isMended || words.firstIndex(of: "b")! > words.firstIndex(of: "a2")!)
        }
      }
    }
    #expect(try await messages(isMended: false).last?.contains("in 1 other order it has") == true)
    #expect(folder.names.count == 1)
    let again = try await messages(isMended: false).last
    #expect(again?.contains("order; it has failed in this order before. This order") == true)
    #expect(try await messages(isMended: true).isEmpty)
    // It is there if the bug comes back.
    #expect(folder.names.count == 1)
  }

  @Test func aFailureInTheUsualOrderIsTheTestsOwn() async throws {
    let issues = try await issues(of: .orders(2_000)) {
      #expect(await wordsOfTrio() == [])
    }
    #expect(issues.count == 1)
    #expect(issues[0].contains("Expectation failed"))
  }

  @Test func anErrorThatIsThrownInSomeOrderIsAFailure() async throws {
    struct Surprise: Error {}
    let issues = try await issues(of: .orders(2_000)) {
      if await wordsOfTrio().first != "a1" { throw Surprise() }
    }
    #expect(issues.contains { $0.contains("The test fails when its effects run in another order") })
  }

  @Test func aFailureThatComesAndGoesSaysSo() async throws {
    let runs = Mutex(0)
    let issues = try await issues(of: .orders(2_000)) {
      _ = await wordsOfTrio()
      let count = runs.withLock { runs in
        runs += 1
        return runs
      }
      #expect(count != 10)
    }
    #expect(issues.count == 1)
    #expect(issues[0].contains("and did not when it was run in that order again"))
  }

  @Test func anOrderThatDoesNotFitIsReported() async throws {
    let issues = try await issues(of: .order("900:1/2")) { _ = await wordsOfTrio() }
    #expect(issues.count == 1)
    #expect(issues[0].hasPrefix("The order \"900:1/2\" does not fit this test any more"))
  }

  @Test func thatAnOrderDoesNotFitIsSaidBeforeWhatComesOfIt() async throws {
    let issues = try await issues(of: .order("900:1/2")) {
      #expect(await wordsOfTrio() == [])
    }
    try #require(issues.count == 2)
    #expect(issues[0].hasPrefix("The order \"900:1/2\" does not fit this test any more"))
    #expect(issues[1].contains("Expectation failed"))
  }

  @Test func aTestWithoutChoicesSaysSo() async throws {
    let shown = Collected()
    let name = try #require(Test.current?.name)
    try await TestSettings.with(\.print, { shown.add($0) }) {
      let issues = try await issues(of: .orders(20)) {
        let store = TestStore(initialState: Chain.State()) { Chain() }
        store.exhaustivity = .off
        await store.send(.start)
        await store.finish()
      }
      #expect(issues.isEmpty)
    }
    #expect(
      shown.all == [
        "\(name): there is one order, which holds: nothing that a test store runs could come in another one."
      ])
  }

  @Test func whatIsNoOrderIsReported() async throws {
    let issues = try await issues(of: .order("nonsense")) { _ = await wordsOfTrio() }
    #expect(issues.count == 1)
    #expect(
      issues == [
        """
        "nonsense" is not an order. Copy the string that the failure of a test with '.orders' shows.
        """
      ])
  }

  @Test(arguments: [0, -1]) func noOrdersAreReported(limit: Int) async throws {
    let issues = try await issues(of: .orders(limit)) { _ = await wordsOfTrio() }
    #expect(
      issues == ["In \(limit) orders a test does not run. Let '.orders(…)' have one at least."])
  }

  @Test func everyRunBeginsWithEmptyStorage() async throws {
    let issues = try await issues(of: .orders(20)) {
      @Shared(.inMemory("count")) var count = 0
      $count.withLock { $0 += 1 }
      _ = await wordsOfTrio()
      #expect(count == 1)
    }
    #expect(issues.isEmpty)
  }

  @Test func aTestThatIsCancelledIsRunNoMore() async throws {
    let runs = Mutex(0)
    let task = Task {
      try await issues(of: .orders(2_000)) {
        _ = await wordsOfTrio()
        let count = runs.withLock { runs in
          runs += 1
          return runs
        }
        if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
        try Task.checkCancellation()
      }
    }
    #expect(try await task.value == [])
    #expect(runs.withLock { $0 } == 5)
  }

  @Test func aTestThatIsCancelledWhileItsOrderIsMadeSmallerKeepsItsOrder() async throws {
    let hasFailed = Mutex(false)
    let task = Task {
      try await issues(of: .orders(2_000)) {
        // The next run is one with a smaller order.
        if hasFailed.withLock({ $0 }) { withUnsafeCurrentTask { $0?.cancel() } }
        guard await wordsOfTrio().first == "c" else { return }
        hasFailed.withLock { $0 = true }
        Issue.record("Another order.")
      }
    }
    #expect(
      try await task.value == [
        """
        The test fails when its effects run in another order, and was cancelled before the smallest such \
        order was found. That order again: @Test(.order("0:2/3"))
        """
      ])
  }

  /// The issues of a test with a trait.
  private func issues(
    of trait: OrdersTrait, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> [String] {
    let issues = Collected()
    let test = try #require(Test.current)
    let collecting: IssueHandlingTrait = .compactMapIssues { issue in
      issues.add(issue.comments.map(\.rawValue).first ?? "\(issue)")
      return nil
    }
    let testCase = Test.Case.current
    try await collecting.provideScope(for: test, testCase: testCase) {
      do {
        try await trait.provideScope(for: test, testCase: testCase, performing: body)
      } catch {
        issues.add("thrown: \(error)")
      }
    }
    return issues.all
  }
}

/// The order of a test replaces those of its suite.
@Suite(ShowsNothing(), .orders(2_000)) struct SuiteOfOrdersTests {
  private static let runs = Mutex(0)

  @Test(.order("0:2/3")) func anOrderOfTheTestItselfIsTheOnlyOne() async {
    let count = Self.runs.withLock { runs in
      runs += 1
      return runs
    }
    #expect(await wordsOfTrio() == ["c", "a1", "a2", "b"])
    // Once to see whether the order fits.
    #expect(count <= 2)
  }
}

/// Fails a test that shows what it has covered.
struct ShowsNothing: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let shown = Collected()
    try await TestSettings.with(\.print, { shown.add($0) }, body)
    #expect(shown.all == [])
  }
}

private final class Collected: Sendable {
  private let issues = Mutex<[String]>([])
  var all: [String] { issues.withLock { $0 } }
  func add(_ issue: String) { issues.withLock { $0.append(issue) } }
}

extension TestStore where State == Trio.State {
  fileprivate var currentLog: [String] { currentState.log }
}
