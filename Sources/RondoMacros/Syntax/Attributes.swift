// Attributes, access levels and conformances of declarations.

import SwiftSyntax
import SwiftSyntaxMacros

extension AttributeListSyntax {
  /// The first attribute that has one of the names.
  func first(named names: String...) -> AttributeSyntax? {
    first(named: Set(names))
  }

  /// The first attribute that has one of the names.
  func first(named names: Set<String>) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { names.contains($0.name) }
  }

  /// The `@available` attributes, one on each line, each with a line end. Code that is generated
  /// for a declaration gets them too, so that it can be used just where the declaration can.
  var availability: String {
    compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.name == "available" }
      .map { $0.trimmedDescription + "\n" }
      .joined()
  }
}

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool {
    contains { $0.name.tokenKind == .keyword(keyword) }
  }

  /// Whether the declaration belongs to the type rather than to its values.
  var isStatic: Bool { contains(.static) || contains(.class) }

  /// The access level as it is written, `nil` for none.
  var access: Keyword? {
    let levels: [Keyword] = [.open, .public, .package, .internal, .fileprivate, .private]
    // `private(set)` says nothing about reading.
    return lazy.filter { $0.detail == nil }.compactMap { modifier in
      levels.first { modifier.name.tokenKind == .keyword($0) }
    }.first
  }
}

extension DeclGroupSyntax {
  /// The access level with which members are seen wherever the type is seen: `public `, `package `
  /// or nothing.
  ///
  /// A type without an access level of its own, in an extension, has that of the extension.
  func memberAccess(in context: some MacroExpansionContext) -> String {
    let enclosing = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)?.modifiers.access
    return switch modifiers.access ?? enclosing {
    case .open, .public: "public "
    case .package: "package "
    default: ""
    }
  }

  /// Whether the declaration itself lists a conformance, with or without the module's name.
  func inherits(_ name: String) -> Bool {
    inheritanceClause?.inheritedTypes.contains { inherited in
      var type = inherited.type
      while let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType }
      return type.as(IdentifierTypeSyntax.self)?.name.text == name
        || type.as(MemberTypeSyntax.self)?.name.text == name
    } ?? false
  }

  /// `struct`, `enum`, `class`, `actor`, …
  var kind: String { introducer.text }

  /// The name of the type that is declared.
  var typeName: TokenSyntax? { asProtocol(NamedDeclSyntax.self)?.name }
}

extension [TypeSyntax] {
  /// Whether the compiler asks for a conformance, because the type does not have it yet.
  func asks(for name: String) -> Bool {
    contains { $0.trimmedDescription.split(separator: ".").last == name[...] }
  }
}

extension ExtensionDeclSyntax {
  /// An empty extension that adds conformances, or none when there is nothing to add.
  static func conforming(
    _ type: some TypeSyntaxProtocol, to protocols: [String], nonisolated: Bool = false,
    of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty, !reportInvisible(declaration, context) else { return [] }
    let isolation = nonisolated ? "nonisolated " : ""
    let list = protocols.map { "\(isolation)_Rondo.\($0)" }.joined(separator: ", ")
    let text = "\(declaration.attributes.availability)extension \(type.trimmed): \(list) {\n}"
    return [try ExtensionDeclSyntax("\(raw: text)")]
  }

  /// Reports a private type inside of another type. Extensions stand outside of all types, where
  /// such a type is not seen.
  private static func reportInvisible(
    _ declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext
  ) -> Bool {
    guard !context.lexicalContext.isEmpty,
      let modifier = declaration.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) })
    else { return false }
    let visible = modifier.with(\.name, modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
    context.error(
      "'\(declaration.typeName?.text ?? "")' is private to the type around it, so that no extension "
        + "can add its conformances. Make it 'fileprivate'.",
      at: modifier,
      fix: .replace("Make it 'fileprivate'", modifier, with: visible))
    return true
  }
}
