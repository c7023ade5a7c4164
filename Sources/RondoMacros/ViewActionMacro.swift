// `@ViewAction(for:)`.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Lets a view send its own actions by `send(.tapped)`, and points out where it sends others.
enum ViewActionMacro: ExtensionMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaresStore(declaration) else {
      reportMissingStore(in: declaration, at: node, context)
      return []
    }
    let sends = StoreSends(viewMode: .sourceAccurate)
    sends.walk(declaration.memberBlock)
    sends.calls.forEach { report($0, context) }
    let conformances = ["ViewActionSending"].filter(protocols.asks(for:))
    return try ExtensionDeclSyntax.conforming(type, to: conformances, of: declaration, in: context)
  }

  private static func declaresStore(_ declaration: some DeclGroupSyntax) -> Bool {
    declaration.memberBlock.members.contains { member in
      member.decl.as(VariableDeclSyntax.self)?.bindings.contains {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "store"
      } ?? false
    }
  }

  private static func reportMissingStore(
    in declaration: some DeclGroupSyntax, at node: AttributeSyntax,
    _ context: some MacroExpansionContext
  ) {
    let feature = feature(of: node) ?? "Feature"
    let access = declaration.memberAccess(in: context)
    let store = "\(access)let store: StoreOf<\(feature)>"
    let body = declaration.memberBlock
    let indentation = body.members.first?.leadingTrivia ?? .newline + .spaces(2)
    let member = MemberBlockItemSyntax(
      leadingTrivia: indentation, decl: DeclSyntax(text: store))
    let extended = body.with(\.members, [member] + body.members)
    context.error(
      "'@ViewAction' sends through a property 'store', which is missing. Add '\(store)'.",
      at: node, fix: .replace("Add 'store'", body, with: extended))
  }

  /// `Feature` for `@ViewAction(for: Feature.self)`.
  private static func feature(of node: AttributeSyntax) -> String? {
    node.arguments?.as(LabeledExprListSyntax.self)?.first?.expression
      .as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
  }

  private static func report(
    _ call: FunctionCallExprSyntax, _ context: some MacroExpansionContext
  ) {
    context.warning(
      "'store.send' goes around '@ViewAction'. Call 'send' with an action of the view.",
      at: call, fix: direct(call).map { .replace("Call 'send'", call, with: $0) })
  }

  /// `send(.tapped)` for `store.send(.view(.tapped))`.
  private static func direct(_ call: FunctionCallExprSyntax) -> FunctionCallExprSyntax? {
    guard let argument = call.arguments.first,
      let wrapped = argument.expression.as(FunctionCallExprSyntax.self),
      let wrapper = wrapped.calledExpression.as(MemberAccessExprSyntax.self),
      wrapper.declName.baseName.text == "view",
      let action = wrapped.arguments.first, wrapped.arguments.count == 1
    else { return nil }
    let name = DeclReferenceExprSyntax(baseName: .identifier("send"))
    var direct = call
    direct.calledExpression = ExprSyntax(name).with(\.leadingTrivia, call.leadingTrivia)
    direct.arguments[direct.arguments.startIndex] =
      argument.with(\.expression, action.expression.trimmed)
    return direct
  }
}

/// The calls of `store.send` in a declaration.
private final class StoreSends: SyntaxVisitor {
  private(set) var calls: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    guard let function = node.calledExpression.as(MemberAccessExprSyntax.self),
      function.declName.baseName.text == "send",
      let store = function.base?.trimmedDescription, store == "store" || store == "self.store"
    else { return .visitChildren }
    calls.append(node)
    return .skipChildren
  }
}
