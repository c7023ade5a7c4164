// Rules that an animation keeps in every corner: what moves, what ends, what never traps.

import Dispatch
import Foundation
import RondoScheduling
import RondoStage
import Testing

@Suite struct MovingDataTests {
  // CS12
  @Test func dataThatIsACGFloatMoves() {
    let stage = Stage()
    func tree(_ x: CGFloat) -> Node { Node.text("A").effect(Shift(animatableData: x)).id("a") }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(8), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .half) == 4)
  }

  // CS12
  @Test func dataOfPointsSizesAndRectanglesMoves() {
    var rect = CGRect(x: 0, y: 0, width: 2, height: 2)
    rect.animatableData.interpolate(
      towards: CGRect(x: 4, y: 8, width: 4, height: 6).animatableData, amount: 0.5)
    #expect(rect == CGRect(x: 2, y: 4, width: 3, height: 4))
  }

  // CS12
  @Test func dataThatCannotMoveIsExplained() {
    let stage = Stage()
    stage.explains = true
    stage.commit(Node.text("A").effect(Whole(animatableData: 1)), at: .zero)
    stage.commit(
      Node.text("A").effect(Whole(animatableData: 2)), transaction: .linear(), at: .zero)
    let text = stage.explanation?.description ?? ""
    #expect(text.contains("the animatableData of Whole is of the type Int"), "\(text)")
  }

  // CS12
  @Test func aModifierThatIsAnimatableIsRunForEveryFrame() {
    let stage = Stage()
    func tree(_ degrees: Double) -> Node { Node.text("A").modifier(Flip(rotation: degrees)) }
    func shown(_ milliseconds: Int) -> String {
      Canvas(stage.frame(at: .milliseconds(milliseconds)), width: 1, height: 1).text
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(180), transaction: .linear(), at: .zero)
    #expect(shown(0) == "A" && shown(490) == "A")
    #expect(shown(510) == "B" && shown(2_000) == "B")
    stage.advance(to: .seconds(1))
    #expect(!stage.isAnimating)
    #expect(shown(2_000) == "B")
    // Back again, from where it is.
    stage.commit(tree(0), transaction: .linear(), at: .seconds(2))
    stage.commit(tree(180), transaction: .linear(), at: .seconds(2) + .milliseconds(250))
    #expect(shown(2_250) == "B")
    stage.advance(to: .seconds(5))
    #expect(shown(5_000) == "B")
  }

  // CS12
  @Test func theContentOfAMovingModifierKeepsItsOwnMotion() {
    let stage = Stage()
    func tree(_ degrees: Double, _ x: Double) -> Node {
      Node.group { Node.text("A").offset(x: x, y: 0).id("a") }.modifier(Flip(rotation: degrees))
    }
    stage.commit(tree(0, 0), at: .zero)
    stage.commit(tree(0, 8), transaction: .linear(), at: .zero)
    stage.commit(tree(80, 8), transaction: .linear(2), at: .zero)
    #expect(stage.x("a", at: .half) == 4)
    #expect(stage.x("a", at: .seconds(1)) == 8)
  }

  // CS9
  @Test func aTransitionTakesAModifierOfNodes() {
    let stage = Stage()
    let transition = AnyTransition.modifier(
      active: Flip(rotation: 180), identity: Flip(rotation: 0))
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").offset(x: 3, y: 0).transition(transition) } }
    }
    func shown(_ instant: Duration) -> String {
      Canvas(stage.frame(at: instant), width: 5, height: 1).text
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    #expect(shown(.milliseconds(250)) == "B")
    #expect(shown(.milliseconds(750)) == "   A")
    stage.commit(tree(false), transaction: .linear(), at: .seconds(1))
    #expect(shown(.milliseconds(1_250)) == "   A")
    #expect(shown(.milliseconds(1_750)) == "B")
    #expect(shown(.seconds(2)) == "")
  }

  // CS9
  @Test func theEffectsOfAnotherModifierMoveBetweenItsBodies() {
    let stage = Stage()
    let transition = AnyTransition.modifier(active: Dim(isOn: true), identity: Dim(isOn: false))
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").transition(transition).id("a") } }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    #expect(stage.opacity("a", at: .half) == 0.5)
    #expect(stage.x("a", at: .half) == 5)
  }

  // CS9
  @Test func aTransitionDescribesItselfByItsPhases() {
    let stage = Stage()
    func tree(_ isThere: Bool) -> Node {
      Node.group { if isThere { Node.text("A").transition(Drift()).id("a") } }
    }
    stage.commit(tree(false), at: .zero)
    stage.commit(tree(true), transaction: .linear(), at: .zero)
    #expect(stage.x("a", at: .half) == -5)
    stage.commit(tree(false), transaction: .linear(), at: .seconds(1))
    #expect(stage.x("a", at: .seconds(1) + .half) == 5)
    #expect(stage.frame(at: .seconds(2))["a"] == nil)
  }

  // CS10
  @Test(arguments: [
    Animation.spring(duration: 0.5, bounce: 0.2), .easeInOut(duration: 1), .linear(duration: 1),
  ])
  func matchedGeometryTurnedBackKeepsItsVelocity(_ animation: Animation) {
    let stage = Stage()
    func table(_ isDealt: Bool) -> Node {
      Node.group {
        Node.group { if !isDealt { card.id("deck") } }
        Node.group { if isDealt { card.id("table") } }.offset(x: 40, y: 10)
      }
    }
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: Transaction(animation: animation), at: .zero)
    let turn = Duration.milliseconds(150)
    let step = Duration.milliseconds(1)
    let before = stage.x("table", at: turn)! - stage.x("table", at: turn - step)!
    let place = stage.x("table", at: turn)!
    stage.commit(table(false), transaction: Transaction(animation: animation), at: turn)
    #expect(abs(stage.x("deck", at: turn)! - place) < 1e-9)
    let after = stage.x("deck", at: turn + step)! - stage.x("deck", at: turn)!
    #expect(before > 0.005 && abs(after - before) < 0.3 * before, "\(before) → \(after)")
    #expect(stage.x("deck", at: .seconds(30)) == 0)
  }

  // CS10
  @Test(arguments: [MatchedGeometryProperties.position, .size, .frame])
  func whatIsSharedOfAGeometryKeepsItsVelocity(_ properties: MatchedGeometryProperties) {
    let stage = Stage()
    let cards = Namespace().wrappedValue
    func card(_ size: Double) -> Node {
      Node.fill("#").frame(width: size, height: size)
        .matchedGeometryEffect(
          id: "card", in: cards, properties: properties, anchor: .bottomTrailing
        )
        .transition(.identity)
    }
    func table(_ isDealt: Bool) -> Node {
      Node.group {
        Node.group { if !isDealt { card(10).id("deck") } }
        Node.group { if isDealt { card(30).id("table") } }.offset(x: 40, y: 10)
      }
    }
    /// The place of the trailing edge, or the width.
    func shown(_ id: String, _ instant: Duration) -> Double {
      let frame = stage.frame(at: instant)[id]!.frame
      return properties == .size ? frame.width : frame.x + frame.width
    }
    let transaction = Transaction(animation: .spring(duration: 0.5, bounce: 0.2))
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: transaction, at: .zero)
    let turn = Duration.milliseconds(150)
    let step = Duration.milliseconds(1)
    let place = shown("table", turn)
    let before = place - shown("table", turn - step)
    stage.commit(table(false), transaction: transaction, at: turn)
    #expect(abs(shown("deck", turn) - place) < 1e-9)
    let after = shown("deck", turn + step) - shown("deck", turn)
    #expect(before > 0.005 && abs(after - before) < 0.3 * before, "\(before) → \(after)")
    #expect(shown("deck", .seconds(30)) == 10)
  }

  // CS10
  @Test func aSourceThatComesBackWhileItGoesEndsWhereItBelongs() {
    let stage = Stage()
    func table(_ isDealt: Bool) -> Node {
      Node.group {
        if isDealt {
          Node.fill("#").frame(x: 40, width: 10, height: 6).matchedGeometry(id: 1).id("new")
        } else {
          Node.fill("#").frame(x: 0, width: 10, height: 6).matchedGeometry(id: 1).id("old")
        }
      }
    }
    stage.commit(table(false), at: .zero)
    stage.commit(table(true), transaction: .linear(), at: .zero)
    stage.commit(table(false), transaction: .linear(), at: .half)
    #expect(stage.x("old", at: .half) == 20)
    #expect(stage.x("old", at: .seconds(3)) == 0)
  }

  private var card: Node {
    Node.fill("#").frame(width: 10, height: 6).matchedGeometry(id: "card").transition(.identity)
  }
}

