// Coming and going: CS8 to CS10.

import RondoStage
import Testing

@Suite struct TransitionTests {
  private func tree(_ isThere: Bool, _ transition: AnyTransition? = nil) -> Node {
    Node.group {
      if isThere {
        card.transitionIfAny(transition).id("a")
      }
    }
  }

  private var card: Node {
    Node.fill("#").frame(x: 5, y: 0, width: 10, height: 4)
  }

  /// A stage on which the node has come at zero and goes at two seconds, linearly in one.
  private func stage(_ transition: AnyTransition?) -> Stage {
    let stage = Stage()
    stage.commit(tree(false, transition), at: .zero)
    stage.commit(tree(true, transition), transaction: .linear(), at: .zero)
    return stage
  }

  // CS8
  @Test func describesAndNeverCauses() {
    let stage = Stage()
    stage.commit(tree(false, .slide), at: .zero)
    stage.commit(tree(true, .slide), at: .zero)
    #expect(stage.x("a", at: .zero) == 5)
    stage.commit(tree(false, .slide), at: .seconds(1))
    #expect(stage.frame(at: .seconds(1))["a"] == nil)
  }

  // CS8
  @Test func runsOnlyInAContainerThatIsShownAlready() {
    let stage = Stage()
    stage.commit(tree(true, .slide), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .zero) == 5)
    func nested(_ isThere: Bool) -> Node {
      Node.group { if isThere { tree(true, .slide).transition(.identity) } }
    }
    let other = Stage()
    other.commit(nested(false), at: .zero)
    other.commit(nested(true), transaction: .linear(), at: .zero)
    #expect(other.x("a", at: .zero) == 5)
  }

  // CS9
  @Test func opacityIsTheDefault() {
    let stage = stage(nil)
    #expect(stage.opacity("a", at: .zero) == 0)
    #expect(stage.opacity("a", at: .milliseconds(250)) == 0.25)
    #expect(stage.opacity("a", at: .seconds(1)) == 1)
  }

  // CS9
  @Test func theLeavingNodeStaysUntilItIsDone() {
    let stage = stage(.opacity)
    stage.commit(tree(false, .opacity), transaction: .linear(), at: .seconds(2))
    #expect(stage.opacity("a", at: .seconds(2)) == 1)
    #expect(stage.opacity("a", at: .seconds(2) + .half) == 0.5)
    #expect(stage.frame(at: .seconds(3) - .nanoseconds(1))["a"] != nil)
    #expect(stage.frame(at: .seconds(3))["a"] == nil)
    stage.advance(to: .seconds(3))
    #expect(!stage.isAnimating)
    #expect(stage.frame(at: .seconds(2))["a"] == nil)
  }

  // CS9
  @Test func comingBackWhileGoingTurnsAroundWhereItIs() {
    let stage = stage(.opacity)
    stage.commit(tree(false, .opacity), transaction: .linear(), at: .seconds(2))
    stage.commit(tree(true, .opacity), transaction: .linear(), at: .seconds(2) + .half)
    #expect(stage.opacity("a", at: .seconds(2) + .half) == 0.5)
    #expect(stage.opacity("a", at: .seconds(4)) == 1)
    stage.advance(to: .seconds(4))
    #expect(!stage.isAnimating)
  }

  // CS9
  @Test func goingWhileComingTurnsAroundWhereItIs() {
    let stage = stage(.opacity)
    stage.commit(tree(false, .opacity), transaction: .linear(), at: .milliseconds(250))
    #expect(stage.opacity("a", at: .milliseconds(250)) == 0.25)
    #expect(stage.frame(at: .milliseconds(1_250))["a"] == nil)
  }

  // CS9
  @Test(arguments: [
    (AnyTransition.scale, Rect(x: 10, y: 2, width: 0, height: 0)),
    (.scale(scale: 0.5), Rect(x: 7.5, y: 1, width: 5, height: 2)),
    (.offset(x: 3, y: -1), Rect(x: 8, y: -1, width: 10, height: 4)),
    (.move(edge: .leading), Rect(x: -5, y: 0, width: 10, height: 4)),
    (.move(edge: .trailing), Rect(x: 15, y: 0, width: 10, height: 4)),
    (.move(edge: .top), Rect(x: 5, y: -4, width: 10, height: 4)),
    (.move(edge: .bottom), Rect(x: 5, y: 4, width: 10, height: 4)),
    (.identity, Rect(x: 5, y: 0, width: 10, height: 4)),
  ])
  func startsAndEndsAway(_ transition: AnyTransition, _ away: Rect) {
    let stage = stage(transition)
    let there = Rect(x: 5, y: 0, width: 10, height: 4)
    #expect(stage.frame(at: .zero)["a"]?.frame == away)
    #expect(stage.frame(at: .seconds(1))["a"]?.frame == there)
    stage.commit(tree(false, transition), transaction: .linear(), at: .seconds(2))
    let end = stage.frame(at: .seconds(3) - .nanoseconds(1))["a"]?.frame
    guard transition.description != ".identity" else { return #expect(end == nil) }
    #expect(end.map { abs($0.x - away.x) < 1e-6 && abs($0.width - away.width) < 1e-6 } == true)
  }

  // CS9
  @Test func slideComesFromOneSideAndGoesToTheOther() {
    let stage = stage(.slide)
    #expect(stage.x("a", at: .zero) == -5)
    #expect(stage.x("a", at: .half) == 0)
    stage.commit(tree(false, .slide), transaction: .linear(), at: .seconds(2))
    #expect(stage.x("a", at: .seconds(2) + .half) == 10)
  }

  // CS9
  @Test func modifierMovesBetweenActiveAndIdentity() {
    let stage = stage(.modifier(active: Tilt(degrees: 90), identity: Tilt(degrees: 0)))
    #expect(stage.frame(at: .half)["a"]?.appearance.rotation == 45)
    #expect(stage.frame(at: .seconds(1))["a"]?.appearance.rotation == 0)
  }

  // CS9
  @Test func asymmetricComesOneWayAndGoesAnother() {
    let transition = AnyTransition.asymmetric(insertion: .opacity, removal: .offset(x: 8))
    let stage = stage(transition)
    #expect(stage.opacity("a", at: .half) == 0.5 && stage.x("a", at: .half) == 5)
    stage.commit(tree(false, transition), transaction: .linear(), at: .seconds(2))
    let instant = Duration.seconds(2) + .half
    #expect(stage.opacity("a", at: instant) == 1 && stage.x("a", at: instant) == 9)
  }

  // CS9
  @Test func combinedDoesBoth() {
    let stage = stage(.opacity.combined(with: .offset(x: 8)))
    #expect(stage.opacity("a", at: .half) == 0.5 && stage.x("a", at: .half) == 9)
  }

  // CS9
  @Test func leavesByTheTransitionOfNowAndNotTheOneItCameBy() {
    let stage = stage(.opacity)
    stage.advance(to: .seconds(2))
    let transition = AnyTransition.move(edge: .trailing)
    stage.commit(tree(true, transition), at: .seconds(2))
    stage.commit(tree(false, transition), transaction: .linear(), at: .seconds(2))
    let instant = Duration.seconds(2) + .half
    #expect(stage.x("a", at: instant) == 10 && stage.opacity("a", at: instant) == 1)
    #expect(stage.frame(at: .seconds(3))["a"] == nil)
  }

  @Test func mayHaveAnAnimationOfItsOwn() {
    let stage = Stage()
    let transition = AnyTransition.opacity.animation(.linear(duration: 2))
    stage.commit(tree(false, transition), at: .zero)
    stage.commit(tree(true, transition), at: .zero)
    #expect(stage.opacity("a", at: .seconds(1)) == 0.5)
    #expect(transition.description == ".opacity.animation(.linear(duration: 2))")
  }

  @Test func leavingNodesKeepTheirPlaceAmongTheirSiblings() {
    let stage = Stage()
    func list(_ ids: [Int]) -> Node {
      Node.group { Node.forEach(ids.map(Row.init)) { Node.text("\($0.id)") } }
    }
    func order(_ instant: Duration) -> [String] {
      stage.frame(at: instant).nodes.compactMap {
        if case .text(let text) = $0.content { text } else { nil }
      }
    }
    stage.commit(list([1, 2, 3, 4]), at: .zero)
    stage.commit(list([4, 1, 5]), transaction: .linear(), at: .zero)
    #expect(order(.half) == ["4", "1", "2", "3", "5"])
    #expect(order(.seconds(1)) == ["4", "1", "5"])
  }

  // CS10
  @Test func oneCardInTwoContainers() {
    let stage = Stage()
    func table(_ isDealt: Bool) -> Node {
      Node.group {
        Node.group {
          if !isDealt {
            Node.fill("#").frame(x: 0, y: 0, width: 10, height: 6)
              .matchedGeometry(id: "card").transition(.identity).id("deck")
          }
        }
        Node.group {
          if isDealt {
            Node.fill("#").frame(x: 0, y: 0, width: 10, height: 6)
              .matchedGeometry(id: "card").transition(.identity).id("table")
          }
        }.offset(x: 40, y: 10)
      }
    }
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .zero)["table"]?.frame == Rect(x: 0, y: 0, width: 10, height: 6))
    #expect(stage.frame(at: .half)["table"]?.frame == Rect(x: 20, y: 5, width: 10, height: 6))
    let end = Rect(x: 40, y: 10, width: 10, height: 6)
    #expect(stage.frame(at: .seconds(1))["table"]?.frame == end)
    #expect(stage.frame(at: .zero)["deck"] == nil)
  }

  // CS10
  @Test func theOneThatGoesMovesAlong() {
    let stage = Stage()
    func table(_ isDealt: Bool) -> Node {
      Node.group {
        if isDealt {
          Node.fill("#").frame(x: 40, y: 0, width: 20, height: 6).matchedGeometry(id: 1).id("new")
        } else {
          Node.fill("#").frame(x: 0, y: 0, width: 10, height: 6).matchedGeometry(id: 1).id("old")
        }
      }
    }
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: .linear(), at: .zero)
    let frame = stage.frame(at: .half)
    #expect(frame["old"]?.frame == Rect(x: 20, y: 0, width: 15, height: 6))
    #expect(frame["new"]?.frame == frame["old"]?.frame)
    #expect(frame["old"]?.opacity == 0.5 && frame["new"]?.opacity == 0.5)
  }

  // CS10
  @Test func aFollowerIsShownWhereTheSourceIs() {
    let stage = Stage()
    func tabs(_ selected: Int) -> Node {
      Node.group {
        for tab in 0..<3 {
          Node.text("tab").frame(x: Double(tab) * 10, y: 0, width: 5, height: 1)
            .matchedGeometry(id: "selection", isSource: tab == selected)
        }
        Node.fill("_").frame(x: 0, y: 0, width: 1, height: 1)
          .matchedGeometry(id: "selection", isSource: false).id("line")
      }
    }
    stage.commit(tabs(0), at: .zero)
    #expect(stage.frame(at: .zero)["line"]?.frame == Rect(x: 0, y: 0, width: 5, height: 1))
    stage.commit(tabs(2), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half)["line"]?.frame == Rect(x: 10, y: 0, width: 5, height: 1))
  }
}

private struct Row: Identifiable {
  var id: Int
}

private struct Tilt: VisualEffect {
  var degrees: Double

  var animatableData: Double {
    get { degrees }
    set { degrees = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.rotation += degrees
  }
}

extension Node {
  fileprivate func transitionIfAny(_ transition: AnyTransition?) -> Node {
    transition.map { self.transition($0) } ?? self
  }
}
