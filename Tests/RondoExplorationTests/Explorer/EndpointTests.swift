// Streams, callbacks, calls that cannot fail; faults; simpler values (X6, X8).

import Rondo
import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration

@Suite struct EndpointTests {
  private var explorer: Explorer<Feeds.State, Feeds.Action> {
    Explorer(initialState: Feeds.State()) { Feeds() }
  }

  @Test func aStreamGivesOutItsElementsInOrder() async {
    let issues = await captureIssues {
      await explorer
        .actions(.watchScores)
        .outcomes(ofStream: \.feedClient.scores) { [.finished(after: 1, 2)] }
        .always { [[], [1], [1, 2]].contains($0.scores) }
        .eventually { $0.scores == [1, 2] }
        .explore(steps: 1)
    }
    #expect(issues.isEmpty)
  }

  private enum Twice {
    static func foundByExploration() async {
      let store = TestStore(initialState: Feeds.State()) { Feeds() }
      store.exhaustivity = .off
      let scores = PendingStreams<Int>()
      store.dependencies.feedClient.scores = scores.endpoint()

      await store.send(.watchScores)
      scores.yield(0, 1, strict: false)
      await store.skipReceivedActions(strict: false)
      scores.yield(0, 2, strict: false)
      await store.skipReceivedActions(strict: false)
      scores.yield(0, 2, strict: false)
      await store.skipReceivedActions(strict: false)
      #expect(store.state.scores.count < 3)
    }
  }

  @Test func anElementThatComesTwiceIsAFault() async throws {
    let explorer =
      explorer
      .actions(.watchScores)
      .outcomes(ofStream: \.feedClient.scores) { [.elements(1, 2)] }
      .always { $0.scores.count < 3 }
      .faults(atMost: 1, of: .twice)
    try await expect(explorer, steps: 1, prints: Twice.foundByExploration)
  }

