// Orders a second: what one run of an explorer takes.

import Foundation
import RondoHomeFeature
import Rondo
import RondoTesting

/// A search with one effect, whose older answers are cancelled.
private struct Search: Reducer {
  struct State: Hashable {
    var query = ""
    var results: [String] = []
  }
  enum Action: Equatable {
    case queryChanged(String)
    case found([String])
  }
  enum CancelID { case search }

  @Dependency(\.searchClient) var client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []
      return .run { [client] send in
        await send(.found(try await client.search(query)))
      }
      .cancellable(id: CancelID.search, cancelInFlight: true)
    case .found(let results):
      state.results = results
      return .none
    }
  }
}

private struct SearchClient: DependencyKey {
  var search: @Sendable (String) async throws -> [String]

  static var liveValue: Self { Self(search: { [$0] }) }
  static var testValue: Self { liveValue }
}

extension DependencyValues {
  fileprivate var searchClient: SearchClient {
    get { self[SearchClient.self] }
    set { self[SearchClient.self] = newValue }
  }
}

// On the thread of the caller, so that its instructions can be counted.
private nonisolated(nonsending) func explore(orders: Int) async {
  let coverage = await Explorer(initialState: Search.State()) { Search() }
    .actions(.queryChanged("b"), .queryChanged("bl"))
    .outcomes(of: \.searchClient.search) { [.success([$0])] }
    .always { $0.results.isEmpty || $0.results == [$0.query] }
    .explore(steps: 2, orders: orders)
  precondition(coverage.orderCount > 10)
}

let explorationWorkloads = [
  Workload(
    "explore_search", sizes: [40], operations: { $0 * 28 }, counted: [40],
    reach: "< 50 us",
    body: { size, stopwatch in
      await stopwatch.measure {
        for _ in 0..<size { await explore(orders: 28) }
      }
    }),
  Workload(
    "explore_home", sizes: [200], reach: "< 1 ms",
    body: { size, stopwatch in
      await stopwatch.measure {
        let coverage = await Explorer(initialState: Home.State()) {
          Home()
        } withDependencies: {
          prepareHome(&$0)
        }
        .actions(.onAppear, .refresh)
        .always { $0.problems.isEmpty }
        .patience(.seconds(4))
        .explore(steps: 2, orders: size)
        precondition(coverage.orderCount == size)
      }
    }),
  Workload(
    "explore_memory", sizes: [1_000], counted: [500, 5_000], reach: "flat",
    body: { size, stopwatch in
      let explorer = Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"), .queryChanged("bl"))
        .outcomes(of: \.searchClient.search) { [.success([$0]), .success([])] }
        .always { $0.results.isEmpty || $0.results == [$0.query] }
      await stopwatch.measure { _ = await explorer.explore(steps: 6, orders: size) }
    }),
]

/// The services of the home screen, all of which answer at the same instant.
private func prepareHome(_ values: inout DependencyValues) {
  let (queue, date) = (values.mainQueue, values.date)
  let conditions = Conditions(
    latencies: [
      .files: .zero, .authentication: .milliseconds(100), .server: .milliseconds(100),
      .matches: .milliseconds(100),
    ])
  values.backgroundQueue = queue
  values.fileClient = .preview()
  values.gameService = GameServiceStub(queue: queue, conditions: conditions, now: { date() }).client
  values.server = .live(
    transport: EmbeddedServer(queue: queue, conditions: conditions, now: { date() }).transport)
  values.sound = .preview
  values.timeZone = .gmt
}
