// Members that a recording leaves out.

import Rondo

/// A member of a state, or the payload of an action, that is not to be in a recording.
///
/// ```swift
/// let recording = try store.record(
///   to: url, redacting: [.state(\.session?.token), .action(\.passwordChanged)])
/// ```
///
/// Where a type can be changed, `@Redacted` at its declaration is safer: it holds wherever the value
/// goes.
public struct Redaction<State, Action>: Sendable {
  let isOfState: Bool
  /// The case, for an action.
  let casePath: (any ErasedCasePath)?
  /// The names on the way to the member; `nil` for a key path that they cannot be told from.
  let path: [String]?
  /// The key path as it is written, and the place where it is, for messages.
  let name: String

  /// Leaves out a stored member of the state, with everything below it.
  public static func state(
    _ member: PartialKeyPath<State>, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    Self(isOfState: true, nil, Rondo.text(of: member), " at \(fileID):\(line)")
  }

  private init(
    isOfState: Bool, _ casePath: (any ErasedCasePath)?, _ text: String, _ place: String = ""
  ) {
    self.isOfState = isOfState
    self.casePath = casePath
    // A computed member has no name at run time, only an address.
    let shown = text.replacing(/<computed 0x[0-9a-f]+ \((.*?)\)>/) { match in
      "(a computed member of type \(match.1))"
    }
    name = "'\(shown)'\(place)"
    // `\State.session?.token`, without what is before the first point.
    let names = text.drop { $0 != "." }.dropFirst().split(separator: ".").map { name in
      String(name.trimmingSuffix { "?!".contains($0) })
    }
    let isPlain = names.allSatisfy { name in
      !name.isEmpty && name.allSatisfy(\.isInName)
    }
    path = isPlain && !names.isEmpty && (isOfState || casePath != nil) ? names : nil
  }
}

extension Redaction where Action: CasePathable {
  /// Leaves out all that a case of the action carries: `.action(\.login.passwordChanged)`.
  public static func action(_ path: PartialCaseName<Action>) -> Self {
    Self(
      isOfState: false, Action.allCasePaths[keyPath: path] as? any ErasedCasePath,
      Action.name(of: path) ?? "\(path)")
  }
}

extension Character {
  fileprivate var isInName: Bool { isLetter || isNumber || self == "_" || self == "$" }
}

extension Substring {
  fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> Substring {
    var text = self
    while let last = text.last, isUnwanted(last) { text.removeLast() }
    return text
  }
}

/// Keeps values out of trees and texts.
struct Redactor {
  private let statePaths: [[String]]
  private let actionPaths: [(path: [String], casePath: any ErasedCasePath)]
  /// The texts of values that were kept out of trees. They are kept out of other texts, too.
  private var secrets = Secrets()
  /// The tree of the last state, with everything in it.
  private var memory = TreeMemory()

  /// Throws for a member that could not be found in a tree.
  init<State, Action>(_ redactions: [Redaction<State, Action>]) throws(RecordingError) {
    for redaction in redactions where redaction.path == nil {
      throw RecordingError(
        "The member \(redaction.name) cannot be kept out of a recording: only stored members and "
          + "cases can. List the stored member, or declare it as '@Redacted'.")
    }
    statePaths = redactions.filter(\.isOfState).compactMap(\.path)
    actionPaths = redactions.compactMap { redaction in
      redaction.casePath.flatMap { casePath in redaction.path.map { ($0, casePath) } }
    }
  }

  /// Throws for a member that the tree of a state does not show by its name: a computed one,
  /// whose value the tree shows somewhere else, or one inside a value that is printed in its own way.
  func checkMembers<State, Action>(
    of tree: RecordedNode, _ redactions: [Redaction<State, Action>]
  ) throws(RecordingError) {
    for redaction in redactions where redaction.isOfState {
      guard let path = redaction.path, tree.lacks(path[...]) else { continue }
      throw RecordingError(
        "The member \(redaction.name) cannot be kept out of a recording: the printed state has no "
          + "stored member of that name. List the stored member, or declare it as '@Redacted'.")
    }
  }

  mutating func state(_ state: Any) -> RecordedNode {
    var node = memory.tree(of: state)
    for path in statePaths { hide(&node, path[...]) }
    return node
  }

  mutating func action(_ action: Any, marksTypes: Bool) -> RecordedNode {
    var node = RecordedNode(of: action, marksTypes: marksTypes)
    for (path, casePath) in actionPaths {
      let secret = casePath.extractErased(from: action)
      // A binding shows the beginning of its value only.
      if let secret { remember(RecordedNode(of: secret)) }
      hideCase(&node, path[...], in: action, isThere: secret.map { !($0 is Void) } ?? false)
    }
    return node
  }

  private mutating func hide(_ node: inout RecordedNode, _ path: ArraySlice<String>) {
    guard let name = path.first else {
      remember(node)
      let isEquatable = node.isEquatable
      node = .redacted
      node.isEquatable = isEquatable
      return
    }
    guard node.value != "nil" else { return }
    // The storage of a wrapper may have the same name.
    let members = node.children.indices.filter { index in
      node.children[index].name == name || node.children[index].name.hasPrefix("\(name) (")
    }
    // A value that is printed in its own way may show the member anywhere.
    guard !members.isEmpty else { return hide(&node, []) }
    for index in members { hide(&node.children[index].node, path.dropFirst()) }
  }

