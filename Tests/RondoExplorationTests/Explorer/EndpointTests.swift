// Streams, callbacks, calls that cannot fail; faults; simpler values (X6, X8).

import RondoTesting
import Testing

@Suite struct EndpointTests {
  private var explorer: Explorer<Feeds.State, Feeds.Action> {
    Explorer(initialState: Feeds.State()) { Feeds() }
  }

  @Test func aStreamGivesOutItsElementsInOrder() async {
    let issues = await captureIssues {
      await explorer
        .actions(.watchScores)
        .outcomes(of: \.feedClient.scores) { [.finished(after: 1, 2)] }
        .always { [[], [1], [1, 2]].contains($0.scores) }
        .eventually { $0.scores == [1, 2] }
        .explore(steps: 1)
    }
    #expect(issues.isEmpty)
  }

  @Test func anElementThatComesTwiceIsAFault() async {
    let issues = await captureIssues {
      await explorer
        .actions(.watchScores)
        .outcomes(of: \.feedClient.scores) { [.elements(1, 2)] }
        .always { $0.scores.count < 3 }
        .faults(atMost: 1, repetitions: true)
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        """
        As a test:

        @Test func foundByExploration() async {
          let store = TestStore(initialState: Feeds.State()) { Feeds() }
          store.exhaustivity = .off
          let scores = PendingStreams<Int>()
          store.dependencies.feedClient.scores = scores.endpoint()

          await store.send(.watchScores)
          scores.yield(0, 1)
          scores.yield(0, 2)
          scores.yield(0, 2)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.scores.count < 3)
        }
        """) == true, "\(issues)")
  }

  /// The test of the failure above, as it was printed.
  @Test func theTestWithAStreamFailsInTheSameWay() async {
    let store = TestStore(initialState: Feeds.State()) { Feeds() }
    store.exhaustivity = .off
    let scores = PendingStreams<Int>()
    store.dependencies.feedClient.scores = scores.endpoint()

    await store.send(.watchScores)
    scores.yield(0, 1)
    scores.yield(0, 2)
    scores.yield(0, 2)
    await store.skipReceivedActions(strict: false)
    withKnownIssue { #expect(store.state.scores.count < 3) }
    scores.finish(0)
    await store.finish()
  }

  @Test func aStreamCanFail() async {
    let issues = await captureIssues {
      await explorer
        .actions(.readNews)
        .outcomes(of: \.feedClient.news) { [.elements($0), .failed(Offline(), after: $0)] }
        .always { !$0.hasFailed || $0.news.isEmpty }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        """
          await store.send(.readNews)
          news.yield(0, "today")
          news.finish(0, throwing: Offline())
        """) == true, "\(issues)")
  }

  @Test func aCallbackIsCalledTwiceOnlyAsAFault() async {
    let explorer =
      explorer
      .actions(.locate)
      .outcomes(of: \.feedClient.locate) { [.success(7)] }
      .always { $0.places.count < 2 }
    let none = await captureIssues { await explorer.explore(steps: 1) }
    #expect(none.isEmpty)
    let issues = await captureIssues {
      await explorer.faults(atMost: 1, repetitions: true).explore(steps: 1)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("once more") == true)
    #expect(
      issues.first?.message.contains(
        """
          let locate = PendingCalls<Int>()
          store.dependencies.feedClient.locate = locate.endpoint()

          await store.send(.locate)
          locate.answer(0, .success(7))
          locate.answer(0, .success(7))
        """) == true, "\(issues)")
  }

  /// The test of the failure above, as it was printed.
  @Test func theTestWithACallbackFailsInTheSameWay() async {
    let store = TestStore(initialState: Feeds.State()) { Feeds() }
    store.exhaustivity = .off
    let locate = PendingCalls<Int>()
    store.dependencies.feedClient.locate = locate.endpoint()

    await store.send(.locate)
    locate.answer(0, .success(7))
    locate.answer(0, .success(7))
    await store.skipReceivedActions(strict: false)
    withKnownIssue { #expect(store.state.places.count < 2) }
  }

  @Test func faultsShareOneBudget() async {
    let issues = await captureIssues {
      await explorer
        .actions(.locate)
        .outcomes(of: \.feedClient.locate) { [.success(7), .never] }
        .always { $0.places.count < 2 }
        .eventually { $0.places.count == 1 }
        .faults(atMost: 0, repetitions: true)
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
          confirm.answer(0, .success(true))
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
