// The effects and actions that one action led to.

import RondoHistory
import RondoRecording

/// A diagram of one action and of all that followed from it: the effects that it started, the
/// actions that those sent, and so on.
struct SequenceDiagram {
  private struct Step {
    enum Kind {
      case sends(RecordingLine.Action)
      case starts(effect: Int)
      case emits(RecordingLine.Action, effect: Int)
      case ends(effect: Int, how: String)
    }

    var at: Double
    var kind: Kind
  }

  private let history: History
  private let steps: [Step]
  private let effects: [Int]
  /// The names of the transactions of animated commits, by their actions.
  private let tags: [Int: String]

  /// - Parameter action: The number of the action.
  init(_ history: History, action: Int) throws(CommandFailure) {
    guard let first = history.actions[action] else {
      let last = history.actions.keys.max() ?? 0
      throw CommandFailure(
        .data, "\(history.name): there is no action \(action); the last one is \(last)")
    }
    self.history = history
    var sent: Set<Int> = [action]
    var started: Set<Int> = []
    var waiting = [action]
    while let action = waiting.popLast() {
      for effect in history.effects(of: action).map(\.start.effect)
      where started.insert(effect).inserted {
        for next in history.actions(of: effect).map(\.action) where sent.insert(next).inserted {
          waiting.append(next)
        }
      }
    }
    // The effect that has sent the action, whose start was before.
    let sender = first.effect.map { history.root(of: $0) }
    // Parts of these effects that are shown by themselves.
    started.formUnion(started.flatMap(history.shownParts))
    effects = started.union([sender].compactMap(\.self)).sorted()
    tags = history.tags
    steps = history.file.lines.compactMap { _, line in
      switch line {
      case .action(let action) where action == first:
        Step(
          at: action.at,
          kind: sender.map { .emits(action, effect: $0) } ?? .sends(action))
      case .action(let action) where sent.contains(action.action):
        Step(
          at: action.at, kind: .emits(action, effect: history.root(of: action.effect ?? 0)))
      case .effectStarted(let start) where started.contains(start.effect):
        Step(at: start.at, kind: .starts(effect: start.effect))
      case .effectEnded(let end) where started.contains(end.effect):
        Step(
          at: end.at,
          kind: .ends(
            effect: end.effect, how: end.how.rawValue + history.cause(of: end, namesAction: true)))
      default: nil
      }
    }
  }

  /// The action as it was recorded, or the names of its cases where that has left out what matters.
  private func name(_ action: RecordingLine.Action) -> String {
    action.name.hasSuffix("(…)") ? ".\(action.casePath)" : action.name
  }

  private func label(_ effect: Int) -> String {
    history.label(of: effect)
  }

  /// The participant that starts an effect: the effect that it is a part of, or the store.
  private func origin(of effect: Int) -> String {
    let root = history.root(of: effect)
    return root == effect ? "store" : "e\(root)"
  }

  /// The time of an action, and its transaction where it is animated.
  private func aside(
    _ action: RecordingLine.Action, _ time: Double, _ format: DiagramFormat
  ) -> String {
    let text = secondsText(time).trimmingPrefix { $0 == " " }
    return "\(text)\(tags[action.action].map { ", \(format.quoted($0))" } ?? "")"
  }

  func text(_ format: DiagramFormat) -> String {
    format == .mermaid ? mermaid : dot
  }

  private var mermaid: String {
    let format = DiagramFormat.mermaid
    let feature = format.quoted(history.begin.feature)
    var lines = ["sequenceDiagram", "  participant store as \(feature)"]
    let isFromOutside = steps.contains { if case .sends = $0.kind { true } else { false } }
    if isFromOutside { lines.insert("  actor outside as Outside", at: 1) }
    lines += effects.map { "  participant e\($0) as \(format.quoted(label($0)))" }
    for step in steps {
      switch step.kind {
      case .sends(let action):
        let tag = tags[action.action].map { " (\(format.quoted($0)))" } ?? ""
        lines.append("  outside->>store: \(format.quoted(name(action)))\(tag)")
      case .starts(let effect):
        let before = history.effects(before: effect).map(label).joined(separator: ", ")
        let behind = before.isEmpty ? "" : ", behind \(format.quoted(before))"
        lines.append("  \(origin(of: effect))->>+e\(effect): starts\(behind)")
      case .emits(let action, let effect):
        lines.append(
          "  e\(effect)->>store: \(format.quoted(name(action))) (\(aside(action, step.at, format)))"
        )
      case .ends(let effect, let how):
        lines.append("  deactivate e\(effect)")
        if how != "finished" { lines.append("  note over e\(effect): \(format.quoted(how))") }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var dot: String {
    let format = DiagramFormat.dot
    var lines = [
      "digraph {", "  label=\(format.quoted(history.begin.feature)); labelloc=t; rankdir=LR;",
      "  node [shape=box, fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    func actionNode(_ action: RecordingLine.Action) -> String {
      "  a\(action.action) [style=rounded, label=\(format.quoted(name(action)))];"
    }
    if case .emits(_, let sender)? = steps.first?.kind {
      lines.append("  e\(sender) [shape=ellipse, label=\(format.quoted(label(sender)))];")
    }
    for step in steps {
      switch step.kind {
      case .sends(let action):
        lines.append(actionNode(action))
      case .starts(let effect):
        lines.append("  e\(effect) [shape=ellipse, label=\(format.quoted(label(effect)))];")
        if history.root(of: effect) != effect {
          lines.append("  e\(history.root(of: effect)) -> e\(effect) [label=\"starts\"];")
        } else if let action = history.effects[effect]?.start.action {
          lines.append("  a\(action) -> e\(effect) [label=\"starts\"];")
        }
        for other in history.effects(before: effect) where effects.contains(other) {
          lines.append("  e\(other) -> e\(effect) [style=dashed, label=\"then\"];")
        }
      case .emits(let action, let effect):
        lines.append(actionNode(action))
        let time = secondsText(step.at).trimmingPrefix { $0 == " " }
        let text = "\(time)\(tags[action.action].map { ", \($0)" } ?? "")"
        lines.append("  e\(effect) -> a\(action.action) [label=\(format.quoted(text))];")
      case .ends(let effect, let how) where how != "finished":
        lines.append("  e\(effect) [color=red, xlabel=\(format.quoted(how))];")
      case .ends:
        break
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}
