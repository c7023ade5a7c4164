// The terminal's screen on virtual time, with every frame that it has drawn.

import Dispatch
import Foundation
import Rondo
import RondoStage

@testable import RondoHomeFeature
@testable import RondoHomeScreen

/// A screen whose services are stand-ins on one timeline, and what it has drawn so far.
@MainActor
final class Picture {
  let timeline = TestTimeline(startDate: .piDay)
  let player: ScreenPlayer

  /// Every frame, with the time at which it was drawn.
  var frames: [(time: Duration, canvas: Canvas)] { drawn.frames }

  private let drawn: Drawn

  private final class Drawn {
    var frames: [(time: Duration, canvas: Canvas)] = []
  }

  /// Creates a screen. Every source except the files takes 100 ms, and nobody makes a turn.
  init(
    size: ScreenSize = .standard,
    ability: ColorAbility = .full,
    failing: Set<Source> = [],
    matches: [TurnBasedMatch] = [.yours, .theirs]
  ) {
    let timeline = timeline
    let drawn = Drawn()
    self.drawn = drawn
    player = ScreenPlayer(
      scheduler: timeline.scheduler.eraseToAnyScheduler(),
      size: size,
      ability: ability,
      elapsed: { timeline.elapsed },
      draw: { drawn.frames.append((timeline.elapsed, $0)) },
      withDependencies: {
        $0.standIns(
          on: timeline, failing: failing, matches: matches, turnInterval: .seconds(3600))
      }
    )
  }

  /// Starts the screen, and lets all answers arrive and all movement end.
  func launch() {
    player.start()
    timeline.advance(by: .seconds(2))
  }

  /// Makes a change, and returns the frames that it leads to.
  func frames(of change: () -> Void) -> [Canvas] {
    let before = drawn.frames.count
    change()
    return drawn.frames[before...].map(\.canvas)
  }

  /// The text of the last frame, line by line.
  var lines: [String] {
    drawn.frames.last?.canvas.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init) ?? []
  }
}
