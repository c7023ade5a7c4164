// Tests that what an explorer says of all orders is true (X18, X19, X21).

import Foundation
import RondoSeededRandomness
import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration

@Suite struct CallbackTests {
  // X18
  @Test func eitherOfTwoCallbacksOfTheSameActionMayComeFirst() async {
    let issues = await captureIssues {
      await Explorer(initialState: Places.State()) { Places() }
        .actions(.locate)
        .outcomes(ofCallback: \.feedClient.locate) { [.success(7)] }
        .eventually { $0.shown == $0.asked }
        .explore(steps: 2)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.hasPrefix("This is to hold in the end, and does not") == true)
  }

  /// The callback of an effect that was cancelled does nothing any more, and nothing in the state shows it.
  // X18
  @Test func aCallbackThatWasCancelledIsToldApart() async {
    struct State: Hashable { var text = "" }
    enum Action: Equatable { case locate, stop, located(Int), seen }
    func explorer(_ ends: Mutexed<Set<String>>) -> Explorer<State, Action> {
      Explorer(initialState: State()) {
        Reduce<State, Action> { state, action in
          @Dependency(\.feedClient) var client
          switch action {
          case .locate:
            return .future { [client] callback in
              client.locate { callback(.located($0)) }
            }
            .cancellable(id: "place")
          case .stop: return .cancel(id: "place")
          case .located: state.text += "located "
          case .seen: state.text += "seen "
          }
          return .none
        }
      }
      .actions(.seen, .locate, .stop)
      .outcomes(ofCallback: \.feedClient.locate) { [.success(7)] }
      .eventually { state in
        ends.value.withLock { _ = $0.insert(state.text) }
        return true
      }
    }
    let (all, pruned) = (Mutexed(Set<String>()), Mutexed(Set<String>()))
    let coverage = await explorer(all).search(OrderSearch(limit: 20_000), steps: 3).coverage
    #expect(coverage.isComplete)
    let coverageOfPruned = await explorer(pruned)
      .search(OrderSearch(limit: 20_000, prunes: true), steps: 3).coverage
    #expect(coverageOfPruned.isComplete)
    #expect(all.value.withLock { $0 } == pruned.value.withLock { $0 })
    #expect(coverageOfPruned.standsFor == Double(coverage.orderCount))
    #expect(coverageOfPruned.orderCount < coverage.orderCount)
    #expect(!coverage.description.contains("no effect has run"))
  }
}

private final class Mutexed<Value: Sendable>: Sendable {
  let value: Mutex<Value>
  init(_ value: Value) { self.value = Mutex(value) }
}

/// Asks where it is each time that it is told to, and shows the number of the answer.
private struct Places: Reducer {
  struct State: Hashable {
    var asked = 0
    var shown = 0
  }
  enum Action: Equatable {
    case locate
    case located(Int)
  }
  @Dependency(\.feedClient) var client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .locate:
      state.asked += 1
      let number = state.asked
      return .future { [client] callback in client.locate { _ in callback(.located(number)) } }
    case .located(let number):
      state.shown = number
      return .none
    }
  }
}

@Suite struct SharedStepTests {
  private struct State: Equatable {
    @Shared(.inMemory("count")) var count = 0
    var name = ""
  }
  private enum Action: Equatable { case increment, decrement, rename }

