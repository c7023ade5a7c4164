// A search in which a stale answer can win.

import Rondo

struct SearchClient: DependencyKey {
  var search: @Sendable (String) async throws -> [String]

  static var liveValue: Self { testValue }
  static var testValue: Self { Self(search: unimplemented("SearchClient.search")) }
}

extension DependencyValues {
  var searchClient: SearchClient {
    get { self[SearchClient.self] }
    set { self[SearchClient.self] = newValue }
  }
}

struct Offline: Error, Equatable {}

/// Shows what a server has found. Whether an older search is cancelled is up to the test.
struct Search: Reducer {
  struct State: Hashable {
    var query = ""
    var results: [String] = []
    var isLoading = false
  }
  enum Action: Equatable {
    case queryChanged(String)
    case response([String])
    case failed
  }
  enum CancelID { case search }

  var cancelsInFlight = false
  @Dependency(\.searchClient) var client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.results = []
      state.isLoading = !query.isEmpty
      guard !query.isEmpty else { return cancelsInFlight ? .cancel(id: CancelID.search) : .none }
      let effect = Effect<Action>.run(name: "search") { [client] send in
        await send(.response(try await client.search(query)))
      } catch: { _, send in
        await send(.failed)
      }
      return cancelsInFlight
        ? effect.cancellable(id: CancelID.search, cancelInFlight: true) : effect
    case .response(let results):
      state.results = results
      state.isLoading = false
      return .none
    case .failed:
      state.isLoading = false
      return .none
    }
  }
}