@Suite struct EndingTests {
  @Test(arguments: [AnimationCompletionCriteria.logicallyComplete, .removed])
  func aStageThatIsReleasedRunsItsCompletionsOnce(_ criteria: AnimationCompletionCriteria) {
    let log = Log()
    var stage: Stage? = Stage()
    func tree(_ x: Double) -> Node { Node.text("A").offset(x: x, y: 0) }
    stage?.commit(tree(0), at: .zero)
    for (number, animation) in [Animation.linear(duration: 1), .linear.repeatForever()].enumerated()
    {
      withAnimation(animation, completionCriteria: criteria) {
        stage?.commit(tree(Double(number + 1)), at: .zero)
      } completion: {
        log.add("\(number)")
      }
    }
    #expect(log.entries == [])
    stage = nil
    #expect(log.entries == ["0", "1"])
  }

  @Test func aCompletionRunsOnceAlsoIfItWasCompleteBefore() {
    let log = Log()
    var stage: Stage? = Stage()
    stage?.commit(Node.text("A").offset(x: 0, y: 0), at: .zero)
    withAnimation(.spring) {
      stage?.commit(Node.text("A").offset(x: 9, y: 0), at: .zero)
    } completion: {
      log.add("complete")
    }
    stage?.advance(to: .milliseconds(600))
    #expect(log.entries == ["complete"])
    stage = nil
    #expect(log.entries == ["complete"])
  }

