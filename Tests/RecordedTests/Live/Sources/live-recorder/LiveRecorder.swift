// Runs features on real clocks, and records them.
//
//     live-recorder search|station recording.jsonl

import Foundation
import LiveFeatures
import Rondo
import RondoRecording

@main
struct LiveRecorder {
  @MainActor
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, ["search", "station"].contains(arguments[1]) else {
      FileHandle.standardError.write(
        Data("live-recorder: say 'search' or 'station', and a file\n".utf8))
      exit(64)
    }
    let file = URL(filePath: arguments[2])
    if arguments[1] == "search" { try await search(file) } else { try await station(file) }
  }

  /// Types on the main actor.
  @MainActor
  private static func search(_ file: URL) async throws {
    let store = Store(initialState: Search.State()) { Search() }
    let recording = try store.record(to: file)
    store.send(.queryChanged("a"))
    try await Task.sleep(for: .milliseconds(12))
    await store.send(.queryChanged("ab")).finish()
    await store.send(.queryChanged("abc")).finish()
    recording.end()
  }

  /// Waits on an actor.
  private static func station(_ file: URL) async throws {
    let store = StoreActor(initialState: Station.State()) { Station() }
    let recording = try await store.record(to: file)
    await store.send(.started)
    try await Task.sleep(for: .milliseconds(220))
    await store.send(.stopped).finish()
    recording.end()
  }
}
