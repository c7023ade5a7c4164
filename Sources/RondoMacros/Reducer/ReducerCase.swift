// One case of an enum that is `@Reducer`.

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
      let action = type.isKnownEphemeral ? type.onlyGenericArgument : nil
      return .ephemeral(action: action ?? "\(type.trimmedDescription).Action")
    }
    guard type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self) else {
      return .values
    }
    let name = type.trimmedDescription
    let reducer = parameter.defaultValue?.value.dedented ?? "\(name)()"
    return .feature(type: name, reducer: reducer)
  }

  /// The case as a declaration whose only value is of a type: `case edit(Edit.State)`.
  func declaration(holding type: String) -> String {
    let label = enumCase.parameters.count == 1 ? enumCase.parameters[0].label : nil
    return "\(prefix)case \(name)(\(label.map { "\($0): " } ?? "")\(type))"
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
    context.error(reason, at: enumCase.element)
    return true
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
