// The effects that an action has started, put together as they ran.

import RondoRecording

/// The tree of the effects that one action has started:
/// `concatenate(load ⇒ logIn ⇒ merge(receive[.default](news), watch))`.
///
/// An arrow points to an effect that begins later: after the step before it in a concatenation, or with the answer that
/// it was made for. The parts of a `merge` run at the same time. An operator shows the tag of the answers of the effects
/// inside it, where they have one. A `.send` inside of another effect is left out.
package struct EffectTree {
  /// The number of effects beside each other, and that of effects inside each other, that are shown.
  private static let limit = 20

  /// A place in the tree: a step of a concatenation, or a part of an effect.
  private enum Place: Equatable {
    case step(of: Int, step: Int)
    case part(of: Int)
  }

  /// The tree in one line; empty where the action has started nothing.
  package var text: String { root.text }
  /// Whether more than one effect is in the tree.
  package private(set) var isComposed = false

  private let history: History
  private let tags: [Int: String]
  private let scope: String
  private var root = Node()

  /// Effects that stand together, or one of them.
  private struct Node {
    enum Kind {
      case effect, concatenation, merge
      /// Effects of which each was made for an answer of the one before.
      case chain
    }

    var kind = Kind.effect
    /// The effect, or the operator around the children.
    var effect: Int?
    var children: [Node] = []
    /// The number of equal ones.
    var count = 1
    var text = ""

    var counted: String { count > 1 ? "\(text) ×\(count)" : text }
  }

  private struct Item {
    var effect: Int
    var path: ArraySlice<Place>
  }

  /// - Parameters:
  ///   - action: The number of the action.
  ///   - tags: The names of the transactions of animated actions, by their numbers.
  ///   - scope: The part that the names of answers begin with, and that is left out.
  package init(_ history: History, action: Int, tags: [Int: String], scope: String = "") {
    self.history = history
    self.tags = tags
    self.scope = scope
    let starts = history.started(by: action)
    var paths: [Int: [Place]] = [:]
    var items: [Item] = []
    for start in starts {
      var path: [Place] = []
      var outer = 0
      if let parent = start.parent, let above = paths[parent] {
        path = above + [.part(of: parent)]
        outer = history.effects[parent]?.start.steps?.count ?? 0
      }
      path += (start.steps ?? []).dropFirst(outer).map { .step(of: $0.of, step: $0.step) }
      paths[start.effect] = path
      if start.kind != "send" || start.parent == nil {
        items.append(Item(effect: start.effect, path: path[...]))
      }
    }
    isComposed = items.count > 1
    root = level(items, depth: 0)
  }

  /// The tree of an action of a recording, for programs that tell of their own runs.
  package init(_ recording: RecordingFile, action: Int, scope: String) {
    let history = History(recording, name: "")
    self.init(history, action: action, tags: history.tags, scope: scope)
  }

  /// Effects at one place, with all that is inside of them.
  private func level(_ items: [Item], depth: Int) -> Node {
    guard depth < Self.limit else { return Node(text: "…") }
    var groups: [[Item]] = []
    var places: [Int: Int] = [:]
    for item in items {
      let key =
        switch item.path.first {
        // Effects and concatenations have numbers of their own.
        case .step(let of, _): -of
        case .part(let effect): effect
        case nil: item.effect
        }
      if let place = places[key] {
        groups[place].append(item)
      } else {
        places[key] = groups.count
        groups.append([item])
      }
    }
    // A group that an answer of another group has started stands behind that one.
    var owners: [Int: Int] = [:]
    for (index, group) in groups.enumerated() { for item in group { owners[item.effect] = index } }
    var next: [Int: [Int]] = [:]
    var first: [Int] = []
    for (index, group) in groups.enumerated() {
      if let starter = history.starter(of: group[0].effect), let owner = owners[starter],
        owner < index
      {
        next[owner, default: []].append(index)
      } else {
        first.append(index)
      }
    }
    func chain(_ index: Int, _ length: Int) -> Node {
      let node = node(of: groups[index], depth: depth)
      guard let after = next[index] else { return node }
      let rest =
        length < Self.limit ? merged(after.map { chain($0, length + 1) }) : Node(text: "…")
      return Node(
        kind: .chain, children: [node] + (rest.kind == .chain ? rest.children : [rest]),
        text: "\(node.text) ⇒ \(rest.text)")
    }
    return merged(first.map { chain($0, 0) })
  }

  private func merged(_ nodes: [Node]) -> Node {
    var counted: [Node] = []
    for node in nodes {
      if counted.last?.text == node.text {
        counted[counted.count - 1].count += 1
      } else {
        counted.append(node)
      }
    }
    var parts = Array(counted.prefix(Self.limit))
    if counted.count > Self.limit {
      parts.append(Node(text: "… \(counted.count - Self.limit) more"))
    }
    guard parts.count != 1 || parts[0].count > 1 else { return parts[0] }
    let texts = parts.map(\.counted).joined(separator: ", ")
    return Node(
      kind: .merge, children: parts, text: parts.count == 1 ? texts : "merge(\(texts))")
  }

  /// An effect with its parts, or a concatenation with its steps.
  private func node(of group: [Item], depth: Int) -> Node {
    let inner = group.map { Item(effect: $0.effect, path: $0.path.dropFirst()) }
    guard case .step(let of, _) = group[0].path.first else {
      let own = group.first { $0.path.isEmpty }?.effect
      let parts = zip(group, inner).filter { !$0.0.path.isEmpty }.map(\.1)
      guard let own else { return level(parts, depth: depth + 1) }
      return node(of: own, parts, depth: depth)
    }
    var steps: [(step: Int, items: [Item])] = []
    for (item, rest) in zip(group, inner) {
      guard case .step(of, let step) = item.path.first else { continue }
      if steps.last?.step == step {
        steps[steps.count - 1].items.append(rest)
      } else {
        steps.append((step, [rest]))
      }
    }
    var nodes = steps.prefix(Self.limit).map { level($0.items, depth: depth + 1) }
    if steps.count > Self.limit { nodes.append(Node(text: "…")) }
    guard nodes.count > 1 else { return nodes[0] }
    return Node(
      kind: .concatenation, children: nodes,
      text: "concatenate(\(nodes.map(\.text).joined(separator: " ⇒ ")))")
  }

  private func node(of effect: Int, _ parts: [Item], depth: Int) -> Node {
    let tag = tag(of: effect).map { "[\($0)]" } ?? ""
    guard let kind = history.effects[effect]?.start.kind, !history.shownParts(of: effect).isEmpty
    else {
      return Node(effect: effect, text: history.label(of: effect).onOneLine + tag)
    }
    let inside = level(parts, depth: depth + 1)
    return Node(effect: effect, children: [inside], text: "\(kind)\(tag)(\(inside.text))")
  }

  /// The tag of what an effect has sent, where there is one.
  private func tag(of effect: Int) -> String? {
    let sent = Set(history.actions(of: effect).compactMap { tags[$0.action] })
    return sent.count == 1 ? sent.first : nil
  }
}

