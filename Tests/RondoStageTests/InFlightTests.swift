// What is under way on a stage, and what is drawn over what.

import Foundation
import RondoStage
import RondoStageTesting
import Testing

@Suite struct InFlightTests {
  // S3
  @Test func aStageTellsWhatIsUnderWay() throws {
    let stage = Stage()
    func tree(_ isOn: Bool) -> Node {
      Node.group {
        Node.text("A").offset(x: isOn ? 8 : 0).opacity(isOn ? 0.5 : 1).id("a")
        if isOn { Node.text("B").transition(.slide) }
        Node.text(isOn ? "2" : "1").contentTransition(.numericText())
      }
    }
    stage.commit(tree(false), at: .zero)
    #expect(stage.animations.isEmpty)
    stage.commit(tree(true), transaction: .linear(2), at: .seconds(1))
    #expect(
      stage.animations.map(\.description) == [
        "text \"A\": offset from .offset(x: 0, y: 0) to .offset(x: 8, y: 0), .linear(duration: 2)",
        "text \"A\": opacity from .opacity(1) to .opacity(0.5), .linear(duration: 2)",
        "text \"B\": transition from gone to there, .linear(duration: 2)",
        "text \"2\": text from 1 to 2, .linear(duration: 2)",
      ])
    let first = try #require(stage.animations.first)
    #expect(first.id == AnyHashable("a") && first.span.begin == .seconds(1))
    #expect(first.timeLeft(at: .seconds(2)) == .seconds(1))
    #expect(first.timeLeft(at: .seconds(9)) == .zero)
    stage.advance(to: .seconds(3))
    #expect(stage.animations.isEmpty)
  }

  // S3
  @Test func whatIsTurnedBackTellsWhereItHasBegun() {
    let stage = Stage()
    func tree(_ x: Double) -> Node { Node.text("A").offset(x: x) }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(8), transaction: .linear(), at: .zero)
    stage.commit(tree(0), transaction: .linear(), at: .half)
    #expect(stage.animations.map(\.from) == [".offset(x: 4, y: 0)"])
    stage.commit(tree(8), transaction: Transaction(animation: .linear.repeatForever()), at: .half)
    #expect(stage.animations.last?.timeLeft(at: .half) == nil)
  }

  // S3
  @Test func modifiersShapesAndAnimatorsAreUnderWayToo() {
    let stage = Stage()
    func tree(_ value: Double) -> Node {
      Node.group {
        RoundedRectangle(cornerRadius: value).frame(width: 4, height: 4)
        Node.text("A").phaseAnimator([1.0, 2], trigger: value) { $0.scale($1) }
        Node.fill().frame(x: value, width: 2, height: 1).matchedGeometry(id: 1).id(value)
      }
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: .linear(), at: .zero)
    let properties = stage.animations.map(\.property)
    #expect(
      properties == ["shape", "phaseAnimator", "transition", "matchedGeometry", "transition"])
  }

  // S3
  @Test func aZIndexDecidesWhatIsDrawnOverWhat() {
    let stage = Stage()
    func tree(_ index: Double) -> Node {
      Node.group {
        Node.text("A").zIndex(index)
        Node.text("B")
        Node.text("C").zIndex(-1)
      }
    }
    func shown() -> String { Canvas(stage.frame(at: .zero), width: 1, height: 1).text }
    stage.commit(tree(0), at: .zero)
    #expect(shown() == "B")
    stage.commit(tree(1), at: .zero)
    #expect(shown() == "A")
    stage.commit(tree(-2), at: .zero)
    #expect(shown() == "B")
  }

  // S3
  @Test func aZIndexHoldsInsideOfWhatMovesAndWhileANodeLeaves() {
    let stage = Stage()
    func tree(_ isThere: Bool, _ x: Double) -> Node {
      Node.group {
        if isThere { Node.text("A").zIndex(1) }
        Node.text("B")
      }.modifier(Moved(animatableData: x))
    }
    stage.commit(tree(true, 0), at: .zero)
    stage.commit(tree(true, 2), transaction: .linear(), at: .zero)
    #expect(Canvas(stage.frame(at: .half), width: 2, height: 1).text == " A")
    stage.commit(tree(false, 2), transaction: .linear(), at: .seconds(2))
    let frame = stage.frame(at: .seconds(2))
    #expect(Canvas(frame, width: 3, height: 1).text == "  A")
  }

  // S3
  @Test func aTrimmedShapeDrawsAPartOfItsOutline() {
    let line = Rectangle().trim(from: 0.25, to: 0.5).stroke()
    let stage = Stage()
    stage.commit(line.frame(width: 4, height: 4), at: .zero)
    #expect(
      Canvas(stage.frame(at: .zero), width: 4, height: 4).text == "   █\n   █\n   █\n   █")
    #expect(
      Rectangle().trim().stroke().frame(width: 4, height: 4).node.description.contains("Trimmed"))
    let path = Rectangle().trim(from: 0, to: 0.25).path(in: CGRect(x: 0, y: 0, width: 8, height: 8))
    #expect(path.elements.first == .move(to: Point(x: 0, y: 0)))
    #expect(path.elements.last == .line(to: Point(x: 8, y: 0)))
    #expect(path.trimmedPath(from: 0.5, to: 0.5).isEmpty)
  }

  // S3
  @Test func aTrimMoves() {
    let stage = Stage()
    func tree(_ end: CGFloat) -> Node {
      Circle().trim(from: 0, to: end).stroke(.red).frame(width: 8, height: 8)
    }
    stage.commit(tree(0), at: .zero)
    stage.commit(tree(1), transaction: .linear(), at: .zero)
    func inked(_ milliseconds: Int) -> Int {
      Canvas(stage.frame(at: .milliseconds(milliseconds)), width: 8, height: 8).text.count {
        $0 == "█"
      }
    }
    #expect(inked(0) == 0 && inked(250) > 0 && inked(250) < inked(750))
  }

  // S3
  @Test func aColourCanBeSeenInPart() {
    #expect(Color.red.opacity(0.5).opacity(0.5).alpha == 0.25)
    #expect(Color.red.opacity(0.5).description == "#FF000080" && Color.red.description == "#FF0000")
    let stage = Stage()
    stage.commit(
      Node.text("A").foreground(.white.opacity(0.5)).background(.red.opacity(0.2)), at: .zero)
    let cell = Canvas(stage.frame(at: .zero), width: 1, height: 1)[column: 0, row: 0]
    #expect(cell.background == RGB(red: 51, green: 0, blue: 0))
    #expect(cell.foreground == RGB(red: 153, green: 128, blue: 128))
    #expect(Color.red.opacity(0.5) != .red)
    var color = Color.red.opacity(0)
    color.animatableData.interpolate(towards: Color.red.animatableData, amount: 0.5)
    #expect(color == .red.opacity(0.5))
  }

  // S3
  @Test(arguments: [
    (ContentTransition.numericText(), -0.25, 0.25), (.numericText(countsDown: true), 0.25, -0.25),
    (.numericText(value: 3), 0.25, -0.25), (.opacity, 0, 0),
  ])
  func numbersRollByInTheirDirection(
    _ transition: ContentTransition, _ first: Double, _ second: Double
  ) {
    let stage = Stage()
    let isOfValue = transition == .numericText(value: 3)
    stage.commit(
      Node.text("9").contentTransition(isOfValue ? .numericText(value: 9) : transition).id("a"),
      at: .zero)
    stage.commit(
      Node.text("3").contentTransition(transition).id("a"), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .milliseconds(250))["a"]?.frame.y == first)
    #expect(stage.frame(at: .milliseconds(750))["a"]?.frame.y == second)
    #expect(stage.frame(at: .seconds(1))["a"]?.frame.y == 0)
  }

  // S3
  @Test(arguments: [
    (0, 5, 1), (5, 0, -1), (0, -5, -1), (-5, 0, 1), (-3, -5, -1), (-5, -3, 1), (-1, 1, 1),
    (1, -1, -1), (0, -0.0, 1), (-0.5, -0.25, 1), (-Double.infinity, 0, 1),
    (0, -Double.infinity, -1),
  ])
  func numbersRollUpWhereTheyGrow(_ old: Double, _ new: Double, _ direction: Double) {
    let stage = Stage()
    func number(_ value: Double) -> Node {
      Node.text("\(value)").contentTransition(.numericText(value: value)).id("a")
    }
    stage.commit(number(old), at: .zero)
    stage.commit(number(new), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .milliseconds(250))["a"]?.frame.y == -0.25 * direction)
    #expect(stage.frame(at: .milliseconds(750))["a"]?.frame.y == 0.25 * direction)
    #expect(stage.frame(at: .seconds(1))["a"]?.frame.y == 0)
  }

  // S3
  @Test func aTextFadesOnlyWhereItIsSaidAndInAnAnimatedCommit() {
    func fades(_ tree: (String) -> Node, _ transaction: Transaction) -> Bool {
      let stage = Stage()
      stage.commit(tree("one"), at: .zero)
      stage.commit(tree("two"), transaction: transaction, at: .zero)
      return stage.isAnimating
    }
    #expect(!fades({ Node.text($0) }, .linear()))
    #expect(!fades({ Node.text($0).contentTransition(.opacity) }, Transaction()))
    #expect(!fades({ Node.text($0).contentTransition(.identity) }, .linear()))
    #expect(fades({ Node.text($0).contentTransition(.opacity) }, .linear()))
  }

  // S3
  @Test func whatIsStaggeredBeginsOneAfterAnother() {
    let stage = Stage()
    func tree(_ x: Double, _ count: Int) -> Node {
      Node.group {
        Node.forEach(0..<count, id: \.self) { number in
          Node.text("\(number)").offset(x: x).transition(.opacity).id(number)
        }.stagger(0.5)
      }
    }
    stage.commit(tree(0, 2), at: .zero)
    stage.commit(tree(8, 3), transaction: .linear(), at: .zero)
    #expect(stage.x(0, at: .half) == 4 && stage.x(1, at: .half) == 0)
    #expect(stage.x(1, at: .seconds(1)) == 4 && stage.opacity(2, at: .seconds(1)) == 0)
    #expect(stage.opacity(2, at: .milliseconds(1_500)) == 0.5)
  }
}

