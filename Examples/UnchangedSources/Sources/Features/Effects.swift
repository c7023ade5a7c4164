import ComposableArchitecture
import Foundation

private let readMe = """
  All kinds of effects, in one feature.
  """

@Reducer
struct Effects {
  @ObservableState
  struct State: Equatable {
    var log: [String] = []
    var progress: Double = 0
    var query = ""
    var results: [String] = []
    var screenshots = 0
    var isLoading = false
  }

  enum Action: Equatable, Sendable {
    case onAppear
    case task
    case screenshotTaken
    case concatenateTapped
    case mergeTapped
    case logged(String)
    case queryChanged(String)
    case queryDebounced
    case response(TaskResult<[String]>)
    case throttled(Int)
    case failTapped
    case failed(String)
    case progressTapped
    case progress(Double)
    case analyticsTapped
    case cancelAll
    case rainbow
    case setLog(String)
  }

  enum CancelID: Hashable { case search, progress, throttle(Int) }

  @Dependency(\.screenshots) var screenshots
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.mainQueue) private var mainQueue
  @Dependency(\.search) var search
  @Dependency(\.date.now) var now
  @Dependency(\.calendar) var calendar
  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  @Dependency(\.fireAndForget) var fireAndForget
  @Dependency(Analytics.self) var analytics

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .onAppear:
        return .merge(
          .send(.logged("appeared")),
          .run { send in await send(.logged("ran")) }
        )

      case .task:
        return .run { send in
          for await _ in await self.screenshots() {
            await send(.screenshotTaken)
          }
        }

      case .screenshotTaken:
        state.screenshots += 1
        return .none

      case .concatenateTapped:
        return .concatenate(
          .run { _ in try await self.clock.sleep(for: .seconds(1)) },
          .send(.logged("first")),
          .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(.logged("second"), animation: .easeInOut(duration: 0.2))
          }
        )

      case .mergeTapped:
        return .merge(
          [1, 2, 3].map { number in
            .run { send in
              try await clock.sleep(for: .seconds(number))
              await send(.logged("\(number)"))
            }
          }
        )

      case .logged(let message), let .setLog(message):
        state.log.append(message)
        return .none

      case let .queryChanged(query):
        state.query = query
        guard !query.isEmpty else {
          state.results = []
          state.isLoading = false
          return .cancel(id: CancelID.search)
        }
        return .send(.queryDebounced)
          .debounce(id: CancelID.search, for: .milliseconds(300), scheduler: mainQueue)

      case .queryDebounced:
        state.isLoading = true
        return .run { [query = state.query] send in
          await send(.response(TaskResult { try await search(query: query) }))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)

      case .response(.success(let results)):
        state.isLoading = false
        state.results = results
        return .none

      case .response(.failure):
        state.isLoading = false
        return .none

      case .throttled(let number):
        return .send(.logged("\(number)"))
          .throttle(id: CancelID.throttle(0), for: 1, scheduler: mainQueue, latest: true)

      case .failTapped:
        return .run { _ in
          struct Failure: Error {}
          throw Failure()
        } catch: { error, send in
          await send(.failed("\(type(of: error))"))
        }

      case .failed(let message):
        state.log.append(message)
        return .none

      case .progressTapped:
        return .run { send in
          for try await progress in self.download() {
            await send(.progress(progress), animation: .default)
          }
        }
        .cancellable(id: CancelID.progress)

      case .progress(let progress):
        state.progress = progress
        return .none

      case .analyticsTapped:
        return .run { [log = state.log] _ in
          await fireAndForget { await analytics.track("tapped \(log.count)") }
        }

      case .cancelAll:
        state.isLoading = false
        return .merge(
          .cancel(id: CancelID.search),
          .cancel(id: CancelID.progress)
        )

      case .rainbow:
        return .run { send in
          for color in ["red", "green"] {
            await send(.setLog(color), animation: .linear)
            try await self.clock.sleep(for: .seconds(1))
          }
        }
      }
    }
  }

  private func download() -> AsyncThrowingStream<Double, any Error> {
    AsyncThrowingStream { continuation in
      continuation.yield(0.5)
      continuation.yield(1)
      continuation.finish()
    }
  }
}

struct Analytics: DependencyKey {
  var track: @Sendable (String) async -> Void

  static let liveValue = Self(track: { print($0) })
  static let testValue = Self(track: unimplemented("Analytics.track"))
}

struct Search: Sendable {
  var search: @Sendable (String) async throws -> [String]
  func callAsFunction(query: String) async throws -> [String] { try await search(query) }
}

extension DependencyValues {
  var search: Search {
    get { self[SearchKey.self] }
    set { self[SearchKey.self] = newValue }
  }

  var screenshots: @Sendable () async -> AsyncStream<Void> {
    get { self[ScreenshotsKey.self] }
    set { self[ScreenshotsKey.self] = newValue }
  }
}

private enum SearchKey: DependencyKey {
  static let liveValue = Search { query in [query] }
  static let previewValue = Search { _ in [] }
  static let testValue = Search(
    search: unimplemented("\(Self.self).search", placeholder: [])
  )
}

private enum ScreenshotsKey: DependencyKey {
  static let liveValue: @Sendable () async -> AsyncStream<Void> = { .finished }
  static let testValue: @Sendable () async -> AsyncStream<Void> = unimplemented(
    #"@Dependency(\.screenshots)"#, placeholder: .finished
  )
}
