// The two sides of a transition, and what goes at once.

import RondoSeededRandomness
import RondoStage
import Testing

@Suite struct TransitionSideTests {
  private func tree(_ isThere: Bool, _ transition: AnyTransition) -> Node {
    Node.group {
      if isThere { Node.text("A").frame(x: 5, width: 10, height: 4).transition(transition).id("a") }
    }
  }

  // CS9
  @Test func eachSideHasItsOwnAnimation() {
    let stage = Stage()
    let transition = AnyTransition.asymmetric(
      insertion: .opacity.animation(.linear(duration: 1)),
      removal: .offset(x: 8).animation(.linear(duration: 4)))
    stage.commit(tree(false, transition), at: .zero)
    stage.commit(tree(true, transition), transaction: .linear(2), at: .zero)
    #expect(stage.opacity("a", at: .half) == 0.5)
    stage.commit(tree(false, transition), transaction: .linear(2), at: .seconds(2))
    #expect(stage.x("a", at: .seconds(4)) == 9)
    #expect(stage.frame(at: .seconds(6))["a"] == nil)
  }

  // CS9
  @Test func aSideWithoutAnAnimationTakesThatOfTheCommit() {
    let stage = Stage()
    let transition = AnyTransition.asymmetric(
      insertion: .opacity.animation(.linear(duration: 4)), removal: .opacity)
    stage.commit(tree(true, transition), at: .zero)
    stage.commit(tree(false, transition), transaction: .linear(2), at: .zero)
    #expect(stage.opacity("a", at: .seconds(1)) == 0.5)
  }

  // CS9
  @Test func identityOnOneSideIsOverAtOnce() {
    let stage = Stage()
    let coming = AnyTransition.asymmetric(insertion: .identity, removal: .opacity)
    stage.commit(tree(false, coming), at: .zero)
    stage.commit(tree(true, coming), transaction: .linear(), at: .zero)
    #expect(!stage.isAnimating && stage.opacity("a", at: .zero) == 1)
    stage.commit(tree(false, coming), transaction: .linear(), at: .seconds(1))
    #expect(stage.opacity("a", at: .seconds(1) + .half) == 0.5)

    let going = AnyTransition.asymmetric(insertion: .opacity, removal: .identity)
    stage.commit(tree(true, going), transaction: .linear(), at: .seconds(3))
    #expect(stage.opacity("a", at: .seconds(3) + .half) == 0.5)
    stage.commit(tree(false, going), transaction: .linear(), at: .seconds(5))
    #expect(stage.frame(at: .seconds(5))["a"] == nil && !stage.isAnimating)
  }

  @Test func tenThousandRowsLeaveAtOnce() {
    let stage = Stage()
    func rows(_ count: Int) -> Node {
      Node.group {
        Node.forEach(0..<count, id: \.self) { Node.text("\($0)").transition(.opacity) }
      }
    }
    stage.commit(rows(10_000), at: .zero)
    stage.commit(rows(0), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half).nodes.count == 10_001)
    stage.advance(to: .seconds(1))
    #expect(stage.frame(at: .seconds(1)).nodes.count == 1)
    #expect(!stage.isAnimating)
  }

}

@Suite struct NestingTests {
  // S1
  @Test func aNodeTakesManyModifiers() {
    var node = Node.text("A")
    let count = Soak.count(20_000, long: 200_000)
    for _ in 0..<count { node = node.offset(x: 1) }
    let stage = Stage()
    stage.commit(node.id("a"), at: .zero)
    stage.commit(node.offset(x: 0).id("a"), at: .zero)
    #expect(stage.x("a", at: .zero) == Double(count))
    #expect(Canvas(stage.frame(at: .zero), width: 3, height: 1).text == "")
  }

  // S1
  @Test(arguments: ["group", "padding", "modifier", "overlay"])
  func nodesNestDeeply(_ kind: String) {
    func nested(_ text: String) -> Node {
      var node = Node.text(text).matchedGeometry(id: 1)
      for _ in 0..<Soak.count(2_000, long: 200_000) {
        node =
          switch kind {
          case "group": Node.group { node }
          case "padding": node.padding(0)
          case "modifier": node.modifier(Plain())
          default: node.overlay { Node.empty }
          }
      }
      return node
    }
    let stage = Stage()
    stage.commit(nested("A"), at: .zero)
    #expect(Canvas(stage.frame(at: .zero), width: 1, height: 1).text == "A")
    stage.commit(nested("B").offset(x: 1), transaction: .linear(), at: .zero)
    stage.commit(nested("B").offset(x: 2), transaction: .linear(), at: .seconds(1))
    #expect(Canvas(stage.frame(at: .seconds(2)), width: 3, height: 1).text == "  B")
    stage.commit(Node.empty, at: .seconds(3))
    #expect(!stage.isAnimating)
  }
}

private struct Plain: NodeModifier {
  func body(content: Content) -> some View { content }
}
