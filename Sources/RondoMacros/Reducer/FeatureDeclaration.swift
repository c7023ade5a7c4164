// `@Reducer` on a structure.

import SwiftSyntax
import SwiftSyntaxMacros

/// A structure that becomes a reducer, with the members that it already has.
struct FeatureDeclaration {
  private let declaration: StructDeclSyntax

  init(_ declaration: StructDeclSyntax) {
    self.declaration = declaration
  }

  /// The members that a feature needs and this one does not have. A feature with a `body` or a
  /// `reduce` method gets none: it also declares its state and action, here or in an extension that
  /// a macro cannot see.
  func missingMembers(access: String, _ conformances: SynthesizedConformances) -> [DeclSyntax] {
    guard body == nil, reduceMethod == nil else { return [] }
    var members: [DeclSyntax] = []
    if !declaresType("State") {
      let defaults = ["Codable", "Equatable", "Hashable", "Sendable"].map { "Swift.\($0)" }
      let inherited = defaults + conformances.state.filter { !defaults.contains($0) }
      members.append(
        DeclSyntax(
          text: """
            @ObservableState
            \(access)struct State: \(inherited.joined(separator: ", ")) {
              \(access)init() {}
            }
            """))
    }
    if !declaresType("Action") {
      let defaults = ["Equatable", "Hashable", "Sendable"].map { "Swift.\($0)" }
      let inherited = defaults + conformances.action.filter { !defaults.contains($0) }
      members.append(
        DeclSyntax(text: "\(access)enum Action: \(inherited.joined(separator: ", ")) {}"))
    }
    members.append("\(raw: access)let body = _Rondo.EmptyReducer<State, Action>()")
    return members
  }

  /// Reports a reducer that has both a `body` and a `reduce` method: its body would never run.
  func reportReduceBesideBody(_ context: some MacroExpansionContext) {
    guard let body, let reduceMethod, body.parent?.parent == reduceMethod.parent?.parent else {
      return  // One of them may stand in an `#if`, and the other behind its `#else`.
    }
    context.error(
      "A reducer has a 'body' or this method, which wins: 'body' would never run. "
        + "Remove one of them, or rename the method and use it in a 'Reduce'.",
      at: reduceMethod.name)
  }

  private var members: [DeclSyntax] {
    declaration.memberBlock.members.declarations
  }

  private func declaresType(_ name: String) -> Bool {
    members.contains { $0.asProtocol(NamedDeclSyntax.self)?.name.text == name && !$0.isFunction }
  }

  private var body: VariableDeclSyntax? {
    members.lazy.compactMap { $0.as(VariableDeclSyntax.self) }.first { variable in
      !variable.modifiers.isStatic
        && variable.bindings.contains {
          $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "body"
        }
    }
  }

  private var reduceMethod: FunctionDeclSyntax? {
    members.lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first { function in
      function.name.text == "reduce" && !function.modifiers.isStatic
        && function.labels == ["into", "action"]
    }
  }
}

extension MemberBlockItemListSyntax {
  /// The declarations, also those in an `#if`.
  fileprivate var declarations: [DeclSyntax] {
    flatMap { member in
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      return conditional.clauses.flatMap {
        $0.elements?.as(MemberBlockItemListSyntax.self)?.declarations ?? []
      }
    }
  }
}

extension FunctionDeclSyntax {
  fileprivate var labels: [String] {
    signature.parameterClause.parameters.map(\.firstName.text)
  }
}

extension DeclSyntax {
  fileprivate var isFunction: Bool { self.is(FunctionDeclSyntax.self) }
}