// MARK: - A line for each

extension EffectTree {
  /// A line for an effect, or for what stands around some.
  package struct Line {
    /// The thing that it waits for, of the line before at its depth.
    enum Wait: String {
      case end = "then"
      case answer = "on answer"
    }

    /// The number of things that it stands in.
    package var depth: Int
    var wait: Wait?
    /// The name: of the effect, of its operator, `concatenate` or `merge`.
    package var name: String
    /// The effect; `nil` for a concatenation, and for a merge.
    var effect: Int?
    /// The number of equal ones.
    var count: Int
    /// The scheduler that the effect has worked on last.
    package var scheduler: String?
    /// The answers of the effect, one for all that are alike.
    package var answers: [Answer] = []
    /// Whether something was made for its answer.
    var isHeard = false
    /// The names of the effects that it waited for before it, or the first thing in it, began.
    package var waitsFor: [String] = []
    /// When it began and when it ended, in seconds; `nil` for `concatenate` and `merge`, and while it runs.
    package var start: Double?
    package var end: Double?
    /// The way in which it has ended: `finished`, `cancelled`, or `failed`, also where its answer is a failure.
    package var how: String?
  }

  /// Actions that an effect has answered with, alike but for what they carry.
  package struct Answer: Hashable {
    package var action: String
    package var hasFailed: Bool
    /// The name of the transaction; `nil` where the action is untagged.
    package var tag: String?
    /// The scheduler that they were received on, or else came from, where it has a name.
    package var scheduler: String?
    /// Whether something was asked to receive them there.
    package var isReceived = false
  }

