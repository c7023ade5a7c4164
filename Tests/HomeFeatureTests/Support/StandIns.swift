// Stand-ins on a timeline for everything that the home screen depends on.

import Dispatch
import Foundation
import Rondo

@testable import RondoHomeFeature

extension DependencyValues {
  /// Lets everything happen on a timeline. Every source takes 100 ms, the files excepted.
  ///
  /// - Parameters:
  ///   - timeline: The timeline.
  ///   - failing: The sources that fail.
  ///   - latencies: Those that take another time.
  ///   - content: What the server has.
  ///   - consent: Whether the player signs in.
  ///   - matches: The matches there are.
  ///   - turnInterval: How long it takes until the next opponent has made a turn.
  mutating func standIns(
    on timeline: TestTimeline,
    failing: Set<Source> = [],
    latencies: [Source: Duration] = [:],
    content: EmbeddedServer.Content = .typical,
    consent: GameServiceStub.Consent = .granted,
    matches: [TurnBasedMatch] = [.yours, .theirs],
    turnInterval: Duration = .seconds(5)
  ) {
    let queue = timeline.scheduler.eraseToAnyScheduler()
    let now = { @Sendable in timeline.date }
    let conditions = Conditions(
      latencies: [
        .authentication: .milliseconds(100), .server: .milliseconds(100),
        .matches: .milliseconds(100),
      ].merging(latencies) { $1 },
      failing: failing
    )
    fileClient = .preview()
    gameService =
      GameServiceStub(
        consent: consent, matches: matches, turnInterval: turnInterval, queue: queue,
        conditions: conditions, now: now
      ).client
    server = .live(
      transport: EmbeddedServer(content: content, queue: queue, conditions: conditions, now: now)
        .transport)
    sound = .preview
    mainQueue = queue
    backgroundQueue = queue
    date = DateGenerator(now)
    timeZone = .gmt
  }

  /// The date, for clients that want to know it.
  var now: @Sendable () -> Date {
    get {
      let date = date
      return { date() }
    }
    set { date = DateGenerator(newValue) }
  }
}