  @Test func aStreamCanFail() async {
    let issues = await captureIssues {
      await explorer
        .actions(.readNews)
        .outcomes(ofStream: \.feedClient.news) { [.elements($0), .failed(Offline(), after: $0)] }
        .always { !$0.hasFailed || $0.news.isEmpty }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        """
          await store.send(.readNews)
          news.yield(0, "today", strict: false)
          await store.skipReceivedActions(strict: false)
          news.finish(0, throwing: Offline(), strict: false)
        """) == true, "\(issues)")
  }

  @Test func aRunKeepsNothingOfAStreamThatIsStillOpen() async {
    let live = LiveCount()
    let coverage =
      await explorer
      .actions(.readNews)
      .outcomes(ofStream: \.feedClient.news) { _ in [.failed(CountedError(live), after: "b")] }
      // So that the stream is open at the end of each run.
      .faults(atMost: 0)
      .explore(steps: 2)
    #expect(coverage.orderCount > 1)
    #expect(live.made > 0)
    #expect(live.present == 0)
  }

  @Test func aStreamThatStaysSilentIsExplored() async {
    let issues = await captureIssues {
      await explorer
        .actions(.watchScores)
        .outcomes(ofStream: \.feedClient.scores) { [.elements(1), .elements()] }
        .faults(atMost: 0)
        .eventually { !$0.isWatching || $0.scores == [1] }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains("call 0 of scores: .elements()  given out") == true,
      "\(issues)")
    // A silent stream needs no line of the test.
    #expect(
      issues.first?.message.contains(
        """
          store.dependencies.feedClient.scores = scores.endpoint()

          await store.send(.watchScores)
          await store.skipReceivedActions(strict: false)
          #expect(!store.state.isWatching || store.state.scores == [1])
        """) == true, "\(issues)")
  }

  @Test func aCallbackIsCalledTwiceOnlyAsAFault() async {
    let explorer =
      explorer
      .actions(.locate)
      .outcomes(ofCallback: \.feedClient.locate) { [.success(7)] }
      .always { $0.places.count < 2 }
    let none = await captureIssues { await explorer.explore(steps: 1) }
    #expect(none.isEmpty)
    let issues = await captureIssues {
      await explorer.faults(atMost: 1, of: .twice).explore(steps: 1)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("comes twice: a fault") == true)
    #expect(
      issues.first?.message.contains(
        """
          let locate = PendingCalls<Int>()
          store.dependencies.feedClient.locate = locate.endpoint()

          await store.send(.locate)
          locate.answer(0, .success(7), strict: false)
          await store.skipReceivedActions(strict: false)
          locate.answer(0, .success(7), strict: false)
        """) == true, "\(issues)")
  }

  /// The test of the failure above, as it was printed.
  @Test func theTestWithACallbackFailsInTheSameWay() async {
    let store = TestStore(initialState: Feeds.State()) { Feeds() }
    store.exhaustivity = .off
    let locate = PendingCalls<Int>()
    store.dependencies.feedClient.locate = locate.endpoint()

    await store.send(.locate)
    locate.answer(0, .success(7), strict: false)
    await store.skipReceivedActions(strict: false)
    locate.answer(0, .success(7), strict: false)
    await store.skipReceivedActions(strict: false)
    withKnownIssue { #expect(store.state.places.count < 2) }
  }

  @Test func faultsShareOneBudget() async {
    let issues = await captureIssues {
      await explorer
        .actions(.locate)
        .outcomes(ofCallback: \.feedClient.locate) { [.success(7), .never] }
        .always { $0.places.count < 2 }
        .eventually { $0.places.count == 1 }
        .faults(atMost: 0, of: .twice)
        .explore(steps: 1)
    }
    // The effect waits for a second call, which would be a fault.
    #expect(issues.isEmpty)
  }

  @Test func aCallThatCannotFailIsAnsweredAtAnyTime() async {
    let issues = await captureIssues {
      await explorer
        .actions(.confirm(1), .confirm(2))
        .outcomes(of: \.feedClient.confirm) { [.success($0 == 1)] }
        .always { !$0.isConfirmed || $0.quantity == 1 }
        .explore(steps: 2)
    }
    #expect(issues.isEmpty)
  }

  @Test func aFailureOfACallThatCannotFailIsReported() async {
    let issues = await captureIssues {
      await explorer
        .actions(.confirm(1))
        .outcomes(of: \.feedClient.confirm) { _ in [.success(true), .failure(Offline())] }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        "An endpoint that does not throw was given the outcome .failure(Offline())") == true)
  }

  @Test func anEmptyListOfOutcomesIsOneLineAtOnce() async {
    let explorations = [
      explorer.actions(.confirm(1)).outcomes(of: \.feedClient.confirm) { _ in [] },
      explorer.actions(.locate).outcomes(ofCallback: \.feedClient.locate) { [] },
      explorer.actions(.watchScores).outcomes(ofStream: \.feedClient.scores) { [] },
      explorer.actions(.readNews).outcomes(ofStream: \.feedClient.news) { _ in [] },
    ]
    for exploration in explorations {
      let issues = await captureIssues {
        await exploration.eventually { _ in false }.explore(steps: 3)
        await exploration.replay("1-")
      }
      #expect(
        issues.map(\.message)
          == Array(
            repeating: """
              A call has an empty list of outcomes. Name what it can come to, such as .success(…); \
              .never is for a call that does not come back.
              """, count: 2))
    }
  }

  @Test func outcomesCanBeListedLineByLine() async {
    let coverage =
      await explorer
      .actions(.confirm(1), .confirm(2))
      .outcomes(of: \.feedClient.confirm) { quantity in
        .success(true)
        if quantity == 2 {
          .success(false)
        } else {
          [.never]
        }
      }
      .always { !$0.isConfirmed || $0.quantity > 0 }
      .explore(steps: 1)
    // Two actions with two outcomes each.
    #expect(coverage.standsFor == 4)
    #expect(coverage.isComplete)
  }

  @Test func anEndpointCanTakeSeveralArguments() async {
    let issues = await captureIssues {
      await explorer.actions(.rate)
        .outcomes(of: \.feedClient.rate) { [.success($0 + $1.count), .failure(Offline())] }
        .always { $0.rates.allSatisfy { $0 == 7 } && !$0.hasFailed }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains("rate.answer(0, .failure(Offline()), strict: false)") == true,
      "\(issues)")
  }

  @Test func anEndpointWithFourArgumentsIsReported() {
    let issues = captureIssues {
      _ = explorer.outcomes(of: \.feedClient.measure) { _, _, _, _ in [.success(1)] }
    }
    #expect(
      issues.map(\.message) == [
        """
        An endpoint with 4 arguments cannot be answered: three are the most. Give it one argument that \
        has them as properties.
        """
      ])
  }

  /// The call comes after the failure: the test goes on where the run ends.
  @Test func anEndpointWithoutAnAnswerIsInTheTest() async {
    let issues = await captureIssues {
      await explorer
        .actions(.watchScores)
        .outcomes(ofStream: \.feedClient.scores) { [.elements(1)] }
        .always { !$0.isWatching }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        """
          store.exhaustivity = .off
          let scores = PendingStreams<Int>()
          store.dependencies.feedClient.scores = scores.endpoint()

          await store.send(.watchScores)
        """) == true, "\(issues)")
  }

  private enum Names {
    static func foundByExploration() async {
      let store = TestStore(initialState: Feeds.State()) { Feeds() }
      store.exhaustivity = .off
      let feedClientScores = PendingStreams<Int>()
      store.dependencies.feedClient.scores = feedClientScores.endpoint()
      let newsClientScores = PendingCalls<Int>()
      store.dependencies.newsClient.scores = newsClientScores.endpoint()
      let newsClientDefault = PendingCalls<Int>()
      store.dependencies.newsClient.default = newsClientDefault.endpoint()
      let newsClientStore = PendingCalls<Int>()
      store.dependencies.newsClient.store = newsClientStore.endpoint()

      await store.send(.sum)
      feedClientScores.yield(0, 1, strict: false)
      await store.skipReceivedActions(strict: false)
      feedClientScores.finish(0, strict: false)
      await store.skipReceivedActions(strict: false)
      newsClientScores.answer(0, .success(2), strict: false)
      await store.skipReceivedActions(strict: false)
      newsClientDefault.answer(0, .success(3), strict: false)
      await store.skipReceivedActions(strict: false)
      newsClientStore.answer(0, .success(4), strict: false)
      await store.skipReceivedActions(strict: false)
      #expect(store.state.scores != [1, 2, 3, 4])
    }
  }

  @Test func endpointsHaveNamesOfTheirOwnInATest() async throws {
    let explorer =
      explorer
      .actions(.sum)
      .outcomes(ofStream: \.feedClient.scores) { [.finished(after: 1)] }
      .outcomes(of: \.newsClient.scores) { [.success(2)] }
      .outcomes(of: \.newsClient.default) { [.success(3)] }
      .outcomes(of: \.newsClient.store) { [.success(4)] }
      .eventually { $0.scores != [1, 2, 3, 4] }
    try await expect(explorer, steps: 1, prints: Names.foundByExploration)
    let issues = await captureIssues { await explorer.explore(steps: 1) }
    #expect(
      issues.first?.message.contains("call 0 of newsClientScores: .success(2)  answered") == true,
      "\(issues)")
  }

  @Test func endpointsThatStayOnTheirCallersIsolationAreAnsweredAndThoseThatLeaveIt() async {
    let issues = await captureIssues {
      await Explorer(initialState: [String]()) { Questions() }
        .actions("ask")
        .outcomes(of: \.questionClient.staying) { number in [.success("stays \(number)")] }
        .outcomes(of: \.questionClient.leaving) { _ in [.success("leaves")] }
        .outcomes(of: \.questionClient.refusing) { [.failure(Refused())] }
        .eventually { $0 == ["ask", "stays 1", "leaves", "refused"] }
        .explore(steps: 1)
    }
    #expect(issues.isEmpty, "\(issues)")
  }

  @Test func anEndpointOfAnotherTypeIsReported() {
    let book = CallBook()
    let endpoint = ExploredEndpoint("of", .init()) { (calls: EndpointCalls<Int>) in
      AsyncEndpoint(
        keyPath: \DependencyValues.feedClient.confirm,
        function: FunctionOfArguments { (_: Int) in [Outcome.success(1)] }
      ) { try await calls.make($0, failure: (any Error).self) }
    }
    var values = DependencyValues()
    endpoint.install(0, book, &values)
    #expect(
      book.misuse?.message.contains(
        "cannot be answered. Give it a result, and up to three arguments")
        == true, "\(book.misuse?.message ?? "nothing")")
  }

  @Test func valuesShrinkToTheSimplestThatFail() async {
    let issues = await captureIssues {
      await explorer
        .actions(.integers(-9...9)) { .confirm($0) }
        .outcomes(of: \.feedClient.confirm) { _ in [.success(true), .success(false)] }
        .always { $0.quantity < 4 }
        .explore(steps: 3, orders: 5_000, seed: 3)
    }
    #expect(
      issues.first?.message.contains(
        """
          await store.send(.confirm(4))
          confirm.answer(0, .success(true), strict: false)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.quantity < 4)
        """) == true, "\(issues)")
  }

  @Test func stringsAndArraysAreShortestFirst() {
    let strings = Choices<String>.strings(of: "ab", upTo: 2)
    #expect(Array(strings) == ["", "a", "b", "aa", "ab", "ba", "bb"])
    #expect(Array(Choices<[Int]>.arrays(of: .integers(0...1), upTo: 1)) == [[], [0], [1]])
    #expect(Array(Choices<Int>.integers(-2...1)) == [0, 1, -1, -2])
    #expect(Array(Choices.oneOf("x", "y")) == ["x", "y"])
  }

  @Test func aStreamThatIsOverIsReported() async {
    let scores = PendingStreams<Int>()
    let issues = captureIssues { scores.yield(0, 1) }
    #expect(issues.map(\.message) == ["There is no stream 0: there have been 0, counted from 0."])
  }
}

