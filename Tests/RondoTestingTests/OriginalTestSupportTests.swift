// K12, K15: what tests from elsewhere rely on.

import Rondo
import RondoTestCompatibility
import RondoTesting
import Testing
import XCTest

@Suite struct OriginalTestSupportTests {
  // K31
  @MainActor @Test func aClosureThatObservesATestStoreHasRunWhenSendAndReceiveReturn() async {
    let store = TestStore(initialState: 0) {
      Reduce { (state: inout Int, action: Int) in
        state += action
        return action == 1 ? .send(10) : .none
      }
    }
    var seen: [Int] = []
    let token = observe { seen.append(store.state) }
    #expect(seen == [0])
    await store.send(1) { $0 = 1 }
    #expect(seen == [0, 1])
    await store.receive(10) { $0 = 11 }
    #expect(seen == [0, 1, 11])
    token.cancel()
    await store.send(2) { $0 = 13 }
    #expect(seen == [0, 1, 11])
  }

  // K31
  @MainActor @Test func aFieldOfATestStoreIsObserved() async {
    let store = TestStore(initialState: Observed.State()) { Observed() }
    var seen: [String] = []
    let token = observe { seen.append(store.state.name) }
    await store.send(.rename("Blob")) { $0.name = "Blob" }
    #expect(seen == ["", "Blob"])
    withExtendedLifetime(token) {}
  }

  // K12
  @Test func aModificationThatChangesNothingIsReported() {
    var number: Int? = 1
    let issues = captureIssues { XCTModify(&number) { $0 += 0 } }
    #expect(
      issues.map(\.message)
        == ["What was to be changed has not been: it is Optional(1), as before."])
    XCTModify(&number) { $0 += 1 }
    #expect(number == 2)
  }

  // K37
  @MainActor @Test func aModificationOfNothingIsNoneOfTheTestsBusinessWithoutExhaustivity() async {
    let store = TestStore(initialState: Optional(1)) { Reduce<Int?, Int> { _, _ in .none } }
    store.exhaustivity = .off
    await store.send(0) { XCTModify(&$0) { $0 = 1 } }
    store.exhaustivity = .on
    let issues = await captureIssues { await store.send(0) { XCTModify(&$0) { $0 = 1 } } }
    #expect(issues.first?.message.hasPrefix("What was to be changed has not been") == true)
  }

  // K12
  @Test func anElementOfAStackUnderAnIDThatIsNotTheNextIsReported() async {
    let store = TestStore(initialState: StackState<Int>()) {
      Reduce { (state: inout StackState<Int>, action: Int) in
        state.append(action)
        return .none
      }
    }
    let issues = await captureIssues { await store.send(7) { $0[id: 5] = 7 } }
    #expect(issues.count == 1)
    #expect(
      issues[0].message.hasSuffix(
        """
        An element of a stack was asserted under the id #5, but the next id is #0: the elements of all \
        stacks are numbered from 0, in the order in which they are added.
        """))
  }

  // K12
  @Test func aPushUnderAnIDThatIsNotTheNextIsReported() async {
    let store = TestStore(initialState: Stack.State()) { Stack() }
    await store.send(.path(.push(id: 0, state: 1))) { $0.path[id: 0] = 1 }
    let line = #line + 2
    let issues = await captureIssues {
      await store.send(.path(.push(id: 5, state: 2))) { $0.path[id: 5] = 2 }
    }
    #expect(
      issues.map(\.message) == [
        """
        forEach of Stack.State (RondoTestingTests/OriginalTestSupportTests.swift:\(stackLine)) received \
        .path(.push(id: #5, state: 2)), but the next id is #1. In a test the elements of all stacks are \
        numbered from 0, in the order in which they are added. Push under 1.
        """
      ])
    #expect(issues.map(\.position.line) == [UInt(line)])
  }

  // K21
  @Test func theTypeOfALiteralStateIsTheReducers() async {
    let store = TestStore(initialState: .init()) { Stack() }
    #expect(store.state == Stack.State())
    let scoped = TestStore(initialState: .init()) { CombineReducers { Stack() } }
    #expect(scoped.state == Stack.State())
  }

  // K8
  @Test func aFeatureThatDismissesItselfEndsItsEffects() async {
    let cancelled = LockIsolated(false)
    let issues = await captureIssues {
      let store = TestStore(initialState: 0) {
        Reduce { (_: inout Int, action: Bool) in
          @Dependency(\.dismiss) var dismiss
          let (goes, leave) = (action, dismiss)
          return .run { send in
            if goes {
              await leave()
              await send(true)
            } else {
              await withTaskCancellationHandler {
                for await _ in AsyncStream<Never>.never {}
              } onCancel: {
                cancelled.setValue(true)
              }
            }
          }
        }
      }
      await store.send(false)
      await store.send(true)
      #expect(store.isDismissed)
    }
    #expect(issues.map(\.message) == [])
    #expect(cancelled.value)
  }

  // K8
  @Test func aTestOfADismissedFeatureNeedsNoTimeToPass() async {
    let store = TestStore(initialState: 0) {
      Reduce { (_: inout Int, action: Bool) in
        @Dependency(\.dismiss) var dismiss
        @Dependency(\.continuousClock) var clock
        let (goes, leave, time) = (action, dismiss, clock)
        return .run { _ in
          guard !goes else { return await leave() }
          try await time.sleep(for: .seconds(3600))
        }
      }
    }
    await store.send(false)
    await store.send(true)
    await store.finish()
    #expect(store.timeline.now.offset == .zero)
  }

  // K12
  @Test func theHintForASharedValueNamesWithLock() async {
    struct Feature: Reducer {
      struct State: Equatable { @Shared(value: 0) var count }
      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        state.$count.withLock { $0 += action }
        return .none
      }
    }
    let store = TestStore(initialState: Feature.State()) { Feature() }
    let issues = await captureIssues { await store.send(1) }
    #expect(issues.count == 1)
    #expect(
      issues[0].message.hasSuffix(
        """
        Shared values have changed ($count): assert that by '$0.$count.withLock { $0 = … }'.
        """))
  }

  // K25
  @Test func aDumpIsWrittenWithANameAndADepth() {
    var text = ""
    customDump([1, 2], to: &text, name: "numbers", indent: 2, maxDepth: 0)
    #expect(text == "  numbers: […]")
  }
}

