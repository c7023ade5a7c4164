// The pictures of the documentation: scenes for a vector picture, which explain themselves.

import Foundation
import RondoScheduling
import RondoStage

/// A scene that is drawn as a vector picture. A cell is a square of 10 units.
@MainActor
public protocol StagePicture: AnyObject {
  /// Starts anew.
  init()

  /// The name of its file.
  static var name: String { get }

  /// The title, for readers who do not see it.
  static var title: String { get }

  /// The columns and rows that it needs.
  static var size: (width: Int, height: Int) { get }

  /// The time from its beginning to its end.
  static var duration: Duration { get }

  /// The frame at an instant. Instants come in ascending order.
  func frame(at instant: Duration) -> StageFrame
}

extension StagePicture {
  /// All of it as a picture that moves.
  public static func animatedSVG() -> String {
    let picture = Self()
    var recording = FrameRecording(width: size.width, height: size.height)
    let step = Duration.milliseconds(40)
    for index in 0...Int(duration / step) { recording.add(picture.frame(at: step * index)) }
    return recording.animatedSVG(title: title, pause: .milliseconds(400))
  }
}

/// All pictures.
@MainActor public let stagePictures: [any StagePicture.Type] = [
  ShakePicture.self, CardifyPicture.self, TransactionsPicture.self, SequencePicture.self,
  TransitionsPicture.self,
]

// MARK: - Pieces

private enum Ink {
  static let text = Color(0xE6E6F0)
  static let dim = Color(0x8A8AA3)
  static let line = Color(0x4A4A66)
  static let panel = Color(0x24243A)
  static let gold = Color(0xFFB454)
  static let blue = Color(0x5CCFE6)
  static let red = Color(0xFF6B6B)
  static let green = Color(0x7CDBA3)
}

/// A text whose left end is at a place, in a part of the usual size.
private func label(
  _ text: String,
  x: Double,
  y: Double,
  scale: Double = 0.75,
  color: Color = Ink.text
) -> Node {
  Node.text(text).foreground(color).scaleEffect(CGFloat(scale), anchor: .topLeading)
    .offset(x: x, y: y)
}

private func box(
  x: Double,
  y: Double,
  width: Double,
  height: Double,
  radius: Double = 1,
  fill: Color = Ink.panel,
  border: Color? = nil
) -> Node {
  Node.group {
    RoundedRectangle(cornerRadius: radius).fill(fill).frame(width: width, height: height)
    if let border {
      RoundedRectangle(cornerRadius: radius).strokeBorder(border, lineWidth: 0.2)
        .frame(width: width, height: height)
    }
  }
  .frame(x: x, y: y, width: width, height: height)
}

private func dot(_ color: Color, diameter: Double) -> Node {
  Circle().fill(color).frame(width: diameter, height: diameter)
}

// MARK: - Shake

/// A wrong password, and again while the field still shakes: above the field, below its offset over
/// time as its own frames say it.
final class ShakePicture: StagePicture {
  static let name = "shake"
  static let title = "A field shakes twice; the second time while it still shakes"
  static let size = (width: 54, height: 26)
  static let duration = Duration.milliseconds(3_600)

  private static let attempts: [Duration] = [.milliseconds(800), .milliseconds(1_350)]

  private static let cues =
    [Cue(at: .zero, field(attempts: 0, isWrong: false))]
    + attempts.enumerated().map { Cue(at: $1, field(attempts: $0 + 1, isWrong: true)) }
    + [
      Cue(
        at: .milliseconds(2_800), field(attempts: attempts.count, isWrong: false),
        Transaction(animation: .easeOut))
    ]

  private var script = ScriptedStage(cues)
  /// The offset of the field over the whole duration.
  private let curve: [Point]

  init() {
    var rehearsal = ScriptedStage(Self.cues)
    curve = stride(from: 0, through: 1, by: 1 / 180.0).map { part in
      Self.point(part, offset: Self.offset(in: rehearsal.frame(at: Self.duration * part)))
    }
  }

