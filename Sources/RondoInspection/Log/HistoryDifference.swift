// The comparison of two recordings.

import Foundation
import RondoRecording

/// The commits in which two recordings differ. Times do not count, and neither do identifiers and dates
/// that each of them has made anew.
struct HistoryDifference {
  let text: String
  let isEmpty: Bool

  /// The number of equal commits that are shown around a difference.
  private static let context = 2

  init(_ first: History, _ second: History) {
    if let difference = Self.otherFeature(first, second) {
      text = difference
      isEmpty = false
      return
    }
    let old = CommitLog(first).lines
    let new = CommitLog(second).lines
    let (oldMoments, newMoments) = (first.moments, second.moments)
    var entries: [(mark: Character, line: CommitLog.Line)] = []
    if first.begin.state != second.begin.state {
      let changes = first.begin.state.identifiedChanges(to: second.begin.state).map(\.summary)
      for text in changes.prefix(20) {
        entries.append(
          ("!", CommitLog.Line(time: 0, actions: "initial state", transaction: "", changes: text)))
      }
    }
    var (oldNames, newNames) = (NewNames(first), NewNames(second))
    let (removed, inserted) = Self.changes(
      from: oldMoments.map { oldNames.content(of: $0) },
      to: newMoments.map { newNames.content(of: $0) })
    var position = 0
    // The first of the removed commits that no inserted one stands beside yet.
    var replaced = 0
    for (index, line) in new.enumerated() {
      if removed.contains(position) { replaced = position }
      while removed.contains(position) {
        entries.append(("-", old[position]))
        position += 1
      }
      if inserted.contains(index) {
        entries.append(("+", line))
        if replaced < position, removed.contains(replaced) {
          if old[replaced].content == line.content {
            entries += Self.shortened(oldMoments[replaced], newMoments[index]).map { ("!", $0) }
          }
          replaced += 1
        }
      } else {
        entries.append((" ", line))
        position += 1
      }
    }
    while position < old.count {
      entries.append(("-", old[position]))
      position += 1
    }

    isEmpty = entries.allSatisfy { $0.mark == " " }
    let names = "\(first.name.onOneLine) and \(second.name.onOneLine)"
    let notes = [first, second].flatMap { history in
      history.notes.map { "note: \(history.name): \($0)".onOneLine + "\n" }
    }.joined()
    guard !isEmpty else {
      text = "\(names) agree in \(old.count) commits.\n" + notes
      return
    }
    let agreed = entries.prefix { $0.mark == " " }.count
    var text = "--- \(first.name.onOneLine): \(old.count) commits\n"
    text += "+++ \(second.name.onOneLine): \(new.count) commits\n"
    text += "They agree in the first \(agreed).\n"
    var shown = -1
    for (index, entry) in entries.enumerated() {
      let near = max(0, index - Self.context)...min(entries.count - 1, index + Self.context)
      guard near.contains(where: { entries[$0].mark != " " }) else { continue }
      if index != shown + 1 { text += "…\n" }
      shown = index
      let time = entry.mark == "!" ? "           " : secondsText(entry.line.time)
      text += "\(entry.mark) \(time)  \(entry.line.content)\n"
    }
    self.text = text + notes
  }

  /// The lines for the differences between two commits that look the same when they are shortened.
  private static func shortened(
    _ old: History.Moment, _ new: History.Moment
  ) -> [CommitLog.Line] {
    func tree(_ moment: History.Moment) -> RecordedNode {
      let actions = moment.actions.map { RecordedNode.Child($0.shortName, $0.value) }
      let changes = moment.changes.flatMap { change in
        [("before", change.old), ("after", change.new)].compactMap { name, node in
          node.map { RecordedNode.Child("\(change.place) \(name)", $0) }
        }
      }
      return RecordedNode(kind: .tuple, children: actions + changes)
    }
    return tree(old).identifiedChanges(to: tree(new)).prefix(3).map { change in
      let (old, new) = excerpts(change.old, change.new)
      return CommitLog.Line(
        time: 0, actions: "what is left out above", transaction: "",
        changes: "\(change.place.onOneLine): \(old.onOneLine) → \(new.onOneLine)")
    }
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

  /// The positions of what was removed and inserted.
  ///
  /// The shortest difference takes time and memory in the square of the number of differences. Where
  /// that is too much, the lines between the equal ones at both ends count as replaced.
  private static func changes(
    from old: [[String]], to new: [[String]]
  ) -> (removed: Set<Int>, inserted: Set<Int>) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let oldRest = old[start...]
    let newRest = new[start...]
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let oldMiddle = oldRest.dropLast(end)
    let newMiddle = newRest.dropLast(end)
    guard oldMiddle.count + newMiddle.count <= limit else {
      return (Set(oldMiddle.indices), Set(newMiddle.indices))
    }
    var removed = Set<Int>()
    var inserted = Set<Int>()
    for change in Array(newMiddle).difference(from: Array(oldMiddle)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): inserted.insert(start + offset)
      }
    }
    return (removed, inserted)
  }

  /// The number of lines up to which the shortest difference is searched.
  private static let limit = 4_000
}

/// The identifiers and dates that a program makes anew in every run, each with a name by the order of
/// their first use.
private struct NewNames {
  private let date: Double
  /// The names of texts; a text that is the same in every run is its own name.
  private var names: [String: String] = [:]
  private var count = 0

  init(_ history: History) {
    date = history.begin.date
    for text in history.begin.state.madeTexts { names[text] = text }
    // A value that a user's action carries was not made by the feature.
    for action in history.actions.values where action.effect == nil {
      for text in action.value.madeTexts { names[text] = text }
    }
  }

  /// Everything in a commit but its time, whole, with names in place of what was made anew.
  mutating func content(of moment: History.Moment) -> [String] {
    var parts = moment.actions.map { renamed($0.value, moment.at).digest }
    parts.append(moment.commit?.transaction.name ?? "(the commit is missing)")
    for change in moment.changes {
      let place = change.place.replacing(/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}/) {
        name(of: String($0.output), moment.at)
      }
      let (old, new) = (change.old, change.new)
      parts += [place] + [old, new].map { $0.map { renamed($0, moment.at).digest } ?? "" }
    }
    return parts
  }

  private mutating func renamed(_ node: RecordedNode, _ time: Double) -> RecordedNode {
    var node = node
    if let value = node.value { node.value = name(of: value, time) }
    for index in node.children.indices {
      if node.kind == .dictionary {
        node.children[index].name = name(of: node.children[index].name, time)
      }
      node.children[index].node = renamed(node.children[index].node, time)
    }
    return node
  }

  private mutating func name(of text: String, _ time: Double) -> String {
    guard text.isMade else { return text }
    if let name = names[text] { return name }
    // Only a date that is the present is made anew.
    if let date = Date(recorded: text), abs(date.timeIntervalSince1970 - self.date - time) > 1 {
      return text
    }
    count += 1
    names[text] = "<\(count)>"
    return "<\(count)>"
  }
}
