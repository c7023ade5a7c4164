// The values of a field as states, and the actions that lead from one to another.

import RondoHistory
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
  /// The numbers of the states, from 1.
  private var numbers: [String: Int] = [:]
  private var starts: [String: Int] = [:]
  private var transitions: [Transition: Int] = [:]
  private var order: [Transition] = []
  private let unseen: [String]
  /// The other fields that could be drawn, in a line; empty where there is none, or one was asked for.
  private(set) var notes: [String] = []

  /// - Parameter field: The path of the field, with points, and a point for the state itself; `nil` for
  ///   the one that says the most.
  init(_ histories: [History], field: String?) throws(CommandFailure) {
    try Self.checkFeature(histories)
    recordings = histories.count
    let seen = Set(histories.flatMap { $0.actions.values.map(\.shortName) })
    var known: [String] = []
    for name in histories.flatMap({ $0.begin.actionCases ?? [] }) where !known.contains(name) {
      known.append(name)
    }
    unseen = known.filter { !seen.contains($0) }
    if let field {
      self.field = field.split(separator: ".").map(String.init)
    } else {
      let fields = Self.fields(histories)
      guard let best = fields.first(where: \.isChosenUnasked) else {
        throw Self.nothingSays(fields)
      }
      self.field = best.path
      let others = fields.dropFirst().filter { $0.kind == .cases && !$0.isInElement }
      if !others.isEmpty {
        let names = others.prefix(5).map { Self.name(ofField: $0.path).onOneLine }
        notes = [
          "The states are those of \(Self.name(ofField: best.path).onOneLine); --field also draws "
            + names.joined(separator: ", ") + (others.count > 5 ? ", …" : "") + "."
        ]
      }
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

  /// The failure where no field is worth to be drawn unasked. It names those that can be asked for.
  private static func nothingSays(_ fields: [Field]) -> CommandFailure {
    guard !fields.isEmpty else { return CommandFailure(.data, "no field of the state changes") }
    let whole = fields.filter { !$0.isInElement }
    let others = whole.isEmpty ? fields : whole
    let names = others.prefix(5).map { name(ofField: $0.path).onOneLine }
    return CommandFailure(
      .data,
      "no field has cases, or at most \(valueLimit) values; choose one by --field: "
        + names.joined(separator: ", ") + (others.count > 5 ? ", …" : ""))
  }

  /// The number of values up to which a field without cases is drawn unasked.
  private static let valueLimit = 20

  /// States and actions of two features would be mixed in one diagram, also where a field of one has the name
  /// of one of the other.
  private static func checkFeature(_ histories: [History]) throws(CommandFailure) {
    func types(_ history: History) -> String {
      "\(history.begin.stateType) and \(history.begin.actionType)"
    }
    guard let first = histories.first,
      let other = histories.first(where: { types($0) != types(first) })
    else { return }
    throw CommandFailure(
      .data,
      "a diagram is about one feature, and \(first.name) has \(types(first)), \(other.name) has "
        + "\(types(other)); name the recordings of one")
  }

  /// - Returns: Whether the field was there at some time.
  private mutating func add(_ history: History) -> Bool {
    var state = history.begin.state
    var current = Self.name(field, in: state)
    var isThere = state[field] != nil
    register(state: current)
    starts[current, default: 0] += 1
    for moment in history.moments {
      guard let commit = moment.commit else { continue }
      state = state.applying(commit.changes)
      isThere = isThere || state[field] != nil
      let next = Self.name(field, in: state)
      guard next != current else { continue }
      register(state: next)
      let action = moment.actions.map(\.casePath).joined(separator: " + ")
      let transition = Transition(from: current, action: action, to: next)
      if transitions[transition] == nil { order.append(transition) }
      transitions[transition, default: 0] += 1
      current = next
    }
    return isThere
  }

  /// Gives a state its number, unless it has one.
  private mutating func register(state: String) {
    guard numbers[state] == nil else { return }
    states.append(state)
    numbers[state] = states.count
  }

  /// The name of the value at a path: its case, without what it carries. A value inside of cases has their names
  /// in front, since what another case carries is another value: `.login › .idle`.
  private static func name(_ path: [String], in state: RecordedNode) -> String {
    var node = state
    var cases = ""
    for part in path {
      guard let child = node[part] else { return "(nothing)" }
      if let name = node.case { cases += ".\(name) › " }
      node = child
    }
    return cases + name(node)
  }

  private static func name(_ node: RecordedNode) -> String {
    if let name = node.case { return ".\(name)" }
    if node.kind == .collection || node.kind == .dictionary || node.kind == .set {
      return node.children.isEmpty ? "empty" : "some elements"
    }
    if node.kind != nil, let type = node.type { return type }
    return node.summary(limit: 60)
  }

  /// A field that could be drawn.
  private struct Field {
    enum Kind: Int { case cases, texts, numbers }

    var path: [String]
    var names: Set<String> = []
    var kind = Kind.texts
    /// Whether it belongs to an element of a list.
    var isInElement = false
    /// Whether it is a part of what a case carries.
    var isInCase = false

    /// Whether it is drawn where no field is asked for. A text with a value for every action says nothing, and
    /// neither does what one row of many has.
    var isChosenUnasked: Bool {
      kind == .cases || names.count <= StateDiagram.valueLimit && !isInElement
    }

    var rank: (Int, Int, Int, Int, Int, String) {
      (
        kind.rawValue, isInElement ? 1 : 0, isInCase ? 1 : 0, names.count, path.count,
        path.joined(separator: ".")
      )
    }
  }

  /// The fields whose values change, best first: those that change between the fewest names, cases of enums
  /// before all others.
  private static func fields(_ histories: [History]) -> [Field] {
    var fields: [[String]: Field] = [:]
    for history in histories {
      var state = history.begin.state
      for commit in history.moments.compactMap(\.commit) {
        let next = state.applying(commit.changes)
        for change in commit.changes {
          // An element that comes or goes is no field.
          guard let old = change.old, let new = change.new else { continue }
          var field = fields[change.path] ?? Field(path: change.path)
          field.names.formUnion([name(change.path, in: state), name(change.path, in: next)])
          let values = [name(old), name(new)]
          if values.contains(where: { $0.hasPrefix(".") }) {
            field.kind = .cases
          } else if field.kind == .texts, values.contains(where: { Double($0) != nil }) {
            field.kind = .numbers
          }
          var node = state
          for part in change.path {
            field.isInCase = field.isInCase || node.case != nil
            field.isInElement =
              field.isInElement || [.collection, .dictionary, .set].contains(node.kind)
            guard let child = node[part] else { break }
            node = child
          }
          fields[change.path] = field
        }
        state = next
      }
    }
    return fields.values
      .filter { $0.names.count > 1 && (!$0.path.isEmpty || $0.kind == .cases) }
      .sorted { $0.rank < $1.rank }
  }

  /// The name of a field as `--field` takes it.
  private static func name(ofField path: [String]) -> String {
    path.isEmpty ? "." : path.joined(separator: ".")
  }

  // MARK: Text

  func text(_ format: DiagramFormat) -> String {
    let title =
      "\(field.isEmpty ? "state" : field.joined(separator: ".")) in \(recordings) "
      + (recordings == 1 ? "recording" : "recordings")
    return format == .mermaid ? mermaid(title) : dot(title)
  }

  private func identifier(_ state: String) -> String {
    "s\(numbers[state] ?? 0)"
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
