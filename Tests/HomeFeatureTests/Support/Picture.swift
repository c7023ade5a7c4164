// The terminal's screen on virtual time, with every frame that it has drawn.

import Dispatch
import Foundation
import Rondo
import RondoStage

@testable import HomeFeature
@testable import HomeScreen

/// A screen whose services are stand-ins on one timeline, and what it has drawn so far.
@MainActor
final class Picture {
  let timeline = TestTimeline(startDate: .piDay)
  let player: ScreenPlayer

  /// Every frame, and when it was drawn.
  var frames: [(time: Duration, canvas: Canvas)] { drawn.frames }

  private let drawn: Drawn

  private final class Drawn {
    var frames: [(time: Duration, canvas: Canvas)] = []
  }

  /// A screen. Every source takes 100 ms, the files excepted, and nobody makes a turn.
  init(
    size: ScreenSize = .standard,
    failing: Set<Source> = [],
    matches: [TurnBasedMatch] = [.yours, .theirs]
  ) {
    let timeline = timeline
    let drawn = Drawn()
    self.drawn = drawn
    player = ScreenPlayer(
      scheduler: timeline.scheduler.eraseToAnyScheduler(),
      size: size,
      elapsed: { timeline.elapsed },
      draw: { drawn.frames.append((timeline.elapsed, $0)) },
      withDependencies: {
        $0.standIns(
          on: timeline, failing: failing, matches: matches, turnInterval: .seconds(3600))
      }
    )
  }

  /// Lets everything be answered and come to rest.
  func launch() {
    player.start()
    timeline.advance(by: .seconds(2))
  }

  /// The frames that something leads to.
  func frames(of change: () -> Void) -> [Canvas] {
    let before = drawn.frames.count
    change()
    return drawn.frames[before...].map(\.canvas)
  }

  /// What is seen now, line by line.
  var lines: [String] {
    drawn.frames.last?.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init) ?? []
  }
}
