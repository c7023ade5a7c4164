// The cases of an enum, with the `#if`s around them.

import SwiftSyntax

/// One case: `failed(Error, retries: Int)`.
struct EnumCase {
  let element: EnumCaseElementSyntax
  let declaration: EnumCaseDeclSyntax

  /// The name as it is written, with backticks if it needs them.
  var name: String { element.name.text }

  /// The associated values.
  var parameters: [EnumCaseParameterSyntax] {
    element.parameterClause.map { Array($0.parameters) } ?? []
  }

  /// Whether no value can be in the case, because one of the associated values cannot be made.
  var isUninhabited: Bool {
    parameters.contains { ["Never", "Swift.Never"].contains($0.type.trimmedDescription) }
  }

  /// A pattern that binds the associated values to `v0`, `v1`, …
  var pattern: String {
    list(parameters.indices.map { "let v\($0)" }, prefix: ".\(name)")
  }

  /// An expression that makes the case of values: of `v0`, `v1`, … or of others.
  func construction(of values: [String]? = nil) -> String {
    let values = values ?? parameters.indices.map { "v\($0)" }
    let arguments = zip(parameters, values).map { parameter, value in
      parameter.label.map { "\($0): \(value)" } ?? value
    }
    return list(arguments, prefix: ".\(name)")
  }

  private func list(_ items: [String], prefix: String) -> String {
    items.isEmpty ? prefix : "\(prefix)(\(items.joined(separator: ", ")))"
  }
}

extension EnumCaseParameterSyntax {
  /// The argument label, `nil` when there is none.
  var label: String? {
    firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text }
  }
}

/// Cases in source order; those that depend on the build stay inside their `#if`.
struct EnumCases {
  private indirect enum Item {
    case one(EnumCase)
    case conditional([(condition: String, cases: EnumCases)])
  }

  private let items: [Item]

  init(of declaration: EnumDeclSyntax) {
    self.init(declaration.memberBlock.members)
  }

  /// The cases of an enum that is written as text.
  init(text: String) {
    self.init(of: DeclSyntax(text: text).cast(EnumDeclSyntax.self))
  }

  private init(_ members: MemberBlockItemListSyntax) {
    items = members.flatMap { member -> [Item] in
      if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        return declaration.elements.map { .one(EnumCase(element: $0, declaration: declaration)) }
      }
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return [] }
      let clauses = conditional.clauses.map { clause in
        let condition = clause.condition.map { " \($0.trimmedDescription)" } ?? ""
        let cases = clause.elements?.as(MemberBlockItemListSyntax.self).map(EnumCases.init)
        return (clause.poundKeyword.text + condition, cases ?? EnumCases(none: ()))
      }
      return clauses.allSatisfy { $0.1.all.isEmpty } ? [] : [.conditional(clauses)]
    }
  }

  private init(none: Void) {
    items = []
  }

  /// Every case, whether or not this build has it.
  var all: [EnumCase] {
    items.flatMap { item in
      switch item {
      case .one(let enumCase): [enumCase]
      case .conditional(let clauses): clauses.flatMap(\.cases.all)
      }
    }
  }

  /// Whether some of the cases stand in an `#if`.
  var isConditional: Bool {
    items.contains { if case .conditional = $0 { true } else { false } }
  }

  /// A piece of code for each case, in the `#if`s that the cases are in.
  func map(_ code: (EnumCase) -> String?) -> [String] {
    items.flatMap { item in
      switch item {
      case .one(let enumCase):
        return code(enumCase).map { [$0] } ?? []
      case .conditional(let clauses):
        let pieces = clauses.map { ($0.condition, $0.cases.map(code)) }
        guard pieces.contains(where: { !$0.1.isEmpty }) else { return [] }
        return pieces.flatMap { [$0] + $1 } + ["#endif"]
      }
    }
  }
}
