// Random effects, described apart from the runtime so that a model can run them too.

import SeededRandomness
import Dispatch
import Rondo

indirect enum EffectTree {
  case none
  case send(Int)
  case merge([EffectTree])
  case concatenate([EffectTree])
  case map(EffectTree, adding: Int)
  case filter(EffectTree, notDivisibleBy: Int)
  case prefix(EffectTree, Int)
  case delay(EffectTree, milliseconds: Int)
  case cancellable(EffectTree, id: Int, cancelInFlight: Bool)
  case cancel(id: Int)
  case tag(EffectTree, String)

  static func random(size: Int, _ random: inout Randomness) -> EffectTree {
    guard size > 1 else {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return .none
      case 1: return .cancel(id: .random(in: 0..<3, using: &random))
      default: return .send(.random(in: 0..<100, using: &random))
      }
    }
    func child(_ random: inout Randomness) -> EffectTree { .random(size: size - 1, &random) }
    func children(_ random: inout Randomness) -> [EffectTree] {
      let count = Int.random(in: 0...3, using: &random)
      return (0..<count).map { _ in .random(size: size / max(count, 1), &random) }
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: return .merge(children(&random))
    case 3...5: return .concatenate(children(&random))
    case 6: return .map(child(&random), adding: .random(in: 1..<10, using: &random))
    case 7: return .filter(child(&random), notDivisibleBy: .random(in: 2..<4, using: &random))
    case 8: return .prefix(child(&random), .random(in: 0..<4, using: &random))
    case 9: return .delay(child(&random), milliseconds: .random(in: 0..<4, using: &random))
    case 10:
      return .cancellable(
        child(&random), id: .random(in: 0..<3, using: &random),
        cancelInFlight: .random(using: &random))
    default: return .tag(child(&random), ["a", "b"].randomElement(using: &random)!)
    }
  }

  func effect(_ scheduler: TestSchedulerOf<DispatchQueue>) -> Effect<Int> {
    switch self {
    case .none: .none
    case .send(let value): .send(value)
    case .merge(let trees): .merge(trees.map { $0.effect(scheduler) })
    case .concatenate(let trees): .concatenate(trees.map { $0.effect(scheduler) })
    case .map(let tree, let addend): tree.effect(scheduler).map { $0 + addend }
    case .filter(let tree, let divisor): tree.effect(scheduler).filter { $0 % divisor != 0 }
    case .prefix(let tree, let count): tree.effect(scheduler).prefix(count)
    case .delay(let tree, let milliseconds):
      tree.effect(scheduler).delay(for: .milliseconds(milliseconds), scheduler: scheduler)
    case .cancellable(let tree, let id, let cancelInFlight):
      tree.effect(scheduler).cancellable(id: id, cancelInFlight: cancelInFlight)
    case .cancel(let id): .cancel(id: id)
    case .tag(let tree, let tag): tree.effect(scheduler).transaction(Transaction(tag: tag))
    }
  }

  /// Whether nothing is there to be started: what `none` is under every operator.
  var isNone: Bool {
    switch self {
    case .none: true
    case .send, .cancel: false
    case .merge(let trees), .concatenate(let trees): trees.allSatisfy(\.isNone)
    case .prefix(let tree, let count): count < 1 || tree.isNone
    case .map(let tree, _), .filter(let tree, _), .delay(let tree, _), .cancellable(let tree, _, _),
      .tag(let tree, _):
      tree.isNone
    }
  }
}

/// Effects that are started one after the other at given times, each by a tagged action.
struct EffectProgram {
  var starts: [(milliseconds: Int, tag: String?, tree: EffectTree)]

  static func random(_ random: inout Randomness) -> EffectProgram {
    let count = Int.random(in: 1...3, using: &random)
    return EffectProgram(
      starts: (0..<count).map { _ in
        (
          milliseconds: .random(in: 0..<4, using: &random),
          tag: [nil, "x", "y"].randomElement(using: &random)!,
          tree: .random(size: .random(in: 1...24, using: &random), &random)
        )
      })
  }
}

/// One answer: when, what, and how it is tagged.
struct Answer: Equatable, CustomStringConvertible {
  var milliseconds: Int
  var value: Int
  var tag: String

  var description: String { "\(milliseconds):\(value)\(tag == "-" ? "" : "/\(tag)")" }
}

extension EffectProgram {
  /// Runs the program in a store.
  @MainActor
  func run() -> [Answer] {
    enum Action {
      case start(EffectTree), answer(Int)
    }
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) {
      Reduce<Int, Action> { _, action in
        guard case .start(let tree) = action else { return .none }
        return tree.effect(scheduler).map(Action.answer)
      }
    }
    var log: [Answer] = []
    let subscription = store.subscribe { commit in
      for case .answer(let value) in commit.actions {
        let milliseconds = Int(scheduler.timeline.elapsed / .milliseconds(1))
        log.append(Answer(milliseconds: milliseconds, value: value, tag: commit.transaction.tag))
      }
    }
    for start in starts {
      scheduler.advance(by: .milliseconds(start.milliseconds))
      let transaction = start.tag.map { Transaction(tag: $0) } ?? Transaction()
      store.send(.start(start.tree), transaction: transaction)
    }
    scheduler.run()
    subscription.cancel()
    return log
  }
}
