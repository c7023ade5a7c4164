// Code as it stands in a file, for messages that repeat it.

import Foundation
import RondoScheduling

/// The source from a call on.
///
/// A condition is a closure, which cannot be printed. Where a test runs its source is usually there,
/// and says what the closure does. Nothing depends on it but what a message looks like.
struct SourceText {
  private let text: Substring
  /// The place of the call in its line, which may have several.
  private let place: String.Index

  /// The text from the line of a call on; `nil` where the file cannot be read.
  init?(of position: SourcePosition) {
    guard let content = try? String(contentsOfFile: "\(position.filePath)", encoding: .utf8) else {
      return nil
    }
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(Int(position.line) - 1) else { return nil }
    let line = lines[Int(position.line) - 1]
    text = content[line.startIndex...]
    place =
      line.utf8.index(line.startIndex, offsetBy: Int(position.column) - 1, limitedBy: line.endIndex)
      ?? line.startIndex
  }

  init(_ text: String) {
    self.text = text[...]
    place = text.startIndex
  }

  /// The text between the braces of a call, line by line: `.always { $0.isDone }`.
  func trailingClosure(ofCall name: String) -> String? {
    guard var rest = after(name) else { return nil }
    _ = takeGroup("(", ")", &rest)
    return takeGroup("{", "}", &rest).map(Self.body)
  }

  /// The text between the braces of the second closure of a call: `.whenever { … } eventually: { … }`.
  func labeledClosure(_ label: String, ofCall name: String) -> String? {
    guard var rest = after(name) else { return nil }
    _ = takeGroup("(", ")", &rest)
    guard takeGroup("{", "}", &rest) != nil else { return nil }
    rest = rest.drop(while: \.isWhitespace)
    guard rest.hasPrefix("\(label):") else { return nil }
    rest = rest.dropFirst(label.count + 1)
    return takeGroup("{", "}", &rest).map(Self.body)
  }

  /// The text between the braces of a closure.
  private static func body(_ closure: some StringProtocol) -> String {
    let text = closure.dropFirst().dropLast().drop(while: \.isWhitespace)
    let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
    return String(text[..<end])
  }

  /// An expression that applies a closure, or a key path, to a state.
  ///
  /// - Parameter function: The closure with its braces, or the key path.
  /// - Returns: The expression; `nil` where the function is something else.
  static func applying(_ function: String, to state: String) -> String? {
    if function.hasPrefix("\\.") { return "\(state)\(function.dropFirst())" }
    if function.hasPrefix("\\") { return "\(state)[keyPath: \(function)]" }
    guard function.hasPrefix("{"), function.hasSuffix("}") else { return nil }
    let body = body(function)
    // Another closure has a '$0' of its own.
    let isPlain =
      body.contains("$0") && !body.contains { $0 == "{" || $0.isNewline }
      && !body.contains(" in ")
    return isPlain ? body.replacing("$0", with: state) : "\(function)(\(state))"
  }

  /// An argument of a call: `.outcomes(of: \.api.search)`.
  func argument(_ label: String, ofCall name: String) -> String? {
    guard var rest = after(name), let group = takeGroup("(", ")", &rest),
      let value = Self.argument(label, in: group)
    else { return nil }
    return value.hasPrefix("{") ? String(value) : Self.oneLine(value)
  }

