// Properties, servers with a memory, faults, budgets, saved orders and recordings of explorations (X16, X22).

import Foundation
import RondoProcesses
import RondoSeededRandomness
import RondoTesting
import Synchronization
import Testing

@testable import RondoExploration
@testable import RondoTestStore

@Suite struct PropertyTests {
  /// A purchase that can be taken back where it should not be.
  private func shop() -> Explorer<Shop.State, Shop.Action> {
    Explorer(initialState: Shop.State()) { Shop() }
      .actions(.payTapped, .cancelTapped)
      .outcomes(of: \.server.save) { [.success($0), .failure(Offline())] }
  }

  // X22
  @Test func whatEveryStepKeepsIsAskedOfEveryStep() async {
    let issues = await captureIssues {
      await shop()
        .everyStep { old, action, new in !old.isPaid || new.isPaid }
        .explore(steps: 2)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(
      message.hasPrefix(
        """
        This is to hold of every step, and does not of the last one: \
        { old, action, new in !old.isPaid || new.isPaid }

        .cancelTapped has led from

        Shop.State(isPaying: false, isPaid: true)

        to

        Shop.State(isPaying: false, isPaid: false)
        """), "\(message)")
    #expect(
      message.contains("A test with 'TestStore' cannot ask this. Keep the replay as the test."))
    let none = await captureIssues {
      await shop()
        .everyStep { old, action, new in !old.isPaid || new.isPaid || action == .cancelTapped }
        .explore(steps: 2)
    }
    #expect(none.isEmpty)
  }

  // X22
  @Test func whatOneThingLeadsToIsAskedAtTheEnd() async {
    let issues = await captureIssues {
      await shop()
        .whenever {
          $0.isPaying
        } eventually: {
          $0.isPaid
        }
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(
      message.hasPrefix(
        """
        This was to come in the end, and has not: whenever { $0.isPaying }, eventually { $0.isPaid }
        """), "\(message)")
    #expect(message.contains("  #expect(store.state.isPaid)\n}"), "\(message)")
  }

  // X22
  @Test func whatCameMeanwhileCounts() async {
    // Paid, and then taken back: it has come, although it does not hold in the end.
    let coverage = await shop()
      .whenever {
        $0.isPaying
      } eventually: {
        !$0.isPaying
      }
      .explore(steps: 2)
    #expect(coverage.isComplete)
  }

  // X22
  @Test func aCauseThatNeverHoldsIsReportedInOneLine() async {
    let issues = await captureIssues {
      await shop()
        .whenever("a refund is shown") {
          $0.isPaid && $0.isPaying
        } eventually: {
          $0.isPaid
        }
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.contains("never asked, because its cause never held: a refund is shown."))
    #expect(!message.contains("\n"))
  }

  // X22
  @Test func whatIsLeftInFlightIsNamed() async {
    let issues = await captureIssues {
      await Explorer(initialState: Feeds.State()) { Feeds() }
        .actions(.watchScores)
        .outcomes(ofStream: \.feedClient.scores) { [.elements(1)] }
        .eventuallyFinishes()
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(
      message.hasPrefix(
        """
        Nothing is left to happen, and effects are still in flight. End or cancel them:

        - run "scores" of .watchScores, RondoExplorationTests/Feeds.swift:
        """), "\(message)")
    let none = await captureIssues {
      await Explorer(initialState: Feeds.State()) { Feeds() }
        .actions(.watchScores)
        .outcomes(ofStream: \.feedClient.scores) { [.finished(after: 1)] }
        .eventuallyFinishes()
        .explore(steps: 1)
    }
    #expect(none.isEmpty)
  }

  // X22
  @Test func whatNoRunHasComeToIsListed() async {
    let coverage = await Explorer(initialState: Shop.State()) { Shop() }
      .actions(.payTapped)
      .outcomes(of: \.server.save) { [.success($0), .failure(Offline())] }
      .outcomes(of: \.server.load) { [.success($0)] }
      .faults(atMost: 0)
      .explore(steps: 1)
    #expect(
      coverage.unreached == [
        ".cancelTapped", ".failed", "save: .failure(Offline())", "save: .never", "a call of load",
      ])
    #expect(coverage.description.contains("; never reached: .cancelTapped, "))
  }

  // X22
  @Test func aFeatureThatNeverRestsIsReportedWithoutAPropertyOfItsEnd() async {
    let issues = await captureIssues {
      await Explorer(initialState: 0) {
        Reduce<Int, Bool> { _, _ in .run { send in await send(true) } }
      }
      .actions(true)
      .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("A run has made 10000 steps and has not come to an end"))
    #expect(!message.contains("\n"))
  }
}

/// Pays, and lets the user take a purchase back at any time.
private struct Shop: Reducer {
  struct State: Hashable {
    var isPaying = false
    var isPaid = false
  }
  enum Action: Equatable {
    case payTapped, cancelTapped, paid(String), failed
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .payTapped:
      guard !state.isPaying, !state.isPaid else { return .none }
      state.isPaying = true
      return save("one", Action.paid, failed: .failed)
    case .cancelTapped:
      state.isPaid = false
    case .paid:
      state = State(isPaid: true)
    case .failed:
      state.isPaying = false
    }
    return .none
  }
}

