// Compiles a folder of mistakes: the first error is at the line of the mistake and names it.

import Foundation
import Testing

/// The mistakes are in `Mistakes`: pieces of a body in `Bodies`, lines of an explorer in `Explorers`, and whole files in
/// `Sources`. Each has a comment, `// mistake: cuont`, with a part of the message that says what is wrong. The comment
/// `// mistake, unnamed: Key.Type` is for one that the compiler does not name: it rates a misspelt member of a
/// key path as a worse fit than a key path in place of something else, which another overload takes.
///
/// These were tried for the four of them, and change nothing with Swift 6.3: `@_disfavoredOverload`; the
/// key's type as an existential, an optional, a pack, a variadic, an autoclosure, or behind a second generic
/// parameter; a read-only overload that is unavailable; up to twenty requirements more on the overload of
/// `Scope` for enums, on the state itself or by a wrapper of it. Without the overload that says of an action
/// that it is not `Equatable`, a misspelt `receive` is named; but `receive(.tapped)` then has no member
/// `tapped`, which is worse.
struct EveryMistakeTests {
  private struct Mistake {
    let file: String
    let line: Int
    let words: String
    /// Whether the message names what is misspelt.
    let isNamed: Bool

    /// Finds the comment in a source.
    init?(_ file: String, in source: String) {
      let lines = source.components(separatedBy: "\n")
      guard let index = lines.firstIndex(where: { $0.contains("// mistake") }),
        let match = lines[index].firstMatch(of: #/\/\/ mistake(, unnamed)?: (.*)/#)
      else { return nil }
      self.file = file
      line = index + 1
      words = String(match.2)
      isNamed = match.1 == nil
    }
  }

  // F1
  @Test func theFirstErrorIsAtTheMistakeAndNamesIt() throws {
    try check { name, body in Self.feature(name, body) }
  }

  // F1
  @Test(.enabled(if: ProcessInfo.processInfo.environment["RONDO_SOAK"] != nil))
  func soAreTheErrorsOfFeaturesThatMacrosWrite() throws {
    try check { name, body in
      Self.model.replacing("struct Model", with: "struct \(name)")
        .replacing("Reduce { _, _ in .none }", with: body)
    }
  }

  /// A line of a chain does not let the compiler complain about another one.
  // X21
  @Test func theErrorsOfAnExplorerAreAtTheMistake() throws {
    var sources = ["Lookup.swift": Self.lookup]
    var mistakes: [Mistake] = []
    for (name, line) in try Self.files("Explorers") {
      let source = Self.explorer(name, line)
      mistakes.append(try #require(Mistake("\(name).swift", in: source)))
      sources["\(name).swift"] = source
    }
    let errors = Dictionary(grouping: try TypeChecker(sources).errors, by: \.file)
    for mistake in mistakes {
      let found = errors[mistake.file] ?? []
      #expect(
        found.allSatisfy { $0.line == mistake.line }
          && found.contains { $0.message.contains(mistake.words) }, "\(mistake): \(found)")
    }
    #expect(errors["Lookup.swift"] == nil)
  }

  private func check(_ feature: (_ name: String, _ body: String) -> String) throws {
    var sources = ["Model.swift": Self.model, "Child.swift": Self.children]
    var mistakes: [Mistake] = []
    func add(_ name: String, _ source: String) throws {
      mistakes.append(try #require(Mistake("\(name).swift", in: source)))
      sources["\(name).swift"] = source
    }
    for (name, body) in try Self.files("Bodies") {
      try add("\(name)One", feature("\(name)One", body))
      try add("\(name)OfFour", feature("\(name)OfFour", Self.before + body + Self.after))
    }
    for (name, source) in try Self.files("Sources") { try add(name, source) }
    #expect(mistakes.count >= 80)

    let checker = try TypeChecker(sources)
    let errors = Dictionary(grouping: checker.errors, by: \.file)
    for mistake in mistakes {
      let found = errors[mistake.file] ?? []
      let firstLine = found.map(\.line).min()
      let first = found.first { $0.line == firstLine }
      #expect(
        first?.line == mistake.line && first?.message.contains(mistake.words) == true,
        "\(mistake.file):\(mistake.line) '\(mistake.words)': \(String(describing: first))")
    }
    let files = Set(mistakes.map(\.file))
    #expect(errors.keys.filter { !files.contains($0) } == [])
    if let table = ProcessInfo.processInfo.environment["RONDO_MISTAKES"] {
      try Self.table(mistakes, errors).write(toFile: table, atomically: true, encoding: .utf8)
    }
  }

  /// A Markdown table of all mistakes, each with the first error in its file.
  private static func table(
    _ mistakes: [Mistake], _ errors: [String: [TypeChecker.Error]]
  ) -> String {
    let rows = mistakes.map { mistake in
      let found = errors[mistake.file] ?? []
      let first = found.first { $0.line == found.map(\.line).min() }
      let isGood =
        mistake.isNamed && first?.line == mistake.line
        && first!.message.contains(mistake.words)
      let name = mistake.file.replacing(".swift", with: "")
      return "| \(name) | \(mistake.line) | \(first?.line ?? 0) | \(isGood ? "yes" : "no") "
        + "| \(first?.message ?? "") |\n"
    }
    return "| mistake | its line | line | named | first error |\n|---|---|---|---|---|\n"
      + rows.joined()
  }

