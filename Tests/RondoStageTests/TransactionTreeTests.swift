// Transactions on their way down a tree: TX1 to TX9, and TX11.

import RondoSeededRandomness
import RondoStage
import Testing

@Suite struct TransactionTreeTests {
  private func leaf(_ x: Double, _ id: String = "leaf") -> Node {
    Node.text("A").offset(x: x, y: 0).id(id)
  }

  // TX1
  @Test func unboundedAnimationAnimatesEveryChangeOfItsSubtree() {
    let stage = Stage()
    func tree(_ a: Double, _ b: Double) -> Node {
      Node.group {
        Node.group { leaf(a, "a") }.offset(x: b, y: 0)
      }.animation(.linear(duration: 1))
    }
    stage.commit(tree(0, 0), at: .zero)
    stage.commit(tree(0, 10), at: .zero)
    // An unrelated move of the container animates too.
    #expect(stage.x("a", at: .half) == 5)
    stage.commit(tree(20, 10), at: .seconds(2))
    #expect(stage.x("a", at: .seconds(2) + .half) == 20)
  }

  // TX2
  @Test func boundAnimationAnimatesOnlyWhenItsValueChanges() {
    let stage = Stage()
    func tree(_ x: Double, _ value: Int) -> Node {
      Node.text("A").offset(x: x, y: 0).animation(.linear(duration: 1), value: value).id("leaf")
    }
    stage.commit(tree(0, 1), at: .zero)
    #expect(stage.x("leaf", at: .zero) == 0)
    stage.commit(tree(10, 1), at: .seconds(1))
    #expect(stage.x("leaf", at: .seconds(1)) == 10)
    stage.commit(tree(20, 2), at: .seconds(2))
    #expect(stage.x("leaf", at: .seconds(2) + .half) == 15)
  }

  // TX2
  @Test func boundAnimationDoesNothingOnFirstAppearance() {
    let stage = Stage()
    let isAnimated = Log()
    let tree = Node.text("A")
      .transaction { isAnimated.add("\($0)") }
      .animation(.linear(duration: 1), value: 7)
    stage.commit(tree, at: .zero)
    #expect(isAnimated.entries == ["untagged"])
  }

  // TX3
  @Test func explicitAnimationMovesWhatDiffersTogether() {
    let stage = Stage()
    func tree(_ a: Double, _ b: Double) -> Node {
      Node.group {
        leaf(a, "a")
        Node.group { leaf(b, "b") }
      }
    }
    stage.commit(tree(0, 0), at: .zero)
    withAnimation(.linear(duration: 1)) {
      stage.commit(tree(10, 100), at: .seconds(3))
    }
    for milliseconds in [0, 250, 999] {
      let instant = Duration.seconds(3) + .milliseconds(milliseconds)
      #expect(stage.x("a", at: instant)! * 10 == stage.x("b", at: instant))
    }
    #expect(stage.x("a", at: .seconds(3) + .half) == 5)
  }

  // TX4
  @Test func flowsToEveryDepthAndIsGoneAtTheNextCommit() {
    let stage = Stage()
    let log = Log()
    func tree() -> Node {
      Node.group {
        Node.group {
          Node.text("A").transaction { log.add("deep \($0)") }
        }.transaction { log.add("middle \($0)") }
      }.transaction { log.add("root \($0)") }
    }
    stage.commit(tree(), transaction: .linear(), at: .zero)
    let expected = ["root", "middle", "deep"].map { "\($0) .linear(duration: 1)" }
    #expect(log.entries == expected)
    stage.commit(tree(), at: .seconds(1))
    #expect(log.entries.suffix(3) == ["root untagged", "middle untagged", "deep untagged"])
  }

  // TX5
  @Test func implicitWinsOverExplicitAndTheOutermostRunsFirst() {
    let stage = Stage()
    let log = Log()
    func tree() -> Node {
      Node.text("A")
        .transaction { log.add("inner \($0)") }
        .animation(.easeInOut)
        .transaction { log.add("between \($0)") }
        .animation(.linear)
        .transaction { log.add("outer \($0)") }
    }
    stage.commit(tree(), transaction: Transaction(animation: .default), at: .zero)
    #expect(log.entries == ["outer .default", "between .linear", "inner .easeInOut"])
  }

  // TX6
  @Test(arguments: [Animation.linear(duration: 2), nil])
  func disablingSilencesImplicitAnimationsOnly(_ implicit: Animation?) {
    let stage = Stage()
    func tree(_ x: Double) -> Node { leaf(x).animation(implicit).animation(implicit, value: x) }
    stage.commit(tree(0), at: .zero)
    var transaction = Transaction.linear()
    transaction.disablesAnimations = true
    stage.commit(tree(10), transaction: transaction, at: .zero)
    // The explicit animation is kept, also by `.animation(nil)`.
    #expect(stage.x("leaf", at: .half) == 5)
  }

