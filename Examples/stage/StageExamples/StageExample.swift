// Something that moves, to be watched on a terminal or compared frame by frame.

import RondoStage

/// Something that moves by itself.
@MainActor
public protocol StageExample: AnyObject {
  /// Starts anew.
  init()

  /// The name on the command line.
  static var name: String { get }

  /// A summary in a line.
  static var summary: String { get }

  /// The columns and rows that it needs.
  static var size: (width: Int, height: Int) { get }

  /// When there is nothing more to see.
  static var duration: Duration { get }

  /// Instants at which a picture says most.
  static var highlights: [Duration] { get }

  /// The frame at an instant. Instants come in ascending order.
  func frame(at instant: Duration) -> StageFrame
}

extension StageExample {
  /// The picture at an instant.
  public func canvas(at instant: Duration) -> Canvas {
    Canvas(frame(at: instant), width: Self.size.width, height: Self.size.height)
  }

  /// The pictures at the highlights, as text.
  public static func album() -> String {
    let example = Self()
    var pictures: [String] = []
    for instant in highlights {
      pictures.append("\(instant.label)\n\(example.canvas(at: instant).text)\n")
    }
    return pictures.joined(separator: "\n")
  }
}

/// All examples, in the order in which they are best watched.
@MainActor public let stageExamples: [any StageExample.Type] = [
  Shake.self, Cardify.self, Transactions.self, Sequencing.self, Transitions.self,
]

/// A commit and its instant, for examples that play from a script.
struct Cue {
  let instant: Duration
  let tree: Node
  let transaction: Transaction

  init(at instant: Duration, _ tree: Node, _ transaction: Transaction = Transaction()) {
    self.instant = instant
    self.tree = tree
    self.transaction = transaction
  }
}

/// A stage that is played to from a script.
struct ScriptedStage {
  let stage = Stage()
  private var cues: [Cue]

  /// - Parameter cues: In the order of their instants.
  init(_ cues: [Cue]) {
    self.cues = cues
  }

  /// Commits what is due, and gives the frame.
  mutating func frame(at instant: Duration) -> StageFrame {
    while let cue = cues.first, cue.instant <= instant {
      stage.commit(cue.tree, transaction: cue.transaction, at: cue.instant)
      cues.removeFirst()
    }
    stage.advance(to: instant)
    return stage.frame(at: instant)
  }
}

extension Duration {
  /// Seconds with two decimals: `0.25 s`.
  var label: String {
    let hundredths = Int(self / .milliseconds(10))
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
  }
}
