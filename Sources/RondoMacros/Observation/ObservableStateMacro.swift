// `@ObservableState`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Makes a state observable field by field: a structure by a registrar that every stored variable
/// reports to, an enum by the states that its cases hold.
enum ObservableStateMacro {
  static var formatMode: FormatMode { .disabled }

  /// Moves a member behind all others in the lists of an editor, without a warning where it is used:
  /// no compiler is as new as that.
  private static let lastInLists = "@available(swift, deprecated: 99)"

  /// Attributes that are not for states, the reason, and what takes their place.
  private static let replaced = [
    "PresentationState": ("hides the variable from '@ObservableState'", "Presents"),
    "ObservationIgnored": ("is for '@Observable' classes", "ObservationStateIgnored"),
    "ObservationTracked": ("is for '@Observable' classes", "ObservationStateTracked"),
  ]

  /// Variables with one of these attributes report by themselves, or are not to.
  private static let leftAlone: Set<String> = [
    "ObservationStateIgnored", "ObservationStateTracked", "Presents", "Shared", "SharedReader",
  ]
}

extension ObservableStateMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      let access = declaration.memberAccess(in: context)
      return members(of: EnumCases(of: declaration), access: access).map(DeclSyntax.init(text:))
    }
    guard declaration.is(StructDeclSyntax.self) else {
      context.error(
        "'@ObservableState' is for values: '\(declaration.typeName?.text ?? "")' is \(article(for: declaration))"
          + ". Make it a struct or an enum.",
        at: node)
      return []
    }
    let access = declaration.memberAccess(in: context)
    return [
      """
      \(raw: lastInLists)
      var _$observationRegistrar = _Rondo.ObservationStateRegistrar()
      """,
      """
      \(raw: lastInLists)
      \(raw: access)var _$id: _Rondo.ObservableStateID {
        _$observationRegistrar.id
      }
      """,
      """
      \(raw: lastInLists)
      \(raw: access)mutating func _$willModify() {
        _$observationRegistrar._$willModify()
      }
      """,
      layout(of: declaration, access: access),
    ] + names(of: declaration, access)
  }

  /// Tells the names of computed variables, which their key paths do not know.
  private static func names(
    of declaration: some DeclGroupSyntax, _ access: String
  ) -> [DeclSyntax] {
    let names = declaration.memberBlock.members
      .compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .flatMap(namesWithoutStorage)
    guard !names.isEmpty else { return [] }
    let notes = names.map { "note(\\Self.\($0), \"\($0.filter { $0 != "`" })\")" }
    let list = notes.braced(
      after: "\(access)static func _$names(_ note: (Swift.AnyKeyPath, Swift.String) -> Swift.Void)")
    return [DeclSyntax(text: list)]
  }

  private static func namesWithoutStorage(of variable: VariableDeclSyntax) -> [String] {
    guard let property = StoredProperty(variable) else {
      guard !variable.modifiers.isStatic, variable.attributes.isEmpty,
        let binding = variable.bindings.first, variable.bindings.count == 1,
        let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
        binding.isPlainlyComputed
      else { return [] }
      return [name]
    }
    guard let attribute = variable.attributes.first(named: leftAlone) else {
      return variable.attributes.isEmpty ? [property.name] : []
    }
    let isIgnored = variable.attributes.first(named: "ObservationStateIgnored") != nil
    guard !isIgnored, attribute.attributeName.trimmedDescription != "ObservationStateTracked"
    else { return [] }
    return [property.name, "$\(property.identifier.unescaped)"]
  }

  /// The layout: where the values of the observed variables are.
  private static func layout(of declaration: some DeclGroupSyntax, access: String) -> DeclSyntax {
    let fields = declaration.memberBlock.members.compactMap { member -> String? in
      guard let property = StoredProperty(member.decl) else { return nil }
      let attributes = property.declaration.attributes
      // A weak variable cannot be changed in place, and a deprecated one would warn here.
      guard property.ownership.isEmpty, attributes.first(named: "available") == nil else {
        return nil
      }
      if attributes.first(named: "Presents") != nil {
        return presentation(property)
      }
      let unobserved = leftAlone.subtracting(["ObservationStateTracked"]).union(replaced.keys)
      guard attributes.first(named: unobserved) == nil else { return nil }
      return "layout.add(\\Self.\(property.name), \\Self.\(property.storage))"
    }
    let header = "\(access)static var _$layout: _Rondo.StateLayout<Self>"
    let layout = "_Rondo.StateLayout<Self>(registrar: \\Self._$observationRegistrar)"
    let lines = fields.isEmpty ? [layout] : ["var layout = \(layout)"] + fields + ["return layout"]
    return DeclSyntax(text: lines.braced(after: header))
  }

  private static func presentation(_ property: StoredProperty) -> String {
    "layout.add(\\Self.$\(property.identifier.unescaped), \\Self.\(property.storage), "
      + "observedAs: \\Self.\(property.name))"
  }

  private static func article(for declaration: some DeclGroupSyntax) -> String {
    declaration.is(ActorDeclSyntax.self) ? "an actor" : "a \(declaration.kind)"
  }

  /// A case is identified by its place among the cases and by the state that it holds.
  static func members(of cases: EnumCases, access: String) -> [String] {
    var tag = -1
    let identities = cases.map { enumCase in
      tag += 1
      guard enumCase.parameters.count == 1 else {
        let id = enumCase.parameters.isEmpty ? "_$inert" : "_$id(for: ())"
        return "case .\(enumCase.name): return _Rondo.ObservableStateID.\(id)._$tag(\(tag))"
      }
      return "case \(enumCase.pattern): return ._$id(for: v0)._$tag(\(tag))"
    }
    let modifications = cases.map { enumCase in
      guard enumCase.parameters.count == 1 else { return "case .\(enumCase.name): break" }
      return """
        case .\(enumCase.name)(var v0):
          _Rondo.willModify(&v0)
          self = \(enumCase.construction())
        """
    }
    return [
      """
      \(lastInLists)
      \(access)var _$id: _Rondo.ObservableStateID {
        switch self {
        \((identities + ["}"]).lines(indentedBy: 2))
      }
      """,
      """
      \(lastInLists)
      \(access)mutating func _$willModify() {
        switch self {
        \((modifications + ["}"]).lines(indentedBy: 2))
      }
      """,
    ]
  }
}

extension ObservableStateMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(StructDeclSyntax.self),
      let variable = member.as(VariableDeclSyntax.self), !variable.modifiers.isStatic
    else { return [] }
    if let attribute = variable.attributes.first(named: Set(replaced.keys)) {
      reportReplaced(attribute, context)
      return []
    }
    guard variable.attributes.first(named: leftAlone) == nil else { return [] }
    if reportSeveral(variable, context) { return [] }
    guard StoredProperty(variable) != nil else { return [] }
    return [AttributeSyntax(text: "@ObservationStateTracked")]
  }

  private static func reportReplaced(
    _ attribute: AttributeSyntax, _ context: some MacroExpansionContext
  ) {
    let (reason, instead) = replaced[attribute.name]!
    let name = IdentifierTypeSyntax(
      name: .identifier(instead), trailingTrivia: attribute.attributeName.trailingTrivia)
    context.error(
      "'@\(attribute.name)' \(reason). Use '@\(instead)' instead.",
      at: attribute,
      fix: .replace("Use '@\(instead)'", attribute.attributeName, with: name))
  }

  /// A variable can only be given accessors when it is declared alone.
  private static func reportSeveral(
    _ variable: VariableDeclSyntax, _ context: some MacroExpansionContext
  ) -> Bool {
    guard variable.bindingSpecifier.tokenKind == .keyword(.var),
      variable.bindings.count > 1
        || variable.bindings.contains(where: { $0.pattern.is(TuplePatternSyntax.self) })
    else { return false }
    context.error(
      "'@ObservableState' cannot observe several variables of one declaration. "
        + "Give each its own 'var'.",
      at: variable)
    return true
  }
}

extension ObservableStateMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self) else {
      return []
    }
    let conformances = ["ObservableState"].filter(protocols.asks(for:))
    return try ExtensionDeclSyntax.conforming(type, to: conformances, of: declaration, in: context)
  }
}
