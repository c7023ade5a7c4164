// Features with child tasks, pieces under an id, timeouts and delays, made up by chance.

import Rondo
import RondoExploration
import RondoTestStore

/// A feature of two actions whose effects are made up by a seed.
struct WideProgram: CustomStringConvertible, Sendable {
  /// A line of an effect's closure.
  indirect enum Line: Hashable, Sendable {
    case add(Int), call, tryCall, confirm, sleep(Int), trySleep(Int), yield
    case start(Int), cancel(Int), fail
    /// The first of two child tasks to end cancels the other.
    case race([Line], [Line])
    /// Two child tasks, of which the first is awaited first.
    case both([Line], [Line])
    case piece(Int, [Line], inFlight: Bool)
  }

  /// An effect as the reducer returns it.
  indirect enum Tree: Hashable, Sendable {
    case send(Int), run([Line]), cancel(Int)
    case merge([Tree]), concatenate([Tree])
    case newest(Int, Tree), unlimited(Int, Tree), oldest(Int, Tree)
    case debounce(Int, Tree), delay(Int, Tree), timeout(Int, Tree)
  }

  let trees: [Tree]
  /// The number of sums that the state tells apart.
  let modulus: Int
  var description: String { "\(modulus) \(trees)" }

  /// - Parameter size: How many lines the effects of the first action have, more or less.
  init(seed: UInt64, size: Int) {
    var maker = Maker(random: ProgramRandom(state: seed &* 2 &+ 1), budget: size)
    let first = maker.tree(depth: 3, canStart: true)
    maker.budget = max(1, size / 2)
    let second = maker.tree(depth: 2, canStart: false)
    trees = [first, second]
    modulus = [2, 7, 1_009][Int.random(in: 0..<3, using: &maker.random)]
  }

  private struct Maker {
    var random: ProgramRandom
    var budget: Int

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func id() -> Int { [0, 0, 1, 10][draw(4)] }

    mutating func lines(_ most: Int, isTop: Bool, canStart: Bool) -> [Line] {
      let count = max(1, min(budget, 1 + draw(most)))
      budget -= count
      return (0..<count).map { _ in line(isTop: isTop, canStart: canStart) }
    }

    mutating func line(isTop: Bool, canStart: Bool) -> Line {
      switch draw(22) {
      case 0...5: .add(1 + draw(9))
      case 6: .call
      case 7: .tryCall
      case 8: .confirm
      case 9, 10: .sleep(draw(3))
      case 11, 12: .trySleep(draw(3))
      case 13: .yield
      case 14: canStart ? .start(1) : .add(5)
      // A child task that cancels may be overtaken by its parent, as the page on exploration says.
      case 15: isTop ? .cancel(id()) : .add(2)
      case 16: .fail
      case 17, 18:
        .race(
          lines(2, isTop: false, canStart: canStart), lines(2, isTop: false, canStart: canStart))
      case 19:
        .both(
          lines(2, isTop: false, canStart: canStart), lines(2, isTop: false, canStart: canStart))
      default:
        isTop
          ? .piece(
            id(), lines(2, isTop: false, canStart: canStart), inFlight: draw(2) == 0)
          : .trySleep(1)
      }
    }

    mutating func tree(depth: Int, canStart: Bool) -> Tree {
      func child() -> Tree { tree(depth: depth - 1, canStart: canStart) }
      guard depth > 0, budget > 1 else {
        return draw(6) == 0
          ? .send(1 + draw(9)) : .run(lines(3, isTop: true, canStart: canStart))
      }
      switch draw(17) {
      case 0, 1: return .run(lines(3, isTop: true, canStart: canStart))
      case 2...5: return .merge([child(), child()])
      case 6, 7: return .concatenate([child(), child()])
      case 8, 9: return .newest(id(), child())
      case 10: return .unlimited(id(), child())
      case 11: return .oldest(id(), child())
      case 12: return .debounce(draw(3), child())
      case 13: return .timeout(1 + draw(2), child())
      case 14: return draw(3) > 0 ? .newest(id(), child()) : .delay(draw(3), child())
      case 15: return .merge([child(), .cancel(id())])
      default: return .concatenate([.cancel(id()), child()])
      }
    }
  }

  // MARK: As a feature

