// The effects that an action has started, put together as they ran.

import RondoRecording

/// The tree of the effects that one action has started:
/// `concatenate(load → logIn → merge(receive[.default](news), watch))`.
///
/// An arrow stands before what waits for something: for the step before it in a concatenation, or for the answer that
/// it was made for. What is in `merge` runs side by side. An operator with the effects inside it has the tag of their
/// answers, where it has one. A `.send` inside of another effect is left out.
struct EffectTree {
  /// The number of effects beside each other, and that of effects inside each other, that are shown.
  private static let limit = 20

  /// A place in the tree: a step of a concatenation, or a part of an effect.
  private enum Place: Equatable {
    case step(of: Int, step: Int)
    case part(of: Int)
  }

  /// The text; empty where the action has started nothing.
  private(set) var text = ""
  /// Whether more than one effect is in the tree.
  private(set) var isComposed = false

  private let history: History
  private let tags: [Int: String]

  private struct Item {
    var effect: Int
    var path: ArraySlice<Place>
  }

  /// - Parameters:
  ///   - action: The number of the action.
  ///   - tags: The names of the transactions of animated actions, by their numbers.
  init(_ history: History, action: Int, tags: [Int: String]) {
    self.history = history
    self.tags = tags
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
    text = level(items, depth: 0)
  }

  /// Effects at one place, with all that is inside of them.
  private func level(_ items: [Item], depth: Int) -> String {
    guard depth < Self.limit else { return "…" }
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
    // What was made for an answer of another one at this place stands behind it.
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
    func chain(_ index: Int, _ length: Int) -> String {
      let text = text(of: groups[index], depth: depth)
      guard let after = next[index] else { return text }
      guard length < Self.limit else { return "\(text) → …" }
      return "\(text) → \(merged(after.map { chain($0, length + 1) }))"
    }
    return merged(first.map { chain($0, 0) })
  }

  private func merged(_ texts: [String]) -> String {
    var counted: [(text: String, count: Int)] = []
    for text in texts {
      if counted.last?.text == text {
        counted[counted.count - 1].count += 1
      } else {
        counted.append((text, 1))
      }
    }
    var parts = counted.prefix(Self.limit).map {
      $0.count > 1 ? "\($0.text) ×\($0.count)" : $0.text
    }
    if counted.count > Self.limit { parts.append("… \(counted.count - Self.limit) more") }
    return parts.count == 1 ? parts[0] : "merge(\(parts.joined(separator: ", ")))"
  }

  /// An effect with its parts, or a concatenation with its steps.
  private func text(of group: [Item], depth: Int) -> String {
    let inner = group.map { Item(effect: $0.effect, path: $0.path.dropFirst()) }
    guard case .step(let of, _) = group[0].path.first else {
      let own = group.first { $0.path.isEmpty }?.effect
      let parts = zip(group, inner).filter { !$0.0.path.isEmpty }.map(\.1)
      guard let own else { return level(parts, depth: depth + 1) }
      return text(of: own, parts, depth: depth)
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
    var texts = steps.prefix(Self.limit).map { level($0.items, depth: depth + 1) }
    if steps.count > Self.limit { texts.append("…") }
    return texts.count == 1 ? texts[0] : "concatenate(\(texts.joined(separator: " → ")))"
  }

  private func text(of effect: Int, _ parts: [Item], depth: Int) -> String {
    let label = history.label(of: effect).onOneLine
    let sent = Set(history.actions(of: effect).compactMap { tags[$0.action] })
    let tag = sent.count == 1 ? "[\(sent.first ?? "")]" : ""
    guard let kind = history.effects[effect]?.start.kind, !history.shownParts(of: effect).isEmpty
    else { return label + tag }
    return "\(kind)\(tag)(\(level(parts, depth: depth + 1)))"
  }
}

extension History {
  /// The names of the transactions of animated commits, by their actions.
  var tags: [Int: String] {
    Dictionary(
      moments.compactMap(\.commit).filter(\.transaction.tagged).flatMap { commit in
        commit.actions.map { ($0, commit.transaction.name) }
      }, uniquingKeysWith: { $1 })
  }

  /// The starts of all effects of an action, in order, with those that are parts of others.
  func started(by action: Int) -> [RecordingLine.EffectStart] {
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
