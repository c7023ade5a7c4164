// Properties of features (X2, X5, X6, X8, X9).

import Foundation
import RondoScheduling
import RondoSeededRandomness
import RondoTesting
import Testing

@Suite struct ExplorerTests {
  @Test func aFeatureThatIsRightHoldsInEveryOrder() async {
    let coverage = await explorer(cancelsInFlight: true).explore(steps: 2, orders: 100_000)
    #expect(coverage.isComplete)
    #expect(coverage.stateCount == 7)
  }

  @MainActor @Test func conditionsAreAskedOnTheActorThatExplores() async {
    let places = LockIsolated<[Bool]>([])
    let isHere: @MainActor (Bool) -> Bool = { isRight in
      places.withValue { $0.append(isOnMainQueue()) }
      return isRight
    }
    let explorer = explorer(cancelsInFlight: false)
    let explorers = [
      explorer.always { isHere([$0.results].allSatisfy { $0.count < 1 }) },
      explorer.eventually { isHere([$0.results].allSatisfy { $0.count < 1 }) },
      explorer.whenever {
        isHere([$0.query].allSatisfy { !$0.isEmpty })
      } eventually: {
        isHere([$0.results].allSatisfy { $0.count < 1 })
      },
    ]
    for explorer in explorers {
      let issues = await captureIssues { await explorer.explore(steps: 2, orders: 20) }
      #expect(issues.count == 1)
    }
    #expect(!places.value.isEmpty && places.value.allSatisfy { $0 })
  }

