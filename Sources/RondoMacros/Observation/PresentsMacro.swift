// `@Presents`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Keeps an optional child state as a presentation, and observes it.
enum PresentsMacro {
  static var formatMode: FormatMode { .disabled }
}

extension PresentsMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = property(of: declaration, at: node, context) else { return [] }
    let presentation = "_Rondo.PresentationState(wrappedValue: initialValue)"
    return [initialAccessor(of: property.storage, to: presentation)]
      + observedAccessors(of: property, storedIn: "\(property.storage).wrappedValue")
  }

  /// The variable, if it can be presented; the reason is reported if it cannot.
  private static func property(
    of declaration: some DeclSyntaxProtocol, at node: AttributeSyntax,
    _ context: some MacroExpansionContext
  ) -> StoredProperty? {
    guard let property = StoredProperty(declaration) else {
      context.error(
        "'@Presents' is for a stored variable: '@Presents var destination: Destination.State?'.",
        at: node)
      return nil
    }
    guard property.presentedType != nil else {
      reportType(of: property, context)
      return nil
    }
    guard isObservable(context.lexicalContext.first) else {
      context.error(
        "'@Presents' reports to '@ObservableState'. Add that to the structure, or use "
          + "'@PresentationState' for a state that is not observed.",
        at: node)
      return nil
    }
    return property
  }

  private static func reportType(
    of property: StoredProperty, _ context: some MacroExpansionContext
  ) {
    guard let type = property.binding.typeAnnotation?.type else {
      context.error(
        "'@Presents' needs the variable's type to be written: 'var \(property.name): Child.State?'.",
        at: property.binding)
      return
    }
    let optional = OptionalTypeSyntax(
      wrappedType: type.trimmed, trailingTrivia: type.trailingTrivia)
    context.error(
      "'@Presents' needs an optional: '\(property.name)' is 'nil' while nothing is presented.",
      at: type,
      fix: .replace("Make the type optional", type, with: optional))
  }

  private static func isObservable(_ enclosing: Syntax?) -> Bool {
    // Without a structure around it the compiler has more to say than this macro.
    guard let structure = enclosing?.as(StructDeclSyntax.self) else { return true }
    return structure.attributes.first(named: "ObservableState") != nil
      || structure.inherits("ObservableState")
  }
}

extension PresentsMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = StoredProperty(declaration), let type = property.presentedType else {
      return []
    }
    let presentation = "_Rondo.PresentationState<\(type)>"
    let initial = property.binding.initializer?.value.trimmedDescription ?? "nil"
    let storage = property.storage
    return [
      DeclSyntax(
        text: """
          \(property.access)var $\(property.identifier.unescaped): \(presentation) {
            get {
              _$observationRegistrar.access(self, keyPath: \\.\(property.name))
              return \(storage).projectedValue
            }
            set {
              _$observationRegistrar.mutate(
                self, keyPath: \\.\(property.name), &\(storage).projectedValue, newValue,
                _$isIdentityEqual)
            }
          }
          """),
      DeclSyntax(
        text: """
          @ObservationStateIgnored private var \(storage) =
            \(presentation)(wrappedValue: \(initial))\(property.observersOfPresentation)
          """),
    ]
  }
}

extension StoredProperty {
  /// The observers, for the storage of a presentation. The old or new value that they use is what is presented.
  fileprivate var observersOfPresentation: String {
    var text = observers
    guard case .accessors(let list)? = binding.accessorBlock?.accessors else { return text }
    for accessor in list {
      let standard = accessor.accessorSpecifier.text == "didSet" ? "oldValue" : "newValue"
      let value = accessor.parameters?.name.text ?? standard
      let isUsed = accessor.body?.statements.tokens(viewMode: .sourceAccurate)
        .contains { $0.text == value }
      guard isUsed == true,
        let header = text.firstRange(of: accessor.with(\.body, nil).trimmedDescription),
        let brace = text[header.upperBound...].firstIndex(of: "{")
      else { continue }
      text.insert(
        contentsOf: " let \(value) = \(value).wrappedValue;", at: text.index(after: brace))
    }
    return text
  }

  /// `Child.State` for `Child.State?` and for `Optional<Child.State>`.
  fileprivate var presentedType: String? {
    guard let type = binding.typeAnnotation?.type else { return nil }
    if let optional = type.as(OptionalTypeSyntax.self) {
      return optional.wrappedType.trimmedDescription
    }
    guard let named = type.as(IdentifierTypeSyntax.self), named.name.text == "Optional" else {
      return nil
    }
    return named.genericArgumentClause?.arguments.first?.argument.trimmedDescription
  }
}
