// Differences and dumps.

import Foundation
import RondoSeededRandomness
import RondoTestCompatibility
import RondoTesting
import Testing

private struct Row: Equatable, Identifiable {
  var id: Int
  var title: String
  var isDone = false
  var note = "a note that is long enough for the row not to fit on one line"
}

private struct Screen: Equatable {
  var rows: [Row]
  var title = "Screen"
}

private enum Phase: Equatable {
  case idle
  case loading(progress: Double, label: String)
}

private final class Node {
  var name: String
  var next: Node?
  init(_ name: String) { self.name = name }
}

/// A value that goes as deep as it likes, and has no `==`.
private indirect enum Nested {
  case leaf(Int)
  case node(Nested)

  init(_ number: Int, levels: Int) {
    self = (0..<levels).reduce(.leaf(number)) { nested, _ in .node(nested) }
  }
}

/// A value that stands for another, which may be one of its kind.
private struct Alias: CustomDumpRepresentable {
  var customDumpValue: Any
}

private struct Deep: Equatable {
  indirect enum Chain: Equatable {
    case end(Int)
    case link(Chain)
  }
  var chain: Chain
  init(_ number: Int) {
    chain = (0..<10_000).reduce(.end(number)) { chain, _ in .link(chain) }
  }
}

@ObservableState
private struct Observed: Equatable {
  var count = 0
}

@Suite struct DifferenceTests {
  // H24
  @Test func aDeepValueIsPrintedToABoundThatIsNamed() {
    let text = dumped(Nested(1, levels: 10_000))
    #expect(text.split(separator: "\n").count == 2 * 128 + 1)
    #expect(text.contains("… (more than 128 levels deep)"))
    #expect(dumped(Nested(1, levels: 100)).contains(".leaf(1)"))
    #expect(summary(of: Nested(1, levels: 10_000)) == ".node(…)")
    let long = String(customDumping: Nested(1, levels: 10_000))
    #expect(long.contains("… (more than 128 levels deep)"))
    #expect(long.split(separator: "\n").count < 300)
  }

  // H24
  @Test func deepValuesAreComparedToTheirEndsAndTheDifferenceIsBounded() throws {
    let nested = Nested(1, levels: 10_000)
    #expect(difference(from: nested, to: Nested(1, levels: 10_000)) == nil)
    #expect(diff(nested, Nested(1, levels: 10_000)) == nil)
    // Values without `==` are compared down to their ends on every level shown, which is slow.
    let levels = Soak.isOn ? 10_000 : 200
    let values = (Nested(1, levels: levels), Nested(2, levels: levels))
    let short = try #require(difference(from: values.0, to: values.1, lineLimit: .max))
    let long = try #require(diff(values.0, values.1))
    for text in [short, long] {
      #expect(text.contains("… (more than 128 levels deep)"))
      #expect(text.split(separator: "\n").count < 300)
    }
    #expect(difference(from: values.0, to: Nested(1, levels: levels - 1)) != nil)
  }

  // H24
  @Test func aValueThatStandsForOthersWithoutEndIsPrinted() {
    let alias = (0..<10_000).reduce(Alias(customDumpValue: 1)) { alias, _ in
      Alias(customDumpValue: alias)
    }
    #expect(dumped(alias).hasPrefix("Alias("))
    #expect(String(customDumping: alias).contains("more than 128 levels deep"))
    #expect(diff(alias, Alias(customDumpValue: 2))?.contains("2") == true)
    #expect(dumped(Alias(customDumpValue: Alias(customDumpValue: 3))) == "3")
  }

  // H24
  @MainActor @Test func aTestOfADeepStateFailsWithAMessage() async {
    struct Feature: Reducer {
      func reduce(into state: inout Deep, action: Int) -> Effect<Int> {
        state = Deep(action)
        return .none
      }
    }
    let issues = await captureIssues { () async in
      let store = TestStore(initialState: Deep(0)) { Feature() }
      await store.send(1)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("more than 128 levels deep") == true)
  }

