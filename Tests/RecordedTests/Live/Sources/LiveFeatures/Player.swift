// A player of tracks: a long-lived stream, a countdown to the end of a track, a retry with growing pauses, and a
// throttled slider.

import Rondo

@DependencyClient
struct PlayerClient: Sendable {
  var load: @Sendable (_ track: Int) async throws -> Double
  var levels: @Sendable () -> AsyncStream<Int> = { .finished }
}

struct LoadError: Error, Equatable {
  var code: Int
}

extension PlayerClient: DependencyKey {
  static let liveValue = Self(
    load: { track in
      try await Task.sleep(for: .milliseconds(.random(in: 1...30)))
      if Int.random(in: 0..<2) == 0 { throw LoadError(code: track) }
      return 0.25 + Double(track) / 8
    },
    levels: { .finished })
  static let testValue = Self()
}

extension DependencyValues {
  var playerClient: PlayerClient {
    get { self[PlayerClient.self] }
    set { self[PlayerClient.self] = newValue }
  }
}

@Reducer
struct Player {
  @ObservableState
  struct State: Equatable {
    enum Phase: Equatable {
      case stopped
      case loading(track: Int)
      case playing(track: Int, rest: Int)
      case failed(LoadError)
    }

    var phase = Phase.stopped
    var volume = 5
    var shownVolume = 5
    var played: [Int] = []
    var failures: [Int: Int] = [:]
  }

  enum Action: Equatable {
    case playTapped(Int)
    case loaded(track: Int, length: Double)
    case attemptFailed(Int)
    case gaveUp(LoadError)
    case ticked
    case stopTapped
    case volumeChanged(Int)
    case volumeShown(Int)
  }

  enum CancelID { case loading, ticking, volume }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.playerClient) var client

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .playTapped(let track):
        state.phase = .loading(track: track)
        return .merge(
          .cancel(id: CancelID.ticking),
          .run { send in
            for attempt in 1...3 {
              do {
                let length = try await client.load(track: track)
                await send(.loaded(track: track, length: length))
                return
              } catch let error as LoadError {
                guard attempt < 3 else { return await send(.gaveUp(error)) }
                await send(.attemptFailed(track))
                try await clock.sleep(for: .milliseconds(20 * attempt))
              }
            }
          }
          .cancellable(id: CancelID.loading, cancelInFlight: true))

      case .loaded(let track, let length):
        state.phase = .playing(track: track, rest: Int(length * 1000 / 40))
        return .run { send in
          while !Task.isCancelled {
            try await clock.sleep(for: .milliseconds(40))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.ticking, cancelInFlight: true)

      case .attemptFailed(let track):
        state.failures[track, default: 0] += 1
        return .none

      case .gaveUp(let error):
        state.phase = .failed(error)
        return .none

      case .ticked:
        guard case .playing(let track, let rest) = state.phase else { return .none }
        guard rest > 1 else {
          state.played.append(track)
          state.phase = .stopped
          return .cancel(id: CancelID.ticking)
        }
        state.phase = .playing(track: track, rest: rest - 1)
        return .none

      case .stopTapped:
        state.phase = .stopped
        return .merge(.cancel(id: CancelID.loading), .cancel(id: CancelID.ticking))

      case .volumeChanged(let volume):
        state.volume = volume
        return .send(.volumeShown(volume))
          .throttle(
            id: CancelID.volume, for: .milliseconds(50), scheduler: mainQueue, latest: true)

      case .volumeShown(let volume):
        state.shownVolume = volume
        return .none
      }
    }
  }
}
