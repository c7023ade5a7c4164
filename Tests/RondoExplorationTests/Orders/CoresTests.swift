// Explorations on several threads come to the same as on one (X15).

import Foundation
import RondoSeededRandomness
import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration

@Suite struct CoresTests {
  private static func search(isRight: Bool) -> Explorer<Search.State, Search.Action> {
    Explorer(initialState: Search.State()) { Search(cancelsInFlight: isRight) }
      .actions(.queryChanged("b"), .queryChanged("bl"), .queryChanged(""))
      .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
      .always { $0.results.isEmpty || $0.results == [$0.query] }
      .whenever {
        $0.isLoading
      } eventually: {
        !$0.isLoading
      }
      .sometimes { $0.query == "bl" && !$0.results.isEmpty }
  }

  // X15
  @Test(arguments: [0, 1]) func theNumberOfThreadsMakesNoDifference(seed: UInt64) async {
    var coverages: [ExplorationCoverage] = []
    for threads in [1, 2, 3] {
      coverages.append(
        await exploreOnAllCores(steps: 4, orders: 160, seed: seed, threads: threads) {
          Self.search(isRight: true)
        })
    }
    #expect(coverages[0].orderCount == 160)
    #expect(coverages[1] == coverages[0])
    #expect(coverages[2] == coverages[0])
  }

  // X15
  @Test func theSameFailureIsFoundOnEveryNumberOfThreads() async {
    var messages: [[String]] = []
    for threads in [1, 2, 3] {
      messages.append(
        await captureIssues {
          await exploreOnAllCores(steps: 6, orders: 1_000, threads: threads) {
            Self.search(isRight: false)
          }
        }.map(\.message))
    }
    #expect(messages[0].count == 1)
    #expect(messages[0].first?.contains("This run again: .replay(") == true)
    #expect(messages[1] == messages[0])
    #expect(messages[2] == messages[0])
  }

  // X15, X18
  @Test func allOrdersOnTwoThreadsAreAllOrdersOnOne() async {
    let one = await Self.search(isRight: true).explore(steps: 2, orders: 100_000)
    let two = await exploreOnAllCores(steps: 2, orders: 100_000, threads: 2) {
      Self.search(isRight: true)
    }
    #expect(one.isComplete)
    #expect(two.isComplete)
    #expect(one.standsFor == two.standsFor)
    #expect(one.stateCount == two.stateCount)
  }

  // X15
  @Test func whatCannotBeReachedIsSaidOnTwoThreadsToo() async {
    let issues = await captureIssues {
      await exploreOnAllCores(steps: 2, orders: 200, threads: 2) {
        Explorer(initialState: Search.State()) { Search() }
          .actions(.queryChanged("b"))
          .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
          .sometimes("it cannot be") { $0.query == "c" }
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("it cannot be") == true)
  }

  // X15
  @Test func aTimeLimitEndsASearchOnAllCores() async {
    let coverage = await exploreOnAllCores(
      steps: 4, within: .nanoseconds(1), threads: 2
    ) { Self.search(isRight: true) }
    #expect(coverage.isTimeUp)
    #expect(coverage.orderCount == 1)
  }

  /// A model that remembers what the feature's state does not show, and fails after "ba" alone.
  private static var letters: Explorer<Letters.State, Letters.Action> {
    Explorer(initialState: Letters.State()) { Letters() }
      .actions(.add("a"), .add("b"))
      .matches(initialState: "", LettersModel()) { _ in
        false
      } with: {
        $0 == "ba"
      }
  }

  /// Often, since it depends on the threads which of them makes which run.
  // X15, X18
  @Test func statesOfModelsAreToldApartOnAllThreads() async {
    for _ in 0..<20 {
      let issues = await captureIssues {
        await exploreOnAllCores(steps: 2, threads: 2) { Self.letters }
      }
      #expect(issues.count == 1)
    }
  }

  // X15
  @Test(arguments: [true, false]) func theTableOfStatesIsFullOnlyBetweenBatches(isHashed: Bool) {
    func expectSame<State: Equatable & Sendable>(_ state: (Int) -> State) {
      let states = SharedStates<State>(limit: 2)
      let numbers = (0..<4).map { states.number(of: state($0), after: UInt64($0)) }
      #expect(Set(numbers) == [1, 2, 3, 4])
      #expect(!states.isFull)
      states.endBatch()
      #expect(states.number(of: state(4), after: 4) == 0)
      #expect(states.number(of: state(3), after: 3) == numbers[3])
      #expect(states.isFull)
    }
    if isHashed { expectSame { $0 } } else { expectSame { Unhashed(number: $0) } }
  }

  private struct Unhashed: Equatable { var number: Int }

  /// The long form: how much sooner two threads are done, and how much more work that is.
  // X15
  @Test(.enabled(if: Soak.isOn)) func twoThreadsAreFaster() async {
    let threadNumbers = Mutex<Set<UInt>>([])
    func cost(threads: Int) async -> (time: Duration, work: Double) {
      let (start, work) = (ContinuousClock.now, Self.processorTime())
      await exploreOnAllCores(steps: 6, orders: 20_000, threads: threads) {
        threadNumbers.withLock { _ = $0.insert(UInt(pthread_self())) }
        return Self.search(isRight: true)
      }
      return (ContinuousClock.now - start, Self.processorTime() - work)
    }
    _ = await cost(threads: 1)
    let one = await cost(threads: 1)
    let two = await cost(threads: 2)
    print(
      "20,000 orders: \(one.time) on one thread, \(two.time) on two: \(one.time / two.time) times; "
        + "processor time \(one.work) s and \(two.work) s; "
        + "\(threadNumbers.withLock(\.count)) threads of the pool")
  }

  private static func processorTime() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
  }
}

/// Takes letters, and shows nothing of them.
private struct Letters: Reducer {
  struct State: Equatable, Sendable {}
  enum Action: Equatable, Sendable { case add(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// Keeps the letters.
private struct LettersModel: Reducer {
  func reduce(into state: inout String, action: Letters.Action) -> Effect<Letters.Action> {
    if case .add(let letter) = action { state += letter }
    return .none
  }
}