@Suite struct ServerMemoryTests {
  // X22
  @Test func anAnswerThatIsLostMakesAnEntryTwice() async {
    let server = ServerMemory([String]())
    let issues = await captureIssues {
      await Explorer(initialState: Notes.State()) { Notes() }
        .actions(.addTapped)
        .outcomes(of: \.server.save, on: server) { note in
          ServerOutcome.success { (notes: inout [String]) in
            notes.append(note)
            return notes.joined()
          }
          ServerOutcome.failure(Offline()) { (notes: inout [String]) in notes.append(note) }
        }
        .always { $0.saved.count < 2 }
        .faults(atMost: 1, of: [])
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(
      message.contains(
        """
          0 s  .addTapped  sent
          0 s  call 0 of save: .failure(Offline())  fails: a fault
          0 s  call 0 of save: .failure(Offline())  answered
          0 s  .failed  from run "save" of .addTapped
          0 s  call 1 of save  handled by the server
          0 s  call 1 of save: .success("aa")  answered
        """), "\(message)")
    // The printed test has no line for the server: it only gives the answers of the server to the calls.
    #expect(
      message.contains(
        """
          await store.send(.addTapped)
          save.answer(0, .failure(Offline()), strict: false)
          await store.skipReceivedActions(strict: false)
          save.answer(1, .success("aa"), strict: false)
          await store.skipReceivedActions(strict: false)
          #expect(store.state.saved.count < 2)
        """), "\(message)")
  }

  // X22
  @Test func anAnswerIsFoundThatIsOlderThanTheOneBefore() async {
    let server = ServerMemory(0)
    func explorer() -> Explorer<Counted.State, Counted.Action> {
      Explorer(initialState: Counted.State()) { Counted() }
        .actions(.tapped)
        .outcomes(of: \.server.save, on: server) { _ in
          [
            .success {
              $0 += 1
              return "\($0)"
            }
          ]
        }
    }
    let issues = await captureIssues {
      await explorer().everyStep { old, _, new in old.shown <= new.shown }.explore(steps: 2)
    }
    #expect(issues.first?.message.hasPrefix("This is to hold of every step") == true, "\(issues)")
    // Each run begins with the same memory.
    let none = await captureIssues { await explorer().always { $0.shown <= 2 }.explore(steps: 2) }
    #expect(none.isEmpty)
  }

  // X22
  @Test(arguments: ["ab", "ba"])
  func withAMemoryThatCannotBeComparedNothingIsLeftOut(names: String) async {
    struct Memory: Sendable { var names: [String] = [] }
    let server = ServerMemory(Memory())
    let issues = await captureIssues {
      await explorerOfWritten(server, \.names, isNever: names).explore(steps: 2)
    }
    #expect(issues.count == 1)
  }

  private func located(_ server: ServerMemory<Int>) -> Explorer<Feeds.State, Feeds.Action> {
    Explorer(initialState: Feeds.State()) { Feeds() }
      .actions(.locate)
      .outcomes(ofCallback: \.feedClient.locate, on: server) {
        [
          .success {
            $0 += 1
            return $0
          }
        ]
      }
  }

