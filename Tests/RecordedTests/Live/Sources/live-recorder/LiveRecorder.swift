// Runs features on real clocks, and records them.
//
//     live-recorder search|station|lobby|notes recording.jsonl
//     live-recorder desk|mailbox|player|courier|chat|quiz recording.jsonl [TAPS [SEED]]

import Foundation
import LiveFeatures
import Rondo
import RondoRecording

@main
struct LiveRecorder {
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard (3...5).contains(arguments.count) else { refuse() }
    let user = User(
      taps: arguments.count > 3 ? Int(arguments[3]) ?? 60 : 60,
      seed: arguments.count > 4 ? UInt64(arguments[4]) ?? 1 : .random(in: 1...9999))
    let file = URL(filePath: arguments[2])
    switch arguments[1] {
    case "search": try await search(file)
    case "station": try await station(file)
    case "lobby": try await lobby(file)
    case "notes": try await notes(file)
    case "desk": try await desk(file, user)
    case "mailbox": try await mailbox(file, user)
    case "player": try await player(file, user)
    case "courier": try await courier(file, user)
    case "chat": try await chat(file, user)
    case "quiz": try await quiz(file, user)
    default: refuse()
    }
  }

  private static func refuse() -> Never {
    FileHandle.standardError.write(
      Data("live-recorder: say the name of a feature, and a file\n".utf8))
    exit(64)
  }

  /// Types on the main actor.
  @MainActor
  private static func search(_ file: URL) async throws {
    let store = Store(initialState: Search.State()) { Search() }
    let recording = try store.record(to: file)
    store.send(.queryChanged("a"))
    // The wait ends after 30 ms, and the call 100 ms later.
    try await Task.sleep(for: .milliseconds(Bool.random() ? 10 : 60))
    await store.send(.queryChanged("ab")).finish()
    await store.send(.queryChanged("abc")).finish()
    recording.end()
  }

  /// Waits on an actor. Where the machine stood still, it is recorded again: then something was due
  /// when the timer was stopped, and had not come.
  private static func station(_ file: URL) async throws {
    for _ in 0..<20 {
      let store = StoreActor(initialState: Station.State()) { Station() }
      let recording = try await store.record(to: file)
      await store.send(.started)
      try await Task.sleep(for: Station.timeUntilStopped)
      await store.send(.stopped).finish()
      recording.end()
      if await store.state.isComplete { return }
    }
  }

  /// Writes notes while a view is there, which goes away.
  @MainActor
  private static func notes(_ file: URL) async throws {
    let store = Store(initialState: Notes.State()) { Notes() }
    let recording = try store.record(to: file)
    let view = store.send(.task)
    try await Task.sleep(for: .milliseconds(10))
    await store.send(.added("a")).finish()
    // Behind a tick nothing is due for a while.
    while store.withState({ $0.seconds }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
    view.cancel()
    await store.send(.added("b")).finish()
    recording.end()
  }

  /// Asks endpoints that answer in any order.
  private static func lobby(_ file: URL) async throws {
    let store = StoreActor(initialState: Lobby.State()) { Lobby() }
    let recording = try await store.record(to: file)
    await store.send(.opened).finish()
    recording.end()
  }
}
