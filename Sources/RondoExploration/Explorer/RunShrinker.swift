// Making a run that fails smaller.

import Rondo
import RondoTestStore

/// Leaves out of a run what it can do without, and still fails in the same way.
///
/// First it tries whether the run fails when everything that happens from outside happens only when the
/// feature is at rest. Then such a run is a list of actions, answers and passing time, which gets
/// shorter step by step. Otherwise the order itself is made smaller.
struct RunShrinker<State: Equatable, Action> {
  private let explorer: Explorer<State, Action>
  private let found: ExplorerRun<State, Action>
  private var budget = 1_000

  init(_ explorer: Explorer<State, Action>, _ found: ExplorerRun<State, Action>) {
    self.explorer = explorer
    self.found = found
  }

  mutating func smallest() -> ExplorerRun<State, Action> {
    if let script = smallestScript() {
      // Once more with as many actions as it needs, so that it can be replayed by its order.
      let run = run(script, keepsSteps: true)
      if hasFailed(run) { return run }
    }
    return smallestOrder()
  }

  private func hasFailed(_ run: ExplorerRun<State, Action>) -> Bool {
    run.failure?.kind == found.failure?.kind
  }

  // MARK: By script

  private mutating func smallestScript() -> [RunStep<Action>]? {
    guard var script = attempt(found.trace) else { return nil }
    while let smaller = smallerOnce(script) { script = smaller }
    return script
  }

  private mutating func smallerOnce(_ script: [RunStep<Action>]) -> [RunStep<Action>]? {
    for index in script.indices.reversed() {
      var shorter = script
      shorter.remove(at: index)
      if let failed = attempt(shorter), failed.count < script.count { return failed }
    }
    for index in script.indices {
      guard case .answer(let id, let outcome, _) = script[index], outcome > 0 else { continue }
      var simpler = script
      simpler[index] = .answer(id, outcome: 0, text: "")
      if let failed = attempt(simpler), weight(of: failed) < weight(of: script) { return failed }
    }
    return nil
  }

  /// How far the answers are from the first ones that they could be.
  private func weight(of script: [RunStep<Action>]) -> Int {
    script.reduce(0) { sum, step in
      if case .answer(_, let outcome, _) = step { sum + outcome } else { sum }
    }
  }

  /// Makes a run by a script.
  ///
  /// - Returns: What has really happened, if that fails.
  private mutating func attempt(_ script: [RunStep<Action>]) -> [RunStep<Action>]? {
    guard budget > 0 else { return nil }
    budget -= 1
    let run = run(script, keepsSteps: false)
    return hasFailed(run) ? run.trace : nil
  }

  private func run(
    _ script: [RunStep<Action>], keepsSteps: Bool
  ) -> ExplorerRun<State, Action> {
    let actionCount = script.count { if case .action = $0 { true } else { false } }
    let run = ExplorerRun(
      explorer, OrderChooser(following: .firstInFirstOut, keepsSteps: keepsSteps),
      actionLimit: actionCount, script: script)
    run.run()
    return run
  }

  // MARK: By order

  private mutating func smallestOrder() -> ExplorerRun<State, Action> {
    var shrinker = OrderShrinker(found.chooser.order, budget: budget)
    let limit = found.sentCount
    let explorer = explorer
    let kind = found.failure?.kind
    while let order = shrinker.next() {
      let run = ExplorerRun(explorer, OrderChooser(following: order), actionLimit: limit)
      run.run()
      shrinker.didRun(failingOrder: run.failure?.kind == kind ? run.chooser.order : nil)
    }
    let run = ExplorerRun(
      explorer, OrderChooser(following: shrinker.order, keepsSteps: true), actionLimit: limit)
    run.run()
    // With fewer actions to come the choices may be others.
    guard run.failure?.kind != kind else { return run }
    let original = ExplorerRun(
      explorer, OrderChooser(following: found.chooser.order, keepsSteps: true),
      actionLimit: found.actionLimit)
    original.run()
    return original
  }
}
