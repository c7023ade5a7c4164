// Random effects, described apart from the runtime so that a model can run them too.

import Dispatch
import Rondo
import RondoSeededRandomness

package indirect enum EffectTree: Sendable {
  case none
  case send(Int)
  /// Answers with an action that starts another effect.
  case start(Int, EffectTree)
  /// Answers from a task, and ends.
  case run([Int], Marks)
  case merge([EffectTree])
  case concatenate([EffectTree])
  case map(EffectTree, adding: Int)
  case filter(EffectTree, notDivisibleBy: Int)
  case prefix(EffectTree, Int)
  /// Zero milliseconds are a `receive(on:)`. The scheduler tags its work.
  case delay(EffectTree, milliseconds: Int, Marks)
  case cancellable(EffectTree, id: Int, Policy)
  case debounce(EffectTree, id: Int, milliseconds: Int)
  case throttle(EffectTree, id: Int, milliseconds: Int, latest: Bool)
  case cancel(id: Int)
  case tag(EffectTree, Marks)

  package enum Policy: Hashable, Sendable {
    case unlimited, newest, oldest
    case atMost(Int)
  }

  /// The effects that a program may consist of.
  package enum Kind: Sendable {
    /// All effects that answer at once or through a test scheduler.
    case timed
    /// The same, but no answer starts another effect.
    case simple
    /// Effects one after the other, where tasks may answer: the order is the same on every host.
    case chain
  }

  /// The only id with limits.
  static let limitedID = 3

  package static func random(
    size: Int, _ random: inout Randomness, kind: Kind = .simple
  ) -> EffectTree {
    guard size > 1 else { return leaf(kind, &random) }
    func child(_ random: inout Randomness) -> EffectTree {
      .random(size: size - 1, &random, kind: kind)
    }
    func children(_ random: inout Randomness) -> [EffectTree] {
      let count = Int.random(in: 0...3, using: &random)
      return (0..<count).map { _ in
        .random(size: size / max(count, 1), &random, kind: kind)
      }
    }
    func milliseconds(_ random: inout Randomness) -> Int { .random(in: 0..<4, using: &random) }
    func id(_ random: inout Randomness) -> Int { .random(in: 0..<limitedID, using: &random) }

    switch Int.random(in: 0..<17, using: &random) {
    case 0...2: return kind == .chain ? .concatenate(children(&random)) : .merge(children(&random))
    case 3...6: return .concatenate(children(&random))
    case 7: return .map(child(&random), adding: .random(in: 1..<10, using: &random))
    case 8: return .filter(child(&random), notDivisibleBy: .random(in: 2..<4, using: &random))
    case 9: return .prefix(child(&random), .random(in: 0..<4, using: &random))
    case 10, 11:
      guard kind != .chain else { return .concatenate(children(&random)) }
      let marks = random.bool() ? Marks() : .random(["r", "s"], &random)
      return .delay(child(&random), milliseconds: milliseconds(&random), marks)
    case 12, 13:
      let policy = [Policy.unlimited, .newest, .oldest].randomElement(using: &random)!
      return .cancellable(child(&random), id: id(&random), policy)
    case 14:
      let limit = Int.random(in: 1...2, using: &random)
      return .cancellable(child(&random), id: limitedID, .atMost(limit))
    case 15:
      guard kind != .chain else { return .concatenate(children(&random)) }
      let milliseconds = 1 + milliseconds(&random)
      if random.bool() {
        return .debounce(child(&random), id: id(&random), milliseconds: milliseconds)
      }
      return .throttle(
        child(&random), id: id(&random), milliseconds: milliseconds, latest: random.bool())
    default: return .tag(child(&random), .random(["a", "b"], &random))
    }
  }

  private static func leaf(_ kind: Kind, _ random: inout Randomness) -> EffectTree {
    let number = Int.random(in: 0..<100, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .none
    case 1, 2: return .cancel(id: .random(in: 0...limitedID, using: &random))
    case 3 where kind == .timed:
      return .start(number, .random(size: .random(in: 1..<6, using: &random), &random, kind: kind))
    case 3...6 where kind == .chain:
      let marks = random.bool() ? Marks() : .random(["t", "u"], &random)
      return .run((0..<Int.random(in: 0..<3, using: &random)).map { number + $0 }, marks)
    default: return .send(number)
    }
  }

  package func effect(_ scheduler: TestSchedulerOf<DispatchQueue>) -> Effect<Reply> {
    switch self {
    case .none: .none
    case .send(let value): .send(Reply(value))
    case .start(let value, let tree): .send(Reply(value, starts: tree))
    case .run(let values, let marks):
      .run { send in
        for value in values { await send(Reply(value), transaction: marks.transaction) }
      }
    case .merge(let trees): .merge(trees.map { $0.effect(scheduler) })
    case .concatenate(let trees): .concatenate(trees.map { $0.effect(scheduler) })
    case .map(let tree, let addend):
      tree.effect(scheduler).map { Reply($0.value + addend, starts: $0.tree) }
    case .filter(let tree, let divisor):
      tree.effect(scheduler).filter { $0.value % divisor != 0 }
    case .prefix(let tree, let count): tree.effect(scheduler).prefix(count)
    case .delay(let tree, let milliseconds, let marks):
      tree.effect(scheduler).delayed(
        milliseconds,
        on: marks == Marks()
          ? scheduler.eraseToAnyScheduler() : scheduler.transaction(marks.transaction))
    case .cancellable(let tree, let id, .unlimited): tree.effect(scheduler).cancellable(id: id)
    case .cancellable(let tree, let id, .newest):
      tree.effect(scheduler).cancellable(id: id, cancelInFlight: true)
    case .cancellable(let tree, let id, .oldest):
      tree.effect(scheduler).cancellable(id: id, policy: .oldest)
    case .cancellable(let tree, let id, .atMost(let limit)):
      tree.effect(scheduler).cancellable(id: id, policy: .atMost(limit))
    case .debounce(let tree, let id, let milliseconds):
      tree.effect(scheduler).debounce(
        id: id, for: .milliseconds(milliseconds), scheduler: scheduler)
    case .throttle(let tree, let id, let milliseconds, let latest):
      tree.effect(scheduler).throttle(
        id: id, for: .milliseconds(milliseconds), scheduler: scheduler, latest: latest)
    case .cancel(let id): .cancel(id: id)
    case .tag(let tree, let marks): tree.effect(scheduler).transaction(marks.transaction)
    }
  }

  /// Whether there is nothing to start, as in `none` under any operator.
  var isNone: Bool {
    switch self {
    case .none: true
    case .send, .start, .run, .cancel: false
    case .merge(let trees), .concatenate(let trees): trees.allSatisfy(\.isNone)
    case .prefix(let tree, let count): count < 1 || tree.isNone
    case .map(let tree, _), .filter(let tree, _), .delay(let tree, _, _),
      .cancellable(let tree, _, _), .debounce(let tree, _, _), .throttle(let tree, _, _, _),
      .tag(let tree, _):
      tree.isNone
    }
  }
}