  private func explorer() -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce<State, Action> { state, action in
        switch action {
        case .increment: state.$count.withLock { $0 += 1 }
        case .decrement: state.$count.withLock { $0 -= 1 }
        case .rename: state.name += "a"
        }
        return .none
      }
    }
  }

  // X19
  @Test func aStepThatCannotBeAskedOfASharedValueIsReported() async {
    let line = UInt(#line) + 3
    let issues = await captureIssues {
      await explorer().actions(.decrement)
        .everyStep { old, _, new in new.count >= old.count }
        .explore(steps: 1)
    }
    #expect(
      issues.map(\.message) == [
        """
        '.everyStep' reads a shared value that .decrement has changed: Shared<Int>(.inMemory("count")). Both \
        states show the value after it. Name what is compared, so that the value before is kept: \
        '.everyStep(of: { $0.… }) { old, action, new in … }'.
        """
      ])
    #expect(issues.first?.position.line == line)
  }

  // X19
  @Test func aSharedValueIsComparedWithTheOneBefore() async {
    let issues = await captureIssues {
      await explorer().actions(.increment, .decrement)
        .everyStep(of: { $0.count }) { old, action, new in
          new == old + (action == .increment ? 1 : -1)
        }
        .explore(steps: 2)
    }
    #expect(issues.isEmpty, "\(issues)")
    let found = await captureIssues {
      await explorer().actions(.decrement).everyStep(of: { $0.count }) { old, _, new in new >= old }
        .explore(steps: 1)
    }
    #expect(
      found.first?.message.contains(
        """
        .decrement has led from

        SharedStepTests.State(count: 0, name: "")

        to

        SharedStepTests.State(count: -1, name: "")
        """) == true, "\(found)")
  }

  /// The states that were kept show what is new, so that those which are seen again look as if they were new.
  // X21
  @Test(arguments: [nil, 2]) func statesWithSharedValuesAreNotCounted(threads: Int?) async {
    struct State: Hashable, Sendable { @Shared(.inMemory("number")) var number = 0 }
    @Sendable func explorer(sharesValues: Bool) -> Explorer<State, Int> {
      Explorer(initialState: State()) {
        Reduce<State, Int> { state, number in
          if sharesValues { state.$number.withLock { $0 = number } }
          return .none
        }
      }
      .actions(1, 2)
    }
    for sharesValues in [false, true] {
      let coverage =
        if let threads {
          await exploreOnAllCores(steps: 1, threads: threads) {
            explorer(sharesValues: sharesValues)
          }
        } else {
          await explorer(sharesValues: sharesValues).explore(steps: 1)
        }
      #expect(coverage.stateCount == (sharesValues ? nil : 1))
    }
  }

  // X19
  @Test func whatAnEffectChangesIsNoPartOfTheNextStep() async {
    let issues = await captureIssues {
      await Explorer(initialState: State()) {
        Reduce<State, Action> { state, action in
          guard action == .increment else { return .none }
          let count = state.$count
          return .run { _ in count.withLock { $0 += 1 } }
        }
      }
      .actions(.increment, .rename)
      .everyStep(of: { $0.count }) { old, _, new in old == new }
      .everyStep { old, _, new in old.count == new.count }
      .explore(steps: 3)
    }
    #expect(issues.isEmpty, "\(issues)")
  }

  // X19
  @Test func aStepThatReadsNoSharedValueIsAsked() async {
    let issues = await captureIssues {
      await explorer().actions(.increment, .rename)
        .everyStep { old, _, new in new.name.count >= old.name.count }
        .explore(steps: 2)
    }
    #expect(issues.isEmpty, "\(issues)")
  }
}

@Suite struct LongSleepTests {
  private struct State: Hashable { var isExpired = false }
  private enum Action: Equatable { case start, expired }

  /// A session that expires after half a minute.
  private func explorer() -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce<State, Action> { state, action in
        @Dependency(\.continuousClock) var clock
        guard action == .start else {
          state.isExpired = true
          return .none
        }
        return .run(name: "session") { [clock] send in
          try await clock.sleep(for: .seconds(30))
          await send(.expired)
        }
      }
    }
    .actions(.start)
  }

  // X19
  @Test func aSleepThatIsLongerThanThePatienceEnds() async {
    let issues = await captureIssues {
      await explorer().eventually { $0.isExpired }.sometimes { $0.isExpired }.explore(steps: 1)
    }
    #expect(issues.isEmpty, "\(issues.map(\.message))")
    let found = await captureIssues {
      await explorer().always { !$0.isExpired }.explore(steps: 1)
    }
    #expect(found.count == 1)
  }
}

@Suite struct PatienceTests {
  private struct State: Hashable { var count = 0 }
  private enum Action: Equatable { case start, ticked }

