// A printed value as the Swift code that makes it.

import Foundation
import RondoRecording
import RondoScheduling

/// Things about the code of values that no value tells.
struct CodeStyle {
  /// The arguments of the initializers of types that do not take all members.
  var initializers: [String: [String]] = [:]
  /// The members that a test cannot set: `Search.State.count`.
  var membersWithoutSetter: Set<String> = []
  /// The cases of actions that carry the errors of endpoints.
  var errorCases: Set<String> = []
  /// The members of the state that are shared, which stand in the code as they are: `$0.$data`.
  var shared: [RecordedNode.Child] = []
  /// The text in front of the name of such a member.
  var sharedPrefix = "$0.$"
  /// The state in a closure.
  var state = "$0"
  /// Whether case paths lead to the cases of the state.
  var stateIsCasePathable = true
  /// The code of dates that the feature has made, by their texts.
  var dates: [String: String] = [:]

  /// The style for a member of a name: the same value may be shared under several names.
  func preferringShared(_ name: String) -> CodeStyle {
    guard let index = shared.firstIndex(where: { $0.name == name }), index > 0 else { return self }
    var style = self
    style.shared.swapAt(0, index)
    return style
  }

  /// Whether a test can set a member of a value.
  func canSet(_ member: String, of value: RecordedNode) -> Bool {
    !membersWithoutSetter.contains("\(value.type ?? "").\(member)")
  }

  /// Whether a value can be made with a member of it.
  func canMake(_ value: RecordedNode, with member: String) -> Bool {
    value.type.flatMap { initializers[$0] }?.contains(member) != false
  }
}

extension RecordedNode {
  /// Whether it is a case of an enum.
  var isCase: Bool { kind == .enum || value?.isCaseName == true }

  /// The code that makes an equal value, with placeholders for what no code can be written for.
  func code(_ style: CodeStyle = CodeStyle()) -> Code {
    guard isShared else { return unsharedCode(style) }
    if let member = style.shared.first(where: { $0.node == self }) {
      let code = "\(style.sharedPrefix)\(member.name)"
      return .text(isReader && !member.node.isReader ? "SharedReader(\(code))" : code)
    }
    // The member says its key itself, and takes the value.
    if isKeyed { return unsharedCode(style) }
    return .group(isReader ? "SharedReader(" : "Shared(", [("value", unsharedCode(style))], ")")
  }

  /// The code of the value alone, where it is that of a `@Shared` member.
  func unsharedCode(_ style: CodeStyle = CodeStyle()) -> Code {
    if isRedacted { return .placeholder("a value that was redacted") }
    switch kind {
    case nil: return leafCode(style)
    case .struct:
      guard let type, type.isTypeName else { return .placeholder(type ?? "a struct") }
      if let code = rangeCode(type, style) ?? alertCode(type, style) { return code }
      let names = style.initializers[type]
      // The types in the brackets may have other names here, and follow from where the value stands.
      let name = type.withoutLastBrackets
      return .group("\(name)(", arguments(style) { names?.contains($0) ?? true }, ")")
    case .class: return .placeholder("an instance of \(type ?? "a class")")
    case .enum:
      guard let name = `case`.map({ ".\($0.behindPoint)" }), `case`?.isName == true else {
        return .placeholder(`case` ?? "a case")
      }
      // The type of an error has to be told where any would do.
      if `case` == "failure", isOfAnyError, let error = children.first?.node.errorCode(style) {
        return .text(".failure(\(error))")
      }
      return children.isEmpty ? .text(name) : .group("\(name)(", arguments(style), ")")
    case .tuple: return .group("(", arguments(style), ")")
    case .collection, .set:
      return .group("[", children.map { (nil, $0.node.code(style)) }, "]")
    case .dictionary:
      let ids = children.map(\.name)
      if type?.hasPrefix("StackState<") == true || ids.contains(where: { $0.hasPrefix("#") }) {
        // The ids of a stack's elements cannot be chosen.
        guard ids == ids.indices.map({ "#\($0)" }) else { return .placeholder("a stack") }
        let elements = Code.group("[", children.map { (nil, $0.node.code(style)) }, "]")
        return children.isEmpty
          ? .text("StackState()") : .group("StackState(", [(nil, elements)], ")")
      }
      if children.isEmpty { return .text("[:]") }
      return .group(
        "[", children.map { (RecordedNode($0.name).code(style).inline, $0.node.code(style)) }, "]")
    }
  }