  /// The texts in a folder of mistakes, by name.
  private static func files(_ folder: String) throws -> [(name: String, text: String)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Mistakes/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return (name.replacing(".swift", with: ""), text)
    }
  }

  /// A feature that a piece of a body is part of. Its state and its actions are those of `Model`: many
  /// macros would take long.
  private static func feature(_ name: String, _ body: String) -> String {
    """
    import Rondo

    struct \(name): Reducer {
      typealias State = Model.State
      typealias Action = Model.Action
      \(members)
      var body: some ReducerOf<Self> {
    \(body)
      }
    }
    """
  }

  private static let model = """
    import Rondo

    @Reducer
    struct Model {
      @ObservableState
      struct State: Equatable {
        let id = 0
        let constant = Child.State(id: 0)
        var count = 0
        var title = ""
        var child = Child.State(id: 0)
        @Presents var sheet: Child.State?
        @Presents var alert: AlertState<Never>?
        var rows: IdentifiedArrayOf<Child.State> = []
      }
      enum Action: BindableAction {
        case binding(BindingAction<State>)
        case increment
        case named(String)
        case moved(x: Int, y: Int)
        case child(Child.Action)
        case sheet(PresentationAction<Child.Action>)
        case alert(PresentationAction<Never>)
        case rows(IdentifiedActionOf<Child>)
      }
      \(members)
      var body: some ReducerOf<Self> {
        Reduce { _, _ in .none }
      }
    }
    """

  private static let members = """
    @Dependency(\\.continuousClock) var clock
      var isOn: Bool { true }
      var load: @Sendable (Int) async throws -> String { { _ in "" } }
      func parsed(_ text: String) throws -> Int { 0 }
    """

  private static let children = """
    import Rondo

    @Reducer
    struct Child {
      @ObservableState
      struct State: Equatable, Identifiable {
        let id: Int
        var count = 0
      }
      enum Action { case tapped, renamed(String) }
      var body: some ReducerOf<Self> { Reduce { _, _ in .none } }
    }

    @Reducer
    struct Other {
      @ObservableState
      struct State: Equatable { var flag = false }
      enum Action { case tapped }
      var body: some ReducerOf<Self> { Reduce { _, _ in .none } }
    }
    """

  /// The reducers before the one that has a mistake, in a body of four.
  private static let before = """
    BindingReducer()
    Scope(state: \\.child, action: \\.child) { Child() }

    """

  /// The reducer behind the one that has a mistake.
  private static let after = """

    Reduce { state, action in
      switch action {
      case .named(let name):
        state.title = name
        return .none
      default:
        return .none
      }
    }
    """

  /// An explorer with a line that has a mistake.
  private static func explorer(_ name: String, _ line: String) -> String {
    """
    import RondoExploration

    func explore\(name)() async {
      await Explorer(initialState: Lookup.State()) { Lookup() }
        .actions(.queryChanged("b"), .failed)
        .actions(.integers(0...9)) { .opened($0) }
        .availableActions { $0.child == nil ? [.opened(1)] : [.failed] }
        .outcomes(of: \\.api.search) { query in [.success([query]), .failure(Offline()), .never] }
        .outcomes(of: \\.api.save) { name, count in [.success(count > 0), .success(name.isEmpty)] }
        \(line)
        .always { $0.results.isEmpty || $0.results == [$0.query] }
        .whenever { !$0.query.isEmpty } eventually: { $0.isSaved || !$0.results.isEmpty }
        .sometimes("saved") { $0.isSaved && $0.results.count > 1 }
        .eventually { $0.query.count < 3 }
        .explore(steps: 6, orders: 20_000)
    }
    """
  }

  private static let lookup = """
    import Rondo

    struct Offline: Error {}

    struct Api: DependencyKey {
      var search: @Sendable (String) async throws -> [String] = { _ in [] }
      var save: @Sendable (String, Int) async -> Bool = { _, _ in true }
      var locate: @Sendable (@escaping @Sendable (Int) -> Void) -> Void = { _ in }
      var scores: @Sendable (String) -> AsyncStream<Int> = { _ in AsyncStream { _ in } }
      static let liveValue = Self()
      static let testValue = Self()
    }

    extension DependencyValues {
      var api: Api {
        get { self[Api.self] }
        set { self[Api.self] = newValue }
      }
    }

    struct Lookup: Reducer {
      struct State: Hashable {
        var query = ""
        var results: [String] = []
        var isSaved = false
        var child: Int?
      }
      enum Action { case queryChanged(String), opened(Int), failed, rated(Int, by: String) }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    """
}