  func frame(at instant: Duration) -> StageFrame {
    let frame = script.frame(at: instant)
    let stage = Stage()
    stage.commit(
      chart(Self.point(instant / Self.duration, offset: Self.offset(in: frame))), at: instant)
    return frame.adding(stage.frame(at: instant))
  }

  private static func field(attempts: Int, isWrong: Bool) -> Node {
    Node.group {
      Node.group {
        box(
          x: 15, y: 4, width: 24, height: 5, fill: Ink.panel,
          border: isWrong ? Ink.red : Ink.line)
        (0..<6).map { dot(Ink.text, diameter: 0.9).offset(x: 17.5 + 1.8 * Double($0), y: 6.05) }
        label("⏎", x: 35.6, y: 5.9, scale: 1.1, color: Ink.dim)
      }
      .effect(ShakeEffect(shakes: attempts * 2))
      .animation(.linear(duration: 0.9), value: attempts)
      .id("field")
      label("wrong password", x: 21.4, y: 10.2, scale: 0.8, color: Ink.red)
        .opacity(isWrong ? 1 : 0)
    }
  }

  /// The distance of the field from its place.
  private static func offset(in frame: StageFrame) -> Double { frame["field"]?.frame.x ?? 0 }

  /// The point of the chart for an offset at a part of the duration.
  private static func point(_ part: Double, offset: Double) -> Point {
    Point(x: 5 + 44 * part, y: 18 + offset / 2)
  }

  private func chart(_ now: Point) -> Node {
    Node.group {
      Line(points: [Point(x: 5, y: 18), Point(x: 49, y: 18)]).stroke(Ink.line, lineWidth: 0.12)
      for (attempt, text) in zip(Self.attempts, ["⏎ wrong", "⏎ wrong again: no jump"]) {
        let x = Self.point(attempt / Self.duration, offset: 0).x
        Line(points: [Point(x: x, y: 14), Point(x: x, y: 23.4)]).stroke(Ink.red, lineWidth: 0.12)
        label(text, x: x + 0.4, y: 22.5, scale: 0.75, color: Ink.red)
      }
      Line(points: curve).stroke(Ink.blue, lineWidth: 0.25)
      dot(Ink.gold, diameter: 1.3).offset(x: now.x - 0.65, y: now.y - 0.65)
      label("left", x: 5, y: 14.8, scale: 0.7, color: Ink.dim)
      label("right", x: 5, y: 20.4, scale: 0.7, color: Ink.dim)
      label("time", x: 46, y: 19.2, scale: 0.7, color: Ink.dim)
    }
  }
}

/// Lines from point to point, wherever the frame is.
private struct Line: Shape {
  var points: [Point]

  func path(in rect: CGRect) -> Path {
    Path { $0.addLines(points.map { CGPoint(x: $0.x, y: $0.y) }) }
  }
}

extension StageFrame {
  /// This frame with another one on top.
  fileprivate func adding(_ other: StageFrame) -> StageFrame { overlaid(with: other) }
}

// MARK: - Cardify

/// Two cards match, and both stars should spin: with `if` one does, with opacity both do.
final class CardifyPicture: StagePicture {
  static let name = "cardify"
  static let title = "Two cards match: with if one star spins, with opacity both do"
  static let size = (width: 58, height: 29)
  static let duration = Duration.milliseconds(4_800)

  private var script = ScriptedStage([
    Cue(at: .zero, table(isMatched: false, isJudged: false)),
    Cue(
      at: .milliseconds(200), table(isMatched: true, isJudged: false),
      Transaction(animation: .easeInOut(duration: 0.8))),
    Cue(
      at: .milliseconds(1_600), table(isMatched: true, isJudged: true),
      Transaction(animation: .easeOut(duration: 0.4))),
  ])

  init() {}

