// The journal of a machine that is recorded: numbers for actions and effects, causes and events.

import RondoAnimation
import RondoScheduling

/// Something that happens in a machine besides actions and commits. Effects and actions are told by
/// their numbers.
package enum MachineEvent {
  package enum Ending {
    case finished, cancelled, failed
  }

  case started(EffectDescription)
  /// It waits: for a duration, or where there is none for an unknown time. Where there is a time, it
  /// began to wait at that time, and not now.
  case waits(effect: Int, on: WaitKind, for: Duration?, since: EventTime?)
  /// It waits no longer.
  case resumed(effect: Int, since: EventTime?)
  /// It has answered. The action is `nil` where an operator has kept or dropped the answer; it has failed where an operator
  /// has dropped a `Result` that is a failure.
  case emitted(effect: Int, action: Int?, failed: Bool = false)
  case ended(effect: Int, Ending, by: EffectCause?)
  /// A dependency has given a value to an effect, which is 0 where it has ended, or to the reducer, where it is `nil`.
  case drawn(DrawnValue, effect: Int?)
  /// Code of the feature has misused something, or a test has failed.
  case issue(ReportedIssue)
  /// A test has moved time forwards.
  case advanced(by: Duration)
  /// A test has received an action.
  case received(action: Int)
}

/// The cause of a cancellation.
package enum EffectCause: Equatable {
  case action(Int)
  /// The state of the feature is gone after an action.
  case scope(action: Int)
  case effect(Int)
  /// The task of a `send`, or code of a test.
  case task
  /// The host has been released.
  case host
}

/// An effect that was started.
package struct EffectDescription {
  package var effect: Int
  /// `run`, `timer`, `debounce`, …
  package var kind: String
  package var label: String
  package var position: SourcePosition?
  /// The cancellation ids, innermost first.
  package var ids: [AnyHashable]
  /// The action that returned the effect; `nil` where that was before the journal began.
  package var action: Int?
  /// The effect around this one.
  package var parent: Int?
  /// The effect for an answer of which a `flatMap` has made this one.
  package var after: Int?
  /// The steps of concatenations that it is a part of, outermost first.
  package var steps: [EffectStep] = []
}

/// A step of a concatenation.
package struct EffectStep {
  /// The number of the concatenation.
  package var concatenation: Int
  /// The number of the step, from 1.
  package var step: Int
}

/// The notes of an interpreter, kept while somebody observes its machine. A `Recorder`, which inherits from it, has the observers.
class EffectRecorder {
  /// Gives the numbers, while somebody wants to know of effects.
  final var journal: EffectJournal?
  /// The frame that has sent the emission on its way to the host; `nil` for what is answered synchronously.
  final private(set) var emitter: Frame?
  /// The number of closures of effects that have ended.
  final var endedCount = 0

  /// Runs a change that a frame makes, and names the frame as the sender of what arrives meanwhile.
  ///
  /// - Parameters:
  ///   - emits: Whether the frame has answered, perhaps with something that does not arrive.
  ///   - resumes: Whether the frame has waited for this.
  final func whileAnswering(
    _ frame: Frame?, emits: Bool = false, resumes: Bool, _ change: () -> Void
  ) {
    let outer = emitter
    emitter = frame
    if let journal {
      journal.whileAnswering(frame, emits: emits, resumes: resumes, change)
    } else {
      change()
    }
    emitter = outer
  }
}

/// Gives numbers to the actions and effects of a machine, finds their causes, and tells of what
/// happens. It exists only while somebody records. It is used on the machine's isolation only.
final class EffectJournal {
  /// The numbers of an answer.
  struct Answer {
    var action: Int
    var effect: Int?
  }

  let tell: (MachineEvent) -> Void
  private var lastAction = 0
  private var lastEffect = 0
  /// The action that is handled, or was handled last.
  private var currentAction = 0
  /// The numbers of the frames that are attached.
  private var effects: [ObjectIdentifier: Int] = [:]
  private var actions: [ObjectIdentifier: Int] = [:]
  /// The numbers of the concatenations that are attached.
  private var concatenations: [ObjectIdentifier: Int] = [:]
  private var lastConcatenation = 0
  /// The effects that have answered last, by the frames of the effects that are made for their answers.
  private var starters: [ObjectIdentifier: Int] = [:]
  /// The endpoints that each effect has used.
  private var endpoints: [Int: Set<String>] = [:]
  private var failed: Set<Int> = []
  /// The number of things that an effect waits for.
  private var waiting: [Int: Int] = [:]

  /// The cause of what happens now, unless an effect is answering.
  var cause: EffectCause?

  /// The effects that are answering, one inside the other; whether the answer has arrived, and whether a failure was dropped.
  private var answering: [(effect: Int?, hasArrived: Bool, hasFailed: Bool)] = []

  init(tell: @escaping (MachineEvent) -> Void) {
    self.tell = tell
    RecordingsInProgress.begin(handler: JournalAtWork.note)
    DrawnValue.setHandler(JournalAtWork.noteDrawn)
  }

  deinit {
    RecordingsInProgress.end()
  }

  // MARK: Actions