  struct Feature: Reducer {
    struct State: Hashable { var sum = 0 }
    enum Action: Equatable, Sendable { case start(Int), add(Int), answered, lost, failed }
    struct Failure: Error {}

    let program: WideProgram
    @Dependency(\.searchClient) var client
    @Dependency(\.feedClient) var feed
    @Dependency(\.continuousClock) var clock
    @Dependency(\.mainQueue) var mainQueue

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      let sum = state.sum
      switch action {
      case .start(let index): return effect(program.trees[index], sum)
      case .add(let number): state.sum = (sum * 2 + number) % program.modulus
      case .answered: state.sum = (sum * 3 + 1) % program.modulus
      case .lost: state.sum = (sum * 5 + 2) % program.modulus
      case .failed: state.sum = (sum * 7 + 3) % program.modulus
      }
      return .none
    }

    private func effect(_ tree: Tree, _ sum: Int) -> Effect<Action> {
      switch tree {
      case .send(let number): .send(.add(number))
      case .run(let lines): run(lines, sum)
      case .cancel(let id): .cancel(id: id)
      case .merge(let trees): .merge(trees.map { effect($0, sum) })
      case .concatenate(let trees): .concatenate(trees.map { effect($0, sum) })
      case .newest(let id, let tree): effect(tree, sum).cancellable(id: id, cancelInFlight: true)
      case .unlimited(let id, let tree): effect(tree, sum).cancellable(id: id)
      case .oldest(let id, let tree): effect(tree, sum).cancellable(id: id, policy: .oldest)
      case .debounce(let time, let tree):
        effect(tree, sum).debounce(id: 10, for: .seconds(time), scheduler: mainQueue)
      case .delay(let time, let tree):
        effect(tree, sum).delay(for: .seconds(time), scheduler: mainQueue)
      case .timeout(let time, let tree):
        effect(tree, sum).timeout(.seconds(time), scheduler: mainQueue)
      }
    }

    private func run(_ lines: [Line], _ sum: Int) -> Effect<Action> {
      .run { [self] send in
        try await take(lines, sum, send)
      } catch: { _, send in
        await send(.failed)
      }
    }

    @Sendable private func take(_ lines: [Line], _ sum: Int, _ send: Send<Action>) async throws {
      for line in lines {
        switch line {
        case .add(let number): await send(.add(number + sum % 2))
        case .call:
          _ = try await client.search("x")
          await send(.answered)
        case .tryCall:
          let answer = try? await client.search("x")
          await send(answer == nil ? .lost : .answered)
        case .confirm:
          _ = await feed.confirm(1)
          await send(.answered)
        case .sleep(let seconds): try await clock.sleep(for: .seconds(seconds))
        case .trySleep(let seconds): try? await clock.sleep(for: .seconds(seconds))
        case .yield: await Task.yield()
        case .start(let index): await send(.start(index))
        case .cancel(let id): Task.cancel(id: id)
        case .fail: throw Failure()
        case .race(let one, let other):
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await take(one, sum, send) }
            group.addTask { try await take(other, sum, send) }
            try await group.next()
            group.cancelAll()
          }
        case .both(let one, let other):
          async let first: Void = take(one, sum, send)
          async let second: Void = take(other, sum, send)
          try await first
          try await second
        case .piece(let id, let lines, let inFlight):
          try? await withTaskCancellation(id: id, cancelInFlight: inFlight) {
            try await take(lines, sum, send)
          }
        }
      }
    }
  }

  /// The sums that explorations have seen.
  final class Seen {
    var all: Set<Int> = []
    var last: Set<Int> = []
  }

  /// An explorer of the feature, which collects the states that it sees.
  func explorer(_ seen: Seen) -> Explorer<Feature.State, Feature.Action> {
    Explorer(initialState: Feature.State()) { Feature(program: self) }
      .actions(.start(0), .start(1))
      .outcomes(of: \.searchClient.search) { _ in [.success([]), .failure(Offline())] }
      .outcomes(of: \.feedClient.confirm) { _ in [.success(true)] }
      .always {
        seen.all.insert($0.sum)
        return true
      }
      .eventually {
        seen.last.insert($0.sum)
        return true
      }
  }
}

/// A generator whose numbers make programs that tests name by their seeds.
struct ProgramRandom: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
  }
}
