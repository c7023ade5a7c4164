// Expansions are written as text, the way a person would lay it out, and parsed once.

import SwiftSyntax
import SwiftSyntaxBuilder

extension String {
  /// The text with every line but the first moved to the right, for use inside an indented literal.
  func indented(by spaces: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
      .map { $0 == 0 || $1.isEmpty ? String($1) : String(repeating: " ", count: spaces) + $1 }
      .joined(separator: "\n")
  }
}

extension SyntaxProtocol {
  /// The text without the indentation of the place that it is copied from.
  var dedented: String {
    let lines = trimmedDescription.split(separator: "\n", omittingEmptySubsequences: false)
    let indentations = lines.dropFirst().filter { !$0.isEmpty }
      .map { line in line.prefix { $0 == " " }.count }
    let common = indentations.min() ?? 0
    return lines.enumerated()
      .map { $0 == 0 ? String($1) : String($1.dropFirst(common)) }
      .joined(separator: "\n")
  }
}

extension [String] {
  /// The lines as text for an indented literal.
  func lines(indentedBy spaces: Int) -> String {
    joined(separator: "\n").indented(by: spaces)
  }

  /// The lines in braces behind a header.
  func braced(after header: String) -> String {
    isEmpty ? "\(header) {}" : "\(header) {\n  \(lines(indentedBy: 2))\n}"
  }
}

extension DeclSyntax {
  /// A declaration that is written as text.
  init(text: String) {
    self = "\(raw: text)"
  }
}

extension AccessorDeclSyntax {
  /// An accessor that is written as text, indented as the inside of braces.
  init(text: String) {
    self = "\(raw: "  " + text.indented(by: 2))"
  }
}

/// The accessor that initializes a variable by initializing the one that holds its value.
func initialAccessor(of storage: String, to value: String) -> AccessorDeclSyntax {
  AccessorDeclSyntax(
    text: """
      @storageRestrictions(initializes: \(storage))
      init(initialValue) {
        \(storage) = \(value)
      }
      """)
}

extension AttributeSyntax {
  /// An attribute that is written as text.
  init(text: String) {
    self = "\(raw: text)"
  }

  /// The name without module and arguments: `Presents` for `@Rondo.Presents`.
  var name: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }
}

extension TokenSyntax {
  /// The identifier without the backticks that a keyword needs.
  var unescaped: String {
    text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text
  }
}
