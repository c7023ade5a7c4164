// Code as it stands in a file, for messages that repeat it.

import Foundation
import RondoScheduling

/// The source from a call on.
///
/// A condition is a closure, which cannot be printed. Where a test runs its source is usually there,
/// and says what the closure does. Nothing depends on it but what a message looks like.
struct SourceText {
  private let text: Substring

  /// The text from the line of a call on; `nil` where the file cannot be read.
  init?(of position: SourcePosition) {
    guard let content = try? String(contentsOfFile: "\(position.filePath)", encoding: .utf8) else {
      return nil
    }
    let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(Int(position.line) - 1) else { return nil }
    text = content[lines[Int(position.line) - 1].startIndex...]
  }

  init(_ text: String) {
    self.text = text[...]
  }

  /// The text between the braces of a call, line by line: `.always { $0.isDone }`.
  func trailingClosure(ofCall name: String) -> String? {
    guard var rest = after(name) else { return nil }
    _ = takeGroup("(", ")", &rest)
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
      let start = group.range(of: "\(label):")?.upperBound
    else { return nil }
    var value = group[start...]
    if let closure = takeGroup("{", "}", &value) { return String(closure) }
    return Self.oneLine(value.prefix { !",)".contains($0) })
  }

  /// The arguments and closures that follow a name.
  func creation(of name: String) -> String? {
    guard var rest = after(name), let arguments = takeGroup("(", ")", &rest),
      let body = takeGroup("{", "}", &rest)
    else { return nil }
    var text = "\(arguments) \(Self.oneLine(body))"
    let label = "withDependencies:"
    let trimmed = rest.drop(while: \.isWhitespace)
    if trimmed.hasPrefix(label) {
      rest = trimmed.dropFirst(label.count)
      if let closure = takeGroup("{", "}", &rest) { text += " \(label) \(closure)" }
    }
    return text
  }

  // MARK: Parts

  /// The text after a name in the first line: elsewhere it is another call of that name.
  private func after(_ name: String) -> Substring? {
    text.prefix { $0 != "\n" }.range(of: name).map { text[$0.upperBound...] }
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
