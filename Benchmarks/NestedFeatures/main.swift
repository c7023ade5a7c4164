// Writes the features of the nested workloads: ten children, each in the one before, as an application has them.
//
// Their types are written out, because one generic type in the place of ten would measure something else.

import Foundation

/// A kind of child, as text in which `#` is the number of a feature, and `%` that of its child.
struct Kind {
  let name: String
  /// The number of the last child.
  let depth: Int
  /// A feature that has a child, and the last one.
  let parent, leaf: String
}

let leaf = """
  struct NAME#: Reducer {
    struct State: Equatable { var count = 0 }
    enum Action { case tick }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.count += 1
      return .none
    }

    @inline(never) static func byHand(_ state: inout State, _ action: Action) { state.count += 1 }
  }
  """

/// A feature without macros.
///
/// - Parameters:
///   - child: The declaration of the child in the state.
///   - action: The type of the child's actions.
///   - body: The body of the reducer.
///   - byHand: What a program without a library does.
func parent(_ child: String, _ action: String, _ body: String, _ byHand: String) -> String {
  """
  struct NAME#: Reducer {
    struct State: Equatable {
      var count = 0
      \(child)
    }

    enum Action: CasePathable {
      case tick, child(\(action))

      struct AllCasePaths: Sendable {
        var child: AnyCasePath<Action, \(action)> {
          AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
        }
      }
      static var allCasePaths: AllCasePaths { AllCasePaths() }
    }

    var body: some ReducerOf<Self> { \(body) }

    @inline(never) static func byHand(_ state: inout State, _ action: Action) {
      \(byHand)
      state.count += 1
    }
  }
  """
}

let count = "Reduce { state, _ in state.count += 1; return .none }"
let optionalByHand = """
  if case .child(let action) = action, state.child != nil { NAME%.byHand(&state.child!, action) }
  """
let presentedByHand = """
  if case .child(.presented(let action)) = action, state.child != nil { NAME%.byHand(&state.child!, action) }
  """

let kinds = [
  Kind(
    name: "Optional", depth: 10,
    parent: parent(
      "var child: NAME%.State? = NAME%.State()", "NAME%.Action",
      "\(count).ifLet(\\.child, action: \\.child) { NAME%() }", optionalByHand),
    leaf: leaf),
  Kind(
    name: "Part", depth: 9,
    parent: parent(
      "var child = NAME%.State()", "NAME%.Action",
      "Scope(state: \\.child, action: \\.child) { NAME%() }; \(count)",
      "if case .child(let action) = action { NAME%.byHand(&state.child, action) }"),
    leaf: leaf),
  Kind(
    name: "Presented", depth: 10,
    parent: parent(
      "@PresentationState var child: NAME%.State? = NAME%.State()",
      "PresentationAction<NAME%.Action>",
      "\(count).ifLet(\\.$child, action: \\.child) { NAME%() }", presentedByHand),
    leaf: leaf),
  // By the macros: what most applications do.
  Kind(
    name: "Observed", depth: 10,
    parent: """
      @Reducer struct NAME# {
        @ObservableState struct State: Equatable {
          var count = 0
          @Presents var child: NAME%.State? = NAME%.State()
        }

        enum Action { case tick, child(PresentationAction<NAME%.Action>) }

        var body: some ReducerOf<Self> { \(count).ifLet(\\.$child, action: \\.child) { NAME%() } }

        @inline(never) static func byHand(_ state: inout State, _ action: Action) {
          \(presentedByHand)
          state.count += 1
        }
      }
      """,
    leaf: """
      @Reducer struct NAME# {
        @ObservableState struct State: Equatable { var count = 0 }
        enum Action { case tick }

        var body: some ReducerOf<Self> { \(count) }

        @inline(never) static func byHand(_ state: inout State, _ action: Action) { state.count += 1 }
      }
      """),
]

var text = "import Rondo\n"
for kind in kinds {
  for number in 0...kind.depth {
    text += "\n"
    text += (number == kind.depth ? kind.leaf : kind.parent)
      .replacingOccurrences(of: "NAME", with: kind.name)
      .replacingOccurrences(of: "#", with: "\(number)")
      .replacingOccurrences(of: "%", with: "\(number + 1)")
    text += "\n"
  }
}
try text.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
