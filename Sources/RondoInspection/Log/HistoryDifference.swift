// The comparison of two recordings.

import Foundation
import RondoHistory
import RondoRecording

/// The commits in which two recordings differ. Times do not count, and neither do identifiers and dates
/// that each of them has made anew.
struct HistoryDifference {
  let text: String
  let isEmpty: Bool

  /// The number of equal commits that are shown around a difference.
  private static let context = 2

  /// A line of the comparison: `-` and `+` mark the commits of one recording, `!` a difference in words.
  private typealias Entry = (mark: Character, line: CommitLog.Line)

  init(_ first: History, _ second: History) {
    if let difference = Self.otherFeature(first, second) {
      text = difference
      isEmpty = false
      return
    }
    let entries = Self.entries(first, second)
    isEmpty = entries.allSatisfy { $0.mark == " " }
    let notes = [first, second].flatMap { history in
      history.notes.map { "note: \(history.name): \($0)".onOneLine + "\n" }
    }.joined()
    text =
      (isEmpty
        ? Self.agreement(first, second)
        : Self.header(first, second, entries) + Self.shown(entries)) + notes
  }

  // MARK: Entries

  /// One of the two recordings, with the names of what it has made anew.
  private struct Side {
    let history: History
    let moments: [History.Moment]
    let lines: [CommitLog.Line]
    var names: NewNames

    /// - Parameter same: The identifiers that are the same in both recordings.
    init(_ history: History, same: Set<String>) {
      self.history = history
      moments = history.moments
      lines = CommitLog(history).lines
      names = NewNames(history, same: same)
    }

    /// Everything in each commit but its time.
    mutating func contents() -> [[String]] { moments.map { names.content(of: $0) } }

    /// The line of a commit.
    mutating func line(at index: Int) -> String {
      names.renamed(lines[index].content, moments[index].at)
    }

    /// Everything that the line of a commit may have left out.
    mutating func tree(at index: Int) -> RecordedNode {
      names.renamed(HistoryDifference.tree(moments[index], history), moments[index].at)
    }

    mutating func issues() -> [(text: String, issue: RecordingLine.Issue)] {
      history.issues.map { (names.renamed($0.message, $0.at), $0) }
    }
  }

  /// The lines of the comparison, with the commits that are equal. Names are given in their order.
  private static func entries(_ first: History, _ second: History) -> [Entry] {
    let same = Set(first.begin.state.madeTexts).intersection(second.begin.state.madeTexts)
    var (old, new) = (Side(first, same: same), Side(second, same: same))
    var entries = initialEntries(&old, &new)
    entries += commitEntries(&old, &new)
    return entries + otherIssues(old.issues(), new.issues())
  }

  /// The differences between the initial states.
  private static func initialEntries(_ old: inout Side, _ new: inout Side) -> [Entry] {
    let states = (
      old.names.renamed(old.history.begin.state, 0), new.names.renamed(new.history.begin.state, 0)
    )
    return changes(states.0, states.1).prefix(20).map { change in
      let line = CommitLog.Line(
        time: 0, actions: "initial state", transaction: "", changes: change.summary)
      return ("!", line)
    }
  }

  /// The differences of two values but for their marks, which an older recording does not have.
  private static func changes(_ old: RecordedNode, _ new: RecordedNode) -> [IdentifiedChange] {
    old.identifiedChanges(to: new).filter { $0.old?.digest != $0.new?.digest }
  }

  /// The commits of both recordings, those that were removed before those that stand in their place.
  private static func commitEntries(_ old: inout Side, _ new: inout Side) -> [Entry] {
    // Numbers are compared faster than texts, and each commit is compared with thousands.
    var numbers: [[String]: Int] = [:]
    func numbered(_ contents: [[String]]) -> [Int] {
      contents.map { content in
        let number = numbers[content] ?? numbers.count
        numbers[content] = number
        return number
      }
    }
    let (removed, inserted) = RondoRecording.changes(
      from: numbered(old.contents()), to: numbered(new.contents()), atMost: 4_000, by: ==)
    var entries: [Entry] = []
    var position = 0
    // The first of the removed commits that no inserted one stands beside yet.
    var replaced = 0
    for (index, line) in new.lines.enumerated() {
      if removed.contains(position) { replaced = position }
      while removed.contains(position) {
        entries.append(("-", old.lines[position]))
        position += 1
      }
      guard inserted.contains(index) else {
        entries.append((" ", line))
        position += 1
        continue
      }
      entries.append(("+", line))
      if replaced < position, removed.contains(replaced) {
        entries += leftOut(&old, replaced, &new, index)
        replaced += 1
      }
    }
    return entries + old.lines[min(position, old.lines.count)...].map { ("-", $0) }
  }

