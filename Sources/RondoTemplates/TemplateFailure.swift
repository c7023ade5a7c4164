// Why a package is not made.

/// The reason why a package is not made: one line that says what to do.
package enum TemplateFailure: Error, Equatable {
  /// The name of the package cannot be one.
  case badName(String)
  case noCheckout(String)
  case cannotWrite(String)
}

/// A reason why a name cannot be that of a package.
package enum NameProblem {
  /// Checks the name of a package, which is also that of a module.
  package static func check(_ name: String) throws(TemplateFailure) {
    func problem(_ text: String) -> TemplateFailure { .badName("'\(name)' \(text)") }
    let isIdentifier =
      name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isIdentifier, name.contains(where: { $0 != "_" }) else {
      throw problem("is no name of a module: take letters, digits and '_', and no digit first")
    }
    guard !keywords.contains(name) else {
      throw problem("is a word of Swift; take another name")
    }
    guard !modules.contains(name.lowercased()), !name.lowercased().hasPrefix("rondo") else {
      throw problem("is the name of a module that the package needs; take another name")
    }
  }

  private static let keywords: Set = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// In lower case. The first ones are the toolchain's, the others those of the templates.
  private static let modules: Set = [
    "swift", "foundation", "foundationessentials", "foundationnetworking", "dispatch", "glibc",
    "musl", "observation", "synchronization", "testing", "xctest", "packagedescription",
    "regexbuilder", "distributed", "cxx", "std", "cgtk", "main",
  ]
}
