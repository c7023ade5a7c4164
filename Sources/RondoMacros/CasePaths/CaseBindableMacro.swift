// `@CaseBindable`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Gives an enum case paths, and an enum of bindings to the values of its cases.
enum CaseBindableMacro {
  static var formatMode: FormatMode { .disabled }
}

extension CaseBindableMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let paths = try CasePathableMacro.expansion(
      of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
    guard !paths.isEmpty, let declaration = declaration.as(EnumDeclSyntax.self) else { return [] }
    let cases = EnumCases(of: declaration)
    let naming = NamesInside(declaration.name.text)
    let access = declaration.memberAccess(in: context)
    let members = [
      """
      \(access)nonisolated enum UIBindingEnumeration {
        \(cases.map { bound($0, naming) }.lines(indentedBy: 2))
      }
      """,
      """
      \(access)nonisolated static func _$caseBinding(
        _ binding: _Rondo.Binding<\(naming.root)>
      ) -> UIBindingEnumeration {
        switch binding.wrappedValue {
        \(cases.map(branch).lines(indentedBy: 2))
        }
      }
      """,
    ]
    return paths + members.map(DeclSyntax.init(text:))
  }

  /// A case with bindings in the place of values.
  private static func bound(_ enumCase: EnumCase, _ naming: NamesInside) -> String {
    let values = enumCase.parameters.map { parameter in
      let label = parameter.label.map { "\($0): " } ?? ""
      return "\(label)_Rondo.Binding<\(naming.name(parameter.type))>"
    }
    let list = values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
    return "case \(enumCase.name)\(list)"
  }

  private static func branch(_ enumCase: EnumCase) -> String {
    let path = "binding._$case(\\.\(enumCase.name))"
    switch enumCase.parameters.count {
    case 0: return "case .\(enumCase.name): return .\(enumCase.name)"
    case 1: return "case .\(enumCase.name): return \(enumCase.construction(of: [path]))"
    case let count:
      let values = (0..<count).map { "values[dynamicMember: \\.\($0)]" }
      return """
        case .\(enumCase.name):
          let values = \(path)
          return \(enumCase.construction(of: values))
        """
    }
  }
}

extension CaseBindableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try CasePathableMacro.extensions(
      of: type, to: CasePathableMacro.conformances + ["CaseBindable"], asked: protocols,
      declaration, context)
  }
}