  @Test func anExplorationOfNothingIsReported() async {
    let explorer = Explorer(initialState: Search.State()) { Search(cancelsInFlight: true) }
    let noActions = await captureIssues { await explorer.explore(steps: 1, orders: 1) }
    #expect(
      noActions.map(\.message) == [
        "An explorer without actions has nothing to explore. Name some by '.actions(…)'."
      ])
    let some = explorer.actions(.queryChanged(""))
    for steps in [0, -1] {
      let issues = await captureIssues { await some.explore(steps: steps) }
      #expect(
        issues.map(\.message) == [
          "A run of \(steps) steps does nothing. Let 'explore(steps:)' have one at least."
        ])
    }
    for orders in [0, -1] {
      let issues = await captureIssues { await some.explore(orders: orders) }
      #expect(
        issues.map(\.message) == [
          "To explore \(orders) orders is to run nothing. Let 'explore(orders:)' have one at least."
        ])
    }
    let noTime = await captureIssues { await some.explore(within: .zero) }
    #expect(
      noTime.map(\.message) == [
        "In a time of 0 s nothing is run. Let 'explore(within:)' have more."
      ])
  }

  @Test func anEndpointThatNoRunCallsIsAWarning() async {
    let line = UInt(#line) + 4
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.failed)
        .outcomes(of: \.searchClient.search) { [.success([$0])] }
        .explore(steps: 1)
    }
    #expect(
      issues.map(\.message) == [
        """
        No run has called 'search', so its outcomes say nothing. Leave them out, or name actions that \
        lead to a call.
        """
      ])
    #expect(issues.first?.severity == .warning)
    #expect(issues.first?.position.line == line)
  }

  @Test func aCallThatGetsNoOutcomeIsACall() async {
    let issues = await captureIssues {
      let coverage = await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("a"))
        .outcomes(of: \.searchClient.search) { _ in [.never] }
        .faults(atMost: 0)
        .explore(steps: 1)
      #expect(coverage.unreached.contains("an answer of search"))
    }
    #expect(issues.map(\.message).filter { $0.hasPrefix("No run has called") } == [])
  }

  @Test func anExplorationThatSendsNothingIsReported() async {
    let explorer = Explorer(initialState: Search.State()) { Search() }
    for explorer in [explorer.actions(), explorer.availableActions { _ in [] }] {
      let issues = await captureIssues { await explorer.explore(steps: 1) }
      #expect(
        issues.map(\.message) == [
          """
          No run has sent an action, because there was none to send. Name actions by '.actions(…)', or let \
          '.availableActions' give some in the initial state.
          """
        ])
    }
  }

  @Test(.enabled(if: Soak.isOn)) func aRunWithoutEndIsReported() async {
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { _, _ in .run { send in await send(true) } }
      }
      .actions(true)
      .eventually { $0 == 0 }
      .explore(steps: 1)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.hasPrefix("A run has made 10000 steps") == true, "\(issues)")
  }

  @Test func aTestThatIsCancelledExploresNoMore() async {
    let count = await Task {
      var count = 0
      let coverage = await explorer(cancelsInFlight: true)
        .availableActions { _ in
          count += 1
          if count == 100 { withUnsafeCurrentTask { $0?.cancel() } }
          return []
        }
        .explore(steps: 6, orders: 1_000)
      return coverage.orderCount
    }.value
    #expect(count < 100)
  }

  @Test func aStaleAnswerIsFound() async {
    let issues = await captureIssues {
      await explorer(cancelsInFlight: false).explore(steps: 6, orders: 1_000)
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.message == """
        This is to hold always, and does not after the last step: \
        { $0.results.isEmpty || $0.results == [$0.query] }

        Search.State(query: "bl", results: ["b"], isLoading: false)

          0 s  .queryChanged("b")  sent
          0 s  .queryChanged("bl")  sent
          0 s  call 0 of search: .success(["b"])  answered
          0 s  .response(["b"])  from run "search" of .queryChanged("b")

        Found in run 4. This run again: .replay("2-2:2/5")

        As a test:

        @Test func foundByExploration() async {
          // To be taken along from around the explorer: cancelsInFlight.
          let store = TestStore(initialState: Search.State()) { Search(cancelsInFlight: cancelsInFlight) }
          store.exhaustivity = .off
          let search = PendingCalls<Array<String>>()
          store.dependencies.searchClient.search = search.endpoint()

          await store.send(.queryChanged("b"))
          await store.send(.queryChanged("bl"))
          search.answer(0, .success(["b"]), strict: false)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.results.isEmpty || store.state.results == [store.state.query])
        }
        """)
  }

  /// The test of the failure above, as it was printed, and with the mend that cancels the call.
  @Test(arguments: [false, true])
  func theTestThatIsPrintedFailsInTheSameWay(cancelsInFlight: Bool) async {
    let store = TestStore(initialState: Search.State()) { Search(cancelsInFlight: cancelsInFlight) }
    store.exhaustivity = .off
    let search = PendingCalls<Array<String>>()
    store.dependencies.searchClient.search = search.endpoint()

    await store.send(.queryChanged("b"))
    await store.send(.queryChanged("bl"))
    search.answer(0, .success(["b"]), strict: false)
    await store.skipReceivedActions(strict: false)
    withKnownIssue {
      #expect(store.state.results.isEmpty || store.state.results == [store.state.query])
    } when: {
      !cancelsInFlight
    }
    #expect(cancelsInFlight || store.state == Search.State(query: "bl", results: ["b"]))
  }

  /// Each condition would take the compiler long with all others in one expression.
  @Test func aChainOfConditionsCompiles() async {
    let coverage = await Explorer(initialState: Feeds.State()) { Feeds() }
      .actions(.confirm(1), .confirm(2), .rate)
      .outcomes(of: \.feedClient.confirm) { [.success($0 * 10 == $0 + 9), .success(false)] }
      .outcomes(of: \.feedClient.rate) { [.success($0 + $1.count * 2), .failure(Offline())] }
      .always { $0.scores.first == nil || $0.scores.first == $0.news.count * 10 + 1 }
      .always { $0.rates.first == nil || $0.rates.first == $0.places.count * 10 + 10 }
      .always { $0.places.first == nil || $0.places.first == $0.scores.count * 10 + 1 }
      .eventually { state in
        if state.hasFailed { state.rates.isEmpty } else { state.rates.count * 2 >= 0 }
      }
      .explore(steps: 1)
    #expect(coverage.isComplete)
  }

  @Test func theOrderThatFailsIsNotAmongThoseThatHold() async {
    var coverage: ExplorationCoverage?
    _ = await captureIssues {
      coverage = await explorer(cancelsInFlight: false).explore(steps: 6, orders: 1_000)
    }
    #expect(coverage?.hasFailed == true)
    #expect(coverage?.isComplete == false)
    #expect(coverage?.description.hasPrefix("3 orders hold, and one fails") == true)
    _ = await captureIssues {
      coverage = await Explorer(initialState: Search.State()) { Search() }
        .actions(.failed).always { _ in false }.explore(steps: 1)
    }
    #expect(coverage?.description == "the first order fails")
  }

  @Test func anEnormousNumberOfOrdersIsReadByPeople() async throws {
    let coverage = await explorer(cancelsInFlight: true).explore(steps: 40, orders: 20)
    try #require(coverage.estimatedCount >= 1e15)
    let power = Int(log10(coverage.estimatedCount).rounded())
    #expect(
      coverage.description.hasPrefix("20 of an estimated 10^\(power) orders hold"), "\(coverage)")
  }

  @Test(arguments: [("/nowhere", 1), ("\(#filePath)", 1), ("\(#filePath)", 1_000_000)])
  func aTestThatCannotBeWrittenForWantOfTheSourceSaysSo(path: String, line: Int) async {
    let issues = await captureIssues {
      await Explorer(
        initialState: Search.State(), reducer: { Search() },
        filePath: path == "/nowhere" ? "/nowhere" : #filePath, line: UInt(line)
      )
      .actions(.failed).always { _ in false }.explore(steps: 1)
    }
    #expect(
      issues.first?.message.contains(
        """
        It cannot be written as a test: what the explorer is made of is not found in line \(line) of \(path)
        """) == true, "\(issues)")
  }

  @Test func aFailureIsReplayed() async throws {
    let found = await captureIssues {
      await explorer(cancelsInFlight: false).explore(steps: 6, orders: 1_000)
    }
    let message = try #require(found.first?.message)
    let order = try #require(message.firstMatch(of: /\.replay\("(.*)"\)/)?.output.1)
    let again = await captureIssues {
      await explorer(cancelsInFlight: false).replay(String(order))
    }
    #expect(again.count == 1)
    #expect(again.first?.message.prefix(200) == message.prefix(200))
    let fixed = await captureIssues {
      await explorer(cancelsInFlight: true).replay(String(order))
    }
    #expect(!fixed.contains { $0.message.hasPrefix("This is to hold always") })
  }

  @Test(arguments: ["", "3", "x-1:1/2", "-1-", "2-1:0/2"])
  func whatIsNoOrderIsReported(order: String) async {
    let issues = await captureIssues { await explorer(cancelsInFlight: true).replay(order) }
    #expect(
      issues.map(\.message) == [
        """
        "\(order)" is not an order of an explorer. Copy the string that a failure of 'explore' shows.
        """
      ])
  }

  @Test func anOrderThatDoesNotFitIsReported() async {
    let issues = await captureIssues {
      await explorer(cancelsInFlight: true).replay("2-90:1/4")
    }
    #expect(
      issues.map(\.message) == [
        """
        The order "2-90:1/4" does not fit this feature any more: it deviates at choice 90, and the run \
        has made 8 choices, counted from 0. The feature, or what the explorer is told, has changed since. Find an order anew with 'explore'.
        """
      ])
  }

  @Test func whatIsToHoldInTheEndIsAskedInTheEnd() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { _ in [.success([])] }
        .eventually("nothing is loading") { $0.isLoading }
        .explore(steps: 1)
    }
    #expect(
      issues.first?.message.hasPrefix(
        "This is to hold in the end, and does not: nothing is loading") == true)
  }

  @Test func aCallThatNeverComesBackIsNotWaitedFor() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { _ in [.success([]), .never] }
        .eventually { !$0.isLoading }
        .explore(steps: 1)
    }
    #expect(issues.isEmpty)
  }

  @Test func aModelThatDisagreesIsFound() async {
    let issues = await captureIssues {
      await explorer(cancelsInFlight: false, isChecked: false)
        .matches(
          initialState: Search.State(), SearchModel(), comparing: \.results, with: \.results
        )
        .explore(steps: 2)
    }
    #expect(issues.first?.message.hasPrefix("The feature does not agree with its model") == true)
    #expect(
      issues.first?.message.contains(
        """
          await store.send(.queryChanged("b"))
          await store.send(.queryChanged("bl"))
          search.answer(0, .success(["b"]), strict: false)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.results == [])
        """) == true, "\(issues)")
  }

  @Test func modelsWhoseHashesAreEqualAreToldApart() async {
    struct Letters: Hashable {
      var all: [String] = []
      func hash(into hasher: inout Hasher) {}
    }
    let issues = await captureIssues {
      await Explorer(initialState: Set<String>()) {
        Reduce<Set<String>, String> { letters, letter in
          letters.insert(letter)
          return .none
        }
      }
      .actions("a", "b", "c")
      .matches(
        initialState: Letters(),
        Reduce<Letters, String> { letters, letter in
          letters.all.append(letter)
          return .none
        },
        comparing: { _ in true }, with: { $0.all != ["b", "a", "b"] }
      )
      .explore(steps: 3)
    }
    #expect(issues.count == 1)
  }

  /// A test that is pasted fails, however the values are named that are compared.
  @Test func aTestAgainstAModelComparesWhatTheExplorerCompares() async {
    let explorer = explorer(cancelsInFlight: false, isChecked: false)
    let comparisons = [
      explorer.matches(
        initialState: Search.State(), SearchModel(), comparing: \.results, with: \.results),
      explorer.matches(initialState: .init(), SearchModel()) {
        $0.results
      } with: {
        $0.results
      },
      explorer.matches(initialState: .init(), SearchModel(), comparing: { $0.results }) {
        $0.results
      },
      explorer.matches(
        initialState: Search.State(), SearchModel(), comparing: \Search.State.results,
        with: \.results),
      explorer.matches(initialState: .init(), SearchModel()) {
        $0.results
      } with: { state in
        state.results
      },
      explorer.matches(initialState: .init(), SearchModel(), comparing: { state in state.results })
      {
        $0.results
      },
    ]
    let expectations = [
      "#expect(store.state.results == [])", "#expect(store.state.results == [])",
      "#expect(store.state.results == [])",
      "#expect(store.state[keyPath: \\Search.State.results] == [])",
      "#expect(store.state.results == [])",
      "#expect({ state in state.results }(store.state) == [])",
    ]
    for (comparison, expectation) in zip(comparisons, expectations) {
      let issues = await captureIssues { await comparison.explore(steps: 2) }
      #expect(issues.first?.message.contains(expectation) == true, "\(issues)")
    }
  }

  @Test func aTestAsksAConditionThatIsNoPlainExpression() async {
    let explorer = explorer(cancelsInFlight: false, isChecked: false)
    let conditions = [
      explorer.always { state in state.results.isEmpty },
      explorer.always { $0.results.allSatisfy { $0 == "c" } },
      explorer.always {
        let results = $0.results
        return results.isEmpty
      },
    ]
    let expectations = [
      "  #expect({ state in state.results.isEmpty }(store.state))",
      "  #expect({ $0.results.allSatisfy { $0 == \"c\" } }(store.state))",
      """
        #expect({ let results = $0.results
              return results.isEmpty }(store.state))
      """,
    ]
    for (condition, expectation) in zip(conditions, expectations) {
      let issues = await captureIssues { await condition.explore(steps: 1) }
      #expect(issues.first?.message.contains(expectation) == true, "\(issues)")
    }
  }

  @Test func theCodeOfAConditionIsWholeAfterAnEscapedBackslash() async {
    let explorer = explorer(cancelsInFlight: false, isChecked: false)
    let condition = explorer.always { $0.results.isEmpty || $0.query == "\\" }
    let issues = await captureIssues { await condition.explore(steps: 1) }
    let expectation = #"  #expect(store.state.results.isEmpty || store.state.query == "\\")"#
    #expect(issues.first?.message.contains(expectation) == true, "\(issues)")
  }

  /// The conditions of the failures above, as they were printed.
  @Test func theConditionsThatArePrintedCompile() async {
    let store = TestStore(initialState: Search.State(results: ["b"])) { Search() }
    withKnownIssue { #expect({ state in state.results.isEmpty }(store.state)) }
    withKnownIssue { #expect({ $0.results.allSatisfy { $0 == "c" } }(store.state)) }
    withKnownIssue {
      #expect(
        {
          let results = $0.results
          return results.isEmpty
        }(store.state))
    }
    #expect({ state in state.results }(store.state) == ["b"])
  }

  @Test func anIssueOfTheFeatureIsAFailure() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("SearchClient.search") == true)
  }

  @Test func actionsCanDependOnTheState() async {
    let coverage = await Explorer(initialState: Search.State()) { Search() }
      .availableActions { $0.isLoading ? [] : [Search.Action.queryChanged("b")] }
      .outcomes(of: \.searchClient.search) { [.success([$0])] }
      .always { $0.query.count < 2 }
      .explore(steps: 1)
    // The action, then the answer.
    #expect(coverage.orderCount == 1)
  }

  @Test func faultsHaveABudget() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline()), .never] }
        .always { !$0.query.isEmpty || $0.results.isEmpty }
        .eventually { $0.query.isEmpty || $0.results == ["b"] }
        .faults(atMost: 0)
        .explore(steps: 3, orders: 500)
    }
    #expect(issues.isEmpty)
  }

  @Test func anEffectThatIsCancelledAtAnyTimeIsAFault() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { [.success([$0])] }
        .eventually { !$0.isLoading }
        .faults(atMost: 1, of: .cancellation)
        .explore(steps: 1, orders: 500)
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.message.contains(
        """
        No test with 'TestStore' says this: an effect is cancelled, and by none of the feature's actions.
        """) == true)
  }

  private func explorer(
    cancelsInFlight: Bool, isChecked: Bool = true
  ) -> Explorer<Search.State, Search.Action> {
    let explorer = Explorer(initialState: Search.State()) {
      Search(cancelsInFlight: cancelsInFlight)
    }
    .actions(.queryChanged("b"), .queryChanged("bl"), .queryChanged(""))
    .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
    guard isChecked else { return explorer }
    return
      explorer
      .always { $0.results.isEmpty || $0.results == [$0.query] }
      .eventually { !$0.isLoading }
  }
}

