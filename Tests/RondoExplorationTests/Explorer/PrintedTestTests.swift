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
  @Test func aNameThatIsUsedBeforeTheTestGivesItItselfIsFromAround() throws {
    let source = try #require(
      SourceText(
        """
        @Test func order() async {
          let state = Tally.State()
          let limit = 3
          await Explorer(initialState: state)
        }
        """, line: 4))
    let code = "TestStore(initialState: state) { Reduce { state, _ in ask(limit) } }"
    #expect(source.names(usedBy: code) == ["limit", "state"])
    #expect(source.names(usedBy: "Reduce { state, _ in state.count }") == [])
  }

  // X21
  @Test func theBeginningOfAReducerWithItsLabelIsAskedAfterEveryAction() throws {
    let source = try #require(SourceText("Explorer(initialState: 1 < 2, reducer: Pair<Int, (Int) -> Bool>.init)"))
    #expect(
      source.creation(of: "Explorer", askingAfterEveryAction: ["ask"]) == """
        (initialState: 1 < 2, reducer: {
            Pair<Int, (Int) -> Bool>.init()
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
  @Test(arguments: [1]) func whatATestNeedsIsNamed(limit: Int) async throws {
    let unused = limit
    let start = try #require(Optional(Tally.State(count: unused - 1)))
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
          // To be taken along from around the explorer: limit, start.
          let store = TestStore(initialState: start) { Tally() }
        """), "\(message)")
  }

  // X21
  @Test func namesOfTheFunctionAroundAreFound() throws {
    let content = """
      let global = 1
      struct Tests {
        let member = 1
        func helper(other: Int) { let other = "}" }
        func test(
          _ label: Int, of name: String = "{"
        ) async throws {
      #if DEBUG
          // A comment that ends in a colon:
          let (a, b) = try made(where: { $0 })
      #endif
          guard let c = label else { return }
          for d in 0..<2 {
            await check { e, f in
              Explorer(initialState: a) { Feature() }
      """
    let source = try #require(SourceText(content, line: 15))
    let code = "x(global, member, other, 1...label, name, a, b, c: c.d, f) { e in e } + g.d + \\.a"
    #expect(source.names(usedBy: code) == ["a", "b", "c", "f", "label", "name"])
    #expect(source.names(usedBy: "d") == ["d"])
  }

  private nonisolated(nonsending) func message(
    _ body: nonisolated(nonsending) () async -> Void
  ) async -> String {
    let issues = await captureIssues { await body() }
    #expect(issues.count == 1)
    return issues.first?.message ?? ""
  }
}