  // X22
  @Test func whatACallbackIsGivenDependsOnTheCallsBefore() async {
    let issues = await captureIssues {
      await located(ServerMemory(0)).always { $0.places != [2, 1] }.explore(steps: 2)
    }
    #expect(issues.count == 1)
    let message = issues.first?.message ?? ""
    #expect(message.contains("call 0 of locate  handled by the server"), "\(message)")
    #expect(
      message.contains(
        """
          await store.send(.locate)
          await store.send(.locate)
          locate.answer(1, .success(2), strict: false)
          await store.skipReceivedActions(strict: false)
          locate.answer(0, .success(1), strict: false)
          await store.skipReceivedActions(strict: false)
        """), "\(message)")
    let none = await captureIssues {
      await located(ServerMemory(0)).always { Set($0.places).count == $0.places.count }
        .explore(steps: 2)
    }
    #expect(none.isEmpty)
    let twice = await captureIssues {
      await located(ServerMemory(0)).faults(atMost: 1, of: .twice).always { $0.places != [1, 1] }
        .explore(steps: 1)
    }
    #expect(twice.first?.message.contains("comes twice: a fault") == true)
  }

  private func watched(_ server: ServerMemory<Int>) -> Explorer<Feeds.State, Feeds.Action> {
    Explorer(initialState: Feeds.State()) { Feeds() }
      .actions(.watchScores, .confirm(4))
      .outcomes(ofStream: \.feedClient.scores, on: server) { [.elements({ $0 }, { $0 })] }
      .outcomes(of: \.feedClient.confirm, on: server) { number in
        [
          .success {
            $0 = number
            return true
          }
        ]
      }
  }

  // X22
  @Test func aStreamGivesOutWhatTheServerHasWhenItSendsIt() async {
    let issues = await captureIssues {
      await watched(ServerMemory(0)).always { !$0.isConfirmed || $0.scores != [0] }
        .explore(steps: 2)
    }
    let message = issues.first?.message ?? ""
    #expect(
      message.contains(
        """
          scores.yield(0, 0, strict: false)
          await store.skipReceivedActions(strict: false)
        """), "\(message)")
    // Nothing is given out that the server has no more.
    let none = await captureIssues {
      await watched(ServerMemory(0)).always { $0.scores != [4, 0] }.sometimes {
        $0.scores == [0, 4]
      }
      .explore(steps: 2, orders: Soak.count(400, long: 2_000))
    }
    #expect(none.isEmpty, "\(none)")
  }

  // X18, X22
  @Test func nothingIsLeftOutWithServersOfCallbacksAndStreams() async {
    func expectSame(
      _ explorer: Explorer<Feeds.State, Feeds.Action>, steps: Int, orders: Int
    ) async {
      let whole = await explorer.search(OrderSearch(limit: orders), steps: steps).coverage
      let pruned = await explorer.search(OrderSearch(limit: orders, prunes: true), steps: steps)
        .coverage
      #expect(whole.isComplete && pruned.isComplete, "\(whole)")
      #expect(whole.standsFor == pruned.standsFor)
      #expect(whole.stateCount == pruned.stateCount)
    }
    await expectSame(
      located(ServerMemory(0)).faults(atMost: 1, of: .twice), steps: 1, orders: 20_000)
    await expectSame(watched(ServerMemory(0)), steps: 1, orders: 20_000)
    await expectSame(located(ServerMemory(0)), steps: 2, orders: 20_000)
  }

  // X16, X22
  @Test func aServerThatHandlesACallTwiceIsAFault() async {
    let server = ServerMemory([String]())
    let issues = await captureIssues {
      await Explorer(initialState: Notes.State()) { Notes() }
        .actions(.addTapped)
        .outcomes(of: \.server.save, on: server) { note in
          [
            .success {
              $0.append(note)
              return $0.joined()
            }
          ]
        }
        .always { $0.saved.count < 2 }
        .faults(atMost: 1, of: .twice)
        .explore(steps: 1)
    }
    #expect(issues.first?.message.contains("call 0 of save  handled twice: a fault") == true)
  }

  /// Equal moments are recognized with servers, consequences and faults, too: nothing is left out.
  // X18, X22
  @Test func pruningWithAServerReachesTheSameStatesAsAllOrders() async {
    var programCount = 0
    let seeds = Randomness.seeds(Soak.isOn ? 1_000 * Soak.factor : 8)
    for seed in seeds {
      let program = RandomProgram(seed: seed)
      let server = ServerMemory(0)
      func explorer(_ seen: RandomProgram.SeenStates) -> Explorer<
        RandomProgram.Feature.State, RandomProgram.Feature.Action
      > {
        var explorer = program.explorer(seen)
          .whenever {
            $0.sum % 3 == 1
          } eventually: {
            $0.sum % 3 == 2
          }
          .faults(atMost: 1, of: [.twice, .never])
        explorer.endpoints = []
        return explorer.outcomes(of: \.searchClient.search, on: server) { _ in
          [
            .success {
              $0 += 1
              return [String](repeating: "a", count: $0)
            }, .failure(Offline()),
          ]
        }
      }
      let (all, pruned) = (RandomProgram.SeenStates(), RandomProgram.SeenStates())
      let whole = await explorer(all).search(OrderSearch(limit: 300), steps: 1)
      let searched = await explorer(pruned)
        .search(OrderSearch(limit: 300, prunes: true), steps: 1)
      // A consequence that does not come ends a search; both searches end like that, or neither.
      guard whole.coverage.isComplete || whole.failure != nil else { continue }
      #expect((whole.failure == nil) == (searched.failure == nil), "seed \(seed): \(program)")
      guard whole.failure == nil else { continue }
      #expect(all.last == pruned.last, "seed \(seed): \(program)")
      #expect(all.all == pruned.all, "seed \(seed): \(program)")
      programCount += 1
    }
    #expect(programCount > seeds.count / 5 || seeds.count == 1)
  }

  /// A memory whose values all have the same hash.
  private struct Ledger: Hashable {
    var names: [String] = []
    func hash(into hasher: inout Hasher) {}
  }

  // X18, X22
  @Test(arguments: [1, 2, nil], ["ab", "ba"])
  func memoriesOfTheSameHashAreToldApart(threads: Int?, names: String) async {
    let server = ServerMemory(Ledger())
    let issues = await captureIssues {
      if let threads {
        await exploreOnAllCores(steps: 2, threads: threads) {
          explorerOfWritten(server, \.names, isNever: names)
        }
      } else {
        await explorerOfWritten(server, \.names, isNever: names).explore(steps: 2)
      }
    }
    #expect(issues.count == 1)
  }
}

