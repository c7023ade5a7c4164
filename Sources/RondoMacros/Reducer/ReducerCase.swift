// One case of an enum that is `@Reducer`.

import SwiftSyntax
import SwiftSyntaxMacros

/// A case of an enum of features, and what becomes of it.
struct ReducerCase {
  /// What a case holds.
  enum Content {
    /// A feature: a reducer's type, and the expression that makes the reducer.
    case feature(type: String, reducer: String)
    /// State that goes away by any action, such as an alert, and the type of its actions.
    case ephemeral(action: String)
    /// Values that no action concerns.
    case values
    /// Something that cannot be told to be one of these, and why.
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
      return isMarkedEphemeral ? .unclear("holds not just one value") : .values
    }
    let type = parameter.type
    if isMarkedEphemeral || type.isKnownEphemeral {
      return .ephemeral(action: type.onlyGenericArgument ?? "\(type.trimmedDescription).Action")
    }
    guard parameter.label == nil else { return .unclear("has a label") }
    guard type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) else {
      return .unclear("is '\(type.trimmedDescription)', which is not the name of a type")
    }
    let name = type.trimmedDescription
    let reducer = parameter.defaultValue?.value.trimmedDescription ?? "\(name)()"
    return .feature(type: name, reducer: reducer)
  }

  /// The case as a declaration whose only value is of a type: `case edit(Edit.State)`.
  func declaration(holding type: String) -> String {
    "\(prefix)case \(name)(\(type))"
  }

  /// The case as it is, without what only a reducer needs of it.
  var declarationOfValues: String {
    var element = enumCase.element.trimmed
    element.trailingComma = nil
    return "\(prefix)case \(element.trimmedDescription)"
  }

  private var prefix: String {
    let indirect = enumCase.declaration.modifiers.contains(.indirect) ? "indirect " : ""
    return enumCase.declaration.attributes.availability + indirect
  }

  /// Says what is unclear about the case, and returns whether anything is.
  func report(to context: some MacroExpansionContext) -> Bool {
    guard case .unclear(let reason) = content else { return false }
    let declaration = enumCase.declaration
    var marked = declaration
    marked.attributes.insert(
      .attribute(AttributeSyntax(text: "@ReducerCaseIgnored")),
      at: marked.attributes.startIndex)
    marked.leadingTrivia = declaration.leadingTrivia
    context.error(
      "'@Reducer' takes the value of '\(name)' for a feature, but it \(reason). "
        + "Write 'case \(enumCase.element.name.unescaped)(Feature)', "
        + "or mark a case of plain values '@ReducerCaseIgnored'.",
      at: enumCase.element,
      fix: .replace("Mark the case '@ReducerCaseIgnored'", declaration, with: marked))
    return true
  }
}

extension TypeSyntax {
  /// Alerts and dialogs are gone with the first action.
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
