// The changes that animate and those that do not: CS1 to CS7, CS11 to CS14.

import RondoStage
import Testing

@Suite struct ViewTests {
  // CS1
  @Test func modifiersWrapContentOneLayerEach() {
    let node = Node.text("👻").rotation(degrees: 30).flip(isFaceUp: true).opacity(0.5)
    #expect(
      node.description == """
        .opacity(0.5)
          Flip(isFaceUp: true)
            .rotation(degrees: 30)
              text "👻"
        """
    )
  }

  // CS2
  @Test func equalDataStartsNothingAndCompletesAtOnce() {
    let stage = Stage()
    let log = Log()
    let tree = Node.text("A").offset(x: 1, y: 0).id("a")
    stage.commit(tree, at: .zero)
    withAnimation(.linear(duration: 1)) {
      stage.commit(tree, at: .zero)
      log.add("committed")
    } completion: {
      log.add("complete")
    }
    #expect(!stage.isAnimating)
    #expect(log.entries == ["committed", "complete"])
  }

  // CS3
  @Test func modifierArgumentsAnimate() {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.text("A").scale(isOn ? 2 : 1).rotation(degrees: isOn ? 90 : 0)
        .foreground(isOn ? .white : .black).opacity(isOn ? 0 : 1).id("a")
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    let node = stage.frame(at: .half)["a"]
    #expect(node?.appearance.scale == Point(x: 1.5, y: 1.5))
    #expect(node?.appearance.rotation == 45)
    #expect(node?.appearance.foreground == Color(red: 0.5, green: 0.5, blue: 0.5))
    #expect(node?.opacity == 0.5)
  }

  // CS3
  @Test func shapesAnimate() {
    let stage = Stage()
    func tree(_ fill: Double) -> Node {
      Node.shape(Bar(animatableData: fill)).frame(width: 10, height: 1)
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: .linear(), at: .zero)
    #expect(Canvas(stage.frame(at: .half), width: 10, height: 1).text == "█████")
    #expect(Canvas(stage.frame(at: .seconds(1)), width: 10, height: 1).text == "██████████")
  }

  // CS3
  @Test func existenceAnimates() {
    let stage = Stage()
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").id("a") } }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    #expect(stage.opacity("a", at: .milliseconds(250)) == 0.25)
  }

  // CS4
  @Test func onlyWhatWasThereBeforeAnimates() {
    let stage = Stage()
    func tree(_ degrees: Double?) -> Node {
      Node.group {
        if let degrees {
          Node.text("A").rotation(degrees: degrees).transition(.identity).id("a")
        }
      }
    }
    stage.commit(tree(nil), at: .zero)
    stage.commit(tree(90), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half)["a"]?.appearance.rotation == 90)
    stage.commit(tree(180), transaction: .linear(), at: .seconds(1))
    #expect(stage.frame(at: .seconds(1) + .half)["a"]?.appearance.rotation == 135)
  }

  // CS5
  @Test func thePresentationLagsBehindTheModel() {
    let stage = Stage()
    func tree(_ x: Double) -> Node { Node.text("A").offset(x: x, y: 0).id("a") }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(10), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .zero) == 0)
    #expect(stage.x("a", at: .seconds(1)) == 10)
    #expect(stage.x("a", at: .seconds(1) - .nanoseconds(1))! < 10)
  }

  // CS6
  @Test func plainFieldsJumpWhileOthersMove() {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.text(isOn ? "on" : "off").font(isOn ? "large" : "small")
        .effect(Turn(degrees: isOn ? 90 : 0, name: isOn ? "on" : "off")).id("a")
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    let node = stage.frame(at: .milliseconds(100))["a"]
    #expect(node?.appearance.font == "large")
    #expect(node?.appearance.rotation.rounded() == 9)
    guard case .text(let text) = node?.content else { return #expect(Bool(false)) }
    #expect(text == "on")
  }

  // CS7
  @Test func onlyModifiersBeforeTheAnimationAreAffected() {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.text("A").offset(x: isOn ? 10 : 0, y: 0)
        .animation(.linear(duration: 1), value: isOn)
        .opacity(isOn ? 0.5 : 1).id("a")
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), at: .zero)
    #expect(stage.x("a", at: .half) == 5)
    #expect(stage.opacity("a", at: .half) == 0.5)
  }

  // CS7
  @Test func onAContainerItReachesAllChildren() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      Node.group {
        Node.text("A").offset(x: x, y: 0).id("a")
        Node.group { Node.text("B").offset(x: 2 * x, y: 0).id("b") }
      }.animation(.linear(duration: 1), value: x)
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(10), at: .zero)
    #expect(stage.x("a", at: .half) == 5)
    #expect(stage.x("b", at: .half) == 10)
  }

  // CS11
  @Test func onAppearRunsAfterTheFirstCommitSoThatItsChangeAnimates() {
    let stage = Stage()
    var x = 0.0
    func tree() -> Node {
      Node.text("A").offset(x: x, y: 0).id("a").onAppear {
        x = 10
        withAnimation(.linear(duration: 1)) { stage.commit(tree(), at: .zero) }
      }
    }
    stage.commit(tree(), at: .zero)
    #expect(stage.x("a", at: .half) == 5)
    stage.commit(tree(), at: .seconds(2))
    #expect(!stage.isAnimating)
  }

  // CS12
  @Test func animatableDataIsSetOnceAFrameAndReadAtCommits() {
    let counter = Counter()
    let stage = Stage()
    func tree(_ end: Double) -> Node {
      Node.text("A").effect(Counted(start: 0, end: end, counter: counter))
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(4), transaction: .linear(), at: .zero)
    let read = counter.reads
    for frame in 0..<10 { _ = stage.frame(at: .frame(frame)) }
    #expect(counter.writes == 10)
    #expect(counter.reads == read)
  }

  // CS13
  @Test func repeatForeverTurnsOn() {
    let stage = Stage()
    func tree(_ degrees: Double, _ animation: Animation) -> Node {
      Node.text("A").rotation(degrees: degrees).animation(animation, value: degrees).id("a")
    }
    for (autoreverses, expected) in [(false, 90.0), (true, 270)] {
      let animation = Animation.linear(duration: 1).repeatForever(autoreverses: autoreverses)
      stage.commit(tree(0, animation), at: .zero)
      stage.commit(tree(360, animation), at: .zero)
      let rotation = stage.frame(at: .milliseconds(7_250))["a"]?.appearance.rotation
      #expect(rotation == expected)
      stage.commit(Node.empty, at: .zero)
    }
  }

  // CS14
  @Test func withIfOnlyOneOfTwoMatchedCardsTurns() {
    #expect(rotationsOfMatchedCards(usesIf: true) == [90, 360])
  }

  // CS14
  @Test func withOpacityBothTurnInPhase() {
    #expect(rotationsOfMatchedCards(usesIf: false) == [90, 90])
  }

  /// Two cards match: the first lies face up already, the second is turned by the same commit.
  private func rotationsOfMatchedCards(usesIf: Bool) -> [Double?] {
    let stage = Stage()
    func card(_ id: Int, isFaceUp: Bool, isMatched: Bool) -> Node {
      let ghost = Node.text("👻").rotation(degrees: isMatched ? 360 : 0)
        .animation(.linear(duration: 1).repeatForever(autoreverses: false), value: isMatched)
        .id(id)
      return usesIf
        ? ghost.modifier(FlipWithIf(isFaceUp: isFaceUp)) : ghost.flip(isFaceUp: isFaceUp)
    }
    func table(_ isMatched: Bool) -> Node {
      Node.group {
        card(1, isFaceUp: true, isMatched: isMatched)
        card(2, isFaceUp: isMatched, isMatched: isMatched)
      }
    }
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: .linear(), at: .zero)
    let frame = stage.frame(at: .milliseconds(3_250))
    return frame.nodes.filter { if case .text("👻") = $0.content { true } else { false } }
      .map(\.appearance.rotation)
  }
}

