// Stacks, lists and buttons under the names of SwiftUI, and the names of Combine and UIKit beside them.

import Dispatch
import Foundation
import Rondo
import RondoCompatibility
import RondoScheduling
import RondoStage
import Testing

@Suite struct StackTests {
  private func shown(_ view: some View, width: Int = 12, height: Int = 4) -> String {
    let stage = Stage()
    stage.commit(view.node, at: .zero)
    return Canvas(stage.frame(at: .zero), width: width, height: height).text
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "/")
  }

  // S2
  @Test func aVStackPutsViewsBelowOneAnother() {
    #expect(
      shown(
        VStack {
          Text("one"); Text("three")
        }) == " one/three//")
    #expect(
      shown(
        VStack(alignment: .leading, spacing: 1) {
          Text("one"); Text("three")
        })
        == "one//three/")
    #expect(
      shown(
        VStack(alignment: .trailing) {
          Text("one"); Text("three")
        }) == "  one/three//")
  }

  // S2
  @Test func anHStackPutsViewsBesideOneAnother() {
    #expect(
      shown(
        HStack(spacing: 2) {
          Text("one"); Text("two")
        }) == "one  two///")
    #expect(
      shown(
        HStack {
          Text("a\nb\nc"); Text("x")
        }) == "a/bx/c/")
    #expect(
      shown(
        HStack(alignment: .bottom) {
          Text("a\nb\nc"); Text("x")
        }) == "a/b/cx/")
  }

  // S2
  @Test func aZStackPutsViewsOverOneAnother() {
    let box = Rectangle(glyph: "-").frame(width: 5, height: 3)
    #expect(
      shown(
        ZStack {
          box; Text("A")
        }) == "-----/--A--/-----/")
    #expect(
      shown(
        ZStack(alignment: .bottomTrailing) {
          box; Text("A")
        }) == "-----/-----/----A/")
  }

  // S2
  @Test func stacksKnowTheExtentOfStacks() {
    let view = VStack(alignment: .leading) {
      HStack(spacing: 1) {
        Text("a")
        VStack {
          Text("b"); Text("c")
        }
      }
      Text("d").padding(.leading, 2)
    }
    // Half a row is rounded away from zero.
    #expect(shown(view) == "  b/a c/  d/")
  }

  // S2
  @Test func aListAndAGroupAreChildrenOfTheirStack() {
    struct Item: Identifiable { var id: Int }
    let view = VStack {
      ForEach([Item(id: 1), Item(id: 2)]) { Text("\($0.id)") }
      Group {
        Text("x")
        Text("y")
      }
    }
    #expect(shown(view) == "1/2/x/y")
    #expect(shown(HStack { ForEach(0..<3) { Text("\($0)") } }) == "012///")
    #expect(
      shown(HStack { ForEach(["a", "b"], id: \.self) { Text($0) }.transition(.scale) }) == "ab///")
  }

  // S2
  @Test func aListIsKnownByItsIds() {
    let stage = Stage()
    func tree(_ names: [String]) -> Node {
      VStack(alignment: .leading) { ForEach(names, id: \.self) { Text($0) } }.node
    }
    stage.commit(tree(["a", "b"]), at: .zero)
    stage.commit(tree(["b", "a"]), transaction: .linear(), at: .zero)
    #expect(stage.frame(at: .half)["a"]?.frame.y == 0.5)
    #expect(stage.frame(at: .half)["b"]?.frame.y == 0.5)
  }

  // S2
  @Test func shapesFillWithoutAnArgument() {
    #expect(shown(Rectangle(glyph: "#").fill().frame(width: 2, height: 1)) == "##///")
  }

  // S2
  @MainActor
  @Test func publishedValuesTakeWhatEffectsSend() {
    final class Model {
      @Published var count = 0
    }
    let (model, scheduler) = (Model(), DispatchQueue.test)
    Just(3).receive(on: scheduler.animation()).eraseToAnyPublisher().assign(to: &model.$count)
    #expect(model.count == 0)
    scheduler.advance()
    #expect(model.count == 3)
    model.count = 4
    #expect(model.$count.wrappedValue == 4)
  }

  // S2
  @MainActor
  @Test func changesAreAnimatedAsByUIKit() {
    let (stage, log) = (Stage(), Log())
    func tree(_ x: Double) -> Node { Node.text("A").offset(x: x).id("a") }
    stage.commit(tree(0), at: .zero)
    animate(withDuration: 1, delay: 1, options: .curveLinear) {
      stage.commit(tree(8), at: .zero)
    } completion: { finished in
      log.add("\(finished)")
    }
    #expect(stage.x("a", at: .seconds(1) + .half) == 4 && log.entries == [])
    stage.advance(to: .seconds(2))
    #expect(log.entries == ["true"])
    animate(withDuration: 0) { stage.commit(tree(0), at: .seconds(2)) }
    #expect(stage.x("a", at: .seconds(2)) == 0 && !stage.isAnimating)
  }
}