/// An explorer of a feature that never shows some names in the order in which they were written.
@Sendable private func explorerOfWritten<Memory>(
  _ server: ServerMemory<Memory>, _ list: WritableKeyPath<Memory, [String]> & Sendable,
  isNever names: String
) -> Explorer<Written.State, Written.Action> {
  Explorer(initialState: Written.State()) { Written() }
    .availableActions { $0.hasBegun ? $0.isSaved ? [.asked] : [] : [.began] }
    .outcomes(of: \.server.save, on: server) { name in
      [
        .success {
          $0[keyPath: list].append(name)
          return ""
        }
      ]
    }
    .outcomes(of: \.server.load, on: server) { _ in
      [.failure(Offline()), .success { $0[keyPath: list].joined() }]
    }
    .always { $0.shown != names }
}

/// Writes to a server, and shows what is written there.
private struct Written: Reducer {
  struct State: Hashable, Sendable {
    var hasBegun = false
    var isSaved = false
    var shown = ""
  }
  enum Action: Equatable, Sendable { case began, answered, saved, asked, shown(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .began:
      state.hasBegun = true
      // The answers alone do not tell which was written first.
      return .concatenate(
        .merge(["a", "b"].map { name in save(name) { _ in .answered } }), .send(.saved))
    case .answered: break
    case .saved: state.isSaved = true
    case .asked: return load("") { .shown($0) }
    case .shown(let text): state.shown = text
    }
    return .none
  }
}

/// Adds a note, and tries once more where that fails.
private struct Notes: Reducer {
  struct State: Hashable {
    var attemptCount = 0
    var saved = ""
  }
  enum Action: Equatable {
    case addTapped, saved(String), failed
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .addTapped: state = State()
    case .saved(let text):
      state.saved = text
      return .none
    case .failed: break
    }
    guard state.attemptCount < 2 else { return .none }
    state.attemptCount += 1
    return save("a", Action.saved, failed: .failed)
  }
}

/// Shows what the server has counted last.
private struct Counted: Reducer {
  struct State: Hashable {
    var shown = 0
  }
  enum Action: Equatable {
    case tapped, counted(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tapped: return save("", Action.counted)
    case .counted(let text):
      state.shown = Int(text) ?? 0
      return .none
    }
  }
}

