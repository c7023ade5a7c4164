// Transitions made of transitions: each part does what it does alone.

import RondoSeededRandomness
import RondoStage
import Testing

@Suite struct TransitionCompositionTests {
  private func tree(_ isThere: Bool, _ transition: AnyTransition) -> Node {
    Node.group {
      if isThere {
        Node.fill("#").frame(x: 5, y: 0, width: 10, height: 4).transition(transition).id("a")
      }
    }
  }

  /// The appearance a quarter of the way in, and a quarter of the way out.
  private func shown(_ transition: AnyTransition) -> (coming: Appearance?, going: Appearance?) {
    let stage = Stage()
    stage.commit(tree(false, transition), at: .zero)
    stage.commit(tree(true, transition), transaction: .linear(), at: .zero)
    let coming = stage.frame(at: .milliseconds(250))["a"]?.appearance
    stage.commit(tree(false, transition), transaction: .linear(), at: .seconds(2))
    return (coming, stage.frame(at: .seconds(2) + .milliseconds(250))["a"]?.appearance)
  }

  // CS9
  @Test func everyPartOfACombinationShowsBothWays() {
    let (coming, going) = shown(
      .opacity.combined(with: .offset(x: 8)).combined(with: .move(edge: .top)))
    #expect(coming?.opacity == 0.25 && going?.opacity == 0.75)
    #expect(coming?.frame == Rect(x: 11, y: -3, width: 10, height: 4))
    #expect(going?.frame == Rect(x: 7, y: -1, width: 10, height: 4))
  }

  // CS9
  @Test func asymmetricTakesWholeCombinations() {
    let (coming, going) = shown(
      .asymmetric(
        insertion: .opacity.combined(with: .offset(x: 8)),
        removal: .move(edge: .bottom).combined(with: .opacity)
      ))
    #expect(coming?.opacity == 0.25 && coming?.frame.x == 11 && coming?.frame.y == 0)
    #expect(going?.opacity == 0.75 && going?.frame.x == 5 && going?.frame.y == 1)
  }

  // CS9
  @Test func aCombinationOfAsymmetricOnesIsAsymmetric() {
    let one = AnyTransition.asymmetric(insertion: .opacity, removal: .identity)
    let other = AnyTransition.asymmetric(insertion: .identity, removal: .offset(y: 4))
    let (coming, going) = shown(one.combined(with: other))
    #expect(coming?.opacity == 0.25 && coming?.frame.y == 0)
    #expect(going?.opacity == 1 && going?.frame.y == 1)
  }

  // CS9
  @Test func anAsymmetricOneInAnAsymmetricOneGivesTheSideThatIsAskedFor() {
    let inner = AnyTransition.asymmetric(insertion: .offset(x: 8), removal: .offset(x: 4))
    let (coming, going) = shown(.asymmetric(insertion: inner, removal: inner))
    #expect(coming?.frame.x == 11 && going?.frame.x == 6)
  }

  // CS9
  @Test func customModifiersCompose() {
    let lift = AnyTransition.modifier(active: Lift(by: 8), identity: Lift(by: 0))
    let (coming, going) = shown(
      lift.combined(with: .asymmetric(insertion: .opacity, removal: lift)))
    #expect(coming?.frame.y == -6 && coming?.opacity == 0.25)
    #expect(going?.frame.y == -4 && going?.opacity == 1)
  }

  // CS9
  @Test func aCustomModifierRestsAtItsIdentityAndNotAtNothing() {
    let stage = Stage()
    let transition = AnyTransition.modifier(active: Lift(by: 8), identity: Lift(by: 0))
    stage.commit(tree(false, transition), at: .zero)
    stage.commit(tree(true, transition), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .zero)["a"]?.frame.y == -8)
    #expect(stage.frame(at: .seconds(1))["a"]?.frame.y == 0)
  }

  // CS9
  @Test func aCombinationWithNothingIsTheSame() {
    forEachSeed(50) { random in
      let transition = Self.random(&random, depth: 2)
      let (plain, left, right) = (
        shown(transition), shown(.identity.combined(with: transition)),
        shown(transition.combined(with: .identity))
      )
      #expect(plain == left, "\(random) \(transition)")
      #expect(plain == right, "\(random) \(transition)")
    }
  }

  // CS9
  @Test func whatIsSymmetricTurnsAroundWhereItIs() {
    forEachSeed(50) { random in
      // A transition that is made of nothing but `.identity` would be over at once.
      let transition = Self.random(&random, depth: 2, symmetric: true).combined(with: .opacity)
      let stage = Stage()
      stage.commit(tree(false, transition), at: .zero)
      stage.commit(tree(true, transition), transaction: .linear(), at: .zero)
      let before = stage.frame(at: .half)["a"]?.appearance
      stage.commit(tree(false, transition), transaction: .linear(), at: .half)
      #expect(stage.frame(at: .half)["a"]?.appearance == before, "\(random) \(transition)")
    }
  }

  private static func random(
    _ random: inout Randomness, depth: Int, symmetric: Bool = false
  ) -> AnyTransition {
    guard depth > 0 else {
      let leaves: [AnyTransition] = [
        .identity, .opacity, .scale, .offset(x: 3, y: 1), .move(edge: .leading),
        .modifier(active: Lift(by: 2), identity: Lift(by: 0)),
      ]
      return leaves[random.int(in: 0..<leaves.count)]
    }
    let one = Self.random(&random, depth: depth - 1, symmetric: symmetric)
    let other = Self.random(&random, depth: depth - 1, symmetric: symmetric)
    return symmetric || random.bool()
      ? one.combined(with: other) : .asymmetric(insertion: one, removal: other)
  }
}

/// Lifts its content by some rows.
private struct Lift: VisualEffect {
  var rows: Double

  init(by rows: Double) {
    self.rows = rows
  }

  var animatableData: Double {
    get { rows }
    set { rows = newValue }
  }

  func apply(to appearance: inout Appearance) {
    appearance.move(x: 0, y: -rows)
  }
}
