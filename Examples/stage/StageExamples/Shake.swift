// A field that shakes its head when a password is wrong, and again before it has finished.

import Foundation
import RondoStage

/// A geometry effect: the sine of a position that moves on by two for each wrong attempt.
public final class Shake: StageExample {
  public static let name = "shake"
  public static let summary = "a wrong password, twice: the second attempt interrupts the first"
  public static let size = (width: 34, height: 3)
  public static let duration = Duration.seconds(3)
  public static let highlights: [Duration] = [0, 563, 688, 812, 1_100, 1_300, 2_800].map {
    .milliseconds($0)
  }

  private var script = ScriptedStage([
    Cue(at: .zero, tree(attempts: 0)),
    Cue(at: .milliseconds(500), tree(attempts: 1)),
    Cue(at: .milliseconds(1_000), tree(attempts: 2)),
  ])

  public init() {}

  public func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func tree(attempts: Int) -> Node {
    Node.group {
      Node.text("┌──────────────────┐\n│ Password: ●●●●●● │\n└──────────────────┘")
        .foreground(attempts == 0 ? .white : .red)
        .effect(ShakeEffect(shakes: attempts * 2))
        .animation(.linear(duration: 0.75), value: attempts)
        .offset(x: 7, y: 0)
    }
  }
}

/// Moves its content to and fro: once for each whole number that the position passes.
struct ShakeEffect: VisualEffect {
  var position: Double

  init(shakes: Int) {
    position = Double(shakes)
  }

  var animatableData: Double {
    get { position }
    set { position = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.move(x: -6 * sin(position * 2 * .pi), y: 0)
  }
}