  /// Begins an action: one with a number from the queue, or a new one. Returns its number.
  func willHandle(_ number: Int?) -> Int {
    currentAction = number ?? nextAction()
    cause = .action(currentAction)
    return currentAction
  }

  /// Gives a number to an action of the user that is put in the queue.
  func didQueue() -> Answer { Answer(action: nextAction()) }

  private func nextAction() -> Int {
    lastAction += 1
    return lastAction
  }

  /// Ends effects of features whose state the current action has removed.
  func whileEndingChildren(_ change: () -> Void) {
    let outer = exchange(&cause, with: .scope(action: currentAction))
    change()
    cause = outer
  }

  /// Runs a reducer; issues that it reports are events.
  func whileReducing<Result>(_ reduce: () -> Result) -> Result {
    JournalAtWork.whileCurrent(self, reduce)
  }

  // MARK: Effects

  func willStart(under parent: ActionFrame) {
    actions[ObjectIdentifier(parent)] = currentAction
  }

  /// Tells of a frame that has been started, if it is that of an effect.
  func didStart(_ frame: Frame) {
    guard let description = description(of: frame) else { return }
    tell(.started(description))
  }

  /// Tells a new observer of everything in flight.
  func announce(_ interpreter: Interpreter, to observe: (MachineEvent) -> Void) {
    for frame in interpreter.ledger {
      if let description = description(of: frame) { observe(.started(description)) }
    }
  }

  /// Tells of a frame that has left the tree.
  func didEnd(_ frame: Frame, cancelled: Bool) {
    actions[ObjectIdentifier(frame)] = nil
    concatenations[ObjectIdentifier(frame)] = nil
    starters[ObjectIdentifier(frame)] = nil
    guard let effect = effects.removeValue(forKey: ObjectIdentifier(frame)) else { return }
    waiting[effect] = nil
    endpoints[effect] = nil
    let hasFailed = failed.remove(effect) != nil
    let ending: MachineEvent.Ending = cancelled ? .cancelled : hasFailed ? .failed : .finished
    tell(.ended(effect: effect, ending, by: cancelled ? currentCause : nil))
  }

  func didFail(_ frame: Frame) {
    if let effect = number(of: frame) { failed.insert(effect) }
  }

  private var currentCause: EffectCause? {
    answering.last?.effect.map(EffectCause.effect) ?? cause
  }

  /// The number of the effect of a frame.
  func number(of frame: Frame) -> Int? { effects[ObjectIdentifier(frame)] }

  private func description(of frame: Frame) -> EffectDescription? {
    guard frame.isAttached, let kind = frame.effectKind else { return nil }
    let above = effects(from: frame)
    let known = number(of: frame)
    if known == nil { lastEffect += 1 }
    let effect = known ?? lastEffect
    effects[ObjectIdentifier(frame)] = effect
    return EffectDescription(
      effect: effect, kind: kind, label: frame.label ?? frame.pendingWork ?? kind,
      position: frame.position, ids: above.compactMap(\.registration?.id.base),
      action: actions[ObjectIdentifier(frame.actionFrame)],
      parent: above.dropFirst().lazy.compactMap(number).first, after: starter(above),
      steps: steps(above))
  }

  /// The effect whose answer has started a frame, found among the frames around it, innermost first.
  private func starter(_ frames: [Frame]) -> Int? {
    guard !starters.isEmpty else { return nil }
    return zip(frames, frames.dropFirst()).lazy.compactMap { [starters] inner, outer in
      inner.groupOfAnswers === outer ? nil : starters[ObjectIdentifier(outer)]
    }.first
  }

  /// Notes that an effect answers below a frame, or is that of it.
  private func willAnswer(_ effect: Int, below frame: Frame) {
    guard
      let group = frame.lineage.lazy.compactMap({ $0.groupOfAnswers }).first(where: { _ in true })
    else { return }
    starters[ObjectIdentifier(group)] = effect
  }

  /// A frame and those around it, up to the action that has started them all.
  private func effects(from frame: Frame) -> [Frame] {
    Array(frame.lineage.prefix { !($0 is ActionFrame) })
  }

  /// The steps of the concatenations among some frames, of which the last is the outermost; outermost first.
  private func steps(_ frames: [Frame]) -> [EffectStep] {
    let steps: [EffectStep] = frames.compactMap { frame in
      guard let step = frame.step else { return nil }
      let id = ObjectIdentifier(frame)
      if concatenations[id] == nil {
        lastConcatenation += 1
        concatenations[id] = lastConcatenation
      }
      return concatenations[id].map { EffectStep(concatenation: $0, step: step) }
    }
    return steps.reversed()
  }

  // MARK: Answers

  /// Runs a change that an effect makes.
  ///
  /// - Parameters:
  ///   - emits: Whether the effect has answered, perhaps with something that does not arrive.
  ///   - resumes: Whether the effect has waited for this.
  func whileAnswering(
    _ frame: Frame?, emits: Bool = false, resumes: Bool = false, _ change: () -> Void
  ) {
    let effect = frame.flatMap(number)
    if resumes, let effect { didWait(effect) }
    if let effect, let frame { willAnswer(effect, below: frame) }
    whileAnswering(effect, emits: emits, change)
  }

