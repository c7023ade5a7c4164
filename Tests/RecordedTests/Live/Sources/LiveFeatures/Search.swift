// A search: it waits until nobody types, and asks an endpoint.

import Rondo

struct SearchClient: DependencyKey {
  var search: @Sendable (String) async -> [String]

  static let liveValue = Self { query in
    try? await Task.sleep(for: .milliseconds(100))
    return [query, "\(query)s"]
  }
  static let testValue = Self { _ in [] }
}

extension DependencyValues {
  var searchClient: SearchClient {
    get { self[SearchClient.self] }
    set { self[SearchClient.self] = newValue }
  }
}

public struct Search: Reducer {
  public struct State: Equatable, Sendable {
    var query = ""
    var results: [String] = []
    var isFresh = false

    public init() {}

    init(query: String, results: [String], isFresh: Bool) {
      self.query = query
      self.results = results
      self.isFresh = isFresh
    }
  }

  public enum Action: Equatable, Sendable {
    case queryChanged(String)
    case found([String])
    case expired
  }

  private enum CancelID { case search, expiry }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.searchClient) var client

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run { [clock, client] send in
        try await clock.sleep(for: .milliseconds(30))
        await send(.found(client.search(query)), animation: .default)
      }
      .cancellable(id: CancelID.search, cancelInFlight: true)
    case .found(let results):
      state.results = results
      state.isFresh = true
      return .send(.expired)
        .delay(for: .milliseconds(25), scheduler: mainQueue)
        .cancellable(id: CancelID.expiry, cancelInFlight: true)
    case .expired:
      state.isFresh = false
      return .none
    }
  }
}
