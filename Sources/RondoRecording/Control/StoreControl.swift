// The deeds of tools on one store, on the isolation of its machine.

import Foundation
import Rondo

/// Does what tools ask of a store that is recorded. It is used on the machine's isolation only.
final class StoreControl<State, Action> {
  /// The states behind the last commits, with the last action of each, by the numbers of the commits.
  private var states: [Int: (state: State, action: Action)] = [:]
  private var first: State?
  private var last = 0
  /// The commit that was the last one before the first jump.
  private var now: Int?
  /// The commit that the machine is being taken back to.
  private var target: Int?
  private var isSending = false

  let pace = ClockPace()
  let socket: ControlSocket
  private let write: (RecordingLine.Tool) -> Void

  /// The greatest number of states that are kept.
  private static var limit: Int { 1_000 }

  /// - Parameters:
  ///   - state: The state at the beginning.
  ///   - write: Writes a line. Its time is filled in.
  init(_ socket: ControlSocket, _ state: State, _ write: @escaping (RecordingLine.Tool) -> Void) {
    self.socket = socket
    first = state
    self.write = write
  }

  deinit {
    // Effects keep the clocks.
    pace.rate = 1
  }

  // MARK: What the store does

  /// Tells of an action that comes from the tool, before it is recorded.
  ///
  /// - Returns: Whether it stands for a state that comes back.
  func willReduce(_ number: Int, sentBy effect: Int?) -> Bool {
    guard isSending, effect == nil else { return false }
    isSending = false
    write(
      RecordingLine.Tool(
        at: 0, did: target == nil ? .send : .jump, action: number, commit: target))
    return target != nil
  }

  func didCommit(_ number: Int, _ state: State, _ actions: [Action]) {
    last = number
    guard let action = actions.last else { return }
    states[number] = (state, action)
    states[number - Self.limit] = nil
    if number > Self.limit { first = nil }
  }

  // MARK: What a tool asks

  func answer(_ request: ControlRequest, _ machine: Cell<State, Action>) -> ControlAnswer {
    let problem = perform(request, machine)
    var answer = ControlAnswer()
    answer.problem = problem
    answer.canSend = Action.self is any Decodable.Type
    answer.firstCommit = first == nil ? max(1, last - Self.limit + 1) : 0
    answer.lastCommit = last
    answer.now = now
    answer.isHolding = machine.isHoldingWork
    answer.held = machine.heldEffects.map { .init(effect: $0, label: $1) }
    answer.rate = pace.rate
    return answer
  }

  private func perform(_ request: ControlRequest, _ machine: Cell<State, Action>) -> String? {
    switch request.deed {
    case .look: return nil
    case .send:
      switch decoded(request.action) {
      case .success(let action):
        isSending = true
        _ = machine.send(action, Transaction())
        isSending = false
        return nil
      case .failure(let problem): return problem.description
      }
    case .jump: return jump(to: request.commit, machine)
    case .hold:
      guard !machine.isHoldingWork else { return nil }
      write(RecordingLine.Tool(at: 0, did: .hold))
      machine.holdWork()
      return nil
    case .letGo:
      guard let effect = request.effect else { return "The request names no effect." }
      guard machine.heldEffects.contains(where: { $0.effect == effect }) else {
        return "Effect \(effect) is not held any more."
      }
      write(RecordingLine.Tool(at: 0, did: .letGo, effect: effect))
      _ = machine.beginHeldWork(of: effect)
      return nil
    case .release:
      guard machine.isHoldingWork else { return nil }
      write(RecordingLine.Tool(at: 0, did: .release))
      machine.stopHoldingWork()
      return nil
    case .pace:
      guard let rate = request.rate, (0...1).contains(rate) else {
        return "Clocks can have a pace from 0 to 1."
      }
      write(RecordingLine.Tool(at: 0, did: .pace, rate: rate))
      pace.rate = rate
      return nil
    }
  }

  private func decoded(_ data: RecordedData?) -> Result<Action, RecordingError> {
    func decode<Value: Decodable>(_: Value.Type) -> Result<Action, RecordingError> {
      guard let data else { return .failure(RecordingError("The request has no action.")) }
      do {
        let value: Value = try data.decoded()
        guard let action = value as? Action else {
          return .failure(RecordingError("The action is of another type."))
        }
        return .success(action)
      } catch {
        return .failure(RecordingError("The action cannot be read: \(problem(error))."))
      }
    }
    guard let type = Action.self as? any Decodable.Type else {
      return .failure(
        RecordingError("\(typeName(Action.self)) is not 'Codable', so no action can be sent."))
    }
    return decode(type)
  }

  private func jump(to commit: Int?, _ machine: Cell<State, Action>) -> String? {
    guard let commit else { return "The request names no commit." }
    // A jump is shown with the action that has led there. The beginning has none of its own.
    let known =
      states[commit]
      ?? (commit == 0 ? states[1].flatMap { each in first.map { ($0, each.action) } } : nil)
    guard let known else {
      return commit == 0 && last == 0
        ? "Nothing has happened yet."
        : "The state behind commit \(commit) is not kept: the last \(Self.limit) are."
    }
    now = commit == now ? nil : now ?? last
    target = commit
    isSending = true
    machine.send(known.action, replacingStateBy: known.state)
    isSending = false
    target = nil
    return nil
  }
}
