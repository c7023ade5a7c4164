// Names by which effects are told from each other.

import RondoRecording

/// The names of the effects of a recording.
///
/// An effect that was given a name has that. Another one is called after its only part with a name, else after the
/// endpoint of a client that it has used first, else after its innermost cancellation id. Where effects of several lines
/// would be called the same, each is called by its operator and line instead, or by these besides its endpoint. A
/// `.send`, of which no line is known, is called by the action that it has sent. The page names effects in the same way.
struct EffectNames {
  private var names: [Int: String] = [:]

  subscript(effect: Int) -> String { names[effect] ?? "effect \(effect)" }

  init(_ history: History) {
    var endpoints: [Int: String] = [:]
    for case (_, .drawn(let draw)) in history.file.lines {
      guard let endpoint = draw.endpoint, let effect = draw.effect else { continue }
      for each in [effect, history.root(of: effect)] where endpoints[each] == nil {
        endpoints[each] = endpoint.prefix(1).lowercased() + endpoint.dropFirst()
      }
    }
    for (root, parts) in history.namedParts {
      let names = Set(parts.compactMap { history.effects[$0]?.start.givenName })
      if names.count == 1 { endpoints[root] = names.first }
    }
    var sent: [Int: String] = [:]
    for (_, action) in history.actions.sorted(by: { $0.key < $1.key }) {
      if let effect = action.effect, sent[effect] == nil { sent[effect] = action.casePath }
    }
    var short: [Int: String] = [:]
    var lines: [String: Set<String>] = [:]
    for (number, effect) in history.effects {
      let start = effect.start
      if let name = start.givenName {
        names[number] = name
        continue
      }
      // An effect of several parts with names is not called like one of them, nor by its id: more may run under that.
      let name =
        history.namedParts[number] != nil && endpoints[number] == nil
        ? nil : endpoints[number] ?? Self.id(start)
      guard let name else {
        names[number] =
          Self.line(start) + (start.place == nil ? sent[number].map { " \($0)" } ?? "" : "")
        continue
      }
      short[number] = name
      // Parts of an effect are told of under the effect.
      if start.parent == nil { lines[name, default: []].insert(Self.line(start)) }
    }
    for (number, name) in short {
      guard let start = history.effects[number]?.start else { continue }
      let isShared = (lines[name]?.count ?? 0) > 1
      names[number] =
        !isShared && start.parent == nil
        ? name : endpoints[number] == nil ? Self.line(start) : "\(name) · \(Self.line(start))"
    }
  }

  private static func id(_ start: RecordingLine.EffectStart) -> String? {
    start.ids.last.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
  }

  /// The operator and the line: `delay Search.swift:40`.
  private static func line(_ start: RecordingLine.EffectStart) -> String {
    guard let file = start.place?.split(separator: "/").last else { return start.kind }
    return "\(start.kind) \(file)"
  }
}

extension RecordingLine.EffectStart {
  /// The name that the effect was given: `quotes` for `run "quotes"`.
  var givenName: String? {
    guard !label.isEmpty, label != kind else { return nil }
    let quoted = label.trimmingPrefix("\(kind) \"")
    guard quoted.count < label.count, quoted.last == "\"", quoted.count > 1 else { return label }
    return String(quoted.dropLast())
  }
}