  /// The tree, a line for each of its effects.
  package var lines: [Line] {
    var lines: [Line] = []
    add(root, depth: 0, nil, to: &lines)
    for index in lines.indices.reversed() {
      guard let number = lines[index].effect else {
        // It waits for what the first thing in it waits for.
        if index + 1 < lines.count { lines[index].waitsFor = lines[index + 1].waitsFor }
        continue
      }
      let effect = history.effects[number]
      lines[index].waitsFor = history.effects(before: number).map(history.label)
      (lines[index].start, lines[index].end) = (effect?.start.at, effect?.end?.at)
      lines[index].how = history.hasFailed(number) ? "failed" : effect?.end?.how.rawValue
    }
    return lines
  }

  private func add(_ node: Node, depth: Int, _ wait: Line.Wait?, to lines: inout [Line]) {
    func line(_ name: String, _ effect: Int? = nil) {
      lines.append(
        Line(
          depth: depth, wait: wait, name: name, effect: effect, count: node.count,
          scheduler: effect.flatMap(history.schedulerOfWork),
          answers: effect.map(answers) ?? []))
    }
    switch node.kind {
    case .chain:
      // Each effect stands inside of the one whose answer has started it.
      for (index, child) in node.children.enumerated() {
        let first = lines.count
        add(child, depth: depth + index, index > 0 ? .answer : wait, to: &lines)
        lines[first].isHeard = index < node.children.count - 1
      }
    case .concatenation:
      line("concatenate")
      for (index, child) in node.children.enumerated() {
        add(child, depth: depth + 1, index > 0 ? .end : nil, to: &lines)
      }
    case .merge:
      if node.children.count > 1 { line("merge") }
      for child in node.children {
        add(
          child, depth: node.children.count > 1 ? depth + 1 : depth,
          node.children.count > 1 ? nil : wait, to: &lines)
      }
    case .effect:
      guard let effect = node.effect else { return line(node.text) }
      guard !node.children.isEmpty else { return line(history.label(of: effect), effect) }
      let kind = history.effects[effect]?.start.kind ?? "effect"
      line(kind, effect)
      // The scheduler is said for each effect inside.
      lines[lines.count - 1].scheduler = nil
      // Each answer inside says where it was received, so a line for that says nothing more.
      let isSilent = kind == "receive" && node.count == 1 && lines[lines.count - 1].answers.isEmpty
      if isSilent { lines.removeLast() }
      for child in node.children {
        add(child, depth: isSilent ? depth : depth + 1, isSilent ? wait : nil, to: &lines)
      }
    }
  }

  /// The answers of an effect, each kind once.
  private func answers(of effect: Int) -> [Answer] {
    var answers: [Answer] = []
    for (action, origin) in history.answers(of: effect) {
      let answer = Answer(
        action: String(action.answerName.trimmingPrefix(scope)), hasFailed: action.isFailure,
        tag: tags[action.action],
        scheduler: origin?.scheduler, isReceived: origin?.isReceived == true)
      if !answers.contains(answer) { answers.append(answer) }
      if answers.count == Self.limit { break }
    }
    return answers
  }

