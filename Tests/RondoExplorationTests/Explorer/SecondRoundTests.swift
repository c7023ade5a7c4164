// Tests that the reports of an explorer are true, and helpful to their readers (X19, X20, X21).

import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration

@Suite struct EndTests {
  /// A screen whose spinner goes on for ever when a save fails.
  private func explorer() -> Explorer<Spinner.State, Spinner.Action> {
    Explorer(initialState: Spinner.State()) { Spinner() }
      .actions(.saveTapped)
      .outcomes(of: \.server.save) { [.success($0), .failure(Offline())] }
      .eventually { !$0.isSaving }
  }

  // X19
  @Test(arguments: [1, 6]) func whatIsStuckIsFoundWhateverTheNumberOfSteps(steps: Int) async {
    let issues = await captureIssues { await explorer().explore(steps: steps, orders: 3_000) }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("This is to hold in the end, and does not: { !$0.isSaving }"))
    #expect(message.split(separator: "saveTapped)").count == 2, "\(message)")
  }

  // X19
  @Test func beforeAnythingWasDoneThereIsNoEnd() async {
    let coverage = await Explorer(initialState: Spinner.State(isSaving: true)) { Spinner() }
      .actions(.saved)
      .eventually { !$0.isSaving }
      .explore(steps: 3)
    #expect(coverage.isComplete)
  }
}

/// Saves, and forgets that saving may fail.
private struct Spinner: Reducer {
  struct State: Hashable {
    var isSaving = false
  }
  enum Action: Equatable {
    case saveTapped, saved
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.isSaving = action == .saveTapped
    return state.isSaving ? save("text") { _ in .saved } : .none
  }
}

@Suite struct WorkThatLeavesTests {
  // X20
  @Test(arguments: Departure.allCases)
  func workThatLeavesIsNamed(departure: Departure) async throws {
    let issues = await captureIssues {
      var explorer = Explorer(initialState: false) { Leaving(departure: departure) }
        .actions(.start)
        .eventually { $0 }
      explorer.timeForDepartures = .seconds(600)
      await explorer.explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = try #require(issues.first?.message)
    #expect(message.hasPrefix("run \"away\", returned for .start, leaves the queue"), "\(message)")
    #expect(issues.first?.position.line == Leaving.line)
  }
}

enum Departure: CaseIterable {
  case mainActor, task, detachedTask, sleep
}

/// Does a part of its work elsewhere, and ends as it should.
private struct Leaving: Reducer {
  enum Action: Equatable {
    case start, done
  }
  static let line = UInt(#line + 8)

  let departure: Departure

  func reduce(into isDone: inout Bool, action: Action) -> Effect<Action> {
    if action == .done { isDone = true }
    guard action == .start else { return .none }
    let departure = departure
    return .run(name: "away") { send in
      switch departure {
      case .mainActor: await MainActor.run {}
      case .task: await Task {}.value
      case .detachedTask: await Task.detached {}.value
      // Long enough to be seen from elsewhere.
      case .sleep: try await Task.sleep(for: .milliseconds(100))
      }
      await send(.done)
    }
  }
}

@Suite struct ExplorerWordsTests {
  // X21
  @Test func aTableOfStatesThatIsFullSaysSo() {
    let table = StateTable<Int>(limit: 2)
    for state in 0..<2 { _ = withUnsafePointer(to: state) { table.number(of: $0, after: 0) } }
    #expect(!table.isFull)
    let number = withUnsafePointer(to: 2) { table.number(of: $0, after: 0) }
    #expect(number == 0)
    #expect(table.isFull)
    var coverage = ExplorationCoverage(OrderSearch(limit: 1))
    coverage.stateCount = 16_384
    coverage.hasMoreStates = true
    #expect(coverage.description.contains("more than 16,384 states"))
  }

  // X21
  @Test func aFailureThatDoesNotRecurIsNoEmptyMessage() async {
    let count = LockIsolated(0)
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { state, _ in
          state += 1
          return .none
        }
      }
      .actions(true)
      .always { _ in
        count.withValue { $0 += 1 }
        return count.value != 2
      }
      .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("This is to hold always"), "\(message)")
    #expect(message.contains("not when the same run was made again"), "\(message)")
  }

