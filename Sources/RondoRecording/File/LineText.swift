// The lines of a recording as JSON, written directly.

import Foundation

/// A line as JSON with a newline behind it, with the bytes that a `JSONEncoder` would make of it, whose keys are sorted. It is
/// much faster than one: a line is written for everything that a store does.
package struct LineText {
  package private(set) var bytes: [UInt8] = []
  /// Whether something stands before the next key of the object.
  private var hasKey = false

  /// - Parameter data: The encoded state or action, in place of the data of the line.
  package init(_ line: RecordingLine, data: [UInt8]? = nil) {
    bytes.reserveCapacity(512 + (data?.count ?? 0))
    object { $0.add(line, data) }
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func add(_ line: RecordingLine, _ data: [UInt8]?) {
    switch line {
    case .begin(let line): add(line, data)
    case .action(let line):
      add("action", line.action)
      add("at", line.at)
      add("case", line.case)
      add("data", data, line.data)
      add("effect", line.effect)
      add("event", "action")
      add("name", line.name)
      add("value", line.value)
    case .commit(let line):
      add("actions", line.actions) { $0.write($1) }
      add("at", line.at)
      add("changes", line.changes) { $0.write($1) }
      add("commit", line.commit)
      add("digest", line.digest)
      add("event", "commit")
      key("transaction")
      write(line.transaction)
    case .effectStarted(let line):
      add("action", line.action)
      add("after", line.after)
      add("at", line.at)
      add("effect", line.effect)
      add("event", "effectStarted")
      add("ids", line.ids) { $0.write($1) }
      add("kind", line.kind)
      add("label", line.label)
      add("parent", line.parent)
      add("place", line.place)
      if let steps = line.steps {
        add("steps", steps) { text, step in
          text.object {
            $0.add("of", step.of)
            $0.add("step", step.step)
          }
        }
      }
    case .effectWaits(let line):
      add("at", line.at)
      add("effect", line.effect)
      add("event", "effectWaits")
      add("for", line.duration)
      add("on", line.on.rawValue)
      add("scheduler", line.scheduler)
      add("since", line.since)
      add("until", line.until)
    case .effectResumed(let line):
      add("at", line.at)
      add("effect", line.effect)
      add("event", "effectResumed")
      add("since", line.since)
    case .emission(let line):
      add("action", line.action)
      add("at", line.at)
      add("effect", line.effect)
      add("event", "emission")
      add("failed", line.failed)
    case .effectEnded(let line):
      add("at", line.at)
      if let cause = line.by {
        key("by")
        write(cause)
      }
      add("effect", line.effect)
      add("event", "effectEnded")
      add("how", line.how.rawValue)
    case .drawn(let line):
      add("at", line.at)
      add("date", line.date)
      add("effect", line.effect)
      add("endpoint", line.endpoint)
      add("event", "drawn")
      add("number", line.number)
      add("reduced", line.reduced)
      add("uuid", line.uuid)
    case .issue(let line):
      add("at", line.at)
      add("event", "issue")
      add("message", line.message)
      add("place", line.place)
    case .frame(let line):
      add("at", line.at)
      add("cells", line.cells) { $0.write($1) }
      add("columns", line.columns)
      add("event", "frame")
      add("rows", line.rows)
    case .advance(let line):
      add("at", line.at)
      add("by", line.by)
      add("event", "advance")
    case .receive(let line):
      add("action", line.action)
      add("at", line.at)
      add("event", "receive")
    case .tool(let line):
      add("action", line.action)
      add("at", line.at)
      add("commit", line.commit)
      add("did", line.did.rawValue)
      add("effect", line.effect)
      add("event", "tool")
      add("rate", line.rate)
    case .end(let line):
      add("at", line.at)
      add("event", "end")
      add("events", line.events)
    case .unknown(let event):
      add("event", event)
    }
  }

  private mutating func add(_ line: RecordingLine.Begin, _ data: [UInt8]?) {
    if let cases = line.actionCases { add("actionCases", cases) { $0.write($1) } }
    add("actionIsEquatable", line.actionIsEquatable)
    add("actionType", line.actionType)
    add("control", line.control)
    add("data", data, line.data)
    add("date", line.date)
    add("feature", line.feature)
    add("host", line.host)
    add("place", line.place)
    add("recording", line.recording)
    add("state", line.state)
    add("stateIsCasePathable", line.stateIsCasePathable)
    add("stateIsEquatable", line.stateIsEquatable)
    add("stateType", line.stateType)
  }

  // MARK: Parts

  private mutating func write(_ node: RecordedNode) {
    object { text in
      text.add("case", node.case)
      if !node.isCasePathable { text.add("casePathable", false) }
      if node.kind != nil {
        text.add("children", node.children) { text, child in
          text.bytes.append(UInt8(ascii: "["))
          text.write(child.name)
          text.bytes.append(UInt8(ascii: ","))
          text.write(child.node)
          text.bytes.append(UInt8(ascii: "]"))
        }
      }
      if !node.isEquatable { text.add("equatable", false) }
      if node.isKeyed { text.add("keyed", true) }
      text.add("kind", node.kind?.rawValue)
      if node.isOptional { text.add("optional", true) }
      if node.isReader { text.add("reader", true) }
      if node.isRedacted { text.add("redacted", true) }
      if node.isShared { text.add("shared", true) }
      text.add("type", node.type)
      text.add("value", node.value)
    }
  }

  private mutating func write(_ change: RecordedChange) {
    object { text in
      text.add("index", change.index)
      text.add("new", change.new)
      text.add("old", change.old)
      text.add("path", change.path) { $0.write($1) }
    }
  }

  private mutating func write(_ transaction: RecordedTransaction) {
    object { text in
      if let animation = transaction.animation {
        text.key("animation")
        text.object { text in
          text.add("curve", animation.curve)
          text.add("duration", animation.duration)
          text.add("samples", animation.samples) { $0.write($1) }
        }
      }
      text.add("name", transaction.name)
      text.add("tagged", transaction.tagged)
    }
  }

  private mutating func write(_ cause: RecordedCause) {
    switch cause {
    case .host: write("host")
    case .task: write("task")
    case .action(let action): object { $0.add("action", action) }
    case .effect(let effect): object { $0.add("effect", effect) }
    case .scope(let action):
      object {
        $0.add("action", action)
        $0.add("scope", true)
      }
    }
  }

  private mutating func write(_ run: RecordingLine.Frame.Run) {
    object { text in
      text.add("background", run.background)
      text.add("column", run.column)
      text.add("foreground", run.foreground)
      text.add("row", run.row)
      text.add("text", run.text)
      text.add("wide", run.isWide)
    }
  }

  // MARK: JSON

  private mutating func object(_ members: (inout Self) -> Void) {
    let outer = hasKey
    hasKey = false
    bytes.append(UInt8(ascii: "{"))
    members(&self)
    bytes.append(UInt8(ascii: "}"))
    hasKey = outer
  }

  /// Writes a key, which needs no escapes.
  private mutating func key(_ name: StaticString) {
    if hasKey { bytes.append(UInt8(ascii: ",")) }
    hasKey = true
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func add(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    write(value)
  }

  private mutating func add(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    write(value)
  }

  private mutating func add(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    write(value)
  }

  private mutating func add(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  private mutating func add(_ name: StaticString, _ value: RecordedNode?) {
    guard let value else { return }
    key(name)
    write(value)
  }

  private mutating func add<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout Self, Element) -> Void
  ) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func add(_ name: StaticString, _ data: [UInt8]?, _ value: RecordedData?) {
    guard let data = data ?? value.flatMap({ try? Array(RecordingCoder.encoder.encode($0)) })
    else { return }
    key(name)
    bytes.append(contentsOf: data)
  }

  private mutating func write(_ number: Int) {
    guard number < 0 || number > 9 else {
      return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
    }
    bytes.append(contentsOf: number.description.utf8)
  }

  private mutating func write(_ number: Double) {
    guard number.isFinite else {
      return write(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
    }
    let text = number.description
    bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
  }

  private mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      guard utf8.contains(where: Self.isEscaped) else {
        return bytes.append(contentsOf: utf8)
      }
      for byte in utf8 { append(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Writes a byte of a text.
  private mutating func append(_ byte: UInt8) {
    guard Self.isEscaped(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