  /// The differences between two commits that look the same in their lines.
  private static func leftOut(
    _ old: inout Side, _ position: Int, _ new: inout Side, _ index: Int
  ) -> [Entry] {
    guard old.line(at: position) == new.line(at: index) else { return [] }
    return shortened(old.tree(at: position), new.tree(at: index)).map { ("!", $0) }
  }

  // MARK: Text

  /// The line for two recordings that agree.
  private static func agreement(_ first: History, _ second: History) -> String {
    let names = "\(first.name.onOneLine) and \(second.name.onOneLine)"
    let count = first.moments.count
    return count == 0
      ? "\(names) agree, and have no commits.\n" : "\(names) agree in \(commits(count)).\n"
  }

  /// The names of two recordings that differ, and how far they agree.
  private static func header(_ first: History, _ second: History, _ entries: [Entry]) -> String {
    let names =
      "--- \(first.name.onOneLine): \(commits(first.moments.count))\n"
      + "+++ \(second.name.onOneLine): \(commits(second.moments.count))\n"
    return switch entries.prefix(while: { $0.mark == " " }).count {
    case 0: names + "They differ from the beginning.\n"
    case 1: names + "They agree in the first commit.\n"
    case let agreed: names + "They agree in the first \(agreed) commits.\n"
    }
  }

  /// The differences with the equal commits around them.
  private static func shown(_ entries: [Entry]) -> String {
    var text = ""
    var shown = -1
    for (index, entry) in entries.enumerated() {
      let near = max(0, index - context)...min(entries.count - 1, index + context)
      guard near.contains(where: { entries[$0].mark != " " }) else { continue }
      if index != shown + 1 { text += "…\n" }
      shown = index
      let time = entry.mark == "!" ? "           " : secondsText(entry.line.time)
      text += "\(entry.mark) \(time)  \(entry.line.content)\n"
    }
    return text
  }

  private static func commits(_ count: Int) -> String {
    count == 1 ? "1 commit" : "\(count) commits"
  }

  /// Everything that two commits which look the same in their lines may differ in.
  private static func tree(_ moment: History.Moment, _ history: History) -> RecordedNode {
    let actions = moment.actions.map { RecordedNode.Child($0.shortName, $0.value) }
    let changes = moment.changes.flatMap { change in
      [("before", change.old), ("after", change.new)].compactMap { name, node in
        node.map { RecordedNode.Child("\(change.place) \(name)", $0) }
      }
    }
    let effects = history.effects(in: moment).sorted().enumerated().map { index, text in
      RecordedNode.Child("\(index)", RecordedNode(text.debugDescription))
    }
    return RecordedNode(
      kind: .tuple,
      children: actions + changes
        + [RecordedNode.Child("effects", RecordedNode(kind: .collection, children: effects))])
  }

  /// The lines for the differences between two commits that look the same when they are shortened.
  private static func shortened(_ old: RecordedNode, _ new: RecordedNode) -> [CommitLog.Line] {
    changes(old, new).prefix(3).map { change in
      let (old, new) = excerpts(change.old, change.new)
      return CommitLog.Line(
        time: 0, actions: "what is left out above", transaction: "",
        changes: "\(change.place.onOneLine): \(old.onOneLine) → \(new.onOneLine)")
    }
  }