  /// Hides what a path of cases leads to: where the action is in the case, all from where the names of the path are
  /// not those of the tree.
  private mutating func hideCase(
    _ node: inout RecordedNode, _ path: ArraySlice<String>, in action: Any, isThere: Bool
  ) {
    let isPresented =
      node.case == "presented" && node.type?.hasPrefix("PresentationAction<") == true
    if let name = path.first, node.case == name || isPresented {
      // A path may leave out `presented`.
      let rest = node.case == name ? path.dropFirst() : path
      for index in node.children.indices {
        hideCase(&node.children[index].node, rest, in: action, isThere: isThere)
      }
    } else if path.first == "some" {
      // An optional is recorded as what is in it.
      hideCase(&node, path.dropFirst(), in: action, isThere: isThere)
    } else if isThere || path.first.map({ node.sets($0) }) ?? true {
      if !isThere, let wish = fieldWish(in: action) { remember(RecordedNode(of: wish.value)) }
      hide(&node, [])
    }
  }

  private func fieldWish(in value: Any) -> (any FieldWish)? {
    value as? any FieldWish
      ?? Mirror(reflecting: value).children.lazy.compactMap { fieldWish(in: $0.value) }.first
  }

  private mutating func remember(_ node: RecordedNode) {
    for child in node.children {
      remember(child.node)
      if node.kind == .dictionary { remember(child.name) }
    }
    if let value = node.value { remember(value) }
  }

  private mutating func remember(_ value: String) {
    let isString = value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1
    let text = isString ? String(value.dropFirst().dropLast()) : value
    // Shorter texts, and these words, are parts of many others.
    guard text.isLong, !["nil", "true", "false"].contains(text), secrets.insert(text) else {
      return
    }
    // Labels and messages hold the text itself.
    guard isString, let plain = text.withoutEscapes else { return }
    // A dump has a text of several lines line by line.
    for text in [plain] + plain.split(whereSeparator: \.isNewline).map(String.init)
    where text.isLong {
      secrets.insert(text)
    }
  }

  /// A text without the values that were kept out before.
  func text(_ text: String) -> String {
    secrets.removed(from: text)
  }

  /// A tree without the values that were kept out before.
  func node(_ node: RecordedNode) -> RecordedNode {
    guard !secrets.isEmpty else { return node }
    var node = node
    node.value = node.value.map(text)
    for index in node.children.indices {
      node.children[index].name = text(node.children[index].name)
      node.children[index].node = self.node(node.children[index].node)
    }
    return node
  }

  /// Whether members of the state are kept out.
  var hidesState: Bool { !statePaths.isEmpty }

  /// The encoded form of a value; `nil` where it is not `Codable`, or its tree does not show all of it:
  /// something is redacted, or so deep that encoding it might take more memory than the stack has.
  func data(of value: Any, as node: RecordedNode) -> [UInt8]? {
    guard let value = value as? any (Encodable & Decodable), !node.hasRedactions,
      !node.hasCutOffs
    else { return nil }
    return RedactedEncoding.refused { try? Array(RecordingCoder.encoder.encode(value)) }
  }
}

extension String {
  /// Whether the text has three characters or more.
  fileprivate var isLong: Bool { !dropFirst(2).isEmpty }

  /// The string whose description for debugging, without quotes, this is; `nil` where it has no
  /// escapes.
  fileprivate var withoutEscapes: String? {
    guard utf8.contains(UInt8(ascii: "\\")) else { return nil }
    var plain = UnicodeScalarView()
    var rest = unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        plain.append(scalar)
        continue
      }
      switch escape {
      case "n": plain.append("\n")
      case "r": plain.append("\r")
      case "t": plain.append("\t")
      case "0": plain.append("\0")
      case "u":
        let digits = rest.dropFirst().prefix { $0 != "}" }
        rest = rest.dropFirst(digits.count + 2)
        guard let number = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(number)
        else { return nil }
        plain.append(scalar)
      default: plain.append(escape)
      }
    }
    return String(plain)
  }
}

extension RecordedNode {
  /// Whether a value on the way has no member of the next name. Where there is no value now, or an
  /// enum is in another case, that cannot be told.
  fileprivate func lacks(_ path: ArraySlice<String>) -> Bool {
    guard let name = path.first else { return false }
    if kind == nil, !isRedacted, let value { return value != "nil" && !value.hasPrefix(".") }
    guard let kind, kind != .enum else { return false }
    guard let child = children.first(where: { $0.name == name }) else { return true }
    return child.node.lacks(path.dropFirst())
  }

  /// Whether it is a binding that sets a part of a field, or one whose name is not known: `.set(\State.session.token, …)`.
  fileprivate func sets(_ field: String) -> Bool {
    guard let value, value.hasPrefix(#".set(\"#) else { return false }
    let name = value.split(separator: ".").dropFirst().first?.prefix(while: \.isInName)
    return name?.isEmpty != false || name == field[...]
  }

  /// Whether anything of the value was kept out.
  var hasRedactions: Bool {
    isRedacted || children.contains { $0.node.hasRedactions }
  }

  /// Whether anything of the value was too deep to be in the tree.
  var hasCutOffs: Bool {
    value == Self.cutOff.value || children.contains { $0.node.hasCutOffs }
  }
}
