// The parameters of the initializer of a dependency client.

import SwiftSyntax
import SwiftSyntaxMacros

/// A variable of a client, as a parameter of its initializer.
struct ClientParameter {
  private let variable: VariableDeclSyntax
  private let binding: PatternBindingSyntax
  let name: String

  /// The variables that an initializer can set, or has to set.
  static func parameters(of variable: VariableDeclSyntax) -> [ClientParameter] {
    guard !variable.modifiers.isStatic, !variable.modifiers.contains(.lazy) else { return [] }
    return variable.bindings.enumerated().compactMap { index, binding in
      guard !binding.isComputed,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
      else { return nil }
      let typed = inheritingType(binding, among: Array(variable.bindings), at: index)
      let parameter = ClientParameter(variable: variable, binding: typed, name: name)
      return parameter.isSetOnlyHere ? nil : parameter
    }
  }

  /// Adds the type that a variable gets from a later one: in `var a, b: Int` the type stands after
  /// the last variable that has it.
  private static func inheritingType(
    _ binding: PatternBindingSyntax, among bindings: [PatternBindingSyntax], at index: Int
  ) -> PatternBindingSyntax {
    guard binding.typeAnnotation == nil, binding.initializer == nil,
      let next = bindings[index...].first(where: { $0.typeAnnotation != nil })
    else { return binding }
    return binding.with(\.typeAnnotation, next.typeAnnotation)
  }

  /// Whether only the declaration can set the value: a constant with a value, or a private variable
  /// with a default.
  private var isSetOnlyHere: Bool {
    let isPrivate = [.private, .fileprivate].contains(variable.modifiers.access)
    return (isConstant && binding.initializer != nil) || (isPrivate && hasDefault)
  }

  private var isConstant: Bool { variable.bindingSpecifier.tokenKind == .keyword(.let) }

  private var hasDefault: Bool {
    binding.initializer != nil
      || (binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false)
  }

  var isEndpoint: Bool {
    !isConstant && binding.typeAnnotation?.type.functionType != nil
      && variable.attributes.first(named: "DependencyEndpointIgnored") == nil
  }

  /// The access level and a space, or nothing.
  var access: String {
    switch variable.modifiers.access {
    case .public, .open: "public "
    case .package: "package "
    case .fileprivate: "fileprivate "
    case .private: "private "
    default: ""
    }
  }

  /// The type; if it is not written, it is taken from a literal.
  var type: String? {
    if let type = binding.typeAnnotation?.type.trimmed {
      return (type.functionType == nil ? "" : "@escaping ") + type.description
    }
    guard let value = binding.initializer?.value else { return nil }
    if value.is(BooleanLiteralExprSyntax.self) { return "Swift.Bool" }
    if value.is(IntegerLiteralExprSyntax.self) { return "Swift.Int" }
    if value.is(FloatLiteralExprSyntax.self) { return "Swift.Double" }
    if value.is(StringLiteralExprSyntax.self) { return "Swift.String" }
    return nil
  }

  /// `name: Type = value`. Endpoints have no default: a call without them means the other
  /// initializer.
  var declaration: String {
    let parameter = "\(name): \(type ?? "")"
    guard !isEndpoint else { return parameter }
    if let value = binding.initializer?.value { return "\(parameter) = \(value.dedented)" }
    return hasDefault && !isConstant ? "\(parameter) = nil" : parameter
  }

  /// Reports that the type has to be written, and offers a place for it.
  func reportMissingType(to context: some MacroExpansionContext) {
    var annotated = binding
    annotated.pattern.trailingTrivia = []
    annotated.typeAnnotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space),
      type: TypeSyntax(IdentifierTypeSyntax(name: .identifier("<#Type#>"))),
      trailingTrivia: .space)
    context.error(
      "'@DependencyClient' writes an initializer, for which it needs the type of '\(name)'. "
        + "Write it out.",
      at: binding,
      fix: .replace("Write the type", binding, with: annotated))
  }
}