// MARK: - Fixtures

private struct Bar: Shape {
  var animatableData: Double

  func contains(_ point: UnitPoint) -> Bool { point.x < animatableData }
}

private struct Turn: VisualEffect {
  var degrees: Double
  var name: String

  var animatableData: Double {
    get { degrees }
    set { degrees = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.rotation += degrees
  }
}

private final class Counter: @unchecked Sendable {
  // @unchecked: used by one test on one thread.
  var reads = 0
  var writes = 0
}

private struct Counted: VisualEffect {
  var start: Double
  var end: Double
  let counter: Counter

  var animatableData: AnimatablePair<Double, Double> {
    get {
      counter.reads += 1
      return AnimatablePair(start, end)
    }
    set {
      counter.writes += 1
      (start, end) = (newValue.first, newValue.second)
    }
  }

  func apply(to appearance: inout Appearance) {}

  static func == (lhs: Counted, rhs: Counted) -> Bool {
    lhs.start == rhs.start && lhs.end == rhs.end
  }
}

private struct Flip: NodeModifier, CustomStringConvertible {
  var isFaceUp: Bool

  func body(content: Node) -> Node {
    Node.group {
      content.opacity(isFaceUp ? 1 : 0)
      Node.fill("▒").frame(width: 10, height: 6).opacity(isFaceUp ? 0 : 1)
    }
  }

  var description: String { "Flip(isFaceUp: \(isFaceUp))" }
}

private struct FlipWithIf: NodeModifier {
  var isFaceUp: Bool

  func body(content: Node) -> Node {
    Node.group {
      if isFaceUp { content } else { Node.fill("▒").frame(width: 10, height: 6) }
    }
  }
}

extension Node {
  fileprivate func flip(isFaceUp: Bool) -> Node { modifier(Flip(isFaceUp: isFaceUp)) }
}