  /// The code of an alert, a dialog, or one of their buttons.
  private func alertCode(_ type: String, _ style: CodeStyle) -> Code? {
    func closure(_ texts: [RecordedNode?]) -> Code {
      .block(texts.compactMap(\.self).map { .group("TextState(", [(nil, $0.code(style))], ")") })
    }
    switch type.prefix(while: { $0 != "<" }) {
    case "AlertState", "ConfirmationDialogState":
      let name = String(type.prefix { $0 != "<" })
      var parts: [(label: String?, code: Code)] = []
      if let visibility = self["titleVisibility"], visibility.value != ".automatic" {
        parts.append(("titleVisibility", visibility.code(style)))
      }
      parts.append(("title", closure([self["title"]])))
      if let buttons = self["buttons"], !buttons.children.isEmpty {
        parts.append(("actions", .block(buttons.children.map { $0.node.code(style) })))
      }
      if let message = self["message"], message.value != "nil" {
        parts.append(("message", closure([message])))
      }
      return .group("\(name)(", parts, ")")
    case "ButtonState":
      var parts: [(label: String?, code: Code)] = []
      if let role = self["role"], role.value != "nil" { parts.append(("role", role.code(style))) }
      let action = self["action"]?["action"]
      let transaction = self["action"]?["transaction"]?.value ?? "untagged"
      if transaction != "untagged" {
        let animation: Code =
          transaction.isMemberCall ? .text(transaction) : .placeholder(transaction)
        let code = action?.code(style) ?? .text("nil")
        parts.append(("action", .group(".send(", [(nil, code), ("animation", animation)], ")")))
      } else if let action, action.value != "nil" {
        parts.append(("action", action.code(style)))
      }
      parts.append(("label", closure([self["label"]])))
      return .group("ButtonState(", parts, ")")
    default: return nil
    }
  }

  private func arguments(
    _ style: CodeStyle, where isTaken: (String) -> Bool = { _ in true }
  ) -> [(label: String?, code: Code)] {
    children.enumerated().filter { isTaken($0.element.name) }.map { index, child in
      // A redacted secret is named by its place.
      let code =
        child.node.isRedacted
        ? Code.placeholder("\(child.name), which was redacted")
        : child.node.code(style.preferringShared(child.name))
      guard child.name != "\(index)" else { return (nil, code) }
      return child.name.isName ? (child.name, code) : (nil, .placeholder(child.name))
    }
  }

  /// The code of a range that is open on one side.
  private func rangeCode(_ type: String, _ style: CodeStyle) -> Code? {
    guard children.count == 1, let bound = children.first?.node else { return nil }
    let code = bound.code(style).inline
    // A sign would be a part of the operator.
    let upper = code.hasPrefix("-") ? "(\(code))" : code
    return switch type.prefix(while: { $0 != "<" }) {
    case "PartialRangeFrom": .text("\(code)...")
    case "PartialRangeUpTo": .text("..<\(upper)")
    case "PartialRangeThrough": .text("...\(upper)")
    default: nil
    }
  }

  // MARK: Leaves

  private func leafCode(_ style: CodeStyle) -> Code {
    let text = value ?? ""
    if let date = style.dates[text] { return .text(date) }
    switch text {
    case "true", "false", "nil": return .text(text)
    case "inf": return .text(".infinity")
    case "-inf": return .text("-.infinity")
    case "nan": return .text(".nan")
    default: break
    }
    // A recording may come from anywhere: only what is a value, and nothing else, becomes code.
    if text.isCaseName {
      // An optional has such a case, too.
      let isOfOptional = type?.isTypeName == true && [".none", ".some"].contains(text)
      return .text("\(isOfOptional ? type ?? "" : "").\(String(text.dropFirst()).behindPoint)")
    }
    if text.isStringLiteral { return .text(text) }
    if text.isNumber {
      // The number in code goes through a `Double`.
      let isExact = type != "Decimal" || Int(text) != nil
      return .text(isExact ? text : "Decimal(string: \"\(text)\")!")
    }
    if text.contains(".."), let match = text.wholeMatch(of: /([^<]+?)(\.\.[.<])(.+)/),
      String(match.1).isNumber,
      String(match.3).isNumber
    {
      let upper = match.3.hasPrefix("-") ? "(\(match.3))" : "\(match.3)"
      return .text("\(match.1)\(match.2)\(upper)")
    }
    // The root of a key path follows from where it stands.
    if text.hasPrefix("\\"), text.wholeMatch(of: /\\[\w<>, ]+(?:\.\w+[?!]?)+/) != nil,
      let point = text.firstIndex(of: ".")
    {
      return .text("\\" + text[point...])
    }
    // The action of a binding: `.set(\State.name, "Blob")`.
    if text.hasPrefix(".set("),
      let match = text.wholeMatch(of: /\.set\((\\[\w<>, ]+(?:\.[\w$]+)+), (.+)\)/)
    {
      let path = RecordedNode(String(match.1)).code(style)
      let value = RecordedNode(String(match.2)).code(style)
      if path.isComplete, value.isComplete {
        return .group(".set(", [(nil, path), (nil, value)], ")")
      }
    }
    // The number of an element of a stack.
    if text.isStackID { return .text(String(text.dropFirst())) }
    if let uuid = UUID(uuidString: text) { return .text(code(of: uuid)) }
    if let date = Date(recorded: text) {
      return .text("Date(timeIntervalSince1970: \(number(date.timeIntervalSince1970)))")
    }
    if text.hasSuffix(" s"), !text.contains("e"), String(text.dropLast(2)).isNumber,
      let code = durationCode(text.dropLast(2))
    {
      return .text(code)
    }
    if text.contains("://"), let url = URL(string: text), url.scheme != nil {
      return .text("URL(string: \(text.debugDescription))!")
    }
    return .placeholder(text.isEmpty ? "a value" : text)
  }

