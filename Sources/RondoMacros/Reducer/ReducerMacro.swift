// `@Reducer`: what it adds to the type itself and to the members that are there.

import SwiftSyntax
import SwiftSyntaxMacros

/// Completes a feature, or makes one of an enum whose cases are features.
enum ReducerMacro {
  static var formatMode: FormatMode { .disabled }
}

extension ReducerMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let access = declaration.memberAccess(in: context)
    let conformances = SynthesizedConformances(of: node)
    if let declaration = declaration.as(StructDeclSyntax.self) {
      let feature = FeatureDeclaration(declaration)
      feature.reportReduceBesideBody(context)
      return feature.missingMembers(access: access, conformances)
    }
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      let cases = ReducerCases(of: declaration)
      guard !cases.report(to: context) else { return [] }
      return cases.members(access: access, conformances)
    }
    context.error(
      "'@Reducer' is for values: '\(declaration.typeName?.text ?? "")' is not one. "
        + "Make it a struct, or an enum whose cases hold features.",
      at: node)
    return []
  }
}

extension ReducerMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    if let member = member.as(VariableDeclSyntax.self) {
      return attributes(forBody: member, isStatic: declaration.is(EnumDeclSyntax.self))
    }
    guard let member = member.as(EnumDeclSyntax.self),
      declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self)
    else { return [] }
    return attributes(forEnum: member)
  }

  /// A feature's actions, and its states where they are cases, can be named by case key paths.
  private static func attributes(forEnum member: EnumDeclSyntax) -> [AttributeSyntax] {
    var names: [String] = []
    guard ["State", "Action"].contains(member.name.text) else { return [] }
    if member.attributes.first(named: "CasePathable") == nil, !member.inherits("CasePathable") {
      names.append("@CasePathable")
    }
    if member.name.text == "State", member.attributes.first(named: "dynamicMemberLookup") == nil {
      names.append("@dynamicMemberLookup")
    }
    return names.map(AttributeSyntax.init(text:))
  }

  /// The conformance is an extension, so that `body` does not get its builder from the protocol.
  private static func attributes(
    forBody member: VariableDeclSyntax, isStatic: Bool
  ) -> [AttributeSyntax] {
    guard let binding = member.bindings.first, member.modifiers.isStatic == isStatic,
      binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "body",
      binding.isComputed,
      member.attributes.first(named: "ReducerBuilder") == nil
    else { return [] }
    let (state, action) = binding.typeAnnotation?.type.reducedTypes ?? ("Self.State", "Self.Action")
    return [AttributeSyntax(text: "@_Rondo.ReducerBuilder<\(state), \(action)>")]
  }
}

extension ReducerMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let conformances: [String]
    if declaration.is(StructDeclSyntax.self) {
      conformances = ["Reducer"]
    } else if let declaration = declaration.as(EnumDeclSyntax.self) {
      conformances = ReducerCases(of: declaration).isSound ? ["CaseReducer", "Reducer"] : []
    } else {
      conformances = []
    }
    return try ExtensionDeclSyntax.conforming(
      type, to: conformances.filter(protocols.asks(for:)), of: declaration, in: context)
  }
}

extension TypeSyntax {
  /// State and action of `some Reducer<State, Action>` and of `some ReducerOf<Feature>`.
  fileprivate var reducedTypes: (state: String, action: String)? {
    let type = self.as(SomeOrAnyTypeSyntax.self)?.constraint ?? self
    let name = type.as(IdentifierTypeSyntax.self)?.name ?? type.as(MemberTypeSyntax.self)?.name
    let arguments =
      type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
    guard let arguments = arguments?.arguments.map({ $0.argument.trimmedDescription }) else {
      return nil
    }
    return switch (name?.text, arguments.count) {
    case ("ReducerOf", 1): ("\(arguments[0]).State", "\(arguments[0]).Action")
    case ("Reducer", 2), ("Reduce", 2): (arguments[0], arguments[1])
    default: nil
    }
  }
}