@Suite struct TapTests {
  private func stage(_ tree: Node) -> Stage {
    let stage = Stage()
    stage.commit(tree, at: .zero)
    return stage
  }

  @Test func aTapRunsTheActionOfWhatIsSeen() {
    let log = Log()
    let stage = stage(
      Node.group {
        Button("Save") { log.add("save") }
        Button(action: { log.add("quit") }) { Text("Quit") }.offset(x: 6)
        Text("Help").offset(y: 1)
      })
    for (x, y) in [(1.0, 0.5), (7, 0.5), (1, 1.5), (5, 0.5), (40, 40)] {
      stage.tap(at: Point(x: x, y: y), instant: .zero)
    }
    #expect(log.entries == ["save", "quit"])
    #expect(!stage.tap(at: Point(x: 40, y: 40), instant: .zero))
  }

  @Test func aTapRunsTheNearestActionAround() {
    let log = Log()
    let stage = stage(
      Node.group {
        Node.text("outside")
        Node.text("in").offset(y: 1).onTapGesture { log.add("in") }
      }.onTapGesture { log.add("out") })
    #expect(stage.tap(at: Point(x: 1, y: 1.5), instant: .zero))
    #expect(stage.tap(at: Point(x: 1, y: 0.5), instant: .zero))
    #expect(log.entries == ["in", "out"])
  }

  @Test(arguments: [0, -1, Double.nan, -Double.infinity])
  func aTapMissesWhatHasNoExtent(_ width: Double) {
    let log = Log()
    let stage = stage(
      Node.group {
        Node.fill("#").frame(width: width, height: 1).onTapGesture { log.add("empty") }
        Node.fill("#").frame(width: 1, height: width).onTapGesture { log.add("flat") }
        Node.text("abc").scale(0).onTapGesture { log.add("point") }
      })
    for x in [-0.5, 0, 0.5, 1.5] { stage.tap(at: Point(x: x, y: 0.5), instant: .zero) }
    #expect(log.entries == [])
  }
}

private struct Moved: NodeModifier, Animatable {
  var animatableData: Double

  func body(content: Content) -> some View { content.offset(x: animatableData) }
}