  func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func table(isMatched: Bool, isJudged: Bool) -> Node {
    Node.group {
      row("if isFaceUp { face }", "one spins", Ink.red, isJudged) {
        star(isMatched).modifier(FlipCard(isFaceUp: $0 || isMatched, keepsFace: false))
      }
      row("face.opacity(…)", "both spin", Ink.green, isJudged) {
        star(isMatched).modifier(FlipCard(isFaceUp: $0 || isMatched, keepsFace: true))
      }.offset(x: 0, y: 14)
    }
  }

  private static func row(
    _ code: String,
    _ verdict: String,
    _ color: Color,
    _ isJudged: Bool,
    _ card: (Bool) -> Node
  ) -> Node {
    Node.group {
      label(code, x: 2, y: 6.6, scale: 0.85)
      card(true).offset(x: 22, y: 2)
      card(false).offset(x: 33, y: 2)
      label(verdict, x: 44.5, y: 6.6, scale: 0.95, color: color).opacity(isJudged ? 1 : 0)
    }
  }

  private static func star(_ isMatched: Bool) -> Node {
    Star().fill(Ink.gold).frame(width: 6, height: 6)
      .rotationEffect(.degrees(isMatched ? 360 : 0))
      .animation(.linear(duration: 1.2).repeatForever(autoreverses: false), value: isMatched)
      .offset(x: 1.5, y: 2.5)
  }
}

/// A card that turns about its vertical axis.
private struct FlipCard: AnimatableModifier, Equatable {
  var rotation: Double
  /// Whether the face is there, invisible, while the back is seen.
  let keepsFace: Bool

  init(isFaceUp: Bool, keepsFace: Bool) {
    rotation = isFaceUp ? 0 : 180
    self.keepsFace = keepsFace
  }

  var animatableData: Double {
    get { rotation }
    set { rotation = newValue }
  }

  private var showsFace: Bool { rotation < 90 }

  func body(content: Content) -> some View {
    Node.group {
      RoundedRectangle(cornerRadius: 1).fill(showsFace ? Color(0xF4F1E8) : Color(0xD95468))
        .frame(width: 9, height: 11)
      if !showsFace {
        RoundedRectangle(cornerRadius: 0.6).strokeBorder(Color(0xF0A0AC), lineWidth: 0.25)
          .frame(x: 1, y: 1, width: 7, height: 9)
      }
      Node.group {
        if keepsFace {
          content.opacity(showsFace ? 1 : 0)
        } else if showsFace {
          content.transition(.identity)
        }
      }
    }
    .frame(width: 9, height: 11)
    .rotation3DEffect(.degrees(rotation), axis: (x: 0, y: 1, z: 0))
  }
}

/// A star of five points.
private struct Star: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      let points = (0..<10).map { index -> CGPoint in
        let angle = Double(index) * .pi / 5 - .pi / 2
        let radius = Double(rect.width) / 2 * (index.isMultiple(of: 2) ? 1 : 0.42)
        return CGPoint(
          x: Double(rect.midX) + radius * cos(angle), y: Double(rect.midY) + radius * sin(angle))
      }
      path.addLines(points)
      path.closeSubpath()
    }
  }
}

// MARK: - Transactions

/// Five balls make the same move under different modifiers.
final class TransactionsPicture: StagePicture {
  static let name = "transactions"
  static let title = "Five balls make one move under different transactions"
  static let size = (width: 68, height: 27)
  static let duration = Duration.milliseconds(4_400)

  private var script = ScriptedStage([
    Cue(at: .zero, lanes(isOn: false)),
    Cue(at: .milliseconds(900), lanes(isOn: true), Transaction(animation: .linear(duration: 2))),
  ])

  init() {}

  func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func lanes(isOn: Bool) -> Node {
    Node.group {
      label("withAnimation(.linear(duration: 2)) { … }", x: 2, y: 1.5, scale: 0.9, color: Ink.gold)
      lane(0, "ball", "2 s", Ink.gold, isOn) { $0 }
      lane(1, ".animation(.linear(duration: 1))", "1 s", Ink.blue, isOn) {
        $0.animation(.linear(duration: 1))
      }
      lane(2, ".animation(nil)", "jumps", Ink.red, isOn) { $0.animation(nil) }
      lane(3, ".animation(nil), disablesAnimations", "2 s", Ink.gold, isOn) {
        $0.animation(nil).transaction { $0.disablesAnimations = true }
      }
      lane(4, ".transaction { $0.animation = nil }", "jumps", Ink.red, isOn) {
        $0.transaction { $0.animation = nil }
      }
    }
  }

