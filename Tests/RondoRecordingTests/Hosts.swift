// The three hosts behind one protocol, each with a recording.

import Foundation
import RondoRecording
import RondoTesting
import RondoRuntimeTestSupport
import Testing

enum HostKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case store = "Store"
  case storeActor = "StoreActor"
  case testStore = "TestStore"

  var testDescription: String { rawValue }

  /// A host of a desk that is recorded.
  @MainActor
  func desk(_ file: TemporaryFile) async throws -> any RecordedHost {
    let timeline = TestTimeline()
    switch self {
    case .store:
      let store = Store(initialState: Desk.State()) { Desk(timeline: timeline) }
      let recording = try store.record(to: file.url, clock: timeline.clock)
      return StoreHost(store, timeline, recording)
    case .storeActor:
      let store = StoreActor(initialState: Desk.State()) { Desk(timeline: timeline) }
      let recording = try await store.record(to: file.url, clock: timeline.clock)
      return ActorHost(store, timeline, recording)
    case .testStore:
      let store = TestStore(initialState: Desk.State(), timeline: timeline) {
        Desk(timeline: timeline)
      }
      store.exhaustivity = .off
      return TestHost(store, try store.record(to: file.url))
    }
  }
}

@MainActor
protocol RecordedHost: AnyObject {
  var timeline: TestTimeline { get }
  var recording: Recording { get }

  func state() async -> Desk.State

  /// Sends an action, and returns a closure that cancels what it has started.
  @discardableResult
  func send(_ action: Desk.Action) async -> () async -> Void

  /// Sends an action, and waits for the end of its effects.
  func finish(_ action: Desk.Action) async

  /// Moves time, when something waits for it.
  func advance(by duration: Duration) async

  /// Lets what waits for the host's isolation arrive.
  func settle() async

  func release()
}

extension RecordedHost {
  func advance(by duration: Duration) async {
    await waitUntil { timeline.nextDueInstant != nil }
    // The store learns of a wait before time moves.
    await settle()
    await timeline.advance(by: duration)
  }

  /// Ends the recording, and reads it.
  func read() async throws -> RecordingFile {
    await settle()
    recording.end()
    return try RecordingFile(contentsOf: recording.url)
  }
}

private final class StoreHost: RecordedHost {
  private var store: StoreOf<Desk>!
  let timeline: TestTimeline
  let recording: Recording

  init(_ store: StoreOf<Desk>, _ timeline: TestTimeline, _ recording: Recording) {
    self.store = store
    self.timeline = timeline
    self.recording = recording
  }

  func state() async -> Desk.State { store.state }

  func send(_ action: Desk.Action) async -> () async -> Void {
    let task = store.send(action)
    return { task.cancel() }
  }

  func finish(_ action: Desk.Action) async {
    await store.send(action).finish()
  }

  func settle() async {
    // Work that was posted before is on the main queue already.
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  func release() { store = nil }
}

private final class ActorHost: RecordedHost {
  private var store: StoreActorOf<Desk>!
  let timeline: TestTimeline
  let recording: Recording

  init(_ store: StoreActorOf<Desk>, _ timeline: TestTimeline, _ recording: Recording) {
    self.store = store
    self.timeline = timeline
    self.recording = recording
  }

  func state() async -> Desk.State { await store.state }

  func send(_ action: Desk.Action) async -> () async -> Void {
    let task = await store.send(action)
    return { task.cancel() }
  }

  func finish(_ action: Desk.Action) async {
    await store.send(action).finish()
  }

  func settle() async {
    for _ in 0..<3 { await store?.perform { _ in } }
  }

  func release() { store = nil }
}

private final class TestHost: RecordedHost {
  private var store: TestStoreOf<Desk>!
  let recording: Recording

  init(_ store: TestStoreOf<Desk>, _ recording: Recording) {
    self.store = store
    self.recording = recording
  }

  var timeline: TestTimeline { store.timeline }

  func state() async -> Desk.State { store.currentState }

  func send(_ action: Desk.Action) async -> () async -> Void {
    let task = await store.send(action)
    return { await task.cancel() }
  }

  func finish(_ action: Desk.Action) async {
    let task = await store.send(action)
    await task.finish()
  }

  func advance(by duration: Duration) async {
    await store.advance(by: duration)
  }

  func settle() async { store?.perform {} }

  func release() { store = nil }
}

/// Gives others turns until a condition holds.
@MainActor
func waitUntil(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// A file that is removed with this object.
final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(
    path: "recording-\(UUID().uuidString).jsonl")

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }
}

extension RecordingFile {
  var actions: [RecordingLine.Action] {
    lines.compactMap { if case .action(let line) = $0.line { line } else { nil } }
  }
  var commits: [RecordingLine.Commit] {
    lines.compactMap { if case .commit(let line) = $0.line { line } else { nil } }
  }
  var starts: [RecordingLine.EffectStart] {
    lines.compactMap { if case .effectStarted(let line) = $0.line { line } else { nil } }
  }
  var ends: [RecordingLine.EffectEnd] {
    lines.compactMap { if case .effectEnded(let line) = $0.line { line } else { nil } }
  }
  var waits: [RecordingLine.EffectWait] {
    lines.compactMap { if case .effectWaits(let line) = $0.line { line } else { nil } }
  }
  var resumptions: [RecordingLine.EffectResumption] {
    lines.compactMap { if case .effectResumed(let line) = $0.line { line } else { nil } }
  }
  var emissions: [RecordingLine.Emission] {
    lines.compactMap { if case .emission(let line) = $0.line { line } else { nil } }
  }
  var issues: [RecordingLine.Issue] {
    lines.compactMap { if case .issue(let line) = $0.line { line } else { nil } }
  }

  /// The tree after every commit, the initial one first.
  var trees: [RecordedNode] {
    commits.reduce(into: [begin.state]) { $0.append($0.last!.applying($1.changes)) }
  }

  /// The cause of every action: `add(1) <- send <- sendOne(1)`.
  var causes: [String] {
    actions.map { action in
      var names = [action.name]
      var effect = action.effect
      while let start = starts.first(where: { $0.effect == effect }) {
        names.append(start.label)
        guard let sender = actions.first(where: { $0.action == start.action }) else { break }
        names.append(sender.name)
        effect = sender.effect
      }
      return names.joined(separator: " <- ")
    }
  }
}
