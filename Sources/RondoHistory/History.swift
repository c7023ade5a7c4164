// A recording with its links: from actions to effects to actions.

import RondoRecording

/// A recording whose lines know each other.
package struct History {
  /// A commit with its actions, at the time when the first of them arrived. Actions whose commit is
  /// missing are a moment without one.
  package struct Moment {
    package var at: Double
    package var actions: [RecordingLine.Action]
    package var commit: RecordingLine.Commit?
    fileprivate var identified: IdentifiedChanges?

    package init(
      at: Double, actions: [RecordingLine.Action], commit: RecordingLine.Commit? = nil
    ) {
      self.at = at
      self.actions = actions
      self.commit = commit
    }

    /// The changes of the commit, with elements compared by their ids.
    package var changes: [IdentifiedChange] {
      guard let commit, let identified else { return [] }
      return identified.all[commit.commit] ?? []
    }
  }

  /// An effect from its start to its end.
  package struct Effect {
    package var start: RecordingLine.EffectStart
    package var end: RecordingLine.EffectEnd?
  }

  /// An event of the log.
  package enum Event {
    case moment(Moment)
    case effectEnded(RecordingLine.EffectEnd)
    case issue(RecordingLine.Issue)
    case tool(RecordingLine.Tool)
  }

  /// The name of the file.
  package var name: String
  package var file: RecordingFile
  package var events: [Event] = []
  package var actions: [Int: RecordingLine.Action] = [:]
  package var effects: [Int: Effect] = [:]

  /// The parts of effects that were given a name, in order, by the effects that they are parts of.
  package private(set) var namedParts: [Int: [Int]] = [:]
  /// The effects of which parts are shown by themselves.
  private var shownInParts: Set<Int> = []
  private var names: EffectNames?
  private var roots: [Int: Int] = [:]
  private var effectsOfActions: [Int: [Int]] = [:]
  /// The effects of actions, with those that are parts of others.
  package private(set) var startsOfActions: [Int: [Int]] = [:]
  /// The effects in the steps of concatenations.
  private var effectsOfSteps: [Int: [Int: [Int]]] = [:]
  private var actionsOfEffects: [Int: [Int]] = [:]
  /// The origins of the actions.
  private var causes = ActionCauses()
  /// The actions by the effects that are shown for their origins.
  private var answersOfEffects: [Int: [Int]] = [:]
  /// The effects with an answer that an operator has kept or dropped, as they are shown.
  private var unheard: Set<Int> = []
  /// Those of them with such an answer that is a failure.
  private var failures: Set<Int> = []

  package var begin: RecordingLine.Begin { file.begin }

  package var moments: [Moment] {
    events.compactMap { if case .moment(let moment) = $0 { moment } else { nil } }
  }

  /// Things about the recording that its reader should know.
  package var notes: [String] {
    file.isWhole
      ? file.notes : file.notes + ["The recording was cut off: its last line is missing."]
  }

  package init(_ file: RecordingFile, name: String) {
    self.name = name
    self.file = file
    let identified = IdentifiedChanges(file)
    var waiting: [RecordingLine.Action] = []
    var dropped: [RecordingLine.Emission] = []
    for (_, line) in file.lines {
      causes.add(line)
      switch line {
      case .action(let action):
        actions[action.action] = action
        if let effect = action.effect {
          actionsOfEffects[roots[effect] ?? effect, default: []].append(action.action)
        }
        // The action comes before everything that it causes until its commit.
        if waiting.isEmpty { events.append(.moment(Moment(at: action.at, actions: []))) }
        waiting.append(action)
      case .commit(let commit):
        var moment = Moment(
          at: waiting.first?.at ?? commit.at, actions: waiting, commit: commit)
        moment.identified = identified
        if waiting.isEmpty { events.append(.moment(moment)) } else { setLastMoment([moment]) }
        waiting = []
      case .effectStarted(let start):
        effects[start.effect] = Effect(start: start)
        if let action = start.action { startsOfActions[action, default: []].append(start.effect) }
        for step in start.steps ?? [] {
          effectsOfSteps[step.of, default: [:]][step.step, default: []].append(start.effect)
        }
        if let parent = start.parent {
          let root = roots[parent] ?? parent
          roots[start.effect] = root
          if start.givenName != nil { namedParts[root, default: []].append(start.effect) }
        } else if let action = start.action {
          effectsOfActions[action, default: []].append(start.effect)
        }
      case .effectEnded(let end):
        effects[end.effect]?.end = end
        events.append(.effectEnded(end))
      case .issue(let issue): events.append(.issue(issue))
      case .tool(let tool): events.append(.tool(tool))
      case .emission(let emission):
        if emission.action == nil { dropped.append(emission) }
      case .begin, .effectWaits, .effectResumed, .drawn, .frame, .advance, .receive,
        .end, .unknown:
        break
      }
    }
    if !waiting.isEmpty {
      setLastMoment(waiting.map { Moment(at: $0.at, actions: [$0], commit: nil) })
    }
    names = EffectNames(self)
    shownInParts = Set(namedParts.filter { Set($0.value.map(label)).count > 1 }.keys)
    for action in actions.keys.sorted() {
      guard let origin = causes.origin(of: action) else { continue }
      answersOfEffects[shown(as: origin.effect), default: []].append(action)
    }
    unheard = Set(dropped.map { shown(as: $0.effect) })
    failures = Set(dropped.filter { $0.failed == true }.map { shown(as: $0.effect) })
  }

  /// Puts moments in the place of the last one.
  private mutating func setLastMoment(_ moments: [Moment]) {
    let index = events.lastIndex { if case .moment = $0 { true } else { false } }
    guard let index else { return }
    events.replaceSubrange(index...index, with: moments.map(Event.moment))
  }

  /// The effects that an action has started, in order, without those that are parts of others.
  package func effects(of action: Int) -> [Effect] {
    (effectsOfActions[action] ?? []).compactMap { effects[$0] }
  }

  /// The effect that an effect is a part of, or itself: a `delay` has what it delays as a part.
  package func root(of effect: Int) -> Int {
    roots[effect] ?? effect
  }

  /// The name of an effect, which tells it from others.
  package func label(of effect: Int) -> String { names?[effect] ?? "effect \(effect)" }

  /// The parts of an effect that are shown by themselves: those with names, where there are several names.
  package func shownParts(of effect: Int) -> [Int] {
    shownInParts.contains(effect) ? namedParts[effect] ?? [] : []
  }

  /// The effect that stands for an effect: the part of an effect that is shown by itself, or the whole.
  private func shown(as effect: Int) -> Int {
    let root = root(of: effect)
    guard !shownParts(of: root).isEmpty else { return root }
    var shown = effect
    while let start = effects[shown]?.start, start.givenName == nil, let parent = start.parent {
      shown = parent
    }
    return shown
  }

  /// The effects that an effect waits for: those of the step before, where it is a step of a concatenation, or
  /// the one whose answer it was made for.
  package func effects(before effect: Int) -> [Int] {
    let start = effects[effect]?.start
    let starter = starter(of: effect)
    guard let last = start?.steps?.last, last.step > 1,
      // In its step, it may be made for an answer of another one.
      starter.flatMap({ effects[$0]?.start.steps?.last }) != last
    else { return starter.map { [shown(as: $0)] } ?? [] }
    let before = (effectsOfSteps[last.of]?[last.step - 1] ?? []).filter { other in
      guard let other = effects[other]?.start else { return false }
      return other.parent == nil || other.parent == start?.parent && other.kind != "send"
    }
    .sorted()
    return before.isEmpty ? starter.map { [shown(as: $0)] } ?? [] : before
  }

  /// The words for the cause of an effect's end: ` by its task`; empty where it has none.
  package func cause(of end: RecordingLine.EffectEnd, namesAction: Bool) -> String {
    switch end.by {
    case .action(let action): namesAction ? " by \(name(of: action))" : ""
    case .scope(let action): " with its state" + (namesAction ? " by \(name(of: action))" : "")
    case .effect(let effect): " by \(label(of: effect))"
    case .task: " by its task"
    case .host: " with the store"
    case nil: ""
    }
  }

  /// The name of the effect that an action came from, and the scheduler that it was received on, or else came from; `nil`
  /// for an action from outside.
  package func origin(of action: Int) -> (effect: String, scheduler: String?)? {
    causes.origin(of: action).map { (label(of: $0.effect), $0.scheduler) }
  }

  /// The name of the scheduler that an effect has worked on last.
  package func schedulerOfWork(of effect: Int) -> String? { causes.schedulerOfWork(of: effect) }

  /// The actions that are answers of an effect as it is shown, in order, and where they came from.
  package func answers(of effect: Int) -> [(
    action: RecordingLine.Action, origin: ActionCauses.Origin?
  )] {
    (answersOfEffects[effect] ?? []).compactMap { number in
      actions[number].map { ($0, causes.origin(of: number)) }
    }
  }

  /// Whether an effect as it is shown has failed: it has thrown, or its last answer was a failure.
  package func hasFailed(_ effect: Int) -> Bool {
    if effects[effect]?.end?.how == .failed { return true }
    return answers(of: effect).last?.action.isFailure ?? failures.contains(effect)
  }

  /// Whether an effect as it is shown has answered, and nobody was told of it.
  package func hasDroppedAnswer(_ effect: Int) -> Bool {
    unheard.contains(effect) && answers(of: effect).isEmpty
      && effects[effect]?.end?.how == .finished
  }

  private func name(of action: Int) -> String { actions[action]?.name ?? "action \(action)" }

  /// The actions that an effect has sent, in order.
  package func actions(of effect: Int) -> [RecordingLine.Action] {
    (actionsOfEffects[effect] ?? []).compactMap { actions[$0] }
  }
}

