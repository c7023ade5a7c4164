// Code as it stands in a file, for messages that repeat it.

import Foundation
import RondoScheduling
import Synchronization

/// The source from a call on.
///
/// A condition is a closure, which cannot be printed. Where a test runs its source is usually there,
/// and says what the closure does. Nothing depends on it but what a message looks like.
struct SourceText {
  private let text: Substring
  /// The text in front of the call's line.
  private let before: Substring
  /// The place of the call in its line, which may have several.
  private let place: String.Index

  /// What has been read: every message of an explorer asks for the same few places.
  private static let known = Mutex<[String: SourceText?]>([:])

  /// The text from the line of a call on; `nil` where the file cannot be read.
  init?(of position: SourcePosition) {
    let place = "\(position.filePath):\(position.line):\(position.column)"
    let text = Self.known.withLock { known in
      if let text = known[place] { return text }
      let content = try? String(contentsOfFile: "\(position.filePath)", encoding: .utf8)
      let text = content.flatMap {
        SourceText($0, line: Int(position.line), column: Int(position.column))
      }
      known[place] = .some(text)
      return text
    }
    guard let text else { return nil }
    self = text
  }

  init?(_ content: String, line number: Int = 1, column: Int = 1) {
    let lines = Self.lines(of: content[...])
    guard lines.indices.contains(number - 1) else { return nil }
    let line = lines[number - 1]
    text = content[line.startIndex...]
    before = content[..<line.startIndex]
    place =
      line.utf8.index(line.startIndex, offsetBy: column - 1, limitedBy: line.endIndex)
      ?? line.startIndex
  }