  /// The issues that only one of two recordings has. Their order does not count: those of effects come
  /// when they come.
  private static func otherIssues(
    _ old: [(text: String, issue: RecordingLine.Issue)],
    _ new: [(text: String, issue: RecordingLine.Issue)]
  ) -> [Entry] {
    func rest(
      _ issues: [(text: String, issue: RecordingLine.Issue)],
      without others: [(text: String, issue: RecordingLine.Issue)], _ mark: Character
    ) -> [Entry] {
      var counts = Dictionary(others.map { ($0.text, 1) }, uniquingKeysWith: +)
      return issues.compactMap { text, issue in
        guard let count = counts[text], count > 0 else { return (mark, CommitLog.Line(issue)) }
        counts[text] = count - 1
        return nil
      }
    }
    return rest(old, without: new, "-") + rest(new, without: old, "+")
  }

  /// Two values in a few words, from a little before the place where they differ.
  private static func excerpts(_ old: RecordedNode?, _ new: RecordedNode?) -> (String, String) {
    guard let before = old?.value?.unicodeScalars, let after = new?.value?.unicodeScalars else {
      return (old?.summary(limit: 60) ?? "nothing", new?.summary(limit: 60) ?? "nothing")
    }
    let start = max(0, zip(before, after).prefix { $0 == $1 }.count - 10)
    func excerpt(_ text: String.UnicodeScalarView) -> String {
      let rest = text.dropFirst(start)
      let isWhole = rest.dropFirst(50).isEmpty
      return (start > 0 ? "…" : "") + String(rest.prefix(50)) + (isWhole ? "" : "…")
    }
    return (excerpt(before), excerpt(after))
  }

  /// The text for recordings that are not of one feature, whose commits say nothing about each other.
  private static func otherFeature(_ first: History, _ second: History) -> String? {
    let types = [first, second].map { history in
      (
        history,
        "\(history.begin.feature), with \(history.begin.stateType) and \(history.begin.actionType)"
      )
    }
    guard types[0].1 != types[1].1 else { return nil }
    return types.map { "\($0.name.onOneLine) is a recording of \($1.onOneLine)\n" }.joined()
      + "They are of different features, so their commits were not compared.\n"
  }
}

/// The identifiers and dates that a program makes anew in every run, each with a name by the order of
/// their first use.
private struct NewNames {
  private let history: History
  /// The names of identifiers and dates; one that is the same in every run is its own name.
  private var names: [String: String] = [:]
  private var count = 0
  /// The order in which the dependency `uuid` has given the identifiers.
  private let draws: [String: Int]

  /// - Parameter same: The identifiers that are the same in both recordings.
  init(_ history: History, same: Set<String>) {
    self.history = history
    draws = history.numbersOfIdentifiers
    for text in same { names[text] = text }
  }

  /// Everything in a commit but its time, whole, with names in place of what was made anew.
  mutating func content(of moment: History.Moment) -> [String] {
    // A value that a user's action brings was not made by the feature.
    for action in moment.actions where action.effect == nil {
      for text in action.value.madeTexts where names[text] == nil { names[text] = text }
    }
    var parts = moment.actions.map { renamed($0.value, moment.at).digest }
    parts.append(moment.commit?.transaction.name ?? "(the commit is missing)")
    parts += inOrder(moment.changes, moment.at) { $0.tree }
      .map { renamed($0.tree, moment.at).digest }.sorted()
    parts += inOrder(history.effects(in: moment), moment.at) { RecordedNode($0) }
      .map { renamed($0, moment.at) }.sorted()
    return parts
  }

  /// A value with names in place of what was made anew.
  ///
  /// - Parameter time: The time of the value, in which a date may be the present.
  mutating func renamed(_ node: RecordedNode, _ time: Double) -> RecordedNode {
    var node = node
    if let value = node.value { node.value = renamed(value, time) }
    // The order of keys and elements is that of their texts, which are new in every run.
    let isSorted = node.kind == .dictionary || node.kind == .set
    if isSorted {
      node.children = inOrder(node.children, time) {
        RecordedNode(
          kind: .tuple, children: [.init("0", RecordedNode($0.name)), .init("1", $0.node)])
      }
    }
    for index in node.children.indices {
      if isSorted { node.children[index].name = renamed(node.children[index].name, time) }
      node.children[index].node = renamed(node.children[index].node, time)
    }
    if isSorted {
      node.children = node.children.map { ($0, $0.name + $0.node.digest) }
        .sorted { $0.1 < $1.1 }.map(\.0)
    }
    return node
  }

