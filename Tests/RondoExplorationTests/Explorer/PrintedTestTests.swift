// The words of a test that an explorer prints (X21).

import Foundation
import Rondo
import RondoTesting
import Testing

@testable import RondoExploration

private struct Tally: Reducer {
  struct State: Hashable {
    var count = 0
    var limit = 9
  }
  enum Action: Equatable { case add }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }
}

private struct RefusedSearch: Error {}

private struct TypedClient: DependencyKey {
  var search: @Sendable (String) async throws(RefusedSearch) -> Int

  static var liveValue: Self { testValue }
  static var testValue: Self { Self { _ in 0 } }
}

extension DependencyValues {
  fileprivate var typedClient: TypedClient {
    get { self[TypedClient.self] }
    set { self[TypedClient.self] = newValue }
  }
}

// swift-format-ignore
@Suite struct PrintedTestTests {
  // X21
  @Test func ofTwoConditionsInALineTheOneThatFailsIsNamed() async {
    let message = await message {
      await Explorer(initialState: Tally.State()) { Tally() }.actions(.add)
        .always { $0.limit == 9 }.always { $0.count < 1 }.explore(steps: 1)
    }
    #expect(message.contains("does not after the last step: { $0.count < 1 }"), "\(message)")
    #expect(message.contains("#expect(store.state.count < 1)"), "\(message)")
  }

  // X21
  @Test func aReducerWithItsLabelIsFound() async {
    func makeExplorer() -> Explorer<Tally.State, Tally.Action> { Explorer(initialState: Tally.State(), reducer: { Tally() }) }
    let message = await message {
      await makeExplorer().actions(.add).always { $0.count < 1 }.explore(steps: 1)
    }
    #expect(
      message.contains("TestStore(initialState: Tally.State(), reducer: { Tally() })"),
      "\(message)")
  }

  // X21
  @Test func theBeginningOfAReducerWithItsLabelIsAskedAfterEveryAction() {
    let source = SourceText("Explorer(initialState: 1, reducer: Tally.init)")
    #expect(
      source.creation(of: "Explorer", askingAfterEveryAction: ["ask"]) == """
        (initialState: 1, reducer: {
            Tally.init()
            Reduce { state, _ in
              ask
              return .none
            }
          })
        """)
  }

  // X21
  @Test func aKeyPathWithItsTypeNamesAnEndpoint() async {
    let message = await message {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("a"))
        .outcomes(of: \DependencyValues.searchClient.search) { [.success([$0])] }
        .always { $0.query.isEmpty }
        .explore(steps: 1)
    }
    #expect(message.contains("  store.dependencies.searchClient.search = search.endpoint()"), "\(message)")
  }

  // X21
  @Test func anEndpointThatThrowsOneTypeIsExplained() async {
    let message = await message {
      await Explorer(initialState: Tally.State()) { Tally() }.actions(.add)
        .outcomes(of: \.typedClient.search) { _ in [.success(1)] }.explore(steps: 1)
    }
    #expect(message.hasSuffix("cannot be answered. Let it throw any error: 'throws', without a type."), "\(message)")
  }

  // X21
  @Test(arguments: [1]) func whatATestUsesIsTakenAlong(limit: Int) async {
    let (first, unused) = (1 - 1, limit)
    let start = Tally.State(
      count: first, limit: limit)
    _ = unused
    let message = await message {
      await Explorer(initialState: start) { Tally() }
        .actions(.add)
        .always { $0.count < limit }
        .explore(steps: 1)
    }
    #expect(
      message.contains(
        """
        @Test func foundByExploration() async {
          // Give this a value: let limit =
          let (first, unused) = (1 - 1, limit)
          let start = Tally.State(
            count: first, limit: limit)
          let store = TestStore(initialState: start) { Tally() }
        """), "\(message)")
  }

  // X21
  @Test func namesOfOpenBlocksAreInScope() {
    let scope = SourceScope(
      """
      struct Tests {
        let member = 1
        func helper(other: Int) { let other = "}" }
        func test(_ label: Int, of name: String = "{") async {
          let a = [1,
            2]
          if let b = label { let c = 1 }
          for d in a {
            // let e = "
            var e = d
              + 1
            let f = { member in 2 }
      """)
    let code = "x(member, other, label, name, b, c, d: d, e.f, f) + g.a"
    #expect(
      scope.lines(for: code) == [
        "// Give this a value: let label =", "// Give this a value: let name =",
        "// Give this a value: let d =", "var e = d", "  + 1", "let f = { member in 2 }",
      ])
    #expect(scope.lines(for: "member").isEmpty)
  }

  private nonisolated(nonsending) func message(
    _ body: nonisolated(nonsending) () async -> Void
  ) async -> String {
    let issues = await captureIssues { await body() }
    #expect(issues.count == 1)
    return issues.first?.message ?? ""
  }
}
