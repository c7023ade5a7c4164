// Small features that are made up by chance.

import Rondo
import RondoExploration
import RondoTestStore
import Synchronization

/// A feature whose effects are made up by a seed.
struct RandomProgram: CustomStringConvertible, Sendable {
  /// Something that an effect does.
  enum Step: Hashable, Sendable {
    case add(Int)
    case call(String)
    case sleep(Int)
    case yield
    case start(Int)
    case cancel(Int)
    case readBox
    case writeBox
    case throwError
  }

  /// An effect as the reducer returns it.
  indirect enum Tree: Hashable, Sendable {
    case run([Step])
    case group([[Step]])
    case merge([Tree])
    case concatenate([Tree])
    case cancellable(Int, Tree, inFlight: Bool)
    case debounce(Int, Tree)
    case cancel(Int)
    /// A call that is made when the effect is started, and answered by a closure that is called back.
    case future(Int)

    var hasFuture: Bool {
      switch self {
      case .future: true
      case .merge(let trees), .concatenate(let trees): trees.contains(where: \.hasFuture)
      case .cancellable(_, let tree, _), .debounce(_, let tree): tree.hasFuture
      case .run, .group, .cancel: false
      }
    }
  }

  /// The effects of the actions.
  let trees: [Tree]
  /// Whether effects share memory that the store does not see.
  let hasBox: Bool
  /// The number of sums that the state tells apart.
  let modulus: Int

  var description: String { "\(trees)" }

  init(trees: [Tree], modulus: Int = 7) {
    self.trees = trees
    self.modulus = modulus
    hasBox = false
  }

  init(seed: UInt64, hasBox: Bool = false) {
    self.hasBox = hasBox
    modulus = 7
    var random = ProgramRandom(state: seed)
    trees = (0..<2).map { index in
      Self.tree(depth: 2, &random, canStart: index == 0, hasBox: hasBox)
    }
  }

  /// A program of which many things come due at one instant, and are cancelled by each other.
  ///
  /// - Parameter size: How many steps the effects of the first action have.
  static func withEqualWaits(seed: UInt64, size: Int) -> Self {
    var random = ProgramRandom(state: seed)
    var budget = size
    let first = waiting(depth: 3, canStart: true, &budget, &random)
    budget = size / 2
    let second = waiting(depth: 2, canStart: false, &budget, &random)
    return Self(trees: [first, second], modulus: 1_009)
  }

  /// - Parameter budget: The number of steps that effects may still have.
  private static func waiting(
    depth: Int, canStart: Bool, _ budget: inout Int, _ random: inout ProgramRandom
  ) -> Tree {
    func steps(_ random: inout ProgramRandom) -> [Step] {
      let count = max(1, min(budget, Int.random(in: 1...3, using: &random)))
      budget -= count
      return (0..<count).map { _ in
        switch Int.random(in: 0..<16, using: &random) {
        case 0...5: .add(Int.random(in: 1...9, using: &random))
        case 6...9: .sleep(Int.random(in: 0...2, using: &random))
        case 10, 11: .call("x")
        case 12: .yield
        case 13: canStart ? .start(1) : .add(5)
        case 14: .cancel(Int.random(in: 0...1, using: &random))
        default: .throwError
        }
      }
    }
    func child(_ random: inout ProgramRandom) -> Tree {
      waiting(depth: depth - 1, canStart: canStart, &budget, &random)
    }
    switch depth == 0 || budget < 2 ? 0 : Int.random(in: 0..<15, using: &random) {
    case 0, 1: return .run(steps(&random))
    case 2...6: return .merge([child(&random), child(&random)])
    case 7, 8: return .concatenate([child(&random), child(&random)])
    case 9, 10, 11:
      let id = Int.random(in: 0...1, using: &random)
      return .cancellable(id, child(&random), inFlight: Bool.random(using: &random))
    case 12: return .debounce(0, child(&random))
    case 13:
      budget -= 1
      return .future(Int.random(in: 1...9, using: &random))
    default:
      guard depth < 3 else { return .group([steps(&random), steps(&random)]) }
      return .merge([child(&random), .cancel(Int.random(in: 0...1, using: &random))])
    }
  }

