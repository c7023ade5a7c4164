// Fades in place of movement.

import RondoStage
import Testing

@Suite struct ReducedMotionTests {
  private let reduced = {
    var transaction = Transaction.linear()
    transaction.reducesMotion = true
    return transaction
  }()

  private func shown(_ stage: Stage, _ milliseconds: Int) -> ResolvedNode? {
    stage.frame(at: .milliseconds(milliseconds))["a"]
  }

  // S3
  @Test func aNodeFadesFromPlaceToPlace() {
    let stage = Stage()
    func tree(_ x: Double) -> Node { Node.text("A").offset(x: x).id("a") }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(8), transaction: reduced, at: .zero)
    #expect(shown(stage, 250)?.frame.x == 0 && shown(stage, 250)?.opacity == 0.5)
    #expect(shown(stage, 750)?.frame.x == 8 && shown(stage, 750)?.opacity == 0.5)
    #expect(shown(stage, 1_000)?.frame.x == 8 && shown(stage, 1_000)?.opacity == 1)
    stage.advance(to: .seconds(1))
    #expect(!stage.isAnimating)
  }

  // S3
  @Test func opacityAndColourChangeAsEver() {
    let stage = Stage()
    func tree(_ value: Double) -> Node {
      Node.text("A").opacity(value).foreground(Color(red: value, green: 0, blue: 0)).id("a")
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: reduced, at: .zero)
    #expect(shown(stage, 250)?.opacity == 0.25)
    #expect(shown(stage, 250)?.appearance.foreground?.red == 0.25)
  }

  // S3
  @Test func aShakeDoesNothing() {
    let stage = Stage()
    func tree(_ position: Double) -> Node {
      Node.text("A").effect(Swing(animatableData: position)).id("a")
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: reduced, at: .zero)
    #expect(!stage.isAnimating && shown(stage, 125)?.frame.x == 0)
  }

  // S3
  @Test(arguments: [
    AnyTransition.move(edge: .leading), .slide, .scale, .offset(x: 8), .push(from: .top),
    .modifier(active: Swing(animatableData: 0.25), identity: Swing(animatableData: 0)),
  ])
  func transitionsFade(_ transition: AnyTransition) {
    let stage = Stage()
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").transition(transition).id("a") } }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: reduced, at: .zero)
    #expect(
      shown(stage, 250)?.opacity == 0.25 && shown(stage, 250)?.frame == Rect(width: 1, height: 1))
    stage.commit(tree(false), transaction: reduced, at: .seconds(2))
    #expect(shown(stage, 2_250)?.opacity == 0.75 && shown(stage, 2_250)?.frame.x == 0)
  }

  // S3
  @Test func theTreeSaysItForAllOfIt() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      Node.group { Node.text("A").offset(x: x).id("a") }.transaction { $0.reducesMotion = true }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(8), transaction: .linear(), at: .zero)
    #expect(shown(stage, 250)?.frame.x == 0 && shown(stage, 250)?.opacity == 0.5)
  }

  // S3
  @Test func animatableModifiersFade() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      Node.group { Node.text("A").modifier(Shifted(animatableData: x)).id("a") }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(8), transaction: reduced, at: .zero)
    func place(_ milliseconds: Int) -> (Double?, Double?) {
      let node = stage.frame(at: .milliseconds(milliseconds)).nodes.last
      return (node?.frame.x, node?.opacity)
    }
    #expect(place(250) == (0, 0.5) && place(750) == (8, 0.5) && place(1_000) == (8, 1))
  }

  // S3
  @Test func matchedGeometryStaysInItsPlace() {
    let stage = Stage()
    func tree(_ isDealt: Bool) -> Node {
      Node.group {
        if isDealt {
          Node.fill().frame(x: 40, width: 4, height: 2).matchedGeometry(id: 1).id("a")
        } else {
          Node.fill().frame(x: 0, width: 4, height: 2).matchedGeometry(id: 1)
        }
      }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: reduced, at: .zero)
    #expect(shown(stage, 250)?.frame.x == 40 && shown(stage, 250)?.opacity == 0.25)
  }

  // S3
  @Test func whatPlaysByItselfRests() {
    let stage = Stage()
    func tree(_ trigger: Int) -> Node {
      Node.text("A").phaseAnimator([0.0, 8], trigger: trigger) { $0.offset(x: $1) }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: reduced, at: .zero)
    #expect(!stage.isAnimating)
  }
}

private struct Swing: VisualEffect {
  var animatableData: Double

  func apply(to appearance: inout Appearance) {
    let isAway = animatableData != animatableData.rounded()
    appearance.move(x: isAway ? 5 : 0, y: 0)
  }
}

private struct Shifted: NodeModifier, Animatable {
  var animatableData: Double

  func body(content: Content) -> some View { content.offset(x: animatableData) }
}