  /// Waits for some time again and again.
  private func explorer(_ waits: Duration...) -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce<State, Action> { state, action in
        @Dependency(\.continuousClock) var clock
        guard action == .start else {
          state.count += 1
          return .none
        }
        return .run(name: "ticks") { [clock] send in
          for wait in waits {
            try await clock.sleep(for: wait)
            await send(.ticked)
          }
        }
      }
    }
    .actions(.start)
  }

  // X19
  @Test func whatIsStillDueIsSpokenOf() async {
    let hours = explorer(.seconds(3_600), .seconds(3_600), .seconds(3_600))
    let eventually = await captureIssues {
      await hours.eventually { $0.count == 3 }.explore(steps: 1)
    }
    #expect(
      eventually.first?.message.contains(
        "Something is still due after 7200.0 seconds, for which the run has not waited") == true,
      "\(eventually.map(\.message))")
    let sometimes = await captureIssues {
      await hours.sometimes { $0.count == 3 }.explore(steps: 1)
    }
    #expect(
      sometimes.first?.message.contains("or more time by '.patience(…)'") == true,
      "\(sometimes.map(\.message))")
    let patient = await captureIssues {
      await hours.patience(.seconds(20_000)).eventually { $0.count == 3 }.explore(steps: 1)
    }
    #expect(patient.isEmpty)
  }

  // X19
  @Test func whatIsStillDueIsSpokenOfWhereSomethingIsInFlight() async {
    let issues = await captureIssues {
      await explorer(.seconds(3_600), .seconds(3_600)).eventuallyFinishes().explore(steps: 1)
    }
    let message = issues.first?.message
    #expect(message?.contains("Something is still due after 7200.0 seconds") == true, "\(issues)")
  }

  // X19
  @Test func whatBeginsToWaitInThePatienceIsWaitedFor() async {
    let issues = await captureIssues {
      await explorer(.seconds(5), .seconds(8)).eventually { $0.count == 2 }.explore(steps: 1)
    }
    #expect(issues.isEmpty, "\(issues.map(\.message))")
    // A timer goes on as long as somebody else waits, and no longer.
    // The second start comes at any time, or when the first wait is over: with what has gone on before there is more
    // than is waited for at once.
    for (wait, starts, whileWaiting, isWaitedFor) in [
      (30, 1, true, true), (70, 2, false, true), (Soak.count(16, long: 60), 2, true, true),
      (300, 1, true, false),
    ] {
      let issues = await captureIssues {
        await Explorer(initialState: State(count: -1)) {
          Reduce<State, Action> { state, action in
            @Dependency(\.continuousClock) var clock
            guard action == .start else {
              state.count += 1
              return .none
            }
            state.count = 0
            return .merge(
              .run { [clock] _ in
                while !Task.isCancelled { try await clock.sleep(for: .seconds(1)) }
              },
              .run { [clock] send in
                try await clock.sleep(for: .seconds(wait))
                await send(.ticked)
              }
            )
            .cancellable(id: "wait", cancelInFlight: true)
          }
        }
        .availableActions { if whileWaiting || $0.count != 0 { .start } }
        .eventually { $0.count == 1 }
        .explore(steps: starts, orders: Soak.count(40, long: 1_000))
      }
      #expect(issues.isEmpty == isWaitedFor, "\(issues.map(\.message))")
    }
  }

  // X19
  @Test func aLongWaitIsFollowedByTheSamePatience() async {
    let issues = await captureIssues {
      await explorer(.seconds(30), .seconds(9)).eventually { $0.count == 2 }.explore(steps: 1)
    }
    #expect(issues.isEmpty, "\(issues.map(\.message))")
    let without = await captureIssues {
      await explorer(.seconds(30)).patience(.zero).always { $0.count == 0 }.explore(steps: 1)
    }
    #expect(without.isEmpty)
  }

  // X19
  @Test func instantsBetweenAreSpokenOf() async {
    let one = await explorer(.seconds(1)).explore(steps: 1)
    #expect(!one.description.contains("between"))
    let two = await Explorer(initialState: 0) {
      Reduce<Int, Bool> { state, isSent in
        @Dependency(\.continuousClock) var clock
        guard isSent else { return .none }
        return .merge(
          [1, 3].map { seconds in
            .run { [clock] send in
              try await clock.sleep(for: .seconds(seconds))
              await send(false)
            }
          })
      }
    }
    .actions(true)
    .explore(steps: 2, orders: 20)
    #expect(
      two.description.contains("; nothing comes from outside between the instants of timers"),
      "\(two)")
  }
}

@Suite struct RememberingDependencyTests {
  // X18
  @Test func aDependencyThatRemembersIsSpokenOf() async {
    let coverage = await explorer().explore(steps: 2)
    #expect(
      coverage.description.contains("the others come to the same unless a dependency remembers"),
      "\(coverage)")
    let issues = await captureIssues { await explorer().withoutPruning().explore(steps: 2) }
    #expect(issues.first?.message.contains("State(text: [\"b\"])") == true, "\(issues)")
  }

  private struct State: Hashable { var text: [String] = [] }
  private enum Action: Equatable { case a, b, read }

  private func explorer() -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce<State, Action> { state, action in
        @Dependency(\.drafts) var drafts
        switch action {
        case .a: drafts.names.withLock { $0.append("a") }
        case .b: drafts.names.withLock { $0.append("b") }
        case .read: state.text = drafts.names.withLock { $0 }
        }
        return .none
      }
    } withDependencies: {
      $0.drafts = Drafts()
    }
    .actions(.a, .b, .read)
    .always { $0.text != ["b"] }
  }
}

/// A dependency that remembers what it was told.
private final class Drafts: DependencyKey, Sendable {
  let names = Mutex<[String]>([])

  static var liveValue: Drafts { Drafts() }
  static var testValue: Drafts { Drafts() }
}

extension DependencyValues {
  fileprivate var drafts: Drafts {
    get { self[Drafts.self] }
    set { self[Drafts.self] = newValue }
  }
}