private struct Stack: Reducer {
  struct State: Equatable { var path = StackState<Int>() }
  @CasePathable enum Action { case path(StackAction<Int, Never>) }
  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.path, action: \.path) { EmptyReducer() }
  }
}

/// The line above on which `forEach` is.
private let stackLine = #line - 5

/// The numbers of tasks in the order in which they ran.
private func order() async -> [Int] {
  let log = LockIsolated<[Int]>([])
  let tasks = (0..<50).map { number in
    Task.detached {
      await Task.yield()
      log.withValue { $0.append(number) }
    }
  }
  for task in tasks { await task.value }
  return log.value
}

/// The tests of XCTest run one after another, and before those of Swift Testing.
@MainActor
final class MainSerialExecutorTests: XCTestCase {
  // K15
  func testTasksRunInTheirOrder() async {
    await withMainSerialExecutor {
      XCTAssertTrue(uncheckedUseMainSerialExecutor)
      for _ in 0..<20 {
        let order = await order()
        XCTAssertEqual(order, Array(0..<50))
      }
      let isOnMainThread = await Task.detached { Thread.isMainThread }.value
      XCTAssertTrue(isOnMainThread)
    }
    XCTAssertFalse(uncheckedUseMainSerialExecutor)
  }

  // K38
  nonisolated func testThePieceItselfIsInOrder() async {
    for _ in 0..<20 {
      let log = await withMainSerialExecutor {
        MainActor.assertIsolated()
        let log = LockIsolated<[Int]>([])
        let task = Task { log.withValue { $0.append(2) } }
        log.withValue { $0.append(1) }
        await task.value
        log.withValue { $0.append(3) }
        return log.value
      }
      XCTAssertEqual(log, [1, 2, 3])
    }
  }

  // K15
  func testTheSettingHoldsUntilItIsTakenBack() async {
    uncheckedUseMainSerialExecutor = true
    defer { uncheckedUseMainSerialExecutor = false }
    withMainSerialExecutor {}
    XCTAssertTrue(uncheckedUseMainSerialExecutor)
    let order = await order()
    XCTAssertEqual(order, Array(0..<50))
  }

  // K15
  func testATestStoreGoesOn() async {
    await withMainSerialExecutor {
      let store = TestStore(initialState: 0) {
        Reduce { (state: inout Int, action: Int) in
          state += action
          guard action == 1 else { return .none }
          return .run { send in
            let value = await Task.detached { 2 }.value
            await send(value)
          }
        }
      }
      await store.send(1) { $0 = 1 }
      await store.receive(2) { $0 = 3 }
    }
  }
}

@Reducer
private struct Observed {
  @ObservableState
  struct State: Equatable { var name = "" }
  enum Action { case rename(String) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .rename(let name): state.name = name
      }
      return .none
    }
  }
}
