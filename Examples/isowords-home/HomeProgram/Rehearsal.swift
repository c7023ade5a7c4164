// The launch on virtual time, again and again, for measurements.

import RondoHomeScreen
import Rondo
import RondoStage

/// Runs the launch in this process, without a terminal.
@MainActor
package struct Rehearsal {
  package static let width = ScreenSize.standard.width
  package static let height = ScreenSize.standard.height

  private let directory: String

  /// - Parameter directory: The data directory.
  package init(directory: String) {
    self.directory = directory
  }

  /// Runs a whole launch.
  ///
  /// - Returns: The number of commits.
  package func launch() -> Int {
    var commits = 0
    _ = VirtualRun(options: Options(), directory: directory).run { _ in commits += 1 }
    return commits
  }

  /// The stage of a screen that was launched a while ago.
  package func stage(at instant: Duration) -> Stage {
    let timeline = TestTimeline(startDate: VirtualRun.startDate)
    let player = FrameExport(options: Options(), directory: directory).player(timeline) { _ in }
    player.start()
    timeline.advance(by: instant)
    return player.shown
  }
}
