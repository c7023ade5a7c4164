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

  /// State, action, body and the scoping of stores, each a sum over the cases.
  func members(access: String, _ conformances: SynthesizedConformances) -> [DeclSyntax] {
    [
      state(access, conformances.state),
      action(access, conformances.action),
      body(access),
      caseScope(access),
      scope(access),
    ].map(DeclSyntax.init(text:))
  }

  private func map(_ code: (ReducerCase) -> String?) -> [String] {
    cases.map { code(ReducerCase($0)) }
  }

  private var indirect: String { declaration.modifiers.contains(.indirect) ? "indirect " : "" }

  private func state(_ access: String, _ conformances: [String]) -> String {
    let states = map { reducerCase in
      guard case .feature(let type, _) = reducerCase.content else {
        return reducerCase.declarationOfValues
      }
      return reducerCase.declaration(holding: "\(type).State")
    }
    let inherited = ["_Rondo.CaseReducerState"] + conformances
    let alias = "\(access)typealias StateReducer = \(declaration.name.text)"
    return """
      @CasePathable
      @dynamicMemberLookup
      @ObservableState
      \(access)\(indirect)enum State: \(inherited.joined(separator: ", ")) {
        \(([alias] + states).lines(indentedBy: 2))
      }
      """
  }

  private func action(_ access: String, _ conformances: [String]) -> String {
    let actions = map { reducerCase in
      switch reducerCase.content {
      case .feature(let type, _): reducerCase.declaration(holding: "\(type).Action")
      case .ephemeral(let action): reducerCase.declaration(holding: action)
      case .values, .unclear: reducerCase.declaration(holding: "Swift.Never")
      }
    }
    let inherited = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    return """
      @CasePathable
      \(actions.braced(after: "\(access)\(indirect)enum Action\(inherited)"))
      """
  }

  private func body(_ access: String) -> String {
    let scopes = map { reducerCase -> String? in
      guard case .feature(_, let reducer) = reducerCase.content else { return nil }
      let name = reducerCase.name
      return """
        _Rondo.Scope(state: \\Self.State.Cases.\(name), action: \\Self.Action.Cases.\(name)) {
          \(reducer.indented(by: 2))
        }
        """
    }
    let reducers = scopes.isEmpty ? ["_Rondo.EmptyReducer<Self.State, Self.Action>()"] : scopes
    return """
      @_Rondo.ReducerBuilder<Self.State, Self.Action>
      \(access)static var body: some _Rondo.Reducer<Self.State, Self.Action> {
        \(reducers.lines(indentedBy: 2))
      }
      """
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
      return "case .\(name): return .\(name)(store.scope(state: \\.\(name), action: \\.\(name))!)"
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