/// A model of the search: it shows what belongs to the query.
private struct SearchModel: Reducer {
  func reduce(into state: inout Search.State, action: Search.Action) -> Effect<Search.Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []
    case .response(let results) where results == [state.query]:
      state.results = results
    case .response, .failed:
      break
    }
    return .none
  }
}

@Suite struct PendingCallsTests {
  @Test func callsAreAnsweredInTheOrderOfTheTest() async {
    let search = PendingCalls<[String]>()
    let store = TestStore(initialState: Search.State()) { Search() }
    store.dependencies.searchClient.search = search.endpoint()
    await store.send(.queryChanged("b")) {
      $0.query = "b"
      $0.isLoading = true
    }
    await store.send(.queryChanged("bl")) { $0.query = "bl" }
    #expect(search.count == 2)
    search.answer(1, .success(["bl"]))
    await store.receive(.response(["bl"])) {
      $0.results = ["bl"]
      $0.isLoading = false
    }
    search.answer(0, .failure(Offline()))
    await store.receive(.failed)
  }

  @Test func aCallIsCancelledWithItsEffect() async {
    let search = PendingCalls<[String]>()
    let store = TestStore(initialState: Search.State()) { Search(cancelsInFlight: true) }
    store.dependencies.searchClient.search = search.endpoint()
    await store.send(.queryChanged("b")) {
      $0.query = "b"
      $0.isLoading = true
    }
    await store.send(.queryChanged("")) {
      $0.query = ""
      $0.isLoading = false
    }
    await store.finish()
    let issues = captureIssues { search.answer(0, .success([])) }
    #expect(
      issues.map(\.message) == [
        "Call 0 is over: it has been answered, or cancelled. Answer a call that is waiting."
      ])
  }

  @Test func whatACallCannotThrowIsReported() async {
    let confirm = PendingCalls<Bool>()
    let endpoint: @Sendable (Int) async -> Bool = confirm.endpoint()
    async let isConfirmed = endpoint(1)
    while confirm.count == 0 { await Task.yield() }
    let issues = captureIssues { confirm.answer(0, .failure(Offline()), strict: false) }
    #expect(
      issues.map(\.message) == [
        """
        Call 0 cannot throw Offline(). Answer it with a success, or let the endpoint throw that.
        """
      ])
    confirm.answer(0, .success(true))
    #expect(await isConfirmed)
  }

  @Test func aCallThatThereIsNotIsReported() {
    let search = PendingCalls<[String]>()
    let issues = captureIssues { search.answer(2, .success([])) }
    #expect(
      issues.map(\.message) == [
        "There is no call 2: there have been 0, counted from 0. Answer a call that is waiting."
      ])
  }
}