  // X21
  @Test func aStoryDoesNotShrinkToNoAction() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { _ in [.success([]), .success(["b"])] }
        .eventually { $0.results == ["b"] }
        .explore(steps: 2)
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("await store.send(.queryChanged(\"b\"))") == true)
  }

  // X21
  @Test func whatASendEffectSendsIsNotTheUsers() async {
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { state, isFirst in
          state += 1
          return isFirst ? .send(false) : .none
        }
      }
      .actions(true)
      .always { $0 < 2 }
      .explore(steps: 1)
    }
    let message = issues.first?.message ?? ""
    let timeline = "  0 s  true  sent\n  0 s  false  sent at once by an effect"
    #expect(message.contains(timeline), "\(message)")
  }

  @Test func availableActionsAreBuiltOfActionsAndLists() async {
    enum Action: Equatable {
      case opened(Int), closed, tapped
    }
    struct State: Hashable {
      var child: Int?
    }
    let explorer = Explorer(initialState: State()) {
      Reduce<State, Action> { state, action in
        if case .opened(let number) = action { state.child = number }
        if action == .closed { state.child = nil }
        return .none
      }
    }
    let coverage =
      await explorer
      .availableActions { $0.child == nil ? [.opened(1)] : [.closed] }
      .availableActions { state in
        if state.child == nil { .opened(2) }
        Action.tapped
      }
      .explore(steps: 2)
    #expect(coverage.isComplete)
    #expect(coverage.stateCount == 3)
  }
}

@Suite struct OrderedTestTests {
  /// A file that one effect writes and another one uploads.
  private func uploading() -> Explorer<Upload.State, Upload.Action> {
    Explorer(initialState: Upload.State()) { Upload() }
      .actions(.started)
      .always { !$0.hasUploaded || $0.hasFile }
  }

  // X21
  @Test func whatAPlainTestCannotSayIsATestInAnOrder() async {
    let issues = await captureIssues { await uploading().explore(steps: 1) }
    #expect(
      issues.first?.message.hasSuffix(
        """
        As a test:

        @Test(.order("0:1/2")) func foundByExploration() async {
          let store = TestStore(initialState: Upload.State()) {
            Upload()
            Reduce { state, _ in
              #expect(!state.hasUploaded || state.hasFile)
              return .none
            }
          }
          store.exhaustivity = .off

          await store.send(.started)
          await store.skipReceivedActions(strict: false)
        }
        """) == true, "\(issues)")
  }

  /// The test of the failure above, as it was printed.
  @Test(.order("0:1/2")) func theTestInAnOrderFailsInTheSameWay() async {
    var isRight: [Bool] = []
    let store = TestStore(initialState: Upload.State()) {
      Upload()
      Reduce { state, _ in
        isRight.append(!state.hasUploaded || state.hasFile)
        return .none
      }
    }
    store.exhaustivity = .off

    await store.send(.started)
    await store.skipReceivedActions(strict: false)
    #expect(isRight == [true, false, true])
  }

  // X21
  @Test func whatHoldsAgainInTheEndIsAskedAfterEveryAction() async {
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { state, isFirst in
          state += isFirst ? 1 : -1
          return isFirst ? .send(false) : .none
        }
      }
      .actions(true)
      .always { $0 == 0 }
      .explore(steps: 1)
    }
    let message = issues.first?.message ?? ""
    #expect(message.contains("      #expect(state == 0)\n      return .none"), "\(message)")
  }

  // X21
  @Test func whatNoTestStoreCanSayIsAReplay() async {
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { state, isFirst in
          state = isFirst ? 1 : state == 1 ? 2 : 3
          return isFirst ? .run { send in await send(false) } : .none
        }
      }
      // Two taps before the effects of either.
      .actions(true)
      .always("it ends") { $0 < 3 }
      .explore(steps: 2)
    }
    let message = issues.first?.message ?? ""
    #expect(message.contains("The replay is the test:\n\n@Test func foundByExploration() async {"))
    #expect(
      message.contains(
        """
          // Two taps before the effects of either.
            .actions(true)
            .always("it ends") { $0 < 3 }
            .replay("
        """), "\(message)")
  }

  // X21
  @Test func aLostWakeUpShowsWhatCameBetween() async {
    let issues = await captureIssues {
      await Explorer(initialState: Waking.State()) { Waking() }
        .actions(.started)
        .eventually { !$0.isAsleep }
        .explore(steps: 1)
    }
    let message = issues.first?.message ?? ""
    #expect(
      message.contains(
        """
          0 s  .started  sent
          0 s  run "sleeper" of .started  is overtaken before it sends, cancels or ends
        ▸ 0 s  .rang  from run "bell" of .started
          0 s  .slept  from run "sleeper" of .started
        """), "\(message)")
  }
}

private struct Upload: Reducer {
  struct State: Equatable {
    var hasFile = false
    var hasUploaded = false
  }
  enum Action: Equatable { case started, written, uploaded }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return .merge(.run { send in await send(.written) }, .run { send in await send(.uploaded) })
    case .written:
      state.hasFile = true
    case .uploaded:
      state.hasUploaded = true
    }
    return .none
  }
}

/// A bell that wakes only those who sleep already.
private struct Waking: Reducer {
  struct State: Hashable {
    var isAsleep = false
  }
  enum Action: Equatable { case started, slept, rang }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      let hasRung = Atomic(false)
      return .merge(
        .run(name: "sleeper") { send in
          if !hasRung.load(ordering: .relaxed) { await send(.slept) }
        },
        .run(name: "bell") { send in
          hasRung.store(true, ordering: .relaxed)
          await send(.rang)
        })
    case .slept:
      state.isAsleep = true
    case .rang:
      state.isAsleep = false
    }
    return .none
  }
}

