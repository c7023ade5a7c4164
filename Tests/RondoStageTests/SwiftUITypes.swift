// Types as sources for SwiftUI write them, for the tests of spellings and of shapes of code.

import Foundation
import RondoStage

struct Cardify: AnimatableModifier {
  var rotation: Double

  init(isFaceUp: Bool) { rotation = isFaceUp ? 0 : 180 }

  var animatableData: Double {
    get { rotation }
    set { rotation = newValue }
  }

  func body(content: Content) -> some View {
    Node.group {
      let shape = RoundedRectangle(cornerRadius: 10)
      if rotation < 90 {
        shape.fill(.white)
        shape.strokeBorder(lineWidth: 3)
      } else {
        shape
      }
      content.opacity(rotation < 90 ? 1 : 0)
    }
    .rotation3DEffect(Angle.degrees(rotation), axis: (0, 1, 0))
  }
}

struct Highlight: ViewModifier {
  let color: Color

  func body(content: Content) -> some View {
    content.padding(1).foregroundColor(color)
  }
}

struct ShakeEffect: GeometryEffect {
  func effectValue(size: CGSize) -> ProjectionTransform {
    ProjectionTransform(CGAffineTransform(translationX: -30 * sin(position * 2 * .pi), y: 0))
  }

  init(shakes: Int) { position = CGFloat(shakes) }

  var position: CGFloat

  var animatableData: CGFloat {
    get { position }
    set { position = newValue }
  }
}

struct Twirl: Transition {
  func body(content: Content, phase: TransitionPhase) -> some View {
    content
      .opacity(phase.isIdentity ? 1.0 : 0.0)
      .scaleEffect(phase == .willAppear ? 0.5 : 1)
      .rotationEffect(.degrees(90 * phase.value))
  }
}

struct Badge: View {
  var count: Int

  var body: some View {
    Circle().foregroundColor(.red).frame(width: 3, height: 3)
    Node.text("\(count)").offset(x: 1, y: 1)
  }
}

struct Pie: Shape {
  var start: Angle
  var end: Angle
  var clockwise = false

  var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(start.radians, end.radians) }
    set { (start, end) = (.radians(newValue.first), .radians(newValue.second)) }
  }

  func path(in rect: CGRect) -> Path {
    let center = CGPoint(x: rect.midX, y: rect.midY)
    var path = Path()
    path.move(to: center)
    path.addArc(
      center: center, radius: min(rect.width, rect.height) / 2, startAngle: start, endAngle: end,
      clockwise: !clockwise)
    path.addLine(to: center)
    return path
  }
}

extension View {
  func cardify(isFaceUp: Bool) -> some View {
    modifier(Cardify(isFaceUp: isFaceUp))
  }
}
