// Coming and going: four ways to do it, and one card that goes from a deck to a table.

import RondoStage

/// Four nodes come and go, each by a transition of its own; a card moves between two containers.
public final class Transitions: StageExample {
  public static let name = "transitions"
  public static let summary = "four ways to come and go, and one card in two containers"
  public static let size = (width: 48, height: 9)
  public static let duration = Duration.seconds(5)
  public static let highlights: [Duration] = [0, 1_250, 1_500, 2_000, 3_500, 4_000].map {
    .milliseconds($0)
  }

  private var script = ScriptedStage([
    Cue(at: .zero, tree(false)),
    Cue(at: .seconds(1), tree(true), Transaction(animation: .linear(duration: 1))),
    Cue(at: .seconds(3), tree(false), Transaction(animation: .linear(duration: 1))),
  ])

  public init() {}

  public func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func tree(_ isThere: Bool) -> Node {
    Node.group {
      if isThere { sign("opacity", .opacity).offset(x: 0, y: 0) }
      if isThere { sign("scale", .scale).offset(x: 12, y: 0) }
      if isThere { sign("slide", .slide).offset(x: 24, y: 0) }
      if isThere { sign("move up", .move(edge: .top)).offset(x: 36, y: 0) }
      Node.group { if !isThere { card } }.offset(x: 0, y: 4)
      Node.group { if isThere { card } }.offset(x: 36, y: 5)
    }
  }

  private static func sign(_ text: String, _ transition: AnyTransition) -> Node {
    Node.group {
      Node.fill("░").foreground(Color(0x5CCFE6)).frame(width: 10, height: 3)
      Node.text(text).offset(x: 1, y: 1)
    }
    .frame(width: 10, height: 3)
    .transition(transition)
  }

  private static var card: Node {
    Node.fill("▓").foreground(Color(0xFFB454)).frame(width: 8, height: 4)
      .matchedGeometry(id: "card")
      .transition(.identity)
  }
}
