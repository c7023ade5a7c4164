// `@DependencyEntry`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Makes a variable of `DependencyValues` a dependency, with a key of its own.
enum DependencyEntryMacro {
  static var formatMode: FormatMode { .disabled }
}

/// The variable, and what is said of it.
private struct DependencyEntry {
  let property: StoredProperty
  /// The name of the key's type.
  let key: String
  /// The values of the key that are known: `liveValue`, `previewValue`, `testValue`.
  let values: [(name: String, value: String)]

  init?(_ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol) {
    guard let property = StoredProperty(declaration) else { return nil }
    self.property = property
    let arguments = node.arguments?.as(LabeledExprListSyntax.self).map(Array.init) ?? []
    let name = arguments.first { $0.label == nil }?.expression
      .as(StringLiteralExprSyntax.self)?.representedLiteralValue
    key = name ?? Self.key(of: property)
    let named = arguments.compactMap { argument in
      argument.label.map { (name: $0.text, value: argument.expression.dedented) }
    }
    let test = property.binding.initializer.map {
      (name: "testValue", value: $0.value.dedented)
    }
    values = named + [test].compactMap { $0 }
  }

  /// A key that others may see is named after its dependency.
  private static func key(of property: StoredProperty) -> String {
    guard property.isSeenOutside else { return "__Key_\(property.identifier.unescaped)" }
    let type = property.binding.typeAnnotation?.type
    let name =
      type?.as(IdentifierTypeSyntax.self)?.name.text ?? type?.as(MemberTypeSyntax.self)?.name.text
    let variable = property.identifier.unescaped
    return (name ?? variable.prefix(1).uppercased() + variable.dropFirst()) + "Key"
  }

  /// The declaration of the key's type.
  var declaration: String {
    let access = property.isSeenOutside ? property.access : ""
    let type = property.binding.typeAnnotation?.type.trimmedDescription
    let alias = type.map { ["\(access)typealias Value = \($0)"] } ?? []
    let members = values.map { name, value in
      type == nil
        ? "\(access)static let \(name) = \(value)"
        : """
        \(access)static var \(name): Value {
          \(value.indented(by: 2))
        }
        """
    }
    let isLive = values.contains { $0.name == "liveValue" }
    let conformance = isLive ? "DependencyKey" : "TestDependencyKey"
    let level = property.isSeenOutside ? property.access : "private "
    return (alias + members).braced(after: "\(level)nonisolated enum \(key): _Rondo.\(conformance)")
  }
}

extension StoredProperty {
  fileprivate var isSeenOutside: Bool { ["public ", "package "].contains(access) }
}

extension DependencyEntryMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    let place = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)?.extendedType
    guard let entry = DependencyEntry(node, declaration),
      place?.trimmedDescription.hasSuffix("DependencyValues") == true
    else {
      context.error(
        "'@DependencyEntry' is for a variable in an extension of 'DependencyValues': "
          + "'@DependencyEntry var client = Client.test'.",
        at: node)
      return []
    }
    guard entry.values.contains(where: { $0.name != "previewValue" }) else {
      context.error(
        "'@DependencyEntry' needs a value for tests or a live one: write "
          + "'var \(entry.property.name) = …', or '@DependencyEntry(liveValue: …)'.",
        at: node)
      return []
    }
    return [
      AccessorDeclSyntax(
        text: """
          get {
            self[\(entry.key).self]
          }
          """),
      AccessorDeclSyntax(
        text: """
          set {
            self[\(entry.key).self] = newValue
          }
          """),
    ]
  }
}

extension DependencyEntryMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let entry = DependencyEntry(node, declaration), !entry.values.isEmpty else { return [] }
    return [DeclSyntax(text: entry.declaration)]
  }
}
