// Runs features on real clocks, and records them.
//
//     live-recorder search|station|lobby recording.jsonl

import Foundation
import LiveFeatures
import Rondo
import RondoRecording

@main
struct LiveRecorder {
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { refuse() }
    let file = URL(filePath: arguments[2])
    switch arguments[1] {
    case "search": try await search(file)
    case "station": try await station(file)
    case "lobby": try await lobby(file)
    default: refuse()
    }
  }

  private static func refuse() -> Never {
    FileHandle.standardError.write(
      Data("live-recorder: say 'search', 'station' or 'lobby', and a file\n".utf8))
    exit(64)
  }

  /// Types on the main actor.
  @MainActor
  private static func search(_ file: URL) async throws {
    let store = Store(initialState: Search.State()) { Search() }
    let recording = try store.record(to: file)
    store.send(.queryChanged("a"))
    // The wait ends after 30 ms, and the call 10 ms later.
    try await Task.sleep(for: .milliseconds(Int.random(in: 5...45)))
    await store.send(.queryChanged("ab")).finish()
    await store.send(.queryChanged("abc")).finish()
    recording.end()
  }

  /// Waits on an actor. A timer of a machine that stands still for longer than an interval skips
  /// ticks, which one of virtual time does not: then it is recorded again.
  private static func station(_ file: URL) async throws {
    var ticks = 0
    while ticks < Station.ticksUntilStopped {
      let store = StoreActor(initialState: Station.State()) { Station() }
      let recording = try await store.record(to: file)
      await store.send(.started)
      try await Task.sleep(for: Station.timeUntilStopped)
      await store.send(.stopped).finish()
      recording.end()
      ticks = await store.state.ticks
    }
  }

  /// Asks endpoints that answer in any order.
  private static func lobby(_ file: URL) async throws {
    let store = StoreActor(initialState: Lobby.State()) { Lobby() }
    let recording = try await store.record(to: file)
    await store.send(.opened).finish()
    recording.end()
  }
}