  /// Runs a change that an effect makes, by its number.
  func whileAnswering(_ effect: Int?, emits: Bool = false, _ change: () -> Void) {
    answering.append((effect, false, false))
    change()
    let answer = answering.removeLast()
    guard emits, !answer.hasArrived, let effect else { return }
    tell(.emitted(effect: effect, action: nil, failed: answer.hasFailed))
  }

  /// Notes that an operator drops an answer.
  func willDrop(_ answer: Any) {
    guard !answering.isEmpty, (answer as? any Fallible)?.hasFailed == true else { return }
    answering[answering.count - 1].hasFailed = true
  }

  /// Runs the change that a `.send` makes, which is an effect without a frame.
  func whileSending(under parent: Frame, _ change: () -> Void) {
    lastEffect += 1
    let effect = lastEffect
    let above = effects(from: parent)
    tell(
      .started(
        EffectDescription(
          effect: effect, kind: "send", label: "send", ids: [],
          action: actions[ObjectIdentifier(parent.actionFrame)],
          parent: above.lazy.compactMap(number).first, after: starter(above),
          steps: steps(above))))
    willAnswer(effect, below: parent)
    whileAnswering(effect, emits: true, change)
    tell(.ended(effect: effect, .finished, by: nil))
  }

  /// Tells of a `.send` that the current action has returned alone.
  func didReturnSend() -> Answer {
    lastEffect += 1
    let effect = lastEffect
    tell(
      .started(
        EffectDescription(
          effect: effect, kind: "send", label: "send", ids: [], action: currentAction)))
    let action = nextAction()
    tell(.emitted(effect: effect, action: action))
    tell(.ended(effect: effect, .finished, by: nil))
    return Answer(action: action, effect: effect)
  }

  /// Gives a number to an answer that has arrived at the host.
  func didArrive() -> Answer {
    let action = nextAction()
    guard let effect = answering.last?.effect else { return Answer(action: action) }
    answering[answering.count - 1].hasArrived = true
    tell(.emitted(effect: effect, action: action))
    return Answer(action: action, effect: effect)
  }

  /// Tells of a value that a dependency has given to an effect.
  func didDraw(_ value: DrawnValue, in frame: Frame) {
    let effect = number(of: frame)
    if case .endpoint(let name) = value {
      // That an effect has used it once names the effect.
      guard let effect, endpoints[effect, default: []].insert(name).inserted else { return }
    }
    tell(.drawn(value, effect: effect ?? 0))
  }

  // MARK: Waits

  func willWait(
    _ frame: Frame, on kind: WaitKind, for duration: Duration?, since time: EventTime? = nil
  ) {
    guard let effect = number(of: frame) else { return }
    waiting[effect, default: 0] += 1
    tell(.waits(effect: effect, on: kind, for: duration, since: time))
  }

  func didWait(_ frame: Frame, since time: EventTime? = nil) {
    if let effect = number(of: frame) { didWait(effect, since: time) }
  }

  private func didWait(_ effect: Int, since time: EventTime? = nil) {
    guard let count = waiting[effect] else { return }
    waiting[effect] = count > 1 ? count - 1 : nil
    if count == 1 { tell(.resumed(effect: effect, since: time)) }
  }
}

/// Runs a reducer without a machine, and tells of each identifier that it is given, as a recording would count it.
package func whileHearingOfIdentifiers(_ hear: @escaping () -> Void, _ reduce: () -> Void) {
  EffectJournal { if case .drawn(.uuid, effect: nil) = $0 { hear() } }.whileReducing(reduce)
}

/// The journal of the machine whose reducer runs on a thread.
private enum JournalAtWork {
  private static var journal: ThreadLocalObject<EffectJournal> { ThreadLocalObject(\.journal) }

  static func whileCurrent<Result>(_ journal: EffectJournal, _ body: () -> Result) -> Result {
    self.journal.with(journal, body)
  }

  /// Gives an issue to the journal of the code that has reported it: a reducer, or the closure of an
  /// effect.
  @Sendable static func note(_ issue: ReportedIssue) {
    if let journal = journal.current {
      journal.tell(.issue(issue))
    } else if let frame = SourceFrame.current, frame.mailbox.isRecorded {
      frame.mailbox.post(.ask(frame) { $0.journal?.tell(.issue(issue)) })
    }
  }

  /// Gives a value to the journal of the code that has asked for it.
  @Sendable static func noteDrawn(_ value: DrawnValue) {
    if let journal = journal.current {
      if case .endpoint = value { return }
      journal.tell(.drawn(value, effect: nil))
    } else if let frame = SourceFrame.current, frame.mailbox.isRecorded {
      frame.mailbox.post(.ask(frame) { $0.journal?.didDraw(value, in: frame) })
    }
  }
}

/// A value that may be a failure: a `Result` of any types.
private protocol Fallible {
  var hasFailed: Bool { get }
}

extension Result: Fallible {
  fileprivate var hasFailed: Bool { if case .failure = self { true } else { false } }
}
