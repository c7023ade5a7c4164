// Label, then button: steps one after another.

import Dispatch
import RondoScheduling
import RondoStage

/// A label fades in and moves down; when it has, a button fades in.
public final class Sequencing: StageExample {
  public static let name = "sequence"
  public static let summary = "a label fades in and moves; then a button appears"
  public static let size = (width: 24, height: 6)
  public static let duration = Duration.seconds(3)
  public static let highlights: [Duration] = [0, 500, 1_500, 2_000, 2_900].map {
    .milliseconds($0)
  }

  private let scheduler = DispatchQueue.test
  private let performer: Performer
  private let label: Sprite
  private let button: Sprite

  public init() {
    performer = Performer(scheduler: scheduler)
    label = Sprite(
      "label",
      performer: performer,
      frame: Rect(x: 2, y: 0, width: 8, height: 1),
      alpha: 0
    )
    button = Sprite(
      "button",
      performer: performer,
      frame: Rect(x: 2, y: 5, width: 10, height: 1),
      alpha: 0
    )
    animate(
      label.animate(.fadeIn(duration: 1), .move(byX: 0, y: 3, duration: 1)),
      button.animate(.fadeIn(duration: 1))
    )
  }

  public func frame(at instant: Duration) -> StageFrame {
    scheduler.advance(by: .init(instant - performer.now))
    let stage = Stage()
    stage.commit(
      Node.group {
        sprite(label, "Welcome.", Color(0xFFB454), at: instant)
        sprite(button, "[ Start ]", Color(0x5CCFE6), at: instant)
      },
      at: instant
    )
    return stage.frame(at: instant)
  }

  private func sprite(_ sprite: Sprite, _ text: String, _ color: Color, at instant: Duration)
    -> Node
  {
    let frame = sprite.frame(at: instant)
    return Node.text(text)
      .foreground(color)
      .opacity(sprite.alpha(at: instant))
      .offset(x: frame.x, y: frame.y)
  }
}