/// The changes of all commits, with elements compared by their ids. They are made when the first of them is
/// asked for: a page, a test and a diagram need none.
private final class IdentifiedChanges {
  private let file: RecordingFile

  init(_ file: RecordingFile) { self.file = file }

  /// The changes by the numbers of the commits.
  private(set) lazy var all: [Int: [IdentifiedChange]] = {
    var all: [Int: [IdentifiedChange]] = [:]
    var tree = file.begin.state
    for case (_, .commit(let commit)) in file.lines {
      let next = tree.applying(commit.changes)
      all[commit.commit] = tree.identifiedChanges(to: next)
      tree = next
    }
    return all
  }()
}

extension RecordingLine.Action {
  /// The name of the action, without the values that it carries.
  package var shortName: String { `case`.isEmpty ? name : `case` }

  /// The case path of the action, without `success` and `failure` of a `Result` that it carries.
  package var answerName: String {
    guard let result else { return casePath }
    return casePath.split(separator: ".").prefix { $0 != result }.joined(separator: ".")
  }

  /// Whether the action carries a `Result` that is a failure.
  package var isFailure: Bool { result == "failure" }

  /// The case of the `Result` or `TaskResult` that the action, or the action of a child in it, carries.
  private var result: String? {
    var node = value
    while node.case != nil, let payload = node.children.first?.node {
      if let type = payload.type, type.hasPrefix("Result<") || type.hasPrefix("TaskResult<") {
        return payload.case
      }
      node = payload
    }
    return nil
  }

  /// The names of the action's cases, and of the enums' that it carries, without other values:
  /// `path.credentials.nextButtonTapped`. The error of a result is a value.
  package var casePath: String {
    var names: [String] = []
    var node = value
    while let name = node.case {
      names.append(name)
      if name == "failure", node.type?.hasPrefix("Result") == true { break }
      guard let payload = node.children.first?.node, node.children.count == 1 else { break }
      let type = payload.type ?? ""
      if payload.case == "element", let action = payload["action"] {
        node = action
      } else if payload.case == "presented", let action = payload.children.first?.node {
        node = action
      } else if type.hasPrefix("BindingAction"), let member = payload.children.first?.node.value {
        names[names.count - 1] += " \(member.drop { $0 != "." }.dropFirst())"
        break
      } else {
        node = payload
      }
    }
    if let last = node.value, last.hasPrefix("."), !names.isEmpty {
      names.append(String(last.dropFirst()))
    }
    return names.isEmpty ? shortName : names.joined(separator: ".")
  }
}
