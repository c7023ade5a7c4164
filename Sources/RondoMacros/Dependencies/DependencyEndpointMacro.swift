// `@DependencyEndpoint`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Gives a closure of a client an implementation that reports that there is none, and a method with
/// the closure's parameter names as labels.
enum DependencyEndpointMacro {
  static var formatMode: FormatMode { .disabled }

  private static func requestedMethod(_ node: AttributeSyntax) -> ExprSyntax? {
    node.arguments?.as(LabeledExprListSyntax.self)?.first?.expression
  }

  /// The text of a literal that can be the name of a method.
  private static func identifier(in expression: ExprSyntax) -> String? {
    guard
      let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue,
      case let plain = name.hasPrefix("`") && name.hasSuffix("`")
        ? name.dropFirst().dropLast() : name[...],
      let first = plain.first, first.isLetter || first == "_",
      plain.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else { return nil }
    return name
  }
}

extension DependencyEndpointMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let endpoint = Endpoint(declaration) else {
      context.error(
        "'@DependencyEndpoint' is for a variable that holds a closure, its type written out: "
          + "'var fetch: (_ id: Int) async throws -> Item'.",
        at: node)
      return []
    }
    if let method = requestedMethod(node), identifier(in: method) == nil {
      context.error(
        "'method' is the name of the method to generate: write an identifier in quotes.",
        at: method)
    }
    if endpoint.lacksDefault { endpoint.reportMissingDefault(to: context) }
    let storage = endpoint.property.storage
    // A default goes into the storage, behind the report. With an accessor for initialization the
    // compiler would initialize the variable with the bare default.
    let initialization =
      endpoint.property.binding.initializer == nil
      ? [initialAccessor(of: storage, to: "initialValue")] : []
    return initialization + [
      AccessorDeclSyntax(
        text: """
          get {
            _Rondo.willUse("\\(Self.self).\(endpoint.property.identifier.unescaped)")
            return \(storage)
          }
          """),
      AccessorDeclSyntax(
        text: """
          set {
            \(storage) = newValue
          }
          """),
    ]
  }
}

extension DependencyEndpointMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let endpoint = Endpoint(declaration) else { return [] }
    let requested = requestedMethod(node).flatMap(identifier(in:))
    let name = requested ?? (endpoint.hasLabels ? endpoint.property.name : nil)
    let declarations = [name.map(endpoint.method(named:)), endpoint.storage]
    return declarations.compactMap { $0.map(DeclSyntax.init(text:)) }
  }
}
