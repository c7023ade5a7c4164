// The values of a field as states, and the actions that lead from one to another.

import RondoRecording

/// A diagram of the values that a field took in one or several recordings, with counts, and of the
/// actions that none of them has.
struct StateDiagram {
  private struct Transition: Hashable {
    var from: String
    var action: String
    var to: String
  }

  let field: [String]
  private let recordings: Int
  /// The states in the order in which they were first seen.
  private var states: [String] = []
  private var starts: [String: Int] = [:]
  private var transitions: [Transition: Int] = [:]
  private var order: [Transition] = []
  private let unseen: [String]

  /// - Parameter field: The path of the field, with points; `nil` for the one that says the most.
  init(_ histories: [History], field: String?) throws(CommandFailure) {
    recordings = histories.count
    let seen = Set(histories.flatMap { $0.actions.values.map(\.shortName) })
    var known: [String] = []
    for name in histories.flatMap({ $0.begin.actionCases ?? [] }) where !known.contains(name) {
      known.append(name)
    }
    unseen = known.filter { !seen.contains($0) }
    if let field {
      self.field = field.split(separator: ".").map(String.init)
    } else if let field = Self.bestField(histories) {
      self.field = field
    } else {
      throw CommandFailure(.data, "no field with names of its own changes; choose one by --field")
    }
    var isThere = false
    for history in histories {
      if history.begin.state[self.field] != nil { isThere = true }
      if add(history) { isThere = true }
    }
    guard isThere else {
      let names = histories[0].begin.state.children.map(\.name.onOneLine).joined(separator: ", ")
      throw CommandFailure(.data, "no state has the field '\(field ?? "")'; there are: \(names)")
    }
  }

  /// - Returns: Whether the field was there at some time.
  private mutating func add(_ history: History) -> Bool {
    var state = history.begin.state
    var current = Self.name(state[field])
    var isThere = state[field] != nil
    note(current)
    starts[current, default: 0] += 1
    for moment in history.moments {
      guard let commit = moment.commit else { continue }
      state = state.applying(commit.changes)
      let value = state[field]
      isThere = isThere || value != nil
      let next = Self.name(value)
      guard next != current else { continue }
      note(next)
      let action = moment.actions.map(\.shortName).joined(separator: " + ")
      let transition = Transition(from: current, action: action, to: next)
      if transitions[transition] == nil { order.append(transition) }
      transitions[transition, default: 0] += 1
      current = next
    }
    return isThere
  }

  private mutating func note(_ state: String) {
    if !states.contains(state) { states.append(state) }
  }

  /// The name of a value: its case, without what it carries.
  private static func name(_ node: RecordedNode?) -> String {
    guard let node else { return "(nothing)" }
    if let name = node.case { return ".\(name)" }
    if node.kind == .collection || node.kind == .dictionary || node.kind == .set {
      return node.children.isEmpty ? "empty" : "some elements"
    }
    if node.kind != nil, let type = node.type { return type }
    return node.summary(limit: 60)
  }

  /// The field that changes between the fewest names, cases of enums first.
  private static func bestField(_ histories: [History]) -> [String]? {
    var names: [[String]: Set<String>] = [:]
    for history in histories {
      for change in history.moments.compactMap(\.commit).flatMap(\.changes) {
        // An element that comes or goes is no field.
        guard change.old != nil, change.new != nil else { continue }
        names[change.path, default: []].formUnion([name(change.old), name(change.new)])
      }
    }
    func rank(_ field: ([String], Set<String>)) -> (Int, Int, Int, String) {
      let isEnum = field.1.contains { $0.hasPrefix(".") }
      let isNumber = field.1.contains { Double($0) != nil }
      return (
        isEnum ? 0 : isNumber ? 2 : 1, field.1.count, field.0.count, field.0.joined(separator: ".")
      )
    }
    return names.filter { $0.value.count > 1 && !$0.key.isEmpty }
      .map { ($0.key, $0.value) }
      .min { rank($0) < rank($1) }?.0
  }

  // MARK: Text

  func text(_ format: DiagramFormat) -> String {
    let title =
      "\(field.joined(separator: ".")) in \(recordings) "
      + (recordings == 1 ? "recording" : "recordings")
    return format == .mermaid ? mermaid(title) : dot(title)
  }

  private func identifier(_ state: String) -> String {
    "s\((states.firstIndex(of: state) ?? 0) + 1)"
  }

  private func label(_ transition: Transition, _ format: DiagramFormat) -> String {
    let count = transitions[transition] ?? 0
    return format.quoted(transition.action + (count > 1 ? " ×\(count)" : ""))
  }

  private func mermaid(_ title: String) -> String {
    let format = DiagramFormat.mermaid
    var lines = ["---", "title: \"\(format.quoted(title))\"", "---", "stateDiagram-v2"]
    lines += states.map { "  state \"\(format.quoted($0))\" as \(identifier($0))" }
    for state in states {
      guard let count = starts[state] else { continue }
      lines.append("  [*] --> \(identifier(state))\(count > 1 ? " : ×\(count)" : "")")
    }
    lines += order.map {
      "  \(identifier($0.from)) --> \(identifier($0.to)) : \(label($0, format))"
    }
    if !unseen.isEmpty {
      let names = format.quoted(unseen.joined(separator: ", "), limit: 2_000)
      lines.append("  state \"never sent: \(names)\" as unseen")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func dot(_ title: String) -> String {
    let format = DiagramFormat.dot
    var lines = [
      "digraph {", "  label=\(format.quoted(title)); labelloc=t; rankdir=LR;",
      "  node [shape=box, style=rounded, fontname=\"sans-serif\"];",
      "  edge [fontname=\"sans-serif\", fontsize=10];", "  start [shape=point];",
    ]
    lines += states.map { "  \(identifier($0)) [label=\(format.quoted($0))];" }
    for state in states {
      guard let count = starts[state] else { continue }
      lines.append("  start -> \(identifier(state))\(count > 1 ? " [label=\"×\(count)\"]" : "");")
    }
    lines += order.map {
      "  \(identifier($0.from)) -> \(identifier($0.to)) [label=\(label($0, format))];"
    }
    if !unseen.isEmpty {
      let names = format.quoted("never sent: \(unseen.joined(separator: ", "))", limit: 2_000)
      lines.append("  unseen [shape=note, label=\(names)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}