@Suite struct SometimesTests {
  private func explorer(canFail: Bool) -> Explorer<Retrying.State, Retrying.Action> {
    Explorer(initialState: Retrying.State()) { Retrying() }
      .actions(.saveTapped)
      .outcomes(of: \.server.save) {
        canFail ? [.success($0), .failure(Offline())] : [.success($0)]
      }
      .sometimes("a retry has succeeded") { state in
        state.attemptCount > 1
        state.isSaved
      }
  }

  // X13
  @Test func whatIsReachedIsNoFailure() async {
    let coverage = await explorer(canFail: true).explore(steps: 1)
    #expect(coverage.isComplete)
  }

  // X13
  @Test func whatIsNeverReachedIsShownWithWhatCameNearest() async {
    let issues = await captureIssues { await explorer(canFail: false).explore(steps: 1) }
    #expect(
      issues.map(\.message) == [
        """
        This cannot be reached in 1 step, in none of all orders: a retry has succeeded. Allow more \
        steps, actions or outcomes, or mend what keeps the feature from it.

        What came nearest, 1 of 2 parts, without state.attemptCount > 1: .replay("1-")

        Retrying.State(attemptCount: 1, isSaved: true)
        """
      ])
  }

  // X13
  @Test func whatWasNotReachedInASampleSaysSo() async {
    let issues = await captureIssues {
      await explorer(canFail: true).sometimes { $0.attemptCount == 100 }.explore(
        steps: 8, orders: 20)
    }
    #expect(
      issues.map(\.message) == [
        """
        This is to be reached sometimes, and was not in 20 orders: { $0.attemptCount == 100 }. Make more \
        runs, or look at what keeps the feature from it.
        """
      ])
  }

  // X13
  @Test func anOrderThatComesNearerIsGoneOnFrom() {
    var archive = OrderArchive()
    var random = SearchRandom(seed: 0)
    #expect(archive.isEmpty)
    let choices = [OrderChoice(count: 3, taken: 2), OrderChoice(count: 4, taken: 3)]
    archive.add([OrderVisit(place: .goal(0), actionCount: 1, choiceCount: 2)], choices)
    var order = archive.next(&random)
    #expect((0..<2).map { order.pick($0, among: 4) { _ in 0 } } == [2, 3])
    archive.add([OrderVisit(place: .reachedGoal(0), actionCount: 1, choiceCount: 2)], choices)
    #expect(archive.isEmpty)
  }

  // X13
  @Test func theShortestWayToAStateIsKept() {
    var archive = OrderArchive()
    var random = SearchRandom(seed: 0)
    for taken in [2, 1] {
      let choices = [OrderChoice](repeating: OrderChoice(count: 3, taken: taken), count: taken)
      archive.add([OrderVisit(place: .state(1), actionCount: taken, choiceCount: taken)], choices)
    }
    var order = archive.next(&random)
    #expect(order.pick(0, among: 3) { _ in 0 } == 1)
  }

  @Test func thePropertiesOfAStateAreThoseOfItsParts() {
    struct State {
      var count = 2
      var names = ["a", "b"]
      var child: Child? = .shown(number: 7)
      var text = "abc"
      enum Child { case shown(number: Int), hidden }
    }
    let properties = StateProperty.all(of: State()).map { "\($0.name)=\($0.value)" }
    #expect(
      properties == [
        ".count=2", ".names=2", ".child=some", ".child.some=shown", ".child.some.shown.number=7",
        ".text=3",
      ])
  }

  // X13
  @Test func whatIsNeverAskedIsReported() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { _ in [.never] }
        .eventually { !$0.isLoading }
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    #expect(
      issues.map(\.message) == [
        """
        '.eventually' was never asked in 1 run: in each a call did not come back, or something was still \
        due. Give calls an outcome that ends, or make timers end.
        """
      ])
  }

  // X13
  @Test func aFeatureWithoutEffectsIsSaidToHaveNone() async {
    let coverage = await Explorer(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return .none
      }
    }
    .actions(1, 2)
    .explore(steps: 2)
    #expect(!coverage.hasEffects)
    #expect(coverage.description.hasSuffix("; no effect has run, so only actions have an order"))
  }
}

/// Saves, and tries again where that fails.
private struct Retrying: Reducer {
  struct State: Hashable {
    var attemptCount = 0
    var isSaved = false
  }
  enum Action: Equatable {
    case saveTapped, saved, failed
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .saveTapped: state = State()
    case .saved:
      state.isSaved = true
      return .none
    case .failed: break
    }
    guard state.attemptCount < 2 else { return .none }
    state.attemptCount += 1
    return save("text", { _ in .saved }, failed: .failed)
  }
}