  /// The value of one of several arguments in brackets.
  private static func argument(_ label: String, in group: Substring) -> Substring? {
    let list = group.dropFirst().dropLast()
    var (depth, isInString) = (0, false)
    let arguments = list.split { character in
      if character == "\"" { isInString.toggle() }
      guard !isInString else { return false }
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth -= 1 }
      return character == "," && depth == 0
    }
    let value = arguments.lazy.map { $0.drop(while: \.isWhitespace) }
      .first { $0.hasPrefix("\(label):") }?
      .dropFirst(label.count + 1).drop(while: \.isWhitespace)
    guard let value, let end = value.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return value[...end]
  }

  /// The arguments and closures that follow a name.
  ///
  /// - Parameter asked: The lines of a reducer that asks something of `state` after every action.
  func creation(of name: String, askingAfterEveryAction asked: [String] = []) -> String? {
    guard var rest = after(name), let arguments = takeGroup("(", ")", &rest) else { return nil }
    func closure(_ body: some StringProtocol) -> String {
      let lines =
        ["  \(Self.oneLine(body))", "  Reduce { state, _ in"]
        + asked.map { "    \($0)" } + ["    return .none", "  }", "}"]
      return "{\n" + lines.map { "  \($0)" }.joined(separator: "\n")
    }
    var text = String(arguments)
    if let reducer = Self.argument("reducer", in: arguments) {
      if !asked.isEmpty {
        let body = reducer.hasPrefix("{") ? Self.body(reducer) : "\(reducer)()"
        text =
          arguments[..<reducer.startIndex] + closure(body) + arguments[reducer.endIndex...]
      }
    } else if let body = takeGroup("{", "}", &rest) {
      text += " \(asked.isEmpty ? Self.oneLine(body) : closure(Self.body(body)))"
    } else {
      return nil
    }
    let label = "withDependencies:"
    let trimmed = rest.drop(while: \.isWhitespace)
    if trimmed.hasPrefix(label) {
      rest = trimmed.dropFirst(label.count)
      if let closure = takeGroup("{", "}", &rest) { text += " \(label) \(closure)" }
    }
    return text
  }

  /// The text of a chain of calls in front of one of them, a line each, without what all lines begin with.
  ///
  /// - Parameters:
  ///   - first: The name that the chain begins with.
  ///   - last: The name of the call that is left out, with all behind it.
  /// - Returns: The lines; `nil` where the text is no such chain.
  func chain(from first: String, to last: String) -> [String]? {
    guard var rest = after(first) else { return nil }
    let start = rest.startIndex
    while true {
      let end = rest.startIndex
      rest = rest.drop(while: \.isWhitespace)
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.first == "(" || rest.first == "{" {
        let isCall = rest.first == "("
        guard takeGroup(isCall ? "(" : "{", isCall ? ")" : "}", &rest) != nil else { return nil }
      } else {
        let isMember = rest.first == "."
        let name = rest.dropFirst(isMember ? 1 : 0).prefix {
          $0.isLetter || $0.isNumber || $0 == "_"
        }
        guard !name.isEmpty else { return nil }
        guard !isMember || name != last else {
          return Self.withoutIndentation(first + text[start..<end])
        }
        rest = rest[name.endIndex...]
        // The label of another closure.
        guard isMember || rest.first == ":" else { return nil }
        if !isMember { rest = rest.dropFirst() }
      }
    }
  }

  private static func withoutIndentation(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let depth =
      lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
      .map { $0.prefix(while: \.isWhitespace).count }.min() ?? 0
    return lines.prefix(1).map(String.init)
      + lines.dropFirst().map { "  " + $0.dropFirst(depth) }
  }

  /// The texts between the next brackets after each declaration: after `struct Row`, or `init`.
  static func declarations(
    _ header: String, _ open: Character = "{", _ close: Character = "}", in text: String
  ) -> [String] {
    text.ranges(of: header).compactMap { range in
      let rest = text[range.upperBound...]
      guard let next = rest.first, !next.isLetter, !next.isNumber, next != "_" else { return nil }
      var start = rest.drop { $0 != open }
      // An initializer that can fail gives an optional.
      return next == "?" ? nil : SourceText("").takeGroup(open, close, &start).map(body)
    }
  }

  // MARK: Parts

  /// The text after a name in the first line: elsewhere it is another call of that name.
  private func after(_ name: String) -> Substring? {
    let ranges = text.prefix { $0 != "\n" }.ranges(of: name)
    return (ranges.last { $0.lowerBound <= place } ?? ranges.first).map { text[$0.upperBound...] }
  }

  /// Takes a group in brackets that comes next, brackets included.
  private func takeGroup(_ open: Character, _ close: Character, _ rest: inout Substring)
    -> Substring?
  {
    let start = rest.drop(while: \.isWhitespace)
    guard start.first == open else { return nil }
    var depth = 0
    var isInString = false
    var isEscaped = false
    for index in start.indices {
      let character = start[index]
      if character == "\"", !isEscaped { isInString.toggle() }
      // A backslash that is escaped escapes nothing.
      isEscaped = character == "\\" && !isEscaped
      guard !isInString else { continue }
      if character == open { depth += 1 }
      if character == close { depth -= 1 }
      if depth == 0 {
        rest = start[start.index(after: index)...]
        return start[...index]
      }
    }
    return nil
  }

  static func oneLine(_ text: some StringProtocol) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
