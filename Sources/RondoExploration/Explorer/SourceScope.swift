// The declarations that a printed test takes along from the function around an explorer.

import Foundation
import RondoScheduling

/// The declarations in front of a place in the source, in the functions and closures around it.
struct SourceScope {
  /// A constant or variable with its code, or a name without: a parameter, an element of a loop.
  private struct Declaration: Equatable {
    let names: [String]
    var code: String?
  }

  private var declarations: [Declaration] = []

  /// - Returns: `nil` where the file cannot be read.
  init?(of position: SourcePosition) {
    guard let content = try? String(contentsOfFile: "\(position.filePath)", encoding: .utf8) else {
      return nil
    }
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    self.init(lines.prefix(Int(position.line) - 1).joined(separator: "\n"))
  }

  /// - Parameter text: The source in front of the place.
  init(_ text: String) {
    // The declarations of every block that is open; `nil` for a type, whose members a test of its suite has, too.
    var blocks: [[Declaration]?] = []
    for statement in Self.statements(text) {
      let code = statement.trimmingCharacters(in: .whitespacesAndNewlines)
      switch code.last {
      case "}" where code == "}":
        _ = blocks.popLast()
      case "{":
        let isType = code.firstMatch(of: /\b(struct|class|enum|extension|actor)\s+\w/) != nil
        blocks.append(isType ? nil : Self.parameters(code))
      default:
        guard !blocks.isEmpty, let names = Self.names(code) else { continue }
        let indentation = statement.prefix(while: \.isWhitespace).split(separator: "\n").last ?? ""
        let lines = code.replacing("\n\(indentation)", with: "\n")
        blocks[blocks.count - 1]?.append(Declaration(names: names, code: lines))
      }
    }
    let open = blocks.lastIndex { $0 == nil }.map { blocks[($0 + 1)...] } ?? blocks[...]
    declarations = open.flatMap { $0 ?? [] }
  }

  /// The lines that a test needs in front of some code: declarations that the code uses, and a comment for names that
  /// have no code.
  func lines(for code: String) -> [String] {
    var (used, lines) = (code, [String]())
    for declaration in declarations.reversed() {
      let names = declaration.names.filter { Self.uses(used, $0) }
      guard !names.isEmpty else { continue }
      if let code = declaration.code {
        used += "\n" + code
        lines.insert(contentsOf: code.split(separator: "\n").map(String.init), at: 0)
      } else {
        lines.insert(contentsOf: names.map { "// Give this a value: let \($0) =" }, at: 0)
      }
    }
    return lines
  }

  /// Whether code uses a name, and not as a label or a member.
  private static func uses(_ code: String, _ name: String) -> Bool {
    code.ranges(of: name).contains { range in
      let (text, after) = (code[..<range.lowerBound], code[range.upperBound...].first)
      let before = text.hasSuffix("...") ? nil : text.last
      func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
      }
      return !isPart(before) && before != "." && !isPart(after) && after != ":"
    }
  }

  // MARK: Statements

  /// The statements of a text: a block begins behind one that ends with a brace, and ends with one that is a brace.
  private static func statements(_ text: String) -> [Substring] {
    var statements: [Substring] = []
    var start = text.startIndex
    var (depth, isInString) = (0, false)
    var isDeclaration = false
    func end(_ index: String.Index) {
      statements.append(text[start..<index])
      (start, isDeclaration) = (index, false)
    }
    var index = start
    while index < text.endIndex {
      let (character, next) = (text[index], text.index(after: index))
      if character == "\"" { isInString.toggle() }
      guard !isInString else {
        index = character == "\\" && next < text.endIndex ? text.index(after: next) : next
        continue
      }
      if text[index...].hasPrefix("//") {
        let line = text[index...].firstIndex(of: "\n") ?? text.endIndex
        if text[start..<index].allSatisfy(\.isWhitespace) { start = line }
        index = line
        continue
      }
      if !isDeclaration, "lv".contains(character) {
        isDeclaration =
          text[start..<index].allSatisfy(\.isWhitespace)
          && (text[index...].hasPrefix("let ") || text[index...].hasPrefix("var "))
      }
      switch character {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where isDeclaration: depth += 1
      case "}" where isDeclaration && depth > 0: depth -= 1
      case "{":
        // A block in brackets ends with them.
        end(next)
        depth = 0
      case "}":
        end(index)
        end(next)
        depth = 0
      case "\n" where depth <= 0 && !goesOn(text[start..<index], text[next...]): end(next)
      default: break
      }
      index = next
    }
    if depth <= 0 { end(index) }
    return statements
  }

  /// Whether a line is not the end of a statement.
  private static func goesOn(_ statement: Substring, _ rest: Substring) -> Bool {
    let last = statement.last { !$0.isWhitespace }
    let next = rest.first { !$0.isWhitespace }
    return last.map { "=,?:+-*/&|".contains($0) } ?? false
      || next.map { ".?:+-*/&|".contains($0) } ?? false
  }

  /// The names that a declaration gives, one or several; `nil` where a statement is none.
  private static func names(_ code: String) -> [String]? {
    guard let match = code.prefixMatch(of: /(let|var)\s+([^=:]+)/) else { return nil }
    return match.2.matches(of: /\w+/).map { String($0.0) }
  }

  /// The names that the head of a block gives: the parameters of a function, or what a loop or a condition binds.
  private static func parameters(_ head: String) -> [Declaration] {
    var names: [String] = []
    if let function = head.firstRange(of: /\bfunc\b/) {
      names += head[function.upperBound...].matches(of: /(\w+)\s*:\s/).map { String($0.1) }
    }
    names += head.matches(of: /\b(?:let|var)\s+(\w+)/).map { String($0.1) }
    names += head.matches(of: /\bfor\s+(\w+)\s+in\b/).map { String($0.1) }
    return [Declaration(names: names)]
  }
}