  /// The lines as text, in columns: the names, indented, and the times; and behind them, in parts, the schedulers and tags.
  /// An arrow, or a cross for a failure, is an answer.
  package var table: [(start: String, rest: [String])] {
    var rows: [(name: String, time: String, rest: [String])] = []
    for line in lines {
      let indent = String(repeating: "  ", count: line.depth)
      let name =
        indent + (line.wait.map { "\($0.rawValue) " } ?? "") + line.name.onOneLine
        + (line.count > 1 ? " ×\(line.count)" : "")
      let effect = line.count > 1 ? nil : line.effect.flatMap { history.effects[$0] }
      rows.append((name, effect.map(Self.times) ?? "", rest(of: line, effect)))
      for answer in line.answers where line.count == 1 {
        let name = "\(indent)  \(answer.hasFailed ? "✗" : "→") \(answer.action.onOneLine)"
        let tag = answer.tag.map { "[\($0.onOneLine)]" } ?? "untagged"
        let word = answer.isReceived ? "on" : "from"
        let place = answer.scheduler.map { " \(word) \($0.onOneLine)" } ?? ""
        rows.append((name, "", [tag + place]))
      }
    }
    let names = min(44, rows.map(\.name.count).max() ?? 0)
    let times = rows.map(\.time.count).max() ?? 0
    return rows.map { name, time, rest in
      let start = "\(name.padded(to: names))  \(time.padded(to: times))"
      return rest.isEmpty ? (start.withoutSpacesAtItsEnd, []) : (start + "  ", rest)
    }
  }

  /// The scheduler that an effect worked on, and how it ended, where that is not as usual.
  private func rest(of line: Line, _ effect: History.Effect?) -> [String] {
    var parts = line.scheduler.map { ["works on \($0)"] } ?? []
    if let effect, history.hasFailed(effect.start.effect) { parts.append("failed") }
    if let effect, !line.isHeard, history.hasDroppedAnswer(effect.start.effect) {
      parts.append("its answer dropped")
    } else if parts.last != "failed", let end = effect?.end, end.how != .finished {
      parts.append("\(end.how)\(history.cause(of: end, namesAction: true))")
    }
    return parts.map(\.onOneLine)
  }

  /// When an effect ran: `0.102–0.330 s`.
  private static func times(_ effect: History.Effect) -> String {
    func spelled(_ seconds: Double) -> String { secondsText(seconds).dropSpaces }
    let start = spelled(effect.start.at)
    guard let end = effect.end.map({ spelled($0.at) }) else { return "\(start), goes on" }
    return end == start ? start : "\(start.dropLast(2))–\(end)"
  }
}

extension String {
  fileprivate var dropSpaces: String { String(drop { $0 == " " }) }
  fileprivate var withoutSpacesAtItsEnd: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}

extension History {
  /// The names of the transactions of animated commits, by their actions.
  package var tags: [Int: String] {
    Dictionary(
      moments.compactMap(\.commit).filter(\.transaction.tagged).flatMap { commit in
        commit.actions.map { ($0, commit.transaction.name) }
      }, uniquingKeysWith: { $1 })
  }

  /// The starts of all effects of an action, in order, with those that are parts of others.
  package func started(by action: Int) -> [RecordingLine.EffectStart] {
    (startsOfActions[action] ?? []).compactMap { effects[$0]?.start }
  }

  /// The effect that has started another one of the same action; not a `.send` inside of another effect, which is not
  /// shown, but what has started that.
  func starter(of effect: Int) -> Int? {
    var starter = effects[effect]?.start.after
    while let number = starter, let start = effects[number]?.start, start.kind == "send",
      start.parent != nil
    {
      guard let before = start.after, before < number else { return nil }
      starter = before
    }
    return starter
  }
}
