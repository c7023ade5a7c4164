// The home screen on virtual time, with a log of what happened.

import Dispatch
import Foundation
import Rondo
import Synchronization

@testable import RondoHomeFeature

/// A store of the home screen whose clients are stand-ins on one timeline.
@MainActor
final class Screen {
  let timeline: TestTimeline
  let store: StoreOf<Home>

  /// The commits so far: `250 matchesLoaded [.default] matches: none`.
  private(set) var log: [String] = []
  private(set) var commits: [HomeCommit] = []
  private var subscription: AnyCancellable?

  /// Creates a screen. Every source except the files takes 100 ms.
  ///
  /// - Parameters:
  ///   - date: The date at the start.
  ///   - failing: The sources that fail.
  ///   - latencies: The sources that take another time, with that time.
  ///   - content: The content of the server.
  ///   - consent: Whether the player signs in.
  ///   - matches: The matches there are.
  ///   - change: Changes the dependencies before they are used.
  init(
    at date: Date = .piDay,
    failing: Set<Source> = [],
    latencies: [Source: Duration] = [:],
    content: EmbeddedServer.Content = .typical,
    consent: GameServiceStub.Consent = .granted,
    matches: [TurnBasedMatch] = [.yours, .theirs],
    change: @escaping (inout DependencyValues) -> Void = { _ in }
  ) {
    let timeline = TestTimeline(startDate: date)
    self.timeline = timeline
    store = Store(initialState: Home.State()) {
      Home()
    } withDependencies: {
      $0.standIns(
        on: timeline, failing: failing, latencies: latencies, content: content, consent: consent,
        matches: matches)
      change(&$0)
    }
    subscription = store.subscribe { [weak self] commit in
      let commit = HomeCommit(
        time: timeline.elapsed, date: timeline.date, actions: commit.actions,
        transaction: commit.transaction, oldState: commit.oldState, newState: commit.newState)
      self?.commits.append(commit)
      self?.note(commit.entry)
    }
  }

  /// Sends `onAppear` and lets all answers arrive.
  func launch() {
    store.send(.onAppear)
    advance(by: .seconds(1))
  }

  func advance(by duration: Duration) {
    timeline.advance(by: duration)
  }

  /// Returns the log since the last call, and empties it.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  private func note(_ entry: LogEntry) {
    let changes = entry.changes.map { "\($0.field): \($0.words)" }.joined(separator: "; ")
    let time = Int(entry.time / .milliseconds(1))
    log.append("\(time) \(entry.actions.joined(separator: "+")) [\(entry.tag)] \(changes)")
  }
}

extension TurnBasedMatch {
  static let yours = TurnBasedMatch(
    id: "yours", opponent: "Ada", isYourTurn: true, touchedAt: .piDay - 60)
  static let theirs = TurnBasedMatch(
    id: "theirs", opponent: "Bob", isYourTurn: false, touchedAt: .piDay - 25 * 60 * 60)
  static let ended = TurnBasedMatch(
    id: "ended", opponent: "Eve", status: .ended, isYourTurn: false, touchedAt: .piDay)
}

/// Something that effects write and a test reads.
final class Recorder<Value: Sendable>: Sendable {
  private let lock = Mutex<[Value]>([])

  var values: [Value] { lock.withLock { $0 } }

  func record(_ value: Value) { lock.withLock { $0.append(value) } }
}