/// The number of objects that have been made, and of those that are still there.
private final class LiveCount: Sendable {
  private let counts = Mutex((made: 0, present: 0))

  var made: Int { counts.withLock { $0.made } }
  var present: Int { counts.withLock { $0.present } }

  func enter() {
    counts.withLock { counts in
      counts.made += 1
      counts.present += 1
    }
  }

  func leave() { counts.withLock { $0.present -= 1 } }
}

private final class CountedError: Error {
  private let live: LiveCount

  init(_ live: LiveCount) {
    self.live = live
    live.enter()
  }

  deinit { live.leave() }
}

private struct Refused: Error {}

/// A client with endpoints of each isolation.
private struct QuestionClient: DependencyKey {
  var staying: nonisolated(nonsending) @Sendable (Int) async -> String = { "\($0)" }
  var leaving: @concurrent @Sendable (Int) async throws -> String = { "\($0)" }
  var refusing: nonisolated(nonsending) @Sendable () async throws -> String = { "" }

  static let liveValue = Self()
  static let testValue = Self()
}

extension DependencyValues {
  fileprivate var questionClient: QuestionClient {
    get { self[QuestionClient.self] }
    set { self[QuestionClient.self] = newValue }
  }
}

private struct Questions: Reducer {
  @Dependency(\.questionClient) var client

  func reduce(into state: inout [String], action: String) -> Effect<String> {
    state.append(action)
    guard action == "ask" else { return .none }
    return .run { [client] send in
      await send(await client.staying(1))
      await send(try await client.leaving(2))
      do {
        await send(try await client.refusing())
      } catch {
        await send("refused")
      }
    }
  }
}