extension Effect {
  fileprivate func delayed(
    _ milliseconds: Int, on scheduler: AnySchedulerOf<DispatchQueue>
  ) -> Self {
    milliseconds == 0
      ? receive(on: scheduler) : delay(for: .milliseconds(milliseconds), scheduler: scheduler)
  }
}

/// The value that an effect of a program answers with.
package struct Reply: Sendable {
  package var value: Int
  /// The effect that the action with this reply starts.
  package var tree: EffectTree?

  init(_ value: Int, starts tree: EffectTree? = nil) {
    self.value = value
    self.tree = tree
  }
}

/// Effects that are started one after the other at given times, each by a tagged action.
package struct EffectProgram: Sendable {
  package var starts: [Start]
  /// Whether tasks answer, so that somebody has to wait for the end.
  package var isChain = false

  package struct Start: Sendable {
    /// The time between the start before and this one.
    package var milliseconds: Int
    package var marks: Marks
    package var tree: EffectTree

    package init(_ milliseconds: Int, _ marks: Marks, _ tree: EffectTree) {
      self.milliseconds = milliseconds
      self.marks = marks
      self.tree = tree
    }
  }

  package init(starts: [Start]) {
    self.starts = starts
  }

  package static func random(_ kind: EffectTree.Kind, _ random: inout Randomness) -> Self {
    let count = kind == .chain ? 1 : Int.random(in: 1...4, using: &random)
    var program = EffectProgram(
      starts: (0..<count).map { _ in
        let isCancel = count > 1 && Int.random(in: 0..<5, using: &random) == 0
        return Start(
          kind == .chain ? 0 : .random(in: 0..<4, using: &random),
          random.bool() ? .random(["x", "y"], &random) : Marks(),
          isCancel
            ? .cancel(id: .random(in: 0...EffectTree.limitedID, using: &random))
            : .random(size: .random(in: 1...24, using: &random), &random, kind: kind))
      })
    program.isChain = kind == .chain
    return program
  }
}