  private func code(of uuid: UUID) -> String {
    let text = uuid.uuidString
    guard text.hasPrefix("00000000-0000-0000-0000-"), let number = Int(text.suffix(12), radix: 16)
    else { return "UUID(uuidString: \"\(text)\")!" }
    return "UUID(\(number))"
  }
}

extension String {
  // Texts are looked at for every value of a recording: a regular expression would be compiled for each.

  /// Whether the text is a number as it is written in code.
  fileprivate var isNumber: Bool {
    var rest = utf8[...]
    func takesDigits() -> Bool {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest[digits.endIndex...]
      return !digits.isEmpty
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard takesDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takesDigits() else { return false }
    }
    if rest.first == UInt8(ascii: "e") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takesDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// Whether the text is the name of a property or an argument.
  var isName: Bool {
    guard let first = unicodeScalars.first, first.canBeginName else { return false }
    return unicodeScalars.dropFirst().allSatisfy(\.canBeInName)
  }

  /// Whether the text is a case that carries nothing: `.idle`.
  var isCaseName: Bool { first == "." && String(dropFirst()).isName }

  /// Whether the text is the id of an element of a stack: `#3`.
  var isStackID: Bool {
    let digits = utf8.dropFirst()
    return utf8.first == UInt8(ascii: "#") && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Whether the text is the name of a type: `Array<Row.State>`.
  var isTypeName: Bool {
    guard let first = unicodeScalars.first, first.canBeginName else { return false }
    return unicodeScalars.dropFirst().allSatisfy {
      $0.canBeInName || ".<>?, ".unicodeScalars.contains($0)
    }
  }

  /// The name of a type without its arguments: `Picker<Item>.Row` of `Picker<Item>.Row<Int>`.
  fileprivate var withoutLastBrackets: Substring {
    guard hasSuffix(">") else { return self[...] }
    var depth = 0
    let start = indices.last { index in
      depth += self[index] == ">" ? 1 : self[index] == "<" ? -1 : 0
      return depth == 0
    }
    return self[..<(start ?? endIndex)]
  }

  /// Whether the text is a string as it is written in code, without values in it.
  var isStringLiteral: Bool {
    var rest = utf8[...]
    guard rest.popFirst() == UInt8(ascii: "\""), rest.popLast() == UInt8(ascii: "\"") else {
      return false
    }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return false
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return false }
        if "\"'\\nrt0".utf8.contains(escaped) { continue }
        guard escaped == UInt8(ascii: "u"), rest.popFirst() == UInt8(ascii: "{") else {
          return false
        }
        let digits = rest.prefix { "0123456789abcdefABCDEF".utf8.contains($0) }
        rest = rest[digits.endIndex...]
        guard (1...8).contains(digits.count), rest.popFirst() == UInt8(ascii: "}") else {
          return false
        }
      default: continue
      }
    }
    return true
  }

  /// Whether the text is a static member, or a call of one with numbers: `.spring(bounce: 0.4)`.
  var isMemberCall: Bool {
    isCaseName
      || wholeMatch(
        of: /\.\w+(?:\((?:\w+: )?[\w.\-]+(?:, (?:\w+: )?[\w.\-]+)*\))?(?:\.\w+\([\w:., \-]*\))*/)
        != nil
  }
}

extension Unicode.Scalar {
  /// Whether a name can begin with it.
  fileprivate var canBeginName: Bool {
    switch value {
    case 0x5f, 0x41...0x5a, 0x61...0x7a: true
    case ..<0x80: false
    default:
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
      default: false
      }
    }
  }

  /// Whether a name can go on with it.
  fileprivate var canBeInName: Bool {
    if canBeginName || (0x30...0x39).contains(value) { return true }
    guard value >= 0x80 else { return false }
    switch properties.generalCategory {
    case .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark: return true
    default: return false
    }
  }
}

/// A number as it is written: `3`, `0.25`.
func number(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
}

/// A length of time as code, by its seconds: `.milliseconds(300)` of `0.3`; `nil` where it is too long.
private func durationCode(_ text: Substring) -> String? {
  let parts = text.split(separator: ".")
  let digits = parts.count > 1 ? String(parts[1]) : ""
  let zeros = String(repeating: "0", count: max(0, 18 - digits.count))
  guard let seconds = Int64(parts[0]),
    let attoseconds = Int64((text.hasPrefix("-") ? "-" : "") + digits + zeros)
  else { return nil }
  let duration = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  // The units have whole numbers of nanoseconds, in 64 bits.
  let isWhole = attoseconds % 1_000_000_000 == 0 && seconds.magnitude < 9_000_000_000
  return isWhole || attoseconds == 0
    ? duration.code
    : "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
}
