// `@CasePathable`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Gives an enum a structure with a case path for each case, and the conformances that come with
/// it.
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
    let name = node.attributeName.trimmedDescription
    guard let declaration = declaration.as(EnumDeclSyntax.self) else {
      context.error(
        "'@\(name)' is for enums: a \(declaration.kind) has no cases. Remove it.", at: node)
      return []
    }
    let cases = EnumCases(of: declaration)
    guard !reportOverloads(in: cases, name, context) else { return [] }
    let access = declaration.memberAccess(in: context)
    return members(of: cases, in: declaration.name.text, access: access).map(DeclSyntax.init(text:))
  }

  /// The members that make an enum case-pathable, together with the conformances.
  static func members(of cases: EnumCases, in name: String, access: String) -> [String] {
    let naming = NamesInside(name)
    let aliases = naming.shadowed(in: cases).map { "\(access)typealias _$\($0) = \($0)" }
    return [
      structure(of: cases, naming, access: access),
      "\(access)nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ] + aliases
  }

  /// The names of the conformances.
  static let conformances = ["CasePathable", "CasePathIterable"]

  /// Reports cases that share a name, as they would need two properties of that name.
  private static func reportOverloads(
    in cases: EnumCases, _ macro: String, _ context: some MacroExpansionContext
  ) -> Bool {
    guard !cases.isConditional else { return false }
    var names: Set<String> = []
    let overloads = cases.all.filter { !names.insert($0.element.name.unescaped).inserted }
    for overload in overloads {
      context.error(
        "'@\(macro)' needs names that are unique, and there is another case '\(overload.name)'. "
          + "Rename one of them.",
        at: overload.element.name)
    }
    return !overloads.isEmpty
  }

  private static func structure(
    of cases: EnumCases, _ naming: NamesInside, access: String
  ) -> String {
    let properties = cases.map { property(for: $0, naming, access: access) }
    // Not a switch: the compiler calls a switch incomplete if no case of the enum can have a value.
    let names = cases.map { "if case .\($0.name) = root { return \\.\($0.name) }" }
    let reflection = """
      \(access)subscript(root: \(naming.root)) -> Swift.PartialKeyPath<Self> {
        \((names + ["return \\.self"]).lines(indentedBy: 2))
      }
      """
    let iteration = """
      \(access)func makeIterator() -> Swift.IndexingIterator<[Swift.PartialKeyPath<Self>]> {
        \(list(of: cases).indented(by: 2))
      }
      """
    // An enum may have no values at all: it has no cases, or none of its cases can be made. Then
    // there is no value whose case could be asked for.
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

  private static func property(
    for enumCase: EnumCase, _ naming: NamesInside, access: String
  ) -> String {
    let path = "_Rondo.AnyCasePath<\(naming.root), \(value(of: enumCase, naming))>"
    let values = enumCase.parameters.indices.map { "v\($0)" }.joined(separator: ", ")
    let extracted = enumCase.parameters.count == 1 ? values : "(\(values))"
    return """
      \(enumCase.declaration.attributes.availability)\(access)var \(enumCase.name): \(path) {
        _Rondo.casePath(
          embed: \(embedding(into: enumCase, of: naming.root)),
          extract: { if case \(enumCase.pattern) = $0 { \(extracted) } else { nil } }
        )
      }
      """
  }

  /// The function that makes the case from the value that it carries.
  private static func embedding(into enumCase: EnumCase, of root: String) -> String {
    switch enumCase.parameters.count {
    case 0: "{ _ in \(enumCase.construction()) }"
    case 1: "\(root).\(enumCase.name)"
    case let count: "{ \(enumCase.construction(of: (0..<count).map { "$0.\($0)" })) }"
    }
  }

  /// The type of the value that a case carries: of its only value, of the tuple of its values, or
  /// `Void`.
  private static func value(of enumCase: EnumCase, _ naming: NamesInside) -> String {
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
    try extensions(of: type, to: conformances, asked: protocols, declaration, context)
  }

  /// The extension with those conformances that the compiler asks for.
  static func extensions(
    of type: some TypeSyntaxProtocol, to conformances: [String], asked: [TypeSyntax],
    _ declaration: some DeclGroupSyntax, _ context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(EnumDeclSyntax.self) else { return [] }
    return try ExtensionDeclSyntax.conforming(
      type, to: conformances.filter(asked.asks(for:)), nonisolated: true, of: declaration,
      in: context)
  }
}

/// Writes types as they have to be written inside `AllCasePaths`.
///
/// There `Self` means that structure, and a sequence of case paths has an `Element`, an `Iterator`
/// and a `Root` of its own. The enum's own types of these names get aliases, declared beside the
/// structure.
final class NamesInside: SyntaxRewriter {
  private static let taken: Set = ["Element", "Iterator", "Root"]

  private let enumName: String
  private var shadowed: Set<String> = []

  init(_ enumName: String) {
    self.enumName = enumName
    super.init()
  }

  /// The name of the enum.
  var root: String { name(enumName) }

  /// The names that need an alias.
  func shadowed(in cases: EnumCases) -> [String] {
    _ = root
    for parameter in cases.all.flatMap(\.parameters) { _ = name(parameter.type) }
    return shadowed.sorted()
  }

  func name(_ type: TypeSyntax) -> String {
    rewrite(type).trimmedDescription
  }

  private func name(_ identifier: String) -> String {
    guard Self.taken.contains(identifier) else { return identifier }
    shadowed.insert(identifier)
    return "_$\(identifier)"
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    let said = node.name.tokenKind == .keyword(.Self) ? root : name(node.name.text)
    return super.visit(node.with(\.name, node.name.with(\.tokenKind, .identifier(said))))
  }
}
