// `@Reducer(state: .equatable, action: .sendable)`.

import SwiftSyntax

/// The conformances that the attribute asks for, by the type that is to have them.
struct SynthesizedConformances {
  /// Those of the generated `State`.
  private(set) var state: [String] = []
  /// Those of the generated `Action`.
  private(set) var action: [String] = []

  init(of attribute: AttributeSyntax) {
    var isAction = false
    for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
      // A label holds for the arguments without one that follow it.
      if let label = argument.label { isAction = label.text == "action" }
      guard let member = argument.expression.as(MemberAccessExprSyntax.self) else { continue }
      let name = member.declName.baseName.text
      let conformance = "Swift.\(name.prefix(1).uppercased())\(name.dropFirst())"
      if isAction { action.append(conformance) } else { state.append(conformance) }
    }
  }
}
