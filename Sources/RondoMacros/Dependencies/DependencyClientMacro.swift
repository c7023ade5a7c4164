// `@DependencyClient`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Makes a structure of closures a client: its closures endpoints, its initializers visible where
/// its variables are.
enum DependencyClientMacro {
  static var formatMode: FormatMode { .disabled }
}

extension DependencyClientMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(StructDeclSyntax.self), let endpoint = Endpoint(member),
      endpoint.property.declaration
        .attributes.first(named: "DependencyEndpoint", "DependencyEndpointIgnored") == nil
    else { return [] }
    return [AttributeSyntax(text: "@DependencyEndpoint")]
  }
}

extension DependencyClientMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.error(
        "'@DependencyClient' is for a structure of closures, not for \(declaration.kind) "
          + "'\(declaration.typeName?.text ?? "")'.",
        at: node)
      return []
    }
    let parameters = declaration.memberBlock.members
      .compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .flatMap(ClientParameter.parameters(of:))
    let untyped = parameters.filter { $0.type == nil }
    untyped.forEach { $0.reportMissingType(to: context) }
    guard untyped.isEmpty else { return [] }
    let access = leastAccess(of: parameters, in: declaration, context)
    let others = parameters.filter { !$0.isEndpoint }
    let lists = others.count == parameters.count ? [parameters] : [parameters, others]
    return lists.map { initializer(of: $0, access: access) }
  }

  private static func initializer(of parameters: [ClientParameter], access: String) -> DeclSyntax {
    guard !parameters.isEmpty else { return "\(raw: access)init() {}" }
    let list = parameters.map(\.declaration).joined(separator: ",\n")
    // Setters of endpoints can only be used when everything else has its value.
    let ordered = parameters.filter { !$0.isEndpoint } + parameters.filter(\.isEndpoint)
    let assignments = ordered.map { "self.\($0.name) = \($0.name)" }
    return DeclSyntax(
      text: """
        \(access)init(
          \(list.indented(by: 2))
        ) {
          \(assignments.lines(indentedBy: 2))
        }
        """)
  }

  /// An initializer cannot be seen from farther than what it takes.
  private static func leastAccess(
    of parameters: [ClientParameter], in declaration: StructDeclSyntax,
    _ context: some MacroExpansionContext
  ) -> String {
    let order = ["private ", "fileprivate ", "", "package ", "public "]
    let levels = parameters.map(\.access) + [declaration.memberAccess(in: context)]
    return levels.min { order.firstIndex(of: $0)! < order.firstIndex(of: $1)! } ?? ""
  }
}
