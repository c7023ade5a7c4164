// `@CasePathable`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Gives an enum a structure with a case path for each case, and the conformances that come with it.
///
/// None of it is isolated, whatever the isolation of the enum is by default.
enum CasePathableMacro {
  static var formatMode: FormatMode { .disabled }
}

extension CasePathableMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self) else {
      context.error(
        "'@CasePathable' is for enums: a \(declaration.kind) has no cases. Remove it.", at: node)
      return []
    }
    let cases = EnumCases(of: declaration)
    guard !reportOverloads(in: cases, context) else { return [] }
    let access = declaration.memberAccess(in: context)
    return members(of: cases, in: declaration.name.text, access: access).map(DeclSyntax.init(text:))
  }

  /// What makes an enum case-pathable, together with the conformances.
  static func members(of cases: EnumCases, in name: String, access: String) -> [String] {
    [
      structure(of: cases, in: name, access: access),
      "\(access)nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
  }

  /// The conformances, as they are listed.
  static let conformances = ["CasePathable", "CasePathIterable"]

  /// Two cases of one name would need two properties of one name.
  private static func reportOverloads(
    in cases: EnumCases, _ context: some MacroExpansionContext
  ) -> Bool {
    guard !cases.isConditional else { return false }
    var names: Set<String> = []
    let overloads = cases.all.filter { !names.insert($0.element.name.unescaped).inserted }
    for overload in overloads {
      context.error(
        "'@CasePathable' needs names that are unique, and there is another case '\(overload.name)'. "
          + "Rename one of them.",
        at: overload.element.name)
    }
    return !overloads.isEmpty
  }

  private static func structure(
    of cases: EnumCases, in name: String, access: String
  ) -> String {
    let properties = cases.map { property(for: $0, in: name, access: access) }
    let names = cases.map { "case .\($0.name): return \\.\($0.name)" }
    let reflection = """
      \(access)subscript(root: \(name)) -> Swift.PartialKeyPath<Self> {
        switch root {
        \((names + ["}"]).lines(indentedBy: 2))
      }
      """
    let iteration = """
      \(access)func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
        \(list(of: cases).indented(by: 2))
      }
      """
    // An enum without values, for want of cases or of values of theirs, has none whose case could be
    // asked for.
    let isInhabited = !cases.all.allSatisfy(\.isUninhabited)
    let listed = [properties.joined(separator: "\n")].filter { !$0.isEmpty }
    let members = listed + (isInhabited ? [reflection, iteration] : [iteration])
    let reflectable = isInhabited ? "_Rondo.CasePathReflectable, " : ""
    return """
      \(access)nonisolated struct AllCasePaths:
        \(reflectable)Swift.Sendable, Swift.Sequence
      {
        \(members.joined(separator: "\n\n").indented(by: 2))
      }
      """
  }

  private static func property(for enumCase: EnumCase, in root: String, access: String) -> String {
    let path = "_Rondo.AnyCasePath<\(root), \(value(of: enumCase, in: root))>"
    let values = enumCase.parameters.indices.map { "v\($0)" }.joined(separator: ", ")
    let extracted = enumCase.parameters.count == 1 ? values : "(\(values))"
    return """
      \(enumCase.declaration.attributes.availability)\(access)var \(enumCase.name): \(path) {
        _Rondo.casePath(
          embed: \(embedding(into: enumCase, of: root)),
          extract: { if case \(enumCase.pattern) = $0 { \(extracted) } else { nil } }
        )
      }
      """
  }

  /// The function that makes the case of what it carries.
  private static func embedding(into enumCase: EnumCase, of root: String) -> String {
    switch enumCase.parameters.count {
    case 0: "{ _ in \(enumCase.construction()) }"
    case 1: "\(root).\(enumCase.name)"
    case let count: "{ \(enumCase.construction(of: (0..<count).map { "$0.\($0)" })) }"
    }
  }

  /// What a case carries, as one type: its value, the tuple of its values, or nothing.
  private static func value(of enumCase: EnumCase, in root: String) -> String {
    let naming = SelfNaming(root)
    let values = enumCase.parameters.map { ($0.label, naming.name($0.type)) }
    guard values.count != 1 else { return values[0].1 }
    guard !values.isEmpty else { return "Swift.Void" }
    let elements = values.map { label, type in label.map { "\($0): \(type)" } ?? type }
    return "(\(elements.joined(separator: ", ")))"
  }

  private static func list(of cases: EnumCases) -> String {
    guard cases.isConditional else {
      return "[\(cases.map { "\\.\($0.name)" }.joined(separator: ", "))].makeIterator()"
    }
    return """
      var paths: [Swift.PartialKeyPath<Self>] = []
      \(cases.map { "paths.append(\\.\($0.name))" }.joined(separator: "\n"))
      return paths.makeIterator()
      """
  }
}

extension CasePathableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(EnumDeclSyntax.self) else { return [] }
    let conformances = conformances.filter(protocols.asks(for:))
    return try ExtensionDeclSyntax.conforming(
      type, to: conformances, nonisolated: true, of: declaration, in: context)
  }
}

/// Writes the enum's name for `Self`, which means another type inside `AllCasePaths`.
private final class SelfNaming: SyntaxRewriter {
  private let name: String

  init(_ name: String) {
    self.name = name
    super.init()
  }

  func name(_ type: TypeSyntax) -> String {
    rewrite(type).trimmedDescription
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    guard node.name.tokenKind == .keyword(.Self) else { return super.visit(node) }
    return TypeSyntax(node.with(\.name, .identifier(name, presence: .present)))
  }
}
