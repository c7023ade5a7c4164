// Making a run that fails smaller.

import Rondo
import RondoTestStore

/// Leaves out of a run what it can do without, and still fails in the same way.
///
/// First it tries whether the run fails when everything that happens from outside happens only when the
/// feature is at rest. Then such a run is a list of actions, answers and passing time, which gets
/// shorter step by step; then the values of its actions and answers become simpler. Otherwise the order
/// itself is made smaller, and then the same is tried again.
struct RunShrinker<State: Equatable, Action> {
  private let explorer: Explorer<State, Action>
  private let found: ExplorerRun<State, Action>
  private var budget = 1_000

  init(_ explorer: Explorer<State, Action>, _ found: ExplorerRun<State, Action>) {
    self.explorer = explorer
    self.found = found
  }

  mutating func smallest() -> ExplorerRun<State, Action> {
    // Once more, with all its answers as they are written.
    let run = ExplorerRun(
      explorer, OrderChooser(following: found.chooser.order, keepsSteps: true, isForSteps: true),
      actionLimit: found.actionLimit, isRecorded: true)
    run.run()
    if let run = smallestByScript(run.trace) { return run }
    let smaller = smallestOrder(or: run)
    return smallestByScript(smaller.trace) ?? smaller
  }

  /// The smallest run that comes to rest after each step; `nil` if no such run fails.
  private mutating func smallestByScript(
    _ trace: [RunStep<Action>]
  ) -> ExplorerRun<State, Action>? {
    guard let smallest = smallestScript(trace) else { return nil }
    let script = completingInstants(smallest) ?? smallest
    // Once more with as many actions as it needs, so that it can be replayed by its order.
    let run = run(script, keepsSteps: true)
    return hasFailed(run) ? run : nil
  }

  /// The same steps, with everything that is due at one instant in a row, as a test does it; `nil`
  /// where the run does not fail like that.
  private mutating func completingInstants(_ script: [RunStep<Action>]) -> [RunStep<Action>]? {
    var script = script
    for index in 0..<1_000 where index < script.count {
      guard case .time(_, isLastOfInstant: false, _) = script[index] else { continue }
      if index + 1 < script.count, case .time = script[index + 1] { continue }
      var longer = script
      longer.insert(.time(item: 0, isLastOfInstant: true, by: .zero), at: index + 1)
      guard let failed = attempt(longer) else { return nil }
      script = failed.steps
    }
    return script
  }

  /// Whether a run fails in the same way. One without any action fails for another reason, unless the
  /// one that was found has none either.
  private func hasFailed(_ run: ExplorerRun<State, Action>) -> Bool {
    run.failure?.kind == found.failure?.kind && (run.sentCount > 0 || found.sentCount == 0)
  }

  // MARK: By script

  /// A run that fails, as a list of steps.
  private struct Script {
    var steps: [RunStep<Action>]
    /// The number of calls of each endpoint before each step.
    var callCounts: [[Int]]

    /// The steps without one of them. The answers to its calls are left out, too, and what is later
    /// called answers to the number that it has then.
    func removing(at index: Int) -> [RunStep<Action>] {
      var steps = steps
      steps.remove(at: index)
      guard index + 1 < callCounts.count else { return steps }
      let (before, after) = (callCounts[index], callCounts[index + 1])
      return steps.enumerated().compactMap { position, step in
        guard position >= index, case .answer(let id, let outcome, let method, let text) = step,
          id.number >= before[id.endpoint]
        else { return step }
        guard id.number >= after[id.endpoint] else { return nil }
        let number = id.number - (after[id.endpoint] - before[id.endpoint])
        return .answer(
          PendingCall.ID(endpoint: id.endpoint, number: number), outcome: outcome,
          method: method, text: text)
      }
    }
  }

  private mutating func smallestScript(_ trace: [RunStep<Action>]) -> [RunStep<Action>]? {
    guard var script = attempt(trace) else { return nil }
    while let smaller = smallerOnce(script) { script = smaller }
    return script.steps
  }

  private mutating func smallerOnce(_ script: Script) -> Script? {
    let steps = script.steps
    for index in steps.indices.reversed() {
      if let failed = attempt(script.removing(at: index)), failed.steps.count < steps.count {
        return failed
      }
    }
    for index in steps.indices {
      for step in simpler(than: steps[index]) {
        var simpler = steps
        simpler[index] = step
        if let failed = attempt(simpler), weight(of: failed.steps) < weight(of: steps) {
          return failed
        }
      }
    }
    return nil
  }

  /// The steps that differ from one in a value only, which is simpler. The simplest is the first.
  private func simpler(than step: RunStep<Action>) -> [RunStep<Action>] {
    switch step {
    case .action(_, let simpler):
      simpler.map { .action($0, simpler: []) }
    case .answer(let id, let outcome, let method, _):
      (0..<outcome).map { .answer(id, outcome: $0, method: method, text: "") }
    case .time, .arrival, .cancel: []
    }
  }

  /// The distance of actions and answers from the first ones that are possible.
  private func weight(of script: [RunStep<Action>]) -> Int {
    script.reduce(0) { sum, step in
      switch step {
      case .action(_, let simpler): sum + simpler.count
      case .answer(_, let outcome, _, _): sum + outcome
      case .time, .arrival, .cancel: sum
      }
    }
  }

  /// Makes a run by a script.
  ///
  /// - Returns: What has really happened, if that fails.
  private mutating func attempt(_ script: [RunStep<Action>]) -> Script? {
    guard budget > 0 else { return nil }
    budget -= 1
    let run = run(script, keepsSteps: false)
    return hasFailed(run) ? Script(steps: run.trace, callCounts: run.callCounts) : nil
  }

  private func run(
    _ script: [RunStep<Action>], keepsSteps: Bool
  ) -> ExplorerRun<State, Action> {
    let actionCount = script.count { if case .action = $0 { true } else { false } }
    let run = ExplorerRun(
      explorer, OrderChooser(following: .firstInFirstOut, keepsSteps: keepsSteps, isForSteps: true),
      actionLimit: actionCount, script: script, isRecorded: keepsSteps)
    run.run()
    return run
  }

  // MARK: By order

  private mutating func smallestOrder(or original: ExplorerRun<State, Action>) -> ExplorerRun<
    State, Action
  > {
    var shrinker = OrderShrinker(found.chooser.order, budget: min(300, budget))
    let limit = found.sentCount
    let explorer = explorer
    while let order = shrinker.next() {
      budget -= 1
      let run = ExplorerRun(
        explorer, OrderChooser(following: order, isForSteps: true), actionLimit: limit)
      run.run()
      shrinker.didRun(failingOrder: hasFailed(run) ? run.chooser.order : nil)
    }
    let run = ExplorerRun(
      explorer, OrderChooser(following: shrinker.order, keepsSteps: true, isForSteps: true),
      actionLimit: limit, isRecorded: true)
    run.run()
    // With fewer actions to come the choices may be others.
    return hasFailed(run) ? run : original
  }
}