  private static func lane(
    _ index: Int,
    _ code: String,
    _ result: String,
    _ color: Color,
    _ isOn: Bool,
    _ modify: (Node) -> Node
  ) -> Node {
    let y = 5 + 4.3 * Double(index)
    return Node.group {
      label(code, x: 2, y: 0.6, scale: 0.72)
      box(x: 30, y: 0.2, width: 29, height: 1.6, radius: 0.8)
      modify(dot(color, diameter: 2.2).offset(x: isOn ? 27.5 : 0)).offset(x: 29.7, y: -0.1)
      label(result, x: 61, y: 0.5, scale: 0.8, color: color).opacity(isOn ? 1 : 0)
        .animation(.linear(duration: 0.2), value: isOn)
    }.offset(x: 0, y: y)
  }
}

// MARK: - Sequence

/// A label fades in and moves, then a button fades in; below, the same as bars over time.
final class SequencePicture: StagePicture {
  static let name = "sequence"
  static let title = "A label fades in and moves, then a button fades in"
  static let size = (width: 56, height: 26)
  static let duration = Duration.milliseconds(4_200)

  private let scheduler = DispatchQueue.test
  private let performer: Performer
  private let title: Sprite
  private let button: Sprite
  private let start = 0.4

  init() {
    performer = Performer(scheduler: scheduler)
    title = Sprite(
      "title", performer: performer, frame: Rect(x: 24, y: 1, width: 8, height: 2), alpha: 0)
    button = Sprite(
      "button", performer: performer, frame: Rect(x: 22, y: 9, width: 12, height: 3), alpha: 0)
    let wait = SpriteStep(duration: start) { _, _ in }
    animate(
      title.animate(wait, .fadeIn(duration: 1), .move(byX: 0, y: 4, duration: 1)),
      button.animate(.fadeIn(duration: 1))
    )
  }

  func frame(at instant: Duration) -> StageFrame {
    scheduler.advance(by: .init(instant - performer.now))
    let now = instant / .seconds(1)
    let stage = Stage()
    stage.commit(
      Node.group {
        box(x: 14, y: 0.5, width: 28, height: 13, fill: Color(0x1C1C2C), border: Ink.line)
        title.node(at: instant) {
          Node.text("Welcome").foreground(Ink.gold).scaleEffect(1.2).offset(x: 0.5, y: 0.5)
        }
        button.node(at: instant) {
          Node.group {
            box(x: 0, y: 0, width: 12, height: 3, fill: Ink.blue)
            label("Start", x: 3.5, y: 1, scale: 1, color: Color(0x10202A))
          }
        }
        bar("label fades in", 0, Ink.gold, now)
        bar("label moves", 1, Ink.gold, now)
        bar("button fades in", 2, Ink.blue, now)
        Rectangle().fill(Ink.text).frame(x: time(now), y: 15, width: 0.2, height: 10)
      },
      at: instant)
    return stage.frame(at: instant)
  }

  private func time(_ seconds: Double) -> Double { 18 + seconds * 9 }

  private func bar(_ name: String, _ index: Int, _ color: Color, _ now: Double) -> Node {
    let begin = start + Double(index)
    let part = min(max(now - begin, 0), 1)
    return Node.group {
      label(name, x: 3, y: 0.9, scale: 0.8, color: part > 0 ? color : Ink.dim)
      box(x: time(begin), y: 0.4, width: 9, height: 2, radius: 0.5)
      RoundedRectangle(cornerRadius: 0.5).fill(color)
        .frame(x: time(begin), y: 0.4, width: 9 * part, height: 2)
    }.offset(x: 0, y: 15.5 + 3 * Double(index))
  }
}

// MARK: - Transitions