  @MainActor
  @Test func aPlayerThatIsReleasedRunsItsCompletions() {
    let scheduler = DispatchQueue.test
    let log = Log()
    var player: StagePlayer? = StagePlayer(scheduler: scheduler) { _ in }
    player?.commit(Node.text("A").offset(x: 0, y: 0))
    withAnimation(.linear(duration: 1)) {
      player?.commit(Node.text("A").offset(x: 9, y: 0))
    } completion: {
      log.add("complete")
    }
    player = nil
    #expect(log.entries == ["complete"])
    scheduler.advance(by: .seconds(10))
  }

  @Test func commitsUnderAnEndlessModifierKeepNothing() {
    let stage = Stage()
    func tree(_ degrees: Double) -> Node {
      Node.text("A").modifier(Flip(rotation: degrees))
        .animation(.linear(duration: 1).repeatForever(), value: degrees)
    }
    func kept() -> Int {
      Mirror(reflecting: stage).descendant("live").map { Mirror(reflecting: $0).children.count }
        ?? -1
    }
    stage.commit(tree(0), at: .zero)
    for index in 0..<100 { stage.commit(tree(90), at: .milliseconds(10) * index) }
    #expect(kept() == 1)
    stage.commit(tree(0), at: .seconds(5))
    stage.commit(Node.empty, at: .seconds(6))
    stage.advance(to: .seconds(7))
    #expect(kept() == 0)
  }

  @Test func aTextThatChangesWhileTheOldOneFadesIsCompleteWhenTheNewOneIsThere() {
    let log = Log()
    let stage = Stage()
    func tree(_ text: String) -> Node { Node.text(text).contentTransition(.opacity) }
    stage.commit(tree("one"), at: .zero)
    for (index, text) in ["two", "three"].enumerated() {
      withAnimation(.linear(duration: 1)) {
        stage.commit(tree(text), at: .milliseconds(100) * index)
      } completion: {
        log.add(text)
      }
    }
    #expect(log.entries == [])
    stage.advance(to: .milliseconds(999))
    #expect(log.entries == [])
    stage.advance(to: .seconds(1))
    #expect(log.entries == ["two", "three"])
  }

  @Test func togglingUnderAnEndlessAnimationDoesNotPileUp() {
    var value = AnimatedValue(0.0)
    var reference = 0.0
    for index in 0..<4_000 {
      let instant = Duration.milliseconds(10) * index
      let shown = value.value(at: instant)
      value.set(
        value.model == 0 ? 1 : 0, animation: .easeInOut(duration: 1).repeatForever(), at: instant)
      reference = max(reference, abs(value.value(at: instant) - shown))
    }
    #expect(reference < 1e-9)
    #expect(
      Mirror(reflecting: value).descendant("motions").map { Mirror(reflecting: $0).children.count }
        == 1)
  }

  @Test func anEndlessAnimationIsStoppedByTheNextChange() {
    func endless() -> AnimatedValue<Double> {
      var value = AnimatedValue(0.0)
      value.set(10, animation: .linear(duration: 1).repeatForever(), at: .zero)
      return value
    }
    var value = endless()
    value.set(0)
    #expect(!value.isAnimating(at: .half) && value.value(at: .half) == 0)

    value = endless()
    value.set(0, animation: .linear(duration: 1), at: .half)
    #expect(value.value(at: .half) == 5)
    #expect(value.isAnimating(at: .seconds(1)) && !value.isAnimating(at: .seconds(2)))
    #expect(value.value(at: .seconds(9)) == 0)

    value = endless()
    value.set(20, animation: .linear(duration: 1).repeatForever(), at: .half)
    #expect(value.value(at: .half) == 5 && value.value(at: .seconds(1)) == 12.5)
  }

  @Test func aNodeThatIsRemovedByAnEndlessAnimationGoesAtOnce() {
    let stage = Stage()
    func tree(_ texts: String...) -> Node {
      Node.group { for text in texts { Node.text(text).id(text) } }
    }
    stage.commit(tree("A", "B"), at: .zero)
    let endless = Transaction(animation: .linear.repeatForever())
    stage.commit(tree("A"), transaction: endless, at: .seconds(1))
    #expect(Canvas(stage.frame(at: .seconds(1)), width: 1, height: 1).text == "A")
    #expect(!stage.isAnimating)
    // A node whose arrival has no end goes, too.
    stage.commit(tree("A", "B"), transaction: endless, at: .seconds(2))
    #expect(stage.isAnimating)
    stage.commit(tree("A"), transaction: endless, at: .seconds(3))
    stage.advance(to: .seconds(3))
    #expect(!stage.isAnimating)
  }

  @Test(arguments: [1e-6, 1.0, 100])
  func aSpringRestsAfterAPartOfItsRange(_ range: Double) {
    var value = AnimatedValue(0.0)
    let span = value.set(range, animation: .spring(duration: 0.5, bounce: 0.2), at: .zero)
    let unit = Spring(duration: 0.5, bounce: 0.2).settlingDuration(target: 1.0)
    #expect(abs(span!.duration - unit) < 1e-9)
    let end = Duration.seconds(unit) - .milliseconds(1)
    #expect(abs(value.value(at: end) - range) < 0.002 * range)
  }
}

