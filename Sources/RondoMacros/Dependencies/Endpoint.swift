// A closure of a dependency client.

import SwiftSyntax
import SwiftSyntaxMacros

/// A variable that holds a closure: `var fetch: (_ id: Int) async throws -> User`.
struct Endpoint {
  let property: StoredProperty
  private let type: TypeSyntax
  private let function: FunctionTypeSyntax

  /// `nil` for variables that hold anything else.
  init?(_ declaration: some DeclSyntaxProtocol) {
    guard let property = StoredProperty(declaration),
      let type = property.binding.typeAnnotation?.type,
      let function = type.functionType
    else { return nil }
    self.property = property
    self.type = type.trimmed
    self.function = function
  }

  /// Whether some parameter has a name, which a method can have as a label.
  var hasLabels: Bool {
    function.parameters.contains { $0.secondName != nil }
  }

  // MARK: Storage

  /// The variable that keeps the closure; at first one that reports that it is not implemented.
  var storage: String {
    "private var \(property.storage): \(type) = \(unimplemented)"
  }

  private var unimplemented: String {
    let report = "_Rondo.unimplemented(\"\\(Self.self).\(property.identifier.unescaped)\")"
    guard let initializer = property.binding.initializer?.value else {
      let answer: [String] =
        if canThrow { ["throw \(report)"] } else if returnsNothing { [report] } else {
          [report, "return \(returnsOptional ? "nil" : placeholder)"]
        }
      return closure(signature: ignoredParameters, answer)
    }
    guard let given = initializer.as(ClosureExprSyntax.self) else {
      return initializer.trimmedDescription
    }
    let signature = given.signature.map { " \($0.trimmedDescription)" } ?? ""
    return closure(signature: signature, [report] + answers(of: given))
  }

  private func closure(signature: String, _ statements: [String]) -> String {
    "{\(signature)\n  \(statements.lines(indentedBy: 2))\n}"
  }

  /// The statements of a closure, which is one longer than it was: a lone expression is no longer
  /// returned for its own sake.
  private func answers(of closure: ClosureExprSyntax) -> [String] {
    let statements = closure.statements.map(\.dedented)
    guard let only = closure.statements.first, statements.count == 1, !returnsNothing,
      case .expr(let expression) = only.item, !expression.endsTheProgram
    else { return statements }
    return ["return \(statements[0])"]
  }

  private var ignoredParameters: String {
    guard !function.parameters.isEmpty else { return "" }
    return " \(function.parameters.map { _ in "_" }.joined(separator: ", ")) in"
  }

  // MARK: Method

  /// A method that calls the closure, with labels for the parameters that have names.
  func method(named name: String) -> String {
    let parameters = function.parameters.enumerated().map { index, parameter in
      let label = parameter.secondName.map { "\($0.text) " } ?? "_ "
      let isEscaping = parameter.type.functionType == nil || parameter.type.says("escaping")
      let escaping = isEscaping ? "" : "@escaping "
      return "\(label)p\(index): \(escaping)\(parameter.type.trimmedDescription)"
    }
    let arguments = function.parameters.enumerated().map { index, parameter in
      "\(parameter.type.isInout ? "&" : "")p\(index)\(parameter.type.says("autoclosure") ? "()" : "")"
    }
    let specifiers = function.effectSpecifiers.map { " \($0.trimmedDescription)" } ?? ""
    let marks =
      (function.effectSpecifiers?.throwsClause == nil ? "" : "try ")
      + (function.effectSpecifiers?.asyncSpecifier == nil ? "" : "await ")
    return """
      \(isolation)\(property.access)func \(name)(\
      \(parameters.joined(separator: ", ")))\(specifiers) \(function.returnClause.trimmedDescription) {
        \(marks)self.\(property.name)(\(arguments.joined(separator: ", ")))
      }
      """
  }

  /// The global actor that the closure is bound to, on a line of its own.
  private var isolation: String {
    guard let attributes = type.as(AttributedTypeSyntax.self)?.attributes else { return "" }
    return attributes.compactMap { $0.as(AttributeSyntax.self) }
      .filter { !["Sendable", "escaping", "concurrent", "convention"].contains($0.name) }
      .map { "\($0.trimmedDescription)\n" }
      .joined()
  }

  // MARK: Default

  /// Whether there is nothing that the closure could answer while it is not implemented.
  var lacksDefault: Bool {
    property.binding.initializer == nil && !canThrow && !returnsNothing && !returnsOptional
  }

  /// Says that a default is needed, and offers to put one there.
  func reportMissingDefault(to context: some MacroExpansionContext) {
    let value = closure(signature: ignoredParameters, [placeholder])
      .split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    var binding = property.binding
    binding.typeAnnotation?.trailingTrivia = []
    binding.initializer = InitializerClauseSyntax(
      equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
      value: ExprSyntax("\(raw: value)"))
    context.error(
      "'\(property.name)' cannot throw, so it needs a default to answer while it is not "
        + "implemented. Any value will do.",
      at: property.binding,
      fix: .replace("Add a default", property.binding, with: binding))
  }

  private var placeholder: String {
    "<#\(function.returnClause.type.trimmedDescription)#>"
  }

  /// Whether the closure can throw any error, and so the one that says it is not implemented.
  private var canThrow: Bool {
    guard let clause = function.effectSpecifiers?.throwsClause else { return false }
    return [nil, "any Error", "any Swift.Error"].contains(clause.type?.trimmedDescription)
  }

  private var returnsNothing: Bool {
    ["Void", "()", "Swift.Void"].contains(function.returnClause.type.trimmedDescription)
  }

  private var returnsOptional: Bool {
    let type = function.returnClause.type
    return type.is(OptionalTypeSyntax.self)
      || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
  }
}

extension TypeSyntax {
  /// The function type, with attributes and parentheses around it or not.
  var functionType: FunctionTypeSyntax? {
    if let function = self.as(FunctionTypeSyntax.self) { return function }
    if let attributed = self.as(AttributedTypeSyntax.self) {
      return attributed.baseType.functionType
    }
    guard let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 else { return nil }
    return tuple.elements.first?.type.functionType
  }

  fileprivate func says(_ attribute: String) -> Bool {
    self.as(AttributedTypeSyntax.self)?.attributes.first(named: attribute) != nil
  }

  fileprivate var isInout: Bool {
    self.as(AttributedTypeSyntax.self)?.specifiers
      .contains { $0.trimmedDescription == "inout" } ?? false
  }
}

extension ExprSyntax {
  /// Whether the expression is a call that does not return.
  fileprivate var endsTheProgram: Bool {
    let called = self.as(FunctionCallExprSyntax.self)?.calledExpression.trimmedDescription
    return called == "fatalError" || called == "preconditionFailure"
  }
}
