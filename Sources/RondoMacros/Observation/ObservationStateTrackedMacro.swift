// `@ObservationStateTracked` and `@ObservationStateIgnored`.

import SwiftSyntax
import SwiftSyntaxMacros

/// Moves a variable's value to a private variable beside it, and reports every access to the
/// registrar.
enum ObservationStateTrackedMacro {
  static var formatMode: FormatMode { .disabled }
}

extension ObservationStateTrackedMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = StoredProperty(declaration) else {
      context.error(
        "'@ObservationStateTracked' is for a stored variable of a structure. Remove it.", at: node)
      return []
    }
    return [initialAccessor(of: property.storage, to: "initialValue")]
      + observedAccessors(of: property, storedIn: property.storage)
  }
}

extension ObservationStateTrackedMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = StoredProperty(declaration) else { return [] }
    let initializer = property.binding.initializer.map { " \($0.dedented)" } ?? ""
    let variable = "\(property.storage)\(property.annotation)\(initializer)\(property.observers)"
    let ownership = property.ownership
    return [DeclSyntax(text: "@ObservationStateIgnored private \(ownership)var \(variable)")]
  }
}

/// The accessors of a variable whose value is kept elsewhere. They report every access to the
/// registrar.
func observedAccessors(
  of property: StoredProperty, storedIn storage: String
) -> [AccessorDeclSyntax] {
  let registrar = "_$observationRegistrar"
  let name = property.name
  let report = "self, keyPath: \\.\(name), &\(storage)"
  let accessors = [
    AccessorDeclSyntax(
      text: """
        get {
          \(registrar).access(self, keyPath: \\.\(name))
          return \(storage)
        }
        """),
    AccessorDeclSyntax(
      text: """
        set {
          \(registrar).mutate(
            \(report), newValue, _$isIdentityEqual)
        }
        """),
    AccessorDeclSyntax(
      text: """
        _modify {
          let oldValue = \(registrar).willModify(
            \(report))
          defer {
            \(registrar).didModify(
              \(report), oldValue, _$isIdentityEqual)
          }
          yield &\(storage)
        }
        """),
  ]
  // `_modify` hands out the storage more than once, and each time would run its observers.
  // Without `_modify` the storage is set, once.
  return property.observers.isEmpty ? accessors : accessors.dropLast()
}

/// Leaves a variable as it is.
enum ObservationStateIgnoredMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    []
  }
}