/// Tiles come and go in frames of their own, each by another transition; a card changes places.
final class TransitionsPicture: StagePicture {
  static let name = "transitions"
  static let title = "Tiles come and go by five transitions; a card changes places"
  static let size = (width: 62, height: 32)
  static let duration = Duration.milliseconds(5_200)

  private var script = ScriptedStage([
    Cue(at: .zero, scene(isOn: false)),
    Cue(
      at: .milliseconds(700), scene(isOn: true), Transaction(animation: .easeInOut(duration: 1.1))),
    Cue(
      at: .milliseconds(3_000), scene(isOn: false),
      Transaction(animation: .easeInOut(duration: 1.1))),
  ])

  init() {}

  func frame(at instant: Duration) -> StageFrame { script.frame(at: instant) }

  private static func scene(isOn: Bool) -> Node {
    Node.group {
      slot(".opacity", 0, .opacity, isOn)
      slot(".scale", 1, .scale, isOn)
      slot(".slide", 2, .slide, isOn)
      slot(".move(edge: .top)", 3, .move(edge: .top), isOn)
      slot(
        "of your own", 4,
        .modifier(
          active: Spin(degrees: 180, scale: 0.1), identity: Spin(degrees: 0, scale: 1)), isOn)
      switchNode(isOn)
      box(x: 3, y: 19, width: 12, height: 10, fill: Color(0x1C1C2C), border: Ink.line)
      box(x: 38, y: 17, width: 20, height: 13, fill: Color(0x1C1C2C), border: Ink.line)
      label("deck", x: 3, y: 29.8, scale: 0.7, color: Ink.dim)
      label("table", x: 38, y: 30.6, scale: 0.7, color: Ink.dim)
      label("matchedGeometryEffect", x: 17.6, y: 29, scale: 0.75)
      Node.group { if !isOn { card(width: 6, height: 7) } }.offset(x: 6, y: 20.5)
      Node.group { if isOn { card(width: 9, height: 10.5) } }.offset(x: 43.5, y: 18.2)
    }
  }

  private static func slot(
    _ name: String,
    _ index: Int,
    _ transition: AnyTransition,
    _ isOn: Bool
  ) -> Node {
    Node.group {
      box(x: 0, y: 0, width: 10, height: 9, fill: Color(0x1C1C2C), border: Ink.line)
      Node.group {
        if isOn {
          RoundedRectangle(cornerRadius: 0.8).fill(Ink.blue).frame(width: 10, height: 9)
            .scaleEffect(0.62).transition(transition)
        }
      }
      .frame(width: 10, height: 9)
      .clipShape(RoundedRectangle(cornerRadius: 1))
      label(name, x: 5 - Double(name.count) * 0.36, y: 9.6, scale: 0.72)
    }.offset(x: 2 + 12 * Double(index), y: 1)
  }

  /// The state that all of it follows.
  private static func switchNode(_ isOn: Bool) -> Node {
    Node.group {
      Capsule().fill(isOn ? Ink.green : Ink.line).frame(width: 6, height: 3)
      dot(.white, diameter: 2.4).offset(x: isOn ? 3.3 : 0.3, y: 0.3)
      label(isOn ? "true" : "false", x: 7, y: 1.1, scale: 0.85)
    }
    .animation(.easeInOut(duration: 0.25), value: isOn)
    .offset(x: 22, y: 14)
  }

  private static func card(width: Double, height: Double) -> Node {
    RoundedRectangle(cornerRadius: 1).fill(Ink.gold).frame(width: width, height: height)
      .matchedGeometry(id: "card").transition(.identity)
  }
}

/// Turns and shrinks about the centre.
private struct Spin: VisualEffect {
  var degrees: Double
  var scale: Double

  var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(degrees, scale) }
    set { (degrees, scale) = (newValue.first, newValue.second) }
  }

  func apply(to appearance: inout Appearance) {
    appearance.scale(x: scale, y: scale)
    appearance.rotate(degrees: degrees)
    appearance.opacity *= scale
  }
}