  // T9
  @Test func elementsOfAStackHaveTheirIDs() {
    let old: StackState = ["a"]
    var new = old
    new.removeAll()
    new.append("a")
    #expect(difference(from: old, to: new) == "− [#0: \"a\"]\n+ [#1: \"a\"]")
  }

  // T9
  @Test func elementsOfAStackAreInTheOrderOfTheirIDs() {
    #expect(dumped(StackState(0..<11)).hasSuffix("  #9: 9,\n  #10: 10\n]"))
  }

  // T9
  @Test func whoObservesAStateIsNoPartOfIt() {
    #expect(dumped(Observed()) == "Observed(count: 0)")
  }

  private func alert(_ label: String, _ message: TextState? = nil) -> AlertState<Int> {
    AlertState {
      TextState("Delete this note?")
    } actions: {
      ButtonState(role: .destructive, action: 1) { TextState("Delete") }
      ButtonState(role: .cancel) { TextState(label) }
    } message: {
      message ?? TextState("This cannot be undone.")
    }
  }

  // T9
  @Test func theIDsOfAlertsAndTheirButtonsDoNotDiffer() {
    #expect(
      difference(from: alert("Keep"), to: alert("Cancel")) == """
          AlertState<Int>(
            … (2 unchanged)
            buttons: [
              … (1 unchanged)
              [1]: ButtonState<Int>(
                … (2 unchanged)
        −       label: "Keep"
        +       label: "Cancel"
              ),
            ]
          )
        """)
  }

  // T9
  @Test func theEmphasisOfATextDiffers() {
    let text = difference(from: alert("Keep"), to: alert("Keep", TextState("Really?").italic()))
    #expect(
      text == """
          AlertState<Int>(
            … (1 unchanged)
        −   message: "This cannot be undone.",
        +   message: [TextState.Run(text: "Really?", emphasis: Set([.italic]))],
            … (1 unchanged)
          )
        """)
  }

  // T9
  @Test func alertsWhoseActionsAreNotEquatableAreComparedWithoutIDs() {
    struct Opaque {}
    func alert() -> AlertState<Opaque> {
      AlertState {
        TextState("?")
      } actions: {
        ButtonState(action: Opaque()) { TextState("OK") }
      }
    }
    #expect(difference(from: alert(), to: alert()) == nil)
  }

  // T9
  @Test func bindingActionsArePrintedAsTheyAreWritten() {
    enum Action { case binding(BindingAction<Row>) }
    #expect(dumped(Action.binding(.set(\.title, "a"))) == #".binding(.set(\Row.title, "a"))"#)
  }

  // T9
  @Test func equalValuesDoNotDiffer() {
    #expect(difference(from: [1, 2], to: [1, 2]) == nil)
  }

  // T9
  @Test func smallValuesAreOneLineEach() {
    #expect(difference(from: 1, to: 2) == "− 1\n+ 2")
    #expect(difference(from: "a", to: nil) == "− \"a\"\n+ nil")
  }

  // T9
  @Test func unchangedContextIsCollapsed() {
    var other = Row(id: 1, title: "one")
    other.isDone = true
    #expect(
      difference(from: Row(id: 1, title: "one"), to: other) == """
          Row(
            … (2 unchanged)
        −   isDone: false,
        +   isDone: true,
            … (1 unchanged)
          )
        """)
  }

  // T9
  @Test func rowsArePairedByID() {
    let old = Screen(rows: (0..<5).map { Row(id: $0, title: "row") })
    var new = old
    new.rows.remove(at: 1)
    new.rows[2].title = "changed"
    #expect(
      difference(from: old, to: new) == """
          Screen(
            rows: [
              … (1 unchanged)
        −     [1]: Row(
        −       id: 1,
        −       title: "row",
        −       isDone: false,
        −       note: "a note that is long enough for the row not to fit on one line"
        −     ),
              … (1 unchanged)
              [3 → 2]: Row(
                … (1 unchanged)
        −       title: "row",
        +       title: "changed",
                … (2 unchanged)
              ),
              … (1 unchanged)
            ],
            … (1 unchanged)
          )
        """)
  }

  // T9
  @Test func elementsWithoutIDArePairedByWhatIsEqual() {
    #expect(
      difference(
        from: ["a", "b", "c", "d"].map { $0 + " and a text that takes up space" },
        to: ["a", "c", "x", "d"].map { $0 + " and a text that takes up space" }) == """
            [
              … (1 unchanged)
          −   [1]: "b and a text that takes up space",
          +   [1]: "c and a text that takes up space",
          −   [2]: "c and a text that takes up space",
          +   [2]: "x and a text that takes up space",
              … (1 unchanged)
            ]
          """)
  }

  // T9
  @Test func dictionariesAndSetsAreInOrder() {
    let numbers = Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, "value \($0)") })
    var others = numbers
    others[10] = "changed"
    others[3] = nil
    others[20] = "new"
    #expect(
      difference(from: numbers, to: others) == """
          [
            … (3 unchanged)
        −   3: "value 3",
            … (6 unchanged)
        −   10: "value 10",
        +   10: "changed",
            … (1 unchanged)
        +   20: "new",
          ]
        """)
    #expect(
      difference(from: Set(1...40), to: Set(2...41)) == """
          Set([
        −   1,
            … (39 unchanged)
        +   41,
          ])
        """)
  }

  // T9
  @Test func casesGoByNameAndLabel() {
    #expect(
      difference(from: Phase.idle, to: .loading(progress: 0.5, label: "a")) == """
        − .idle
        + .loading(progress: 0.5, label: "a")
        """)
    let text = "a label that is too long for a single line of text"
    #expect(
      difference(
        from: Phase.loading(progress: 0.5, label: text), to: .loading(progress: 0.75, label: text))
          == """
            .loading(
          −   progress: 0.5,
          +   progress: 0.75,
              … (1 unchanged)
            )
          """)
  }

  // T9
  @Test func textsAreComparedLineByLine() {
    #expect(
      difference(from: "one\ntwo\nthree", to: "one\n2\nthree") == """
          \"""
            … (1 unchanged)
        −   two
        +   2
            … (1 unchanged)
          \"""
        """)
  }

  // T9
  @Test func referencesAreTakenApartOnce() {
    let node = Node("a node with a long name, so that it does not fit")
    node.next = node
    #expect(
      dumped(node) == """
        Node(
          name: "a node with a long name, so that it does not fit",
          next: Node(as above)
        )
        """)
    let other = Node("another node with a long name")
    other.next = other
    #expect(difference(from: node, to: other)?.contains("another") == true)
  }

  // T9
  @Test func whatDiffersButLooksTheSameIsSaid() {
    struct Odd: Equatable {
      var value = 1
      static func == (lhs: Odd, rhs: Odd) -> Bool { false }
    }
    #expect(
      difference(from: Odd(), to: Odd()) == """
        − DifferenceTests.Odd(value: 1)
        + DifferenceTests.Odd(value: 1)
          (Both look the same, but '==' tells them apart.)
        """)
  }

  // T9
  @Test func oneRowOfTenThousandTakesFewLines() throws {
    let old = Screen(rows: (0..<10_000).map { Row(id: $0, title: "row \($0)") })
    var new = old
    new.rows[5000].isDone = true
    let text = try #require(difference(from: old, to: new))
    #expect(text.split(separator: "\n").count < 20)
  }

  // T9
  @Test func longDifferencesAreCutOff() throws {
    let text = try #require(difference(from: Array(0..<10_000), to: Array(1...10_000)))
    #expect(text.split(separator: "\n").count == 201)
  }

  // T9
  @Test func aDumpHasAllLeaves() {
    #expect(
      dumped(Screen(rows: [Row(id: 1, title: "one")])) == """
        Screen(
          rows: [
            [0]: Row(
              id: 1,
              title: "one",
              isDone: false,
              note: "a note that is long enough for the row not to fit on one line"
            )
          ],
          title: "Screen"
        )
        """)
  }
}