  /// A text with names in place of what was made anew.
  mutating func renamed(_ text: String, _ time: Double) -> String {
    guard isNew(text, time) == nil else { return name(of: text) }
    return text.replacingIdentifiers { name(of: $0) }
  }

  private mutating func name(of text: String) -> String {
    if let name = names[text] { return name }
    count += 1
    names[text] = "<\(count)>"
    return "<\(count)>"
  }

  /// The date that a text is, if it has a name, or is the present, and so is made anew.
  private func isNew(_ text: String, _ time: Double) -> Date? {
    guard let date = Date(recorded: text) else { return nil }
    let isPresent = abs(date.timeIntervalSince1970 - history.begin.date - time) <= 1
    return names[text] != nil || isPresent ? date : nil
  }

  // MARK: Order

  /// Puts values in an order that is the same in every run, where something in them has no name yet: by
  /// what is not new in them, and then as the dependency `uuid` has given what is.
  private func inOrder<Value>(
    _ values: [Value], _ time: Double, _ tree: (Value) -> RecordedNode
  ) -> [Value] {
    let keys = values.map { value -> (look: String, draw: Int)? in
      let tree = tree(value)
      let new = tree.madeTexts.filter { names[$0] == nil }
      guard !new.isEmpty else { return nil }
      return (masked(tree, time).digest, new.compactMap { draws[$0] }.min() ?? 0)
    }
    guard keys.contains(where: { $0 != nil }) else { return values }
    return zip(values, keys).enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element.1, rhs.element.1)
      return (left?.look ?? "", left?.draw ?? 0, lhs.offset)
        < (right?.look ?? "", right?.draw ?? 0, rhs.offset)
    }.map(\.element.0)
  }

  /// A value in which everything without a name looks the same.
  private func masked(_ node: RecordedNode, _ time: Double) -> RecordedNode {
    func masked(_ text: String) -> String {
      if isNew(text, time) != nil { return names[text] ?? "<>" }
      return text.replacingIdentifiers { names[$0] ?? "<>" }
    }
    var node = node
    node.value = node.value.map(masked)
    for index in node.children.indices {
      node.children[index].name = masked(node.children[index].name)
      node.children[index].node = self.masked(node.children[index].node, time)
    }
    if node.kind == .dictionary || node.kind == .set {
      node.children = node.children.map { ($0, $0.name + $0.node.digest) }
        .sorted { $0.1 < $1.1 }.map(\.0)
    }
    return node
  }
}

extension IdentifiedChange {
  /// The change as one value.
  fileprivate var tree: RecordedNode {
    let parts = [("place", RecordedNode(place)), ("before", old), ("after", new)]
    return RecordedNode(
      kind: .tuple, children: parts.compactMap { name, node in node.map { .init(name, $0) } })
  }
}

extension History {
  /// The effects that the actions of a moment have started, each in a few words: its name, its
  /// cancellation ids, and whether it was cancelled or has failed.
  ///
  /// Whether an effect has finished by the end of a recording is chance.
  fileprivate func effects(in moment: Moment) -> [String] {
    moment.actions.flatMap { started(by: $0.action) }
      .filter { $0.kind != "send" || $0.parent == nil }.map { start in
        var name = ([start.label.isEmpty ? start.kind : start.label] + start.ids).joined(
          separator: " ")
        if let outer = start.parent.flatMap({ effects[$0]?.start }) {
          name = "\(outer.kind)(\(name))"
        }
        guard let end = effects[start.effect]?.end, end.how != .finished, end.by != .host else {
          return name
        }
        let action: Int? =
          switch end.by {
          case .action(let action), .scope(let action): action
          default: nil
          }
        let cause = cause(of: end, namesAction: false)
        return "\(name), \(end.how)\(cause)"
          + (action.map { " by \(actions[$0]?.shortName ?? "action \($0)")" } ?? "")
      }
  }
}