  private static func tree(
    depth: Int, _ random: inout ProgramRandom, canStart: Bool, hasBox: Bool
  ) -> Tree {
    func steps(_ random: inout ProgramRandom) -> [Step] {
      (0..<Int.random(in: 1...2, using: &random)).map { _ in
        switch Int.random(in: 0..<(hasBox ? 12 : 9), using: &random) {
        case 0, 1, 2: .add(Int.random(in: 1...3, using: &random))
        case 3: .call("x")
        case 4: .sleep(Int.random(in: 1...2, using: &random))
        case 5: .yield
        case 6: canStart ? .start(1) : .add(5)
        case 7: .cancel(Int.random(in: 0...1, using: &random))
        case 8: .throwError
        case 9: .readBox
        default: .writeBox
        }
      }
    }
    func children(_ random: inout ProgramRandom) -> [Tree] {
      (0..<2).map { _ in tree(depth: depth - 1, &random, canStart: canStart, hasBox: hasBox) }
    }
    switch Int.random(in: 0..<(depth == 0 ? 2 : 10), using: &random) {
    case 0: return .run(steps(&random))
    case 1: return .future(Int.random(in: 1...3, using: &random))
    case 2, 3, 4: return .merge(children(&random))
    case 5: return .concatenate(children(&random))
    case 6:
      let id = Int.random(in: 0...1, using: &random)
      return .cancellable(
        id, tree(depth: depth - 1, &random, canStart: canStart, hasBox: hasBox),
        inFlight: Bool.random(using: &random))
    case 7:
      return .debounce(0, tree(depth: depth - 1, &random, canStart: canStart, hasBox: hasBox))
    default: return .group([steps(&random), steps(&random)])
    }
  }

  // MARK: As a feature

  struct Feature: Reducer {
    struct State: Hashable {
      var sum = 0
      var count = 0
    }
    enum Action: Equatable {
      case start(Int)
      case add(Int)
      case answered(String)
      case failed
    }
    struct Failure: Error {}

    let program: RandomProgram
    @Dependency(\.searchClient) var client
    @Dependency(\.feedClient) var feedClient
    @Dependency(\.continuousClock) var clock
    @Dependency(\.mainQueue) var mainQueue

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.count += 1
      switch action {
      case .start(let index):
        return effect(program.trees[index], Box(), state.sum)
      case .add(let number):
        // The order of the actions is seen, but not all of it.
        state.sum = (state.sum * 2 + number) % program.modulus
      case .answered(let text):
        state.sum = (state.sum * 3 + text.count) % program.modulus
      case .failed:
        state.sum = 0
      }
      return .none
    }

    /// Memory that effects share.
    private final class Box: Sendable {
      let value = Mutex(0)
    }

    private func effect(_ tree: Tree, _ box: Box, _ sum: Int) -> Effect<Action> {
      switch tree {
      case .run(let steps): run([steps], box, sum)
      case .group(let groups): run(groups, box, sum)
      case .merge(let trees): .merge(trees.map { effect($0, box, sum) })
      case .concatenate(let trees): .concatenate(trees.map { effect($0, box, sum) })
      case .cancellable(let id, let tree, let inFlight):
        effect(tree, box, sum).cancellable(id: id, cancelInFlight: inFlight)
      case .debounce(let id, let tree):
        effect(tree, box, sum)
          .debounce(id: "debounce \(id)", for: .seconds(1), scheduler: mainQueue)
      case .cancel(let id): .cancel(id: id)
      case .future(let number):
        .future { [feedClient] callback in
          feedClient.locate { _ in callback(.add(number + sum % 2)) }
        }
      }
    }

    private func run(_ groups: [[Step]], _ box: Box, _ sum: Int) -> Effect<Action> {
      typealias Take = @Sendable ([Step], Send<Action>) async throws -> Void
      let take: Take = { [client, clock] steps, send in
        for step in steps {
          if Jitter.sleeps {
            try? await Task.sleep(for: .microseconds(Int.random(in: 0...200)))
          } else {
            Jitter.pass()
          }
          switch step {
          // The action depends on the state in which the effect was made.
          case .add(let number): await send(.add(number + sum % 2))
          case .call(let text): await send(.answered(try await client.search(text).joined()))
          case .sleep(let seconds): try await clock.sleep(for: .seconds(seconds))
          case .yield: await Task.yield()
          case .start(let index): await send(.start(index))
          case .cancel(let id): Task.cancel(id: id)
          case .readBox: await send(.add(box.value.withLock { $0 }))
          case .writeBox: box.value.withLock { $0 = $0 * 2 + 1 }
          case .throwError: throw Failure()
          }
        }
      }
      return .run { send in
        guard groups.count > 1 else { return try await take(groups[0], send) }
        try await withThrowingTaskGroup { group in
          for steps in groups { group.addTask { try await take(steps, send) } }
          try await group.waitForAll()
        }
      } catch: { _, send in
        await send(.failed)
      }
    }
  }

  /// An explorer of the feature, which collects the states that it sees.
  ///
  /// - Parameter again: Whether the user may do something else after the first action.
  func explorer(
    _ seen: SeenStates, again: Bool = false
  ) -> Explorer<Feature.State, Feature.Action> {
    let explorer = Explorer(initialState: Feature.State()) { Feature(program: self) }
      .availableActions { $0.count == 0 ? [.start(0)] : again ? [.start(1)] : [] }
      .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
      .always {
        seen.all.insert($0)
        return true
      }
      .eventually {
        seen.last.insert($0)
        return true
      }
    guard trees.contains(where: \.hasFuture) else { return explorer }
    return explorer.outcomes(ofCallback: \.feedClient.locate) { [.success(1)] }
  }

  /// The states that explorations have seen.
  final class SeenStates {
    var all: Set<Feature.State> = []
    var last: Set<Feature.State> = []
  }
}
