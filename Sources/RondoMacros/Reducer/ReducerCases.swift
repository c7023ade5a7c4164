// `@Reducer` on an enum.

import SwiftSyntax
import SwiftSyntaxMacros

/// An enum whose cases hold features, of which only one is present at a time: a destination, or the
/// elements of a path.
struct ReducerCases {
  private let declaration: EnumDeclSyntax
  private let cases: EnumCases

  init(of declaration: EnumDeclSyntax) {
    self.declaration = declaration
    cases = EnumCases(of: declaration)
  }

  /// Whether every case can be told to be a feature, ephemeral state, or plain values.
  var isSound: Bool {
    cases.all.allSatisfy { if case .unclear = ReducerCase($0).content { false } else { true } }
  }

  /// Says which cases are unclear, and returns whether any is.
  func report(to context: some MacroExpansionContext) -> Bool {
    cases.all.filter { ReducerCase($0).report(to: context) }.isEmpty == false
  }

  /// State, action, body and the scoping of stores, each a sum over the cases. What is there is left
  /// as it is.
  func members(access: String, _ conformances: SynthesizedConformances) -> [DeclSyntax] {
    [
      declares("State") ? nil : state(access, conformances.state),
      declares("Action") ? nil : action(access, conformances.action),
      declares("body") ? nil : body(access),
      declares("CaseScope") ? nil : caseScope(access),
      declares("scope") ? nil : scope(access),
    ].compactMap { $0 }.map(DeclSyntax.init(text:))
  }

  /// Whether a type or a static variable of a name is there already, or the static method that scopes stores.
  private func declares(_ name: String) -> Bool {
    declaration.memberBlock.members.map(\.decl).contains { member in
      if let variable = member.as(VariableDeclSyntax.self) {
        return variable.modifiers.isStatic
          && variable.bindings.contains { $0.pattern.trimmedDescription == name }
      }
      if let function = member.as(FunctionDeclSyntax.self) {
        let parameters = function.signature.parameterClause.parameters
        return name == "scope" && function.name.text == name && function.modifiers.isStatic
          && parameters.count == 1 && parameters.first?.firstName.text == "_"
      }
      return member.asProtocol(NamedDeclSyntax.self)?.name.text == name
    }
  }

  private func map(_ code: (ReducerCase) -> String?) -> [String] {
    cases.map { code(ReducerCase($0)) }
  }

  private var indirect: String { declaration.modifiers.contains(.indirect) ? "indirect " : "" }

  // Case paths and observation are written out here, not left to `@CasePathable` and
  // `@ObservableState`: the compiler can crash when a macro makes types that more macros extend.

  private func state(_ access: String, _ conformances: [String]) -> String {
    let states = map { reducerCase in
      guard case .feature(let type, _) = reducerCase.content else {
        return reducerCase.declarationOfValues
      }
      return reducerCase.declaration(holding: "\(type).State")
    }
    let inherited = ["_Rondo.CaseReducerState", "_Rondo.ObservableState"] + conformances
    let alias = "\(access)typealias StateReducer = \(declaration.name.text)"
    let observation = ObservableStateMacro.members(of: enumCases(states), access: access)
    return "@dynamicMemberLookup\n"
      + choice("State", of: states, access, inherited, beside: [alias] + observation)
  }

  private func action(_ access: String, _ conformances: [String]) -> String {
    let actions = map { reducerCase in
      switch reducerCase.content {
      case .feature(let type, _): reducerCase.declaration(holding: "\(type).Action")
      case .ephemeral(let action): reducerCase.declaration(holding: action)
      case .values, .unclear: reducerCase.declaration(holding: "Swift.Never")
      }
    }
    return choice("Action", of: actions, access, conformances, beside: [])
  }

  /// An enum with case paths.
  private func choice(
    _ name: String, of cases: [String], _ access: String, _ conformances: [String],
    beside members: [String]
  ) -> String {
    let paths = CasePathableMacro.members(of: enumCases(cases), in: name, access: access)
    let pathable = CasePathableMacro.conformances.map { "nonisolated _Rondo.\($0)" }
    let inherited = (conformances + pathable).map { "  \($0)" }.joined(separator: ",\n")
    let list = cases.isEmpty ? [] : [cases.joined(separator: "\n")]
    return """
      \(access)\(indirect)enum \(name):
      \(inherited)
      {
        \((list + members + paths).joined(separator: "\n\n").indented(by: 2))
      }
      """
  }

  private func enumCases(_ cases: [String]) -> EnumCases {
    EnumCases(text: cases.braced(after: "enum Cases"))
  }

  // The type of `body` is written out: opaque types from macros can crash the compiler when a file
  // has many, and are slower to check.
  private func body(_ access: String) -> String {
    let header = """
      @_Rondo.ReducerBuilder<Self.State, Self.Action>
      \(access)static var body:
      """
    let scopes = map { reducerCase -> String? in
      guard case .feature(_, let reducer) = reducerCase.content else { return nil }
      let name = reducerCase.name
      return """
        _Rondo.Scope(state: \\Self.State.Cases.\(name), action: \\Self.Action.Cases.\(name)) {
          \(reducer.indented(by: 2))
        }
        """
    }
    guard !scopes.isEmpty else {
      let empty = "_Rondo.EmptyReducer<Self.State, Self.Action>"
      return ["\(empty)()"].braced(after: "\(header) \(empty)")
    }
    guard !cases.isConditional else {
      let combined = scopes.braced(after: "_Rondo.CombineReducers")
      let builder = "_Rondo.ReducerBuilder<Self.State, Self.Action>"
      let erased = "\(builder).buildLimitedAvailability(\n  \(combined.indented(by: 2))\n)"
      return [erased].braced(after: "\(header) _Rondo.Reduce<Self.State, Self.Action>")
    }
    return scopes.braced(after: "\(header) \(sequence)")
  }

  /// The type that the builder makes of the scopes of all features.
  private var sequence: String {
    let scopes = cases.all.compactMap { enumCase -> String? in
      guard case .feature(let type, _) = ReducerCase(enumCase).content else { return nil }
      return "_Rondo.Scope<Self.State, Self.Action, \(type)>"
    }
    let builder = "_Rondo.ReducerBuilder<Self.State, Self.Action>._Sequence"
    return scopes.dropFirst().reduce(scopes[0]) { first, next in
      "\(builder)<\n  \(first.indented(by: 2)),\n  \(next)\n>"
    }
  }

  private func caseScope(_ access: String) -> String {
    let stores = map { reducerCase in
      guard case .feature(let type, _) = reducerCase.content else {
        return reducerCase.declarationOfValues
      }
      return reducerCase.declaration(holding: "_Rondo.StoreOf<\(type)>")
    }
    return stores.braced(after: "\(access)enum CaseScope")
  }

  private func scope(_ access: String) -> String {
    let results = map { reducerCase in
      let name = reducerCase.name
      guard case .feature = reducerCase.content else {
        let enumCase = reducerCase.enumCase
        return "case \(enumCase.pattern): return \(enumCase.construction())"
      }
      let part = "store.scope(state: \\.\(name), action: \\.\(name))!"
      return "case .\(name): return \(reducerCase.enumCase.construction(of: [part]))"
    }
    return """
      @MainActor
      \(access)static func scope(
        _ store: _Rondo.Store<Self.State, Self.Action>
      ) -> CaseScope {
        switch store.state {
        \((results + ["}"]).lines(indentedBy: 2))
      }
      """
  }
}
