// Golden texts of macro expansions.

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// Expands the macros of the given names in a source, and compares the result.
///
/// - Parameters:
///   - names: The attributes to expand; others stay as they are.
///   - source: The source as a user writes it.
///   - expansion: The expected expansion; `nil` to compare diagnostics only. A line `⋮` stands for any lines, which
///     another test shows.
///   - diagnostics: The expected diagnostics, as `line:column: severity: message`.
///   - fixed: The source after all suggested changes, where there are any.
func expectExpansion(
  of names: String...,
  in source: String,
  to expansion: String? = nil,
  diagnostics: [String] = [],
  fixed: String? = nil,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let expander = Expander(source)
  let result = expander.expand(names)
  if let expansion {
    var rest = result[...]
    for part in expansion.split(separator: /\n *⋮\n/) {
      let found = rest.firstRange(of: part)
      let isInPlace = rest.startIndex > result.startIndex || result.hasPrefix(part)
      #expect(found != nil && isInPlace, "\(part)\nin\n\(result)", sourceLocation: sourceLocation)
      if let found { rest = rest[found.upperBound...] }
    }
    #expect(rest.isEmpty, sourceLocation: sourceLocation)
    // The generated code has to parse as Swift.
    let parsed = Parser.parse(source: result)
    #expect(!parsed.hasError, sourceLocation: sourceLocation)
  }
  #expect(expander.diagnostics == diagnostics, sourceLocation: sourceLocation)
  #expect(expander.fixed == fixed, sourceLocation: sourceLocation)
}

/// One source and what the macros say about it.
private struct Expander {
  private let source: String
  private let file: SourceFileSyntax
  private let context: BasicMacroExpansionContext

  init(_ source: String) {
    self.source = source
    file = Parser.parse(source: source)
    context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  }

  func expand(_ names: [String]) -> String {
    let specs = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.spec(of: $0)) })
    let expanded = file.expand(
      macroSpecs: specs,
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    // An attribute that was on a line of its own leaves that line empty.
    return String(expanded.description.drop(while: \.isNewline))
  }

  /// The conformances are those of the declarations in `Rondo` and `RondoCompatibility`.
  private static func spec(of name: String) -> MacroSpec {
    let conformances: [String: [TypeSyntax]] = [
      "CaseBindable": ["CasePathable", "CasePathIterable", "CaseBindable"],
      "CasePathable": ["CasePathable", "CasePathIterable"],
      "ObservableState": ["ObservableState"],
      "Reducer": ["Reducer", "CaseReducer"],
      "ViewAction": ["ViewActionSending"],
    ]
    let type = macros["\(name)Macro"] ?? MarkerMacro.self
    return MacroSpec(type: type, conformances: conformances[name] ?? [])
  }

  var diagnostics: [String] {
    context.diagnostics.map { diagnostic in
      let place = location(of: diagnostic.position, in: diagnostic.node)
      let message = diagnostic.diagMessage
      return "\(place.line):\(place.column): \(message.severity): \(message.message)"
    }
  }

  /// The source after the changes that the diagnostics suggest; `nil` when they suggest none.
  var fixed: String? {
    let replacements = context.diagnostics.flatMap(\.fixIts).flatMap(\.changes)
      .compactMap { change -> (range: Range<Int>, text: String)? in
        guard case .replace(let old, let new) = change else { return nil }
        let start = location(of: old.position, in: old).offset
        return (start..<start + old.totalLength.utf8Length, new.description)
      }
    guard !replacements.isEmpty else { return nil }
    var bytes = Array(source.utf8)
    for replacement in replacements.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(replacement.range, with: replacement.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func location(of position: AbsolutePosition, in node: Syntax) -> PlaceInSource {
    context.location(for: position, anchoredAt: node, fileName: "Test.swift")
  }
}

/// Swift Testing has a type of the same name.
private typealias PlaceInSource = SwiftSyntax.SourceLocation
