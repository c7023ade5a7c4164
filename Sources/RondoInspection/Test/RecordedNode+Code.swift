// A printed value as the Swift code that makes it.

import Foundation
import RondoRecording
import RondoScheduling

extension RecordedNode {
  /// The code that makes an equal value, with placeholders for what no code can be written for.
  var code: Code {
    if isRedacted { return .placeholder("a value that was redacted") }
    switch kind {
    case nil: return leafCode
    case .struct: return .group("\(type ?? "")(", arguments, ")")
    case .class: return .placeholder("an instance of \(type ?? "a class")")
    case .enum:
      let name = ".\(`case` ?? "")"
      return children.isEmpty ? .text(name) : .group("\(name)(", arguments, ")")
    case .tuple: return .group("(", arguments, ")")
    case .collection, .set: return .group("[", children.map { (nil, $0.node.code) }, "]")
    case .dictionary:
      if children.isEmpty { return .text("[:]") }
      return .group(
        "[", children.map { (RecordedNode($0.name).code.inline, $0.node.code) }, "]")
    }
  }

  private var arguments: [(label: String?, code: Code)] {
    children.enumerated().map { index, child in
      // A redacted secret is named by its place.
      let code =
        child.node.isRedacted ? Code.placeholder("\(child.name), which was redacted") : child.node.code
      return (child.name == "\(index)" ? nil : child.name, code)
    }
  }

  // MARK: Leaves

  private var leafCode: Code {
    let text = value ?? ""
    switch text {
    case "true", "false", "nil": return .text(text)
    case "inf": return .text(".infinity")
    case "-inf": return .text("-.infinity")
    case "nan": return .text(".nan")
    default: break
    }
    // A string, and a case that carries nothing.
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { return .text(text) }
    if text.wholeMatch(of: /\.[\p{L}_][\p{L}\p{N}_]*/) != nil { return .text(text) }
    if text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?/) != nil { return .text(text) }
    // The root of a key path follows from where it stands.
    if text.hasPrefix("\\"), let point = text.firstIndex(of: ".") {
      return .text("\\" + text[point...])
    }
    // The number of an element of a stack.
    if let match = text.wholeMatch(of: /#([0-9]+)/) { return .text(String(match.1)) }
    if let uuid = UUID(uuidString: text) { return .text(code(of: uuid)) }
    if let match = text.wholeMatch(of: /Date\((.+)\)/), let date = date(match.1) {
      return .text("Date(timeIntervalSince1970: \(number(date.timeIntervalSince1970)))")
    }
    if let match = text.wholeMatch(of: /(-?[0-9]+(?:\.[0-9]+)?) s/), let seconds = Double(match.1) {
      return .text(durationCode(seconds: seconds))
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

  private func date(_ text: Substring) -> Date? {
    try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(String(text))
  }
}

/// A number as it is written: `3`, `0.25`.
func number(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
}

/// A length of time as code: `.milliseconds(300)`.
func durationCode(seconds: Double) -> String {
  Duration.nanoseconds(Int64((min(abs(seconds), 9e9) * (seconds < 0 ? -1e9 : 1e9)).rounded())).code
}
