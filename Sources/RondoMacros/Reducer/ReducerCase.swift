// One case of an enum that is `@Reducer`.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A case of an enum of features, and the kind of its content.
struct ReducerCase {
  /// The content of a case.
  enum Content {
    /// A feature: a reducer's type, and the expression that makes the reducer.
    case feature(type: String, reducer: String)
    /// State that goes away with any action, such as an alert, and the type of its actions.
    case ephemeral(action: String)
    /// Values without actions.
    case values
    /// Content that is none of these, and the reason.
    case unclear(String)
  }

  let enumCase: EnumCase
  let content: Content

  init(_ enumCase: EnumCase) {
    self.enumCase = enumCase
    content = Self.content(of: enumCase)
  }

  var name: String { enumCase.name }

  private static func content(of enumCase: EnumCase) -> Content {
    let declaration = enumCase.declaration
    guard declaration.attributes.first(named: "ReducerCaseIgnored") == nil else { return .values }
    let isMarkedEphemeral = declaration.attributes.first(named: "ReducerCaseEphemeral") != nil
    guard let parameter = enumCase.parameters.first, enumCase.parameters.count == 1 else {
      guard isMarkedEphemeral else { return .values }
      return .unclear(
        "'@ReducerCaseEphemeral' is for a case of one value, the state that goes away. "
          + "Put the values of '\(enumCase.name)' into one.")
    }
    let type = parameter.type
    if isMarkedEphemeral || type.isKnownEphemeral {
      return .ephemeral(action: type.onlyGenericArgument ?? "\(type.trimmedDescription).Action")
    }
    let isNamed = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
    guard isNamed, parameter.label == nil else {
      let reason = isNamed ? "has a label" : "is '\(type.trimmedDescription)', no name of a type"
      return .unclear(
        "'@Reducer' takes the value of '\(enumCase.name)' for a feature, but it \(reason). "
          + "Write 'case \(enumCase.name)(Feature)', "
          + "or mark a case of plain values '@ReducerCaseIgnored'.")
    }
    let name = type.trimmedDescription
    let reducer = parameter.defaultValue?.value.dedented ?? "\(name)()"
    return .feature(type: name, reducer: reducer)
  }

  /// The case as a declaration whose only value is of a type: `case edit(Edit.State)`.
  func declaration(holding type: String) -> String {
    "\(prefix)case \(name)(\(type))"
  }

  /// The case as it is, without the attributes that only a reducer needs.
  var declarationOfValues: String {
    var element = enumCase.element.trimmed
    element.trailingComma = nil
    return "\(prefix)case \(element.trimmedDescription)"
  }

  private var prefix: String {
    let indirect = enumCase.declaration.modifiers.contains(.indirect) ? "indirect " : ""
    return enumCase.declaration.attributes.availability + indirect
  }

  /// Reports the reason if the case is unclear, and returns whether it is.
  func report(to context: some MacroExpansionContext) -> Bool {
    guard case .unclear(let reason) = content else { return false }
    context.error(reason, at: enumCase.element, fix: marking)
    return true
  }

  /// Marks the case as one of plain values, if it is not marked as something else.
  private var marking: FixIt? {
    let declaration = enumCase.declaration
    guard declaration.attributes.first(named: "ReducerCaseEphemeral") == nil else { return nil }
    var marked = declaration
    marked.attributes.insert(
      .attribute(AttributeSyntax(text: "@ReducerCaseIgnored")),
      at: marked.attributes.startIndex)
    marked.leadingTrivia = declaration.leadingTrivia
    return .replace("Mark the case '@ReducerCaseIgnored'", declaration, with: marked)
  }
}

extension TypeSyntax {
  /// Whether it is an alert or a dialog, which goes away with the first action.
  fileprivate var isKnownEphemeral: Bool {
    let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
    return ["AlertState", "ConfirmationDialogState"].contains(name?.text)
  }

  /// `Alert` for `AlertState<Alert>`.
  fileprivate var onlyGenericArgument: String? {
    let clause =
      self.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
    guard let arguments = clause?.arguments, arguments.count == 1 else { return nil }
    return arguments.first?.argument.trimmedDescription
  }
}
