// The stage as a whole: identity, completions, purity, what is left behind.

import RondoSeededRandomness
import Foundation
import RondoStage
import Testing

@Suite struct StageTests {
  private func leaf(_ x: Double) -> Node { Node.text("A").offset(x: x, y: 0).id("a") }

  // MARK: - Identity

  @Test func nodesAreKnownByTheirPlace() {
    let stage = Stage()
    func tree(_ isFirst: Bool, _ x: Double) -> Node {
      Node.group {
        if isFirst { Node.text("first") }
        Node.text("A").offset(x: x, y: 0)
      }
    }
    func x(_ instant: Duration) -> Double? { stage.frame(at: instant).nodes.last?.frame.x }
    stage.commit(tree(false, 0), at: .zero)
    stage.commit(tree(true, 10), transaction: .linear(), at: .zero)
    #expect(x(.half) == 5)
  }

  @Test func nodesAreKnownByTheirIDs() {
    let stage = Stage()
    func tree(_ ids: [String], _ x: Double) -> Node {
      Node.group {
        for id in ids { Node.text(id).offset(x: x, y: 0).id(id) }
      }
    }
    stage.commit(tree(["a", "b"], 0), at: .zero)
    stage.commit(tree(["b", "a"], 10), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .half) == 5 && stage.x("b", at: .half) == 5)
    #expect(stage.frame(at: .half).nodes.filter { $0.opacity == 1 }.count == 3)
  }

  @Test func otherContentIsAnotherNode() {
    let stage = Stage()
    stage.commit(Node.text("A").id("a"), at: .zero)
    stage.commit(Node.fill().frame(width: 1, height: 1).id("a"), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half).nodes.map(\.opacity) == [0.5, 0.5])
  }

  @Test func childrenThatClaimToBeTheSameAreToldApart() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      Node.group {
        Node.text("A").offset(x: x, y: 0).id("same")
        Node.text("B").offset(x: 2 * x, y: 0).id("same")
      }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(10), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half).nodes.map(\.frame.x) == [0, 5, 10])
  }

  // MARK: - Modifiers in their order

  @Test func offsetAndScaleDoNotCommute() {
    let stage = Stage()
    let square = Node.fill().frame(width: 4, height: 4)
    stage.commit(
      Node.group {
        square.offset(x: 10, y: 0).scale(2).id("a")
        Node.group { square.offset(x: 10, y: 0) }.scale(2).id("b")
      },
      at: .zero
    )
    let frame = stage.frame(at: .zero)
    #expect(frame["a"]?.frame == Rect(x: 8, y: -2, width: 8, height: 8))
    #expect(frame.nodes.last?.frame == Rect(x: 20, y: 0, width: 8, height: 8))
  }

  @Test func containersPassOnWhereTheyAreAndHowTheyLook() {
    let stage = Stage()
    stage.commit(
      Node.group {
        Node.text("A").offset(x: 1, y: 2).opacity(0.5).rotation(degrees: 10).id("a")
      }
      .offset(x: 10, y: 20).opacity(0.5).rotation(degrees: 5).foreground(.red).font("mono"),
      at: .zero
    )
    let appearance = stage.frame(at: .zero)["a"]?.appearance
    // The middle of the text, (1.5, 2.5) in the group, turns with it about the group's origin.
    let (sine, cosine) = (sin(5 * Double.pi / 180), cos(5 * Double.pi / 180))
    let middle = (
      x: 10 + 1.5 * cosine - 2.5 * sine - 0.5, y: 20 + 1.5 * sine + 2.5 * cosine - 0.5
    )
    #expect(abs((appearance?.translation.x ?? 0) - middle.x) < 1e-9)
    #expect(abs((appearance?.translation.y ?? 0) - middle.y) < 1e-9)
    #expect(appearance?.opacity == 0.25 && appearance?.rotation == 15)
    #expect(appearance?.foreground == .red && appearance?.font == "mono")
  }

  @Test func columnsAndRowsAddUp() {
    let stage = Stage()
    stage.commit(
      Node.column(spacing: 1) {
        Node.text("one\ntwo")
        Node.row(spacing: 2) {
          Node.text("ab")
          Node.text("c")
        }
      },
      at: .zero
    )
    let canvas = Canvas(stage.frame(at: .zero), width: 6, height: 5)
    #expect(canvas.text == "one\ntwo\n\nab  c\n")
  }

  // MARK: - Completions

  // Numbers: completion
  @Test func completionsWaitForTheirAnimations() {
    let stage = Stage()
    let log = Log()
    stage.commit(leaf(0), at: .zero)
    withAnimation(.spring(duration: 0.5, bounce: 0.3)) {
      stage.commit(leaf(10), at: .zero)
    } completion: {
      log.add("logical")
    }
    withAnimation(.linear, completionCriteria: .removed) {
    } completion: {
      log.add("nothing")
    }
    #expect(log.entries == ["nothing"])
    stage.advance(to: .milliseconds(499))
    #expect(log.entries == ["nothing"])
    stage.advance(to: .milliseconds(500))
    #expect(log.entries == ["nothing", "logical"])
    stage.advance(to: .seconds(100))
    #expect(log.entries.count == 2)
  }

  // Numbers: completion
  @Test func completionsRunAtTheVeryInstant() {
    for milliseconds in 1...3_000 {
      let stage = Stage()
      let log = Log()
      stage.commit(leaf(0), at: .zero)
      withAnimation(.linear(duration: Double(milliseconds) / 1_000)) {
        stage.commit(leaf(10), at: .zero)
      } completion: {
        log.add("complete")
      }
      let end = Duration.milliseconds(milliseconds)
      stage.advance(to: end - .nanoseconds(1))
      #expect(log.entries == [], "\(milliseconds)")
      stage.advance(to: end)
      #expect(log.entries == ["complete"], "\(milliseconds)")
    }
  }

  // Numbers: completion
  @Test func removalWaitsForLaterAnimationsOnTheSameProperty() {
    let stage = Stage()
    let log = Log()
    stage.commit(leaf(0), at: .zero)
    withAnimation(.linear(duration: 1), completionCriteria: .removed) {
      stage.commit(leaf(10), at: .zero)
    } completion: {
      log.add("removed")
    }
    withAnimation(.linear(duration: 1)) {
      // A completion of the outer call waits for the inner one's animation.
      stage.commit(leaf(10), at: .half)
    }
    stage.commit(leaf(20), transaction: .linear(3), at: .half)
    stage.advance(to: .seconds(3))
    #expect(log.entries == [])
    stage.advance(to: .milliseconds(3_500))
    #expect(log.entries == ["removed"])
  }

  // Numbers: completion
  @Test func logicalCompletionIsUntouchedByRetargeting() {
    for later in [0.2, 5] {
      let stage = Stage()
      let log = Log()
      stage.commit(leaf(0), at: .zero)
      withAnimation(.linear(duration: 1)) {
        stage.commit(leaf(10), at: .zero)
      } completion: {
        log.add("complete")
      }
      stage.commit(leaf(20), transaction: .linear(later), at: .half)
      stage.advance(to: .milliseconds(999))
      #expect(log.entries == [])
      stage.advance(to: .seconds(1))
      #expect(log.entries == ["complete"])
    }
  }

  // Numbers: completion
  @Test func completionsOfNodesThatAreGoneRun() {
    let stage = Stage()
    let log = Log()
    stage.commit(leaf(0), at: .zero)
    withAnimation(.linear(duration: 1).repeatForever()) {
      stage.commit(leaf(10), at: .zero)
    } completion: {
      log.add("gone")
    }
    stage.advance(to: .seconds(1_000))
    #expect(log.entries == [])
    stage.commit(.empty, at: .seconds(1_000))
    #expect(log.entries == ["gone"])
    #expect(!stage.isAnimating)
  }

  // Numbers: finished animations leave nothing behind
  @Test func whatIsOverIsForgotten() {
    final class Token {}
    let stage = Stage()
    var tokens: [() -> Token?] = []
    for step in 0..<100 {
      let token = Token()
      tokens.append { [weak token] in token }
      let tree = Node.group {
        Node.text("a").offset(x: Double(step), y: 0).onAppear { _ = token }
        Node.text("b").onAppear { _ = token }.transition(.opacity).id(step)
      }
      withAnimation(.linear(duration: 1)) {
        stage.commit(tree, at: .milliseconds(10) * step)
      } completion: {
        _ = token
      }
    }
    #expect(stage.activeCount > 50)
    stage.commit(.empty, at: .seconds(1))
    stage.advance(to: .seconds(9))
    #expect(stage.activeCount == 0 && !stage.isAnimating)
    #expect(stage.frame(at: .seconds(9)).nodes.count <= 1)
    #expect(tokens.compactMap { $0() }.isEmpty)
  }

  @Test func completionsMayCommit() {
    let stage = Stage()
    stage.commit(leaf(0), at: .zero)
    withAnimation(.linear(duration: 1)) {
      stage.commit(leaf(10), at: .zero)
    } completion: {
      stage.commit(self.leaf(0), transaction: .linear(), at: .seconds(1))
    }
    stage.commit(leaf(10), at: .seconds(1))
    #expect(stage.x("a", at: .seconds(1) + .half) == 5)
  }

  // MARK: - Purity

  @Test func seekingEqualsStepping() {
    forEachSeed(40) { random in
      func tree(_ random: inout Randomness) -> Node {
        let children = (0..<6).filter { _ in random.bool() }
        let x = random.double(in: -10...10)
        return Node.group {
          for child in children {
            Node.text("\(child)").offset(x: x * Double(child), y: 0).transition(.slide).id(child)
          }
        }
      }
      let (sought, stepped) = (Stage(), Stage())
      var instant = Duration.zero
      for _ in 0..<8 {
        let next = tree(&random)
        let transaction = [Transaction(), .linear(0.4), Transaction(animation: .bouncy)]
          .randomElement(using: &random)!
        sought.commit(next, transaction: transaction, at: instant)
        stepped.commit(next, transaction: transaction, at: instant)
        for _ in 0..<random.int(in: 0..<20) {
          instant += .milliseconds(random.int(in: 1..<60))
          stepped.advance(to: instant)
          _ = stepped.frame(at: instant)
        }
        let (one, other) = (sought.frame(at: instant), stepped.frame(at: instant))
        #expect(one.nodes.map(\.appearance) == other.nodes.map(\.appearance), "\(random)")
      }
    }
  }

  @Test func framesDoNotChangeTheStage() {
    let stage = Stage()
    stage.commit(leaf(0), at: .zero)
    stage.commit(leaf(10), transaction: .linear(), at: .zero)
    _ = stage.frame(at: .seconds(5))
    #expect(stage.x("a", at: .half) == 5)
  }

  @Test func finishedAnimationsLeaveNothingBehind() {
    let stage = Stage()
    for index in 0..<100 {
      let tree = Node.group {
        leaf(Double(index))
        if index % 2 == 0 { Node.text("B") }
      }
      stage.commit(tree, transaction: .linear(0.1), at: .seconds(index))
    }
    stage.advance(to: .seconds(200))
    #expect(!stage.isAnimating && stage.activeCount == 0)
    #expect(stage.frame(at: .zero).nodes.count == 2)
  }

  @Test func nodesThatAreGoneAreReleased() {
    final class Guest {}
    let stage = Stage()
    weak var weakGuest: Guest?
    do {
      let guest = Guest()
      weakGuest = guest
      let tree = Node.group { Node.text("A").transaction { _ in _ = guest } }
      stage.commit(tree, at: .zero)
    }
    stage.commit(.empty, transaction: .linear(), at: .zero)
    #expect(weakGuest != nil)
    stage.advance(to: .seconds(1))
    #expect(weakGuest == nil)
  }

  @Test func whatGoesWithItsContainerIsReleasedWithIt() {
    final class Guest {}
    let stage = Stage()
    weak var weakGuest: Guest?
    func tree(_ isThere: Bool, _ guest: Guest?) -> Node {
      Node.group {
        Node.group {
          if isThere { Node.text("A").transaction { _ in _ = guest } }
        }
      }
    }
    do {
      let guest = Guest()
      weakGuest = guest
      stage.commit(tree(true, guest), at: .zero)
    }
    stage.commit(tree(false, nil), transaction: .linear(100), at: .zero)
    #expect(weakGuest != nil)
    stage.commit(.empty, at: .half)
    #expect(weakGuest == nil && !stage.isAnimating)
  }

  @Test func aLeavingNodeGoesOnThroughLaterCommits() {
    let stage = Stage()
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").id("a") } }
    }
    stage.commit(tree(true), at: .zero)
    stage.commit(tree(false), transaction: .linear(), at: .zero)
    stage.commit(tree(false), at: .milliseconds(250))
    stage.commit(tree(false), transaction: .linear(), at: .half)
    #expect(stage.opacity("a", at: .half) == 0.5)
    #expect(stage.frame(at: .seconds(1))["a"] == nil)
  }

  @Test func deepTreesAreFine() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      (0..<500).reduce(leaf(x)) { node, _ in Node.group { node }.offset(x: 1, y: 0) }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(10), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .half) == 505)
  }

  // MARK: - The explanation

  @Test func explainsWhatAnimatedAndWhy() {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.group {
        Node.text(isOn ? "on" : "off")
          .offset(x: isOn ? 10 : 0, y: 0)
          .animation(.easeOut, value: isOn)
          .opacity(isOn ? 1 : 0.5)
        Node.text("B").opacity(1)
      }
    }
    stage.explains = true
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), at: .zero)
    #expect(
      stage.explanation?.description == """
        group
          arrived: untagged
          text "on"
            arrived: untagged
            .opacity(0.5) → .opacity(1): jumps, no animation in the transaction
            .animation(.easeOut, value: true): changed, makes it .easeOut
            .offset(x: 0, y: 0) → .offset(x: 10, y: 0): animates with .easeOut
            text "off" → "on": jumps, text cannot move
          text "B"
            arrived: untagged
            .opacity(1): unchanged
        """
    )
  }
}