extension EffectProgram {
  /// A program of one effect, whose action has no marks, and whose answers start no other effects.
  package static func single(_ kind: EffectTree.Kind, _ random: inout Randomness) -> Self {
    let tree = EffectTree.random(size: .random(in: 1...24, using: &random), &random, kind: kind)
    var program = EffectProgram(starts: [Start(0, Marks(), tree)])
    program.isChain = kind == .chain
    return program
  }

  /// Runs the only effect of the program without a store, outside of any actor.
  package func runWithoutStore() async -> [Answer] {
    let scheduler = DispatchQueue.test
    let log = Log<Answer>()
    let hasEnded = Promise<Void>()
    let cancellable = starts[0].tree.effect(scheduler).sink(isolation: nil) {
      hasEnded.fulfil()
    } receiveValue: { reply in
      log.append(
        Answer(
          milliseconds: scheduler.milliseconds, value: reply.value,
          marks: Marks.text(.current)))
    }
    if isChain { await hasEnded.value }
    await scheduler.run()
    cancellable.cancel()
    return log.entries
  }
}

/// An action of the feature that runs programs.
package enum ProgramAction: Sendable {
  case start(EffectTree)
  case answer(Reply)
}

/// The feature that runs programs. Its state is the number of answers so far.
package struct ProgramFeature: Reducer {
  let scheduler: TestSchedulerOf<DispatchQueue>

  package init(_ scheduler: TestSchedulerOf<DispatchQueue>) {
    self.scheduler = scheduler
  }

  package func reduce(into state: inout Int, action: ProgramAction) -> Effect<ProgramAction> {
    let tree: EffectTree?
    switch action {
    case .start(let started):
      tree = started
    case .answer(let reply):
      state += 1
      tree = reply.tree
    }
    return tree?.effect(scheduler).map(ProgramAction.answer) ?? .none
  }
}

/// One answer: its time, its value, and its marks as text.
package struct Answer: Equatable, CustomStringConvertible, Sendable {
  package var milliseconds: Int
  package var value: Int
  package var marks: String

  package init(milliseconds: Int, value: Int, marks: String) {
    self.milliseconds = milliseconds
    self.value = value
    self.marks = marks
  }

  package var description: String {
    "\(milliseconds):\(value)\(marks == "-" ? "" : "/\(marks)")"
  }
}

extension EffectProgram {
  /// Runs the program in a store.
  @MainActor
  package func run() -> [Answer] {
    let scheduler = DispatchQueue.test
    let store = Store(initialState: 0) { ProgramFeature(scheduler) }
    var log: [Answer] = []
    let subscription = store.subscribe { commit in
      for case .answer(let reply) in commit.actions {
        log.append(
          Answer(
            milliseconds: scheduler.milliseconds, value: reply.value,
            marks: Marks.text(commit.transaction)))
      }
    }
    for start in starts {
      scheduler.advance(by: .milliseconds(start.milliseconds))
      store.send(.start(start.tree), transaction: start.marks.transaction)
    }
    scheduler.run()
    subscription.cancel()
    return log
  }

  /// The program with the answers of a host and of the model; `nil` where these agree.
  package func difference(_ host: [Answer]) -> String? {
    let model = EffectModel.run(self)
    guard host != model else { return nil }
    let starts = starts.map {
      "after \($0.milliseconds) ms, \($0.marks.text): \($0.tree.effect(DispatchQueue.test))"
        + "\n  \($0.tree)"
    }
    return starts.joined(separator: "\n") + "\nhost:  \(host)\nmodel: \(model)"
  }
}

extension TestScheduler {
  /// The time that has passed on it, in milliseconds.
  package var milliseconds: Int { Int(timeline.elapsed / .milliseconds(1)) }
}
