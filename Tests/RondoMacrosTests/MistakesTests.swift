// Compiles common mistakes: each is one error, at the place.

import Foundation
import Testing

struct MistakesTests {
  /// A mistake, as a piece of source, and what the compiler says.
  private struct Mistake {
    let source: String
    /// The text at which the error is.
    let place: String
    let message: String
  }

  private static let child = """
    import Rondo

    @Reducer
    struct Child {
      @ObservableState struct State: Equatable { var count = 0 }
      enum Action { case tapped }
      var body: some ReducerOf<Self> { Reduce { _, _ in .none } }
    }

    """

  private static let mistakes = [
    Mistake(
      source: parent("A", "Scope(state: \\.child, action: \\.chlid) { Child() }"),
      place: "\\.chlid",
      message: "value of type 'A.Action.AllCasePaths' has no member 'chlid'"),
    Mistake(
      source: parent("B", "EmptyReducer().ifLet(\\.$sheet, action: \\.shete) { Child() }"),
      place: "\\.shete",
      message: "value of type 'B.Action.AllCasePaths' has no member 'shete'"),
    Mistake(
      source: parent("C", "EmptyReducer().ifLet(\\.sheet, action: \\.sheet) { Child() }"),
      place: "Child() }",
      message: "static method 'buildExpression' requires the types 'Optional<Child.State>' and "
        + "'PresentationState<Child.State>' be equivalent"),
    Mistake(
      source: parent("D", "EmptyReducer().ifLet(\\.$sheet, action: \\.number) { Child() }"),
      place: "Child() }",
      message: "static method 'buildExpression' requires the types 'Int' and "
        + "'PresentationAction<Child.Action>' be equivalent"),
    Mistake(
      source: parent(
        "E", "Reduce { _, _ in .run { send in await send(.number(load(id: 1))) } }"),
      place: "(id: 1)",
      message: "extraneous argument label 'id:' in call"),
    Mistake(
      source: parent("F", "EmptyReducer()")
        + "\n@MainActor func show(_ store: StoreOf<F>) { _ = store.scope(\\.chlid, action: \\.child) }",
      place: "\\.chlid",
      message: "value of type 'F.State' has no member 'chlid'"),
    Mistake(
      source: parent("G", reducing("case .chlid: return .none")),
      place: "chlid",
      message: "type 'PartialKeyPath<G.Action.AllCasePaths>' has no member 'chlid'"),
    Mistake(
      source: parent("H", reducing("case .number: return .run { send in await send(.nubmer(1)) }")),
      place: "nubmer",
      message: "type 'H.Action' has no member 'nubmer'"),
    Mistake(
      source: parent("I", reducing("case .number: state.chlid.count += 1; return .none")),
      place: "chlid",
      message: "value of type 'I.State' has no member 'chlid'"),
    Mistake(
      source: parent(
        "J", reducing("case .number: return .run { _ in }.cancelable(id: 1)")),
      place: "cancelable",
      message: "value of type 'Effect<J.Action>' has no member 'cancelable'"),
    Mistake(
      source: "struct Plain {}\n@Reducer enum K { case child(Child), plain(Plain) }",
      place: "@Reducer",
      message: "type 'Plain' does not conform to protocol 'Reducer'"),
    Mistake(
      source: "@Reducer enum L { case child(Chlid) }",
      place: "Chlid",
      message: "cannot find type 'Chlid' in scope"),
    Mistake(
      source: """
        struct Row {}
        @ObservableState struct M { var rows: IdentifiedArrayOf<Row> = [] }
        """,
      place: "IdentifiedArrayOf",
      message: "type 'Row' does not conform to protocol 'Identifiable'"),
  ]

  private static func reducing(_ cases: String) -> String {
    "Reduce { state, action in switch action { \(cases)\n default: return .none } }"
  }

  private static func parent(_ name: String, _ body: String) -> String {
    """
    @Reducer
    struct \(name) {
      @ObservableState struct State {
        var child = Child.State()
        @Presents var sheet: Child.State?
      }
      enum Action {
        case child(Child.Action), sheet(PresentationAction<Child.Action>), number(Int)
      }
      func load(_ id: Int) async -> Int { id }
      var body: some ReducerOf<Self> {
        \(body)
      }
    }
    """
  }

  // K33
  @Test func eachMistakeIsOneErrorAtThePlace() throws {
    var source = Self.child
    var expected: [String] = []
    for mistake in Self.mistakes {
      let lines = mistake.source.components(separatedBy: "\n")
      let index = try #require(lines.firstIndex { $0.contains(mistake.place) })
      let range = try #require(lines[index].range(of: mistake.place, options: .backwards))
      let line = source.components(separatedBy: "\n").count + index
      let column = lines[index].distance(from: lines[index].startIndex, to: range.lowerBound) + 1
      expected.append("\(line):\(column): error: \(mistake.message)")
      source += mistake.source + "\n"
    }

    let found = try errors(of: source)
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
    #expect(found.count == expected.count)
  }

  // K39
  @Test func mistakesInAnEnumOfBindingsAreAtTheirLines() throws {
    let found = try errors(
      of: """
        import RondoCompatibility

        @CaseBindable enum Status { case sold, inStock(quantity: Int) }
        struct Item { var status = Status.sold }
        @MainActor func add(to item: UIBinding<Item>) {
          switch item.status {
          case .sold: break
          case .inStok(let quantity): quantity.wrappedValue += 1
          }
          switch item.status {
          case .sold: break
          }
        }

        @CaseBindable enum Unknown { case inStock(quantity: Itn) }
        @CaseBindable
        struct Other {}
        """)
    #expect(
      found == [
        "10:3: error: switch must be exhaustive",
        "15:53: error: cannot find type 'Itn' in scope",
        "16:1: error: '@CaseBindable' is for enums: a struct has no cases. Remove it. "
          + "(from macro 'CaseBindable')",
        // The pattern may be a case path as well.
        "8:9: error: generic parameter 'Value' could not be inferred",
        "8:9: error: type 'AnyCasePath<Status.UIBindingEnumeration, Value>' has no member 'inStok'",
      ])
  }

  /// Type-checks a source, and returns the errors.
  private func errors(of source: String) throws -> [String] {
    let checker = try TypeChecker(["Mistakes.swift": source])
    return errors(in: checker.lines, of: checker.folder + "/Mistakes.swift")
  }

  /// The errors in the output of the compiler. One in the expansion of a macro is at the macro,
  /// unless it only says again what is said of the source.
  private func errors(in lines: [String], of file: String) -> [String] {
    let prefix = file + ":"
    var errors: [String] = []
    var repeated: [String] = []
    for (index, line) in lines.enumerated() where line.contains(" error: ") {
      guard !line.hasPrefix(prefix) else {
        errors.append(String(line.dropFirst(prefix.count)))
        continue
      }
      let note = lines[index...].first {
        $0.hasPrefix(prefix) && $0.contains(" note: in expansion of macro ")
      }
      let place = note?.dropFirst(prefix.count).components(separatedBy: " ").first
      repeated.append("\(place ?? "?") error: \(line.components(separatedBy: " error: ")[1])")
    }
    func words(of error: String) -> String { error.components(separatedBy: " error: ")[1] }
    let said = Set(errors.map(words))
    return (errors + repeated.filter { !said.contains(words(of: $0)) }).sorted()
  }
}
