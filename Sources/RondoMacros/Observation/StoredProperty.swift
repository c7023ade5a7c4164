// The variables that a state is made of.

import SwiftSyntax

/// A variable that stores one value: `var count = 0`, `var name: String { didSet { … } }`.
struct StoredProperty {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let identifier: TokenSyntax

  /// `nil` for what is computed, constant, lazy, static, or not one variable.
  init?(_ declaration: some DeclSyntaxProtocol) {
    guard let declaration = declaration.as(VariableDeclSyntax.self),
      declaration.bindingSpecifier.tokenKind == .keyword(.var),
      !declaration.modifiers.isStatic, !declaration.modifiers.contains(.lazy),
      declaration.bindings.count == 1,
      let binding = declaration.bindings.first,
      let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
      !binding.isComputed
    else { return nil }
    self.declaration = declaration
    self.binding = binding
    self.identifier = identifier
  }

  /// The name as it is written, with backticks if it needs them.
  var name: String { identifier.text }

  /// The name of the variable that holds the value in its place.
  var storage: String { "_\(identifier.unescaped)" }

  /// `: Type`, or nothing.
  var annotation: String {
    binding.typeAnnotation.map { $0.trimmedDescription } ?? ""
  }

  /// A space, and the observers. They belong to the storage: they run where the value is set.
  var observers: String {
    binding.accessorBlock.map { " \($0.dedented)" } ?? ""
  }

  /// The access level and a space, or nothing.
  var access: String {
    declaration.modifiers
      .filter { $0.detail == nil }
      .first { ["public", "package", "internal", "fileprivate", "private"].contains($0.name.text) }
      .map { "\($0.name.text) " } ?? ""
  }

  /// `weak` or `unowned`, with its detail, and a space; or nothing.
  var ownership: String {
    declaration.modifiers
      .first { ["weak", "unowned"].contains($0.name.text) }
      .map { "\($0.trimmedDescription) " } ?? ""
  }
}

extension PatternBindingSyntax {
  /// Whether the value comes from a getter. Observers (`willSet`, `didSet`) leave it stored.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains {
        ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    @unknown default: true
    }
  }

  /// Whether the value comes from a getter that a key path can call.
  var isPlainlyComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(.get) }
        && accessors.allSatisfy { $0.effectSpecifiers == nil && $0.modifier == nil }
    @unknown default: false
    }
  }
}
