// The origins of the actions of a recording: effects, and the schedulers of their answers.

import RondoRecording

/// The origins of actions, found out line by line, so that it can be told while a recording is being written.
package struct ActionCauses {
  /// The effect that an action came from.
  package struct Origin {
    /// The number of the effect: of the part with a name, where an operator stands around several.
    package var effect: Int
    /// The name that this effect was given; `nil` where it has none.
    package var name: String?
    /// The scheduler that the answer was received on, or that it came from where nothing received it; `nil` where that has
    /// no name.
    package var scheduler: String?
    /// Whether something was asked to receive the answer there.
    package var isReceived: Bool
  }

  private struct Effect {
    var parent: Int?
    var name: String?
    var isSend: Bool
    /// Whether its answers come in the order of its waits.
    var isLine: Bool
    /// Whether it waits only to receive answers.
    var isReceive: Bool
    /// The schedulers that it and its parts have waited on last.
    var scheduler: String?
    var schedulerOfParts: String?
    /// The scheduler that it, or what is inside of it, has waited on last for something else than to receive.
    var worksOn: String?
    /// The part with a name that has answered last, and those whose answers wait on the scheduler of this effect.
    var lastPart: Int?
    var waiting: [Int?] = []
  }

  private var effects: [Int: Effect] = [:]
  private var parts: [Int: Int] = [:]
  private var origins: [Int: Origin] = [:]

  package init() {}

  /// The origin of an action; `nil` for one from outside.
  package func origin(of action: Int) -> Origin? { origins[action] }

  /// The name of the scheduler that an effect has worked on last, which is not the one that its answers are received on.
  func schedulerOfWork(of effect: Int) -> String? { effects[effect]?.worksOn }

  /// Takes the next line of the recording.
  package mutating func add(_ line: RecordingLine) {
    switch line {
    case .effectStarted(let start):
      effects[start.effect] = Effect(
        parent: start.parent, name: start.givenName, isSend: start.kind == "send",
        isLine: start.kind == "receive" || start.kind == "delay",
        isReceive: start.kind == "receive")
    case .effectWaits(let wait) where wait.on == .scheduler:
      guard var effect = effects[wait.effect] else { return }
      if effect.isLine { effect.waiting.append(effect.lastPart) }
      if let name = wait.scheduler {
        effect.scheduler = name
        if let parent = effect.parent { effects[parent]?.schedulerOfParts = name }
      }
      effects[wait.effect] = effect
      guard let name = wait.scheduler, !effect.isReceive else { return }
      for effect in [wait.effect] + around(wait.effect) { effects[effect]?.worksOn = name }
    case .emission(let emission):
      // A `.send` inside of another effect only hands on.
      guard var effect = effects[emission.effect], !effect.isSend else { return }
      let part =
        effect.waiting.isEmpty ? effect.lastPart : effect.waiting.removeFirst() ?? effect.lastPart
      effects[emission.effect] = effect
      let answered = part ?? named(emission.effect)
      if let action = emission.action { parts[action] = answered }
      guard let answered else { return }
      for outer in around(emission.effect) { effects[outer]?.lastPart = answered }
    case .action(let action):
      guard let sender = action.effect, let effect = effects[sender] else { return }
      let part = parts.removeValue(forKey: action.action) ?? named(sender) ?? sender
      let last = ([sender] + around(sender)).compactMap { effects[$0] }.last { $0.scheduler != nil }
      origins[action.action] = Origin(
        effect: part, name: effects[part]?.name,
        scheduler: last?.scheduler ?? effect.parent.flatMap { effects[$0]?.schedulerOfParts },
        isReceived: last?.isReceive == true)
    default: break
    }
  }

  /// The effect, or the next one around it, that has a name.
  private func named(_ effect: Int) -> Int? {
    ([effect] + around(effect)).first { effects[$0]?.name != nil }
  }

  /// The effects around an effect, the innermost first.
  private func around(_ effect: Int) -> [Int] {
    Array(sequence(first: effect) { effects[$0]?.parent }.dropFirst().prefix(100))
  }
}
