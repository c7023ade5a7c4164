// Errors, warnings and suggestions of macros.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension MacroExpansionContext {
  /// Reports something that keeps a macro from expanding.
  func error(_ message: String, at node: some SyntaxProtocol, fix: FixIt? = nil) {
    diagnose(
      Diagnostic(
        node: Syntax(node), message: MacroExpansionErrorMessage(message),
        fixIts: fix.map { [$0] } ?? []))
  }

  /// Reports something that is probably not meant.
  func warning(_ message: String, at node: some SyntaxProtocol, fix: FixIt? = nil) {
    diagnose(
      Diagnostic(
        node: Syntax(node), message: MacroExpansionWarningMessage(message),
        fixIts: fix.map { [$0] } ?? []))
  }
}

extension FixIt {
  /// A suggestion to put one piece of code in the place of another.
  static func replace(
    _ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol
  ) -> FixIt {
    FixIt(
      message: MacroExpansionFixItMessage(message),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}