@Suite struct FaultTests {
  /// The timeline of the failure of a search that is wrong where something happens.
  private func story(
    of kinds: FaultKinds, _ isRight: @escaping (Search.State) -> Bool
  ) async -> String {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { [.success([$0])] }
        .faults(atMost: 1, of: kinds)
        .eventually { isRight($0) }
        .explore(steps: 1)
    }
    return issues.first?.message ?? ""
  }

  // X16
  @Test func aCallFailsThoughNoOutcomeSaysSo() async {
    let story = await story(of: .all) { $0.query.isEmpty || !$0.results.isEmpty }
    #expect(
      story.contains("call 0 of search: .failure(ExplorerFault())  fails: a fault"), "\(story)")
    #expect(story.contains("search.answer(0, .failure(ExplorerFault()), strict: false)"))
    #expect(await self.story(of: .never) { $0.query.isEmpty || !$0.results.isEmpty } == "")
  }

  // X16
  @Test func aCallThatNeverComesBackIsNamed() async {
    let issues = await captureIssues {
      await Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { [.success([$0])] }
        .faults(atMost: 1, of: .never)
        .always { $0.query.isEmpty || $0.query == "b" }
        .sometimes("it hangs") { _ in false }
        .explore(steps: 1)
    }
    #expect(issues.count == 1)
    let chooser = OrderChooser(
      following: EffectOrder("0:1/2")!, keepsSteps: true, isForSteps: true)
    let run = ExplorerRun(
      Explorer(initialState: Search.State()) { Search() }
        .actions(.queryChanged("b"))
        .outcomes(of: \.searchClient.search) { [.success([$0])] }
        .faults(atMost: 1, of: .never), chooser, actionLimit: 1)
    run.run()
    #expect(
      chooser.steps.timeline.contains("call 0 of search: .never  never comes back: a fault"),
      "\(chooser.steps.timeline)")
  }

  // X16
  @Test func anAnswerThatIsLateOrComesJustWhenTimeIsUpIsNamed() async {
    func story(_ isRight: @escaping (Timed.State) -> Bool) async -> String {
      let issues = await captureIssues {
        await Explorer(initialState: Timed.State()) { Timed() }
          .actions(.started)
          .outcomes(of: \.server.load) { [.success($0)] }
          .always { isRight($0) }
          .explore(steps: 1)
      }
      return issues.first?.message ?? ""
    }
    let late = await story { !$0.hasTimedOut || $0.answer.isEmpty || $0.wait < 5 }
    #expect(
      late.contains("  5 s  call 0 of load: .success(\"x\")  answered late, after 5.0 seconds"),
      "\(late)")
    let exact = await story { $0.hasTimedOut || $0.wait < 5 }
    #expect(
      exact.contains("  5 s  call 0 of load: .success(\"x\")  answered just when time is up"),
      "\(exact)")
  }

  // X16
  @Test func aStreamFailsAndGoesSilentAsFaults() async {
    func story(_ kinds: FaultKinds) async -> String {
      let issues = await captureIssues {
        await Explorer(initialState: Feeds.State()) { Feeds() }
          .actions(.readNews)
          .outcomes(ofStream: \.feedClient.news) { _ in [.finished(after: "a", "b")] }
          .faults(atMost: 1, of: kinds)
          .always { !$0.hasFailed || $0.news != ["a"] }
          .explore(steps: 1)
      }
      return issues.first?.message ?? ""
    }
    #expect(await story(.error).contains("throwing: ExplorerFault()  fails: a fault"))
    #expect(await story([.never, .twice]) == "")
  }
}

/// Loads something, and gives up after five seconds.
private struct Timed: Reducer {
  struct State: Hashable {
    var answer = ""
    var hasTimedOut = false
    var start = Date.distantPast
    /// The seconds until the answer.
    var wait = 0.0
  }
  enum Action: Equatable {
    case started, answered(String), timedOut
  }

  @Dependency(\.date.now) var now

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      state.start = now
      return .merge(load("x", Action.answered), RondoExplorationTests.wait(.seconds(5), .timedOut))
    case .answered(let answer):
      state.answer = answer
      state.wait = now.timeIntervalSince(state.start).rounded()
    case .timedOut:
      state.hasTimedOut = true
    }
    return .none
  }
}