@Suite struct NothingTrapsTests {
  @MainActor
  @Test(arguments: [1e300, .infinity, -1e300, .nan])
  func aStepOfAnyLength(_ duration: Double) {
    let scheduler = DispatchQueue.test
    let performer = Performer(scheduler: scheduler)
    let label = Sprite("label", performer: performer)
    animate(label.animate(.fadeIn(duration: duration), .move(byX: 1, y: 1, duration: duration)))
    performer.perform(.sequence(.step(duration: duration) { _ in }, .step { _ in }))
    scheduler.advance(by: .seconds(5))
    #expect(label.alpha(at: performer.now).isFinite)
  }

  @MainActor
  @Test(arguments: [1e300, .infinity, -1e300, .nan, 1e18])
  func aPlayerOfAnySpeed(_ speed: Double) {
    let scheduler = DispatchQueue.test
    let player = StagePlayer(scheduler: scheduler) { _ in }
    player.commit(Node.text("A").offset(x: 0, y: 0))
    withAnimation(.linear(duration: 100)) { player.commit(Node.text("A").offset(x: 9, y: 0)) }
    for _ in 0..<3 {
      player.speed = speed
      scheduler.advance(by: .seconds(2))
      player.speed = 1
      scheduler.advance(by: .seconds(2))
    }
    #expect(player.now >= .zero)
  }

  @Test(arguments: [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1.7e308, .infinity])
  func aCurveOfAnyHeight(_ y: Double) {
    let animation = Animation.timingCurve(0.5, y, 0.5, -y, duration: 1)
    for step in 0...100 {
      let sample = animation.sample(at: Double(step) / 100)
      #expect(sample.value.isFinite && sample.velocity.isFinite)
    }
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      Node.fill().frame(x: x, y: x, width: 5 + x, height: 5).rotation(degrees: x).opacity(x)
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: Transaction(animation: animation), at: .zero)
    for step in 0...20 {
      let canvas = Canvas(stage.frame(at: .milliseconds(50) * step), width: 9, height: 9)
      #expect(canvas.cells.count == 81)
    }
  }
}

// MARK: - Fixtures

private struct Shift: VisualEffect {
  var animatableData: CGFloat

  func apply(to appearance: inout Appearance) { appearance.move(x: Double(animatableData), y: 0) }
}

private struct Whole: VisualEffect {
  var animatableData: Int

  func apply(to appearance: inout Appearance) {}
}

/// Shows its content until it has turned by a right angle, then a B.
private struct Flip: NodeModifier, Animatable {
  var rotation: Double

  var animatableData: Double {
    get { rotation }
    set { rotation = newValue }
  }

  func body(content: Content) -> some View {
    Node.group {
      if rotation < 90 {
        content
      } else {
        Node.text("B").transition(.identity)
      }
    }
  }
}

private struct Dim: NodeModifier {
  var isOn: Bool

  func body(content: Content) -> some View {
    content.opacity(isOn ? 0 : 1).offset(x: isOn ? 10 : 0, y: 0)
  }
}

private struct Drift: Transition {
  func body(content: Content, phase: TransitionPhase) -> some View {
    content.offset(x: 10 * phase.value, y: 0)
  }
}