  /// By bytes, which takes a fraction of the time that characters take.
  private static func lines(of text: Substring) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
  }

  /// The text between the braces of a call, line by line: `.always { $0.isDone }`.
  func trailingClosure(ofCall name: String) -> String? {
    guard var rest = after(name) else { return nil }
    _ = Self.takeGroup("(", ")", &rest)
    return Self.takeGroup("{", "}", &rest).map(Self.body)
  }

  /// The text between the braces of the second closure of a call: `.whenever { … } eventually: { … }`.
  func labeledClosure(_ label: String, ofCall name: String) -> String? {
    guard var rest = after(name) else { return nil }
    _ = Self.takeGroup("(", ")", &rest)
    guard Self.takeGroup("{", "}", &rest) != nil else { return nil }
    rest = rest.drop(while: \.isWhitespace)
    guard rest.hasPrefix("\(label):") else { return nil }
    rest = rest.dropFirst(label.count + 1)
    return Self.takeGroup("{", "}", &rest).map(Self.body)
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
    guard var rest = after(name), let group = Self.takeGroup("(", ")", &rest),
      let value = Self.argument(label, in: group)
    else { return nil }
    return value.hasPrefix("{") ? String(value) : Self.oneLine(value)
  }

  /// The parts of a list between its commas.
  static func parts(of list: Substring) -> [Substring] {
    var (depth, isInString, last): (Int, Bool, Character) = (0, false, " ")
    return list.split { character in
      defer { last = character }
      if character == "\"" { isInString.toggle() }
      guard !isInString else { return false }
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      // Those of a generic type: an operator stands alone.
      case "<" where last.isLetter || last.isNumber: depth += 1
      case ">" where !last.isWhitespace && last != "-": depth -= 1
      default: break
      }
      return character == "," && depth == 0
    }
  }

  /// The value of one of several arguments in brackets.
  private static func argument(_ label: String, in group: Substring) -> Substring? {
    let value = parts(of: group.dropFirst().dropLast()).lazy.map { $0.drop(while: \.isWhitespace) }
      .first { $0.hasPrefix("\(label):") }?
      .dropFirst(label.count + 1).drop(while: \.isWhitespace)
    guard let value, let end = value.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return value[...end]
  }

  /// The arguments and closures that follow a name.
  ///
  /// - Parameter asked: The lines of a reducer that asks something of `state` after every action.
  func creation(of name: String, askingAfterEveryAction asked: [String] = []) -> String? {
    guard var rest = after(name), let arguments = Self.takeGroup("(", ")", &rest) else {
      return nil
    }
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
    } else if let body = Self.takeGroup("{", "}", &rest) {
      text += " \(asked.isEmpty ? Self.oneLine(body) : closure(Self.body(body)))"
    } else {
      return nil
    }
    let label = "withDependencies:"
    let trimmed = rest.drop(while: \.isWhitespace)
    if trimmed.hasPrefix(label) {
      rest = trimmed.dropFirst(label.count)
      if let closure = Self.takeGroup("{", "}", &rest) { text += " \(label) \(closure)" }
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
        guard Self.takeGroup(isCall ? "(" : "{", isCall ? ")" : "}", &rest) != nil else {
          return nil
        }
      } else {
        let isMember = rest.first == "."
        let name = rest.dropFirst(isMember ? 1 : 0).prefix(while: Self.isInName)
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

  /// The texts between the braces of each declaration: of `struct Row`.
  static func declarations(_ header: String, in text: String) -> [String] {
    text.ranges(of: header).compactMap { range in
      let rest = text[range.upperBound...]
      guard let next = rest.first, !isInName(next) else { return nil }
      var start = rest.drop { $0 != "{" }
      return Self.takeGroup("{", "}", &start).map(body)
    }
  }

  /// The labels of the parameters of each initializer in a declaration; `nil` for one that a test cannot call, or not for
  /// a value alone.
  static func initializers(in text: String) -> [[String]?] {
    text.matches(of: /([^\n;{}]*)\binit\b([?!]?)(?:<[^(]*>)?\(/).compactMap { match in
      var rest = text[text.index(before: match.range.upperBound)...]
      guard !match.1.hasSuffix("."), let group = Self.takeGroup("(", ")", &rest) else {
        return nil
      }
      let isForTests =
        match.2.isEmpty && !match.1.contains("private")
        && !rest.prefix { $0 != "{" }.contains(/\b(?:async|throws)\b/)
      return .some(
        isForTests
          ? parts(of: group.dropFirst().dropLast())
            .map { String($0.drop(while: \.isWhitespace).prefix(while: isInName)) }
          : nil)
    }
  }

  private static func isInName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  // MARK: Surroundings

  /// The names in some code that the function around the call declares.
  func names(usedBy code: String) -> [String] {
    let names = Set(Self.boundNames(surroundings).keys)
      .union(surroundings.matches(of: /([a-z_]\w*)\s*:\s/).map { String($0.1) })
    let bound = Self.boundNames(code[...])
    return names.filter { name in
      // Neither the name of a member, unless it stands behind a range, nor a label.
      let use = (try? Regex("(?:^|[^.\\w]|\\.\\.[.<])\(name)(?![\\w:])"))
        .flatMap(code.firstRange(of:))
      // A name that the code uses before it declares it is declared around the code.
      return use.map { $0.lowerBound < bound[name] ?? code.endIndex } ?? false
    }.sorted()
  }

  /// The names that declarations, loops and closures give, with the first place of each.
  private static func boundNames(_ code: Substring) -> [String: String.Index] {
    let list =
      /(?:\b(?:let|var|func)\s+\(?|\bfor\s+(?!case\b)|\{\s*(?=[\w,\s]+\bin\b))(\w+(?:\s*,\s*\w+)*)/
    let names = code.matches(of: list).flatMap { match in
      match.1.matches(of: /\w+/).map { (String($0.0), match.range.lowerBound) }
    }
    return Dictionary(names, uniquingKeysWith: min)
  }

  /// The text in front of the call's line, from the head of the function around it on. That is told by how far the
  /// lines are indented.
  private var surroundings: Substring {
    var (start, depth) = (before.startIndex, Int.max)
    let ownLine = text.prefix { !$0.isNewline }
    let type = /\b(?:struct|class|enum|extension|actor)\s+\w/
    for line in [ownLine] + Self.lines(of: before.dropLast()).reversed() {
      let code = line.drop(while: \.isWhitespace)
      let indentation = line.count - code.count
      guard indentation < depth, let first = code.first, !")}#".contains(first) else { continue }
      if code.contains(type) { break }
      (start, depth) = (line.startIndex, indentation)
    }
    return before[start...]
  }

  // MARK: Parts

  /// The text after a name in the first line: elsewhere it is another call of that name.
  private func after(_ name: String) -> Substring? {
    let ranges = text.prefix { $0 != "\n" }.ranges(of: name)
    return (ranges.last { $0.lowerBound <= place } ?? ranges.first).map { text[$0.upperBound...] }
  }

  /// Takes a group in brackets that comes next, brackets included.
  private static func takeGroup(_ open: Character, _ close: Character, _ rest: inout Substring)
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
