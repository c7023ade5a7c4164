// Attributes that other macros look for.

import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that says something to the macro of the enclosing type, and itself adds nothing.
enum MarkerMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
