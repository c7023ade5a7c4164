// The comparison of two recordings.

import RondoRecording

/// The commits in which two recordings differ. Times do not count.
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
    var entries: [(mark: Character, line: CommitLog.Line)] = []
    if first.begin.state != second.begin.state {
      let changes = first.begin.state.identifiedChanges(to: second.begin.state).map(\.summary)
      for text in changes.prefix(20) {
        entries.append(
          ("!", CommitLog.Line(time: 0, actions: "initial state", transaction: "", changes: text)))
      }
    }
    let (removed, inserted) = Self.changes(from: old.map(\.content), to: new.map(\.content))
    var position = 0
    for (index, line) in new.enumerated() {
      while removed.contains(position) {
        entries.append(("-", old[position]))
        position += 1
      }
      if inserted.contains(index) {
        entries.append(("+", line))
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
      text += "\(entry.mark) \(secondsText(entry.line.time))  \(entry.line.content)\n"
    }
    self.text = text + notes
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
    from old: [String], to new: [String]
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