@Suite struct BudgetTests {
  // X22
  @Test func aSearchEndsWhenItsTimeIsUp() async {
    // Each look at the clock takes a second: at the start, and after every run.
    let coverage = await Explorer(initialState: Search.State()) { Search(cancelsInFlight: true) }
      .actions(.queryChanged("b"), .queryChanged("bl"))
      .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
      .explore(steps: 6, within: .seconds(40), clock: CountingClock())
    #expect(coverage.orderCount == 40)
    #expect(coverage.isTimeUp)
    #expect(!coverage.isComplete)
    #expect(coverage.description.contains("; the time is up"))
  }

  // X22
  @Test func aSearchThatIsCompleteBeforeSaysNothingOfTime() async {
    let coverage = await Explorer(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state += action
        return .none
      }
    }
    .actions(1)
    .explore(steps: 1, within: .seconds(1), clock: CountingClock())
    #expect(coverage.isComplete)
    #expect(!coverage.isTimeUp)
  }
}

/// A clock on which a second passes whenever it is read.
private final class CountingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  private let count = Mutex(0)

  var now: Instant {
    let seconds = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return start.advanced(by: .seconds(seconds))
  }
  var minimumResolution: Duration { .seconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

@Suite struct SavedOrderTests {
  private func explorer(
    cancelsInFlight: Bool
  ) -> Explorer<Search.State, Search.Action> {
    Explorer(initialState: Search.State()) { Search(cancelsInFlight: cancelsInFlight) }
      .actions(.queryChanged("b"), .queryChanged("bl"), .queryChanged(""))
      .outcomes(of: \.searchClient.search) { [.success([$0]), .failure(Offline())] }
      .always { $0.results.isEmpty || $0.results == [$0.query] }
  }

  // X22
  @Test func anOrderThatHasFailedRunsFirstTheNextTime() async throws {
    let folder = TemporaryFolder()
    func explore(cancelsInFlight: Bool) async -> ([String], ExplorationCoverage?) {
      await TestSettings.with(\.orders, folder.path) {
        var coverage: ExplorationCoverage?
        let issues = await captureIssues {
          coverage = await explorer(cancelsInFlight: cancelsInFlight)
            .explore(steps: 2, orders: 500, function: "search()")
        }
        return (issues.map(\.message), coverage)
      }
    }
    #expect(await explore(cancelsInFlight: false).0.first?.contains("Found in run 4.") == true)
    #expect(folder.names == ["RondoExplorationTests-PowersTests-swift-search---State.orders"])
    let file = folder.file(try #require(folder.names.first))
    #expect(try String(contentsOf: file, encoding: .utf8) == "2-2:2/5\n")
    // Two lines are skipped: one is not an order, and one is an order that does not fail.
    try "nonsense\n0-\n2-2:2/5\n".write(to: file, atomically: true, encoding: .utf8)
    let (messages, coverage) = await explore(cancelsInFlight: false)
    #expect(messages.first?.contains("Found again, by an order that was saved.") == true)
    #expect(coverage?.description == "an order fails that was saved, and no other was run")
    #expect(try String(contentsOf: file, encoding: .utf8) == "2-2:2/5\nnonsense\n0-\n")
    // The feature is mended.
    #expect(await explore(cancelsInFlight: true).0.isEmpty)
  }

  // X22
  @Test func aFolderThatCannotBeWrittenIsSaidInTheFailure() async {
    let issues = await TestSettings.with(\.orders, "/dev/null/orders") {
      await captureIssues { await explorer(cancelsInFlight: false).explore(steps: 2, orders: 500) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("RONDO_ORDERS: /dev/null/orders/") == true)
  }
}

@Suite struct RunRecordingTests {
  // X22
  @Test func theRunThatFailsIsRecorded() async throws {
    let folder = TemporaryFolder()
    let issues = await TestSettings.with(\.recordings, folder.path) {
      await captureIssues {
        await Explorer(initialState: Search.State()) { Search() }
          .actions(.queryChanged("b"), .queryChanged("bl"))
          .outcomes(of: \.searchClient.search) { [.success([$0])] }
          .always { $0.results.isEmpty || $0.results == [$0.query] }
          .explore(steps: 2, orders: 500)
      }
    }
    let message = try #require(issues.first?.message)
    // One: those of the runs that were tried on the way are gone.
    #expect(folder.names.count == 1)
    let path = folder.path(folder.names[0])
    #expect(message.contains("The recording of this run is in \(path). See it by: rondo view"))
    let lines = try String(contentsOfFile: path, encoding: .utf8)
    #expect(lines.contains("queryChanged"))
    #expect(lines.contains("response"))
  }
}
