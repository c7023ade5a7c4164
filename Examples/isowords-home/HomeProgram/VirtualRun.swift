// The launch on virtual time.

import Foundation
import RondoHomeFeature
import Rondo

/// Runs the whole launch at once, in the time that the computing takes.
///
/// Everything that waits or works does so through one timeline's scheduler, so there is never
/// anything under way elsewhere: when the timeline has nothing due before the launch has ended,
/// nothing ever will be. No run differs from another.
@MainActor
struct VirtualRun {
  /// When the launch happens: 2026-03-14T15:09:26Z.
  static let startDate = Date(timeIntervalSince1970: 1_773_500_966)

  let options: Options
  let directory: String
  var recording: RunRecording?
  var runLog: RunLog?

  /// Runs the launch.
  ///
  /// - Parameter log: Takes every commit.
  /// - Returns: What went wrong with the files, if anything did.
  func run(log: @escaping (HomeCommit) -> Void) -> String? {
    let timeline = TestTimeline(startDate: Self.startDate)
    let session = Session(
      services: .virtual(options, directory: directory, timeline: timeline),
      endsAfterLaunch: true,
      elapsed: { timeline.elapsed },
      log: log
    )
    let problem = recording?.begin(session.store, clock: timeline.clock, date: timeline.date)
    if let problem { return problem }
    runLog?.begin(session.store, clock: timeline.clock, date: timeline.date)
    let launch = session.start()
    while !launch.isFinished, timeline.advanceToNextDue() {}
    return session.fileProblem
  }
}