  // TX8
  @Test func transactionModifierWinsEvenOverDisabling() {
    let stage = Stage()
    func tree(_ x: Double) -> Node {
      leaf(x).transaction { $0.animation = .linear(duration: 1) }.animation(nil)
    }
    stage.commit(tree(0), at: .zero)
    var transaction = Transaction()
    transaction.disablesAnimations = true
    stage.commit(tree(10), transaction: transaction, at: .zero)
    #expect(stage.x("leaf", at: .half) == 5)
  }

  // TX9
  @Test func whoWins() {
    /// The distance that a move of 100 has covered after half a second.
    func progress(
      _ ambient: Animation?,
      binding: Animation? = nil,
      disabled: Bool = false,
      _ modify: @escaping (Node) -> Node
    ) -> Double? {
      let stage = Stage()
      stage.commit(modify(leaf(0)), at: .zero)
      var x = 0.0
      var held = Binding(
        get: { x },
        set: {
          x = $0; stage.commit(modify(leaf(x)), at: .zero)
        }
      )
      if let binding { held = held.animation(binding) }
      var transaction = Transaction()
      if let ambient { transaction.animation = ambient }
      if disabled { transaction.disablesAnimations = true }
      withTransaction(transaction) { held.wrappedValue = 100 }
      return stage.x("leaf", at: .half)
    }
    let (one, two, four) = (
      Animation.linear(duration: 1), Animation.linear(duration: 2), Animation.linear(duration: 4)
    )
    #expect(progress(nil) { $0 } == 100)
    #expect(progress(nil, binding: one) { $0 } == 50)
    #expect(progress(two, binding: one) { $0 } == 25)
    #expect(progress(two) { $0.animation(four) } == 12.5)
    #expect(progress(two) { $0.animation(one).animation(four) } == 50)
    #expect(progress(two, disabled: true) { $0.animation(four) } == 25)
    #expect(progress(two) { $0.transaction { $0.animation = one }.animation(four) } == 50)
    #expect(progress(two) { $0.animation(four).transaction { $0.animation = one } } == 12.5)
    #expect(
      progress(two, disabled: true) { $0.animation(four).transaction { $0.animation = one } } == 50
    )
  }

  // TX11
  @Test func listSourcesTagWhatTheyRefetch() {
    for (animation, tag) in [(Animation.default, ".default"), (nil, "untagged")] {
      let log = Log()
      var rows = [1]
      let source = ListSource(animation: animation) { rows }
      source.onChange = { log.add("\($0) \(Transaction.current)") }
      rows = [1, 2]
      source.refetch()
      #expect(log.entries == ["[1, 2] \(tag)"])
      #expect(source.elements == [1, 2])
    }
  }

  // MARK: - The law

  /// Modifiers that change the transaction. A simple model predicts their effect.
  private enum Law: CaseIterable {
    case animation, bound, unbound, transaction, disable, enable

    func wrap(_ node: Node, _ animation: Animation?, _ step: Int) -> Node {
      switch self {
      case .animation: node.animation(animation)
      case .bound: node.animation(animation, value: step)
      case .unbound: node.animation(animation, value: 0)
      case .transaction: node.transaction { $0.animation = animation }
      case .disable: node.transaction { $0.disablesAnimations = true }
      case .enable: node.transaction { $0.disablesAnimations = false }
      }
    }

    /// The effect of the modifier on a transaction, by rule TX7.
    func predict(_ state: inout (animation: Animation?, disabled: Bool), _ animation: Animation?) {
      switch self {
      case .animation, .bound: if !state.disabled { state.animation = animation }
      case .unbound: break
      case .transaction: state.animation = animation
      case .disable: state.disabled = true
      case .enable: state.disabled = false
      }
    }
  }

  // TX7
  @Test func theLawHoldsOverRandomTrees() {
    forEachSeed(300) { random in
      let layers = (0..<random.int(in: 0..<8)).map { _ in
        (
          law: Law.allCases.randomElement(using: &random)!,
          animation: random.bool()
            ? Animation.linear(duration: Double(random.int(in: 1..<9))) : nil,
          isGroup: random.bool()
        )
      }
      // The first layer is the outermost.
      func tree(_ step: Int) -> Node {
        layers.reversed().reduce(leaf(Double(step) * 100)) { node, layer in
          let wrapped = layer.law.wrap(node, layer.animation, step)
          return layer.isGroup ? Node.group { wrapped } : wrapped
        }
      }
      let explicit = random.bool() ? Animation.linear(duration: 10) : nil
      var state = (animation: explicit, disabled: false)
      for layer in layers { layer.law.predict(&state, layer.animation) }
      let stage = Stage()
      stage.commit(tree(0), at: .zero)
      stage.commit(tree(1), transaction: Transaction(animation: explicit), at: .zero)
      let expected = state.animation?.sample(at: 0.5).value(from: 0, to: 100) ?? 100
      #expect(stage.x("leaf", at: .half) == expected, "\(random)")
    }
  }
}
