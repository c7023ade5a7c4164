// Endpoints of other kinds than a function that can fail.

import Rondo

/// A client with streams, callbacks, and a call that cannot fail.
struct FeedClient: DependencyKey {
  var scores: @Sendable () -> AsyncStream<Int>
  var news: @Sendable (String) -> AsyncThrowingStream<String, any Error>
  var locate: @Sendable (@escaping @Sendable (Int) -> Void) -> Void
  var confirm: @Sendable (Int) async -> Bool
  var rate: @Sendable (Int, String) async throws -> Int
  var measure: @Sendable (Int, Int, Int, Int) async -> Int

  static var liveValue: Self { testValue }
  static var testValue: Self {
    Self(
      scores: { AsyncStream { $0.finish() } }, news: { _ in AsyncThrowingStream { $0.finish() } },
      locate: { _ in }, confirm: { _ in true }, rate: { _, _ in 0 }, measure: { _, _, _, _ in 0 })
  }
}

extension DependencyValues {
  var feedClient: FeedClient {
    get { self[FeedClient.self] }
    set { self[FeedClient.self] = newValue }
  }
}

/// Another client that has an endpoint of the same name.
struct NewsClient: DependencyKey {
  var scores: @Sendable () async -> Int
  var `default`: @Sendable () async -> Int
  var store: @Sendable () async -> Int

  static var liveValue: Self { testValue }
  static var testValue: Self { Self(scores: { 0 }, default: { 0 }, store: { 0 }) }
}

extension DependencyValues {
  var newsClient: NewsClient {
    get { self[NewsClient.self] }
    set { self[NewsClient.self] = newValue }
  }
}

/// Uses each of the endpoints.
struct Feeds: Reducer {
  struct State: Hashable {
    var isWatching = false
    var scores: [Int] = []
    var news: [String] = []
    var hasFailed = false
    var places: [Int] = []
    var quantity = 0
    var isConfirmed = false
    var rates: [Int] = []
  }
  enum Action: Equatable {
    case watchScores, readNews, locate, confirm(Int), rate, sum
    case scored(Int), read(String), failed, located(Int), confirmed(Int, Bool), rated(Int)
  }

  @Dependency(\.feedClient) var client
  @Dependency(\.newsClient) var newsClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .watchScores:
      state.isWatching = true
      return .run(name: "scores") { [client] send in
        for await score in client.scores() { await send(.scored(score)) }
      }
    case .readNews:
      return .run(name: "news") { [client] send in
        for try await text in client.news("today") { await send(.read(text)) }
      } catch: { _, send in
        await send(.failed)
      }
    case .locate:
      return .run(name: "locate") { [client] send in
        let (places, continuation) = AsyncStream<Int>.makeStream()
        client.locate { continuation.yield($0) }
        for await place in places.prefix(2) { await send(.located(place)) }
      }
    case .confirm(let quantity):
      return .run(name: "confirm") { [client] send in
        await send(.confirmed(quantity, await client.confirm(quantity)))
      }
    case .rate:
      return .run(name: "rate") { [client] send in
        await send(.rated(try await client.rate(4, "new")))
      } catch: { _, send in
        await send(.failed)
      }
    case .sum:
      return .run(name: "sum") { [client, newsClient] send in
        for await score in client.scores() { await send(.scored(score)) }
        await send(.scored(await newsClient.scores()))
        await send(.scored(await newsClient.default()))
        await send(.scored(await newsClient.store()))
      }
    case .rated(let rate): state.rates.append(rate)
    case .scored(let score): state.scores.append(score)
    case .read(let text): state.news.append(text)
    case .failed: state.hasFailed = true
    case .located(let place): state.places.append(place)
    case .confirmed(let quantity, let isConfirmed):
      state.quantity = quantity
      state.isConfirmed = isConfirmed
    }
    return .none
  }
}
