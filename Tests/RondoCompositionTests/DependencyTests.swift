// C8: dependencies, their defaults and overrides.

import RondoSeededRandomness
import Foundation
import Rondo
import RondoScheduling
import Testing

private struct Client: Sendable, DependencyKey {
  var name: @Sendable () -> String

  static let liveValue = Client(name: { "live" })
  static let previewValue = Client(name: { "preview" })
  static let testValue = Client(name: unimplemented("Client.name", placeholder: "test"))
}

extension DependencyValues {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

/// A dependency whose author forgot its test value.
private enum Forgotten: DependencyKey {
  static let liveValue = 42
}

/// A dependency whose live value is elsewhere.
private enum Elsewhere: TestDependencyKey {
  static let testValue = 7
}

/// A dependency that has a state.
private final class Storage: DependencyKey, @unchecked Sendable {
  static var liveValue: Storage { Storage() }
  static var testValue: Storage { Storage() }
}

/// A dependency that asks for dependencies when it ends.
private final class Ending: TestDependencyKey, Sendable {
  static var testValue: Ending { Ending() }

  final class Box {}

  let count: LockIsolated<Int>?

  init(_ count: LockIsolated<Int>? = nil) {
    self.count = count
  }

  deinit {
    @Dependency(Elsewhere.self) var elsewhere
    let added = elsewhere / 7
    _ = withDependencies { _ in
    } operation: {
      Box()
    }
    count?.withValue { $0 += added }
  }
}

/// A dependency whose default value waits for a thread that asks for another one.
private enum Waiting: TestDependencyKey {
  static var testValue: Int? {
    withEscapedDependencies { dependencies in
      let (found, isFound) = (LockIsolated<Int?>(nil), DispatchSemaphore(value: 0))
      DispatchQueue.global().async {
        dependencies.yield {
          @Dependency(Elsewhere.self) var elsewhere
          found.setValue(elsewhere)
        }
        isFound.signal()
      }
      return isFound.wait(timeout: .now() + 10) == .success ? found.value : nil
    }
  }
}

private func name() -> String {
  @Dependency(\.client) var client
  return client.name()
}

@Suite struct DependencyTests {
  // C8: `withValue` of a task-local value would give the pieces no isolation.
  @MainActor @Test func anAsynchronousPieceStaysWhereItsCallerIs() async {
    let places = LockIsolated<[Bool]>([])
    nonisolated(nonsending) func look() async {
      await elsewhere()
      places.withValue { $0.append(isOnMainQueue()) }
    }
    nonisolated(nonsending) func callPieces() async {
      await withDependencies { _ in
        await look()
      } operation: {
        await look()
        await withIssueReporters([]) { await look() }
      }
      await look()
    }
    await callPieces()
    #expect(places.value == [true, true, true, true])
  }

  @Test func aDefaultMayWaitForAThreadThatAsksForAnother() {
    withDependencies { _ in
    } operation: {
      @Dependency(Waiting.self) var found
      #expect(found == 7)
    }
  }

  @MainActor @Test func closuresOfOperatorsHaveTheDependenciesOfTheirEffect() async {
    let names = LockIsolated<[String]>([])
    @Sendable func note() { names.withValue { $0.append(name()) } }
    let store = Store(initialState: 0) {
      Reduce<Int, String> { _, action in
        guard action == "tap" else { return .none }
        let source = Effect<String>.run { @concurrent send in await send("value") }
        return .concatenate(
          source.map { value in
            note()
            return value
          },
          source.compactMap { value in
            note()
            return value
          },
          source.filter { _ in
            note()
            return true
          },
          source.scan("") { _, value in
            note()
            return value
          },
          source.prefix(through: { _ in
            note()
            return true
          }))
      }
    } withDependencies: {
      $0.client.name = { "overridden" }
    }
    await store.send("tap").finish()
    #expect(names.value == Array(repeating: "overridden", count: 5))
  }

  @Test func overridesHoldForTheirScope() {
    withDependencies {
      $0.client.name = { "outer" }
    } operation: {
      #expect(name() == "outer")
      withDependencies {
        $0.client.name = { "inner" }
      } operation: {
        #expect(name() == "inner")
      }
      #expect(name() == "outer")
    }
  }

  @Test func overridesReachCallbacksMapsAndFlatMaps() async {
    let effect = withDependencies {
      $0.client.name = { "effect" }
    } operation: {
      Effect<String>
        .concatenate(
          .future { (callback: @escaping @Sendable (String) -> Void) in callback(name()) },
          Effect<String>.send("a").map { _ in name() },
          Effect<String>.send("a").flatMap { _ in .send(name()) })
    }
    let names = await effect.values.reduce(into: []) { $0.append($1) }
    #expect(names == ["effect", "effect", "effect"])
  }

  @Test func overridesReachTasks() async {
    let names = await withDependencies {
      $0.client.name = { "task" }
    } operation: {
      await Task { name() }.value
    }
    #expect(names == "task")
  }

  @Test func valuesOfAContextOverrideNothingElse() {
    withDependencies {
      $0.locale = Locale(identifier: "de")
      $0 = .live
    } operation: {
      @Dependency(\.context) var context
      @Dependency(\.locale) var locale
      #expect(context == .live)
      #expect(locale == .autoupdatingCurrent)
    }
    #expect(DependencyValues.preview.context == .preview)
    #expect(DependencyValues.test.context == .test)
  }

  @Test func aKeyNamesADependencyAsWell() {
    @Dependency(Elsewhere.self) var elsewhere
    #expect(elsewhere == 7)
    withDependencies {
      $0[Elsewhere.self] = 8
    } operation: {
      #expect(elsewhere == 8)
    }
  }

  @Test func thoseInForceWhereAPropertyWasMadeAreKept() {
    struct Model { @Dependency(\.client) var client }
    let model = withDependencies {
      $0.client.name = { "made" }
    } operation: {
      Model()
    }
    #expect(model.client.name() == "made")
    withDependencies {
      $0.client.name = { "here" }
    } operation: {
      #expect(model.client.name() == "here")
    }
  }

  @Test func aTestValueReportsItsUseByName() {
    let issues = captureIssues { #expect(name() == "test") }
    #expect(issues.count == 1)
    #expect(issues[0].message.contains("Client.name"))
  }

  @Test func aForgottenTestValueIsReportedEachTime() {
    let line: UInt = #line + 1
    @Dependency(Forgotten.self) var forgotten
    let issues = captureIssues {
      #expect(forgotten == 42)
      #expect(forgotten == 42)
    }
    #expect(issues.map(\.position.line) == [line, line])
    #expect(issues[0].message.contains("Forgotten"))
  }

  @Test func overridingAForgottenTestValueIsNotReported() {
    let issues = captureIssues {
      withDependencies {
        $0[Forgotten.self] += 1
      } operation: {
        @Dependency(Forgotten.self) var forgotten
        #expect(forgotten == 43)
      }
    }
    #expect(issues.isEmpty)
  }

  @Test func theContextChoosesTheDefault() {
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(name() == "live")
    }
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(name() == "preview")
    }
    @Dependency(\.context) var context
    #expect(context == .test)
  }

  @Test func aMissingLiveValueIsReported() {
    let issues = captureIssues {
      withDependencies {
        $0.context = .live
      } operation: {
        @Dependency(Elsewhere.self) var elsewhere
        #expect(elsewhere == 7)
      }
    }
    #expect(issues.count == 1)
  }

  @Test func defaultsWithAStateAreMadeOnceForEachTest() {
    func storage() -> Storage {
      @Dependency(Storage.self) var storage
      return storage
    }
    let (first, again) = withDependencies { _ in
    } operation: {
      (storage(), storage())
    }
    let second = withDependencies { _ in
    } operation: {
      storage()
    }
    #expect(first === again)
    #expect(first === second)
  }

  @Test func escapedDependenciesAreBroughtBack() {
    let continuation = withDependencies {
      $0.client.name = { "escaped" }
    } operation: {
      withEscapedDependencies { $0 }
    }
    #expect(continuation.yield { name() } == "escaped")
  }

  @Test func aModelHandsItsDependenciesOn() {
    final class Model { @Dependency(\.client) var client }
    let model = withDependencies {
      $0.client.name = { "model" }
    } operation: {
      Model()
    }
    #expect(withDependencies(from: model) { name() } == "model")
    let issues = captureIssues { withDependencies(from: Lives()) {} }
    #expect(issues.count == 1)
  }

  // F4
  @Test func aMissingDependencyOfAnEffectIsOneIssue() async {
    let load: @Sendable (Int) async throws -> String = unimplemented("load")
    let issues = await captureIssues {
      for await _ in Effect<String>.run(operation: { await $0(try await load(1)) }).values {}
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.hasPrefix("Unimplemented: load was used.") == true)
  }

  // F4
  @Test func anErrorOfThatKindThatNobodyHasReportedIsReported() async {
    let issues = await captureIssues {
      let effect = Effect<String>.run { _ in throw UnimplementedFailure(description: "load") }
      for await _ in effect.values {}
    }
    #expect(issues.count == 1)
  }

  @Test func unimplementedEndpointsThrow() async {
    let load: @Sendable (Int) async throws -> String = unimplemented("load")
    let issues = await captureIssues {
      await #expect(throws: UnimplementedFailure(description: "load")) { try await load(1) }
    }
    #expect(issues.map(\.message).first?.contains("load") == true)
  }
}

@Suite struct BuiltInDependencyTests {
  @Test func identifiersCount() {
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      @Dependency(\.uuid) var uuid
      #expect([uuid(), uuid()] == [UUID(0), UUID(1)])
      #expect(UUID(15).uuidString == "00000000-0000-0000-0000-00000000000F")
    }
  }

  @Test func timeStandsStill() {
    let epoch = Date(timeIntervalSince1970: 0)
    withDependencies {
      $0.date = .constant(epoch)
    } operation: {
      @Dependency(\.date) var date
      #expect(date.now == epoch && date() == epoch)
    }
    withDependencies {
      $0.date.now = epoch
    } operation: {
      @Dependency(\.date.now) var now
      #expect(now == epoch)
    }
  }

  @Test func chanceIsRepeated() {
    withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Randomness(seed: 1))
    } operation: {
      @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
      var same = Randomness(seed: 1)
      #expect(withRandomNumberGenerator { $0.next() } == same.next())
    }
  }

  @Test func unimplementedOnesAreReportedByName() async {
    @Dependency(\.uuid) var uuid
    @Dependency(\.date) var date
    @Dependency(\.continuousClock) var clock
    @Dependency(\.calendar) var calendar
    let issues = await captureIssues {
      _ = uuid()
      _ = date()
      _ = calendar
      try? await clock.sleep(for: .seconds(1))
    }
    for (issue, name) in zip(issues, ["uuid", "date", "calendar", "continuousClock"]) {
      #expect(issue.message.contains(name))
    }
    #expect(issues.count >= 4)
  }

  @Test func clocksAreReplaced() async throws {
    let clock = TestClock()
    try await withDependencies {
      $0.continuousClock = clock
    } operation: {
      @Dependency(\.continuousClock) var continuousClock
      let task = Task { try await continuousClock.sleep(for: .seconds(1)) }
      await clock.advance(by: .seconds(1))
      try await task.value
    }
  }
}

// MARK: - In features

private struct Speaker: Reducer {
  struct State: Equatable {
    var words: [String] = []
  }
  enum Action: Equatable { case speak, speakLater, spoke(String) }

  @Dependency(\.client) var client

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .speak: state.words.append(client.name())
    case .speakLater: return .run { send in await send(.spoke(client.name())) }
    case .spoke(let word): state.words.append(word)
    }
    return .none
  }
}

private struct Stage: Reducer {
  struct State: Equatable {
    var first = Speaker.State()
    var second: Speaker.State? = Speaker.State()
  }
  enum Action { case first(Speaker.Action), second(Speaker.Action) }

  var body: some ReducerOf<Self> {
    Scope(state: \.first, action: AnyCasePath(Action.first)) {
      Speaker().transformDependency(\.client) { client in
        client.name = { [name = client.name] in name() + "!" }
      }
    }
    EmptyReducer()
      .ifLet(\.second, action: AnyCasePath(Action.second)) {
        Speaker().dependency(\.client, Client(name: { "second" }))
      }
  }
}

@MainActor @Suite struct FeatureDependencyTests {
  @Test func aStoreGivesItsFeatureDependencies() async {
    let store = Store(initialState: Speaker.State()) {
      Speaker()
    } withDependencies: {
      $0.client.name = { "store" }
    }
    store.send(.speak)
    await store.send(.speakLater).finish()
    #expect(store.words == ["store", "store"])
  }

  @Test func aStoreKeepsThoseInForceWhereItWasMade() {
    let store = withDependencies {
      $0.client.name = { "around" }
    } operation: {
      Store(initialState: Speaker.State()) { Speaker() }
    }
    store.send(.speak)
    #expect(store.words == ["around"])
  }

  @Test func aStoreActorGivesItsFeatureDependencies() async {
    let store = StoreActor(initialState: Speaker.State()) {
      Speaker()
    } withDependencies: {
      $0.client.name = { "actor" }
    }
    await store.send(.speak)
    await store.send(.speakLater).finish()
    #expect(await store.state.words == ["actor", "actor"])
  }

  @Test func theInitialStateIsMadeWithThem() {
    struct Feature: Reducer {
      struct State { let name = RondoCompositionTests.name() }
      func reduce(into _: inout State, action _: Int) -> Effect<Int> { .none }
    }
    let store = Store(initialState: Feature.State()) {
      Feature()
    } withDependencies: {
      $0.client.name = { "initial" }
    }
    #expect(store.name == "initial")
  }

  @Test func overridesReachChildrenAndTheirEffects() async {
    let store = Store(initialState: Stage.State()) {
      Stage()
    } withDependencies: {
      $0.client.name = { "stage" }
    }
    store.send(.first(.speak))
    await store.send(.first(.speakLater)).finish()
    store.send(.second(.speak))
    await store.send(.second(.speakLater)).finish()
    #expect(store.first.words == ["stage!", "stage!"])
    #expect(store.second?.words == ["second", "second"])
  }

  @Test func storesDoNotShareOverrides() {
    let stores = ["a", "b"].map { name in
      Store(initialState: Speaker.State()) {
        Speaker()
      } withDependencies: {
        $0.client.name = { name }
      }
    }
    for store in stores { store.send(.speak) }
    #expect(stores.map(\.words) == [["a"], ["b"]])
  }

  @Test func urlsAreOpenedByWhoeverSaysHow() async throws {
    @Dependency(\.openURL) var openURL
    let url = try #require(URL(string: "https://example.com"))
    let opened = LockIsolated<[URL]>([])
    let answer = await withDependencies {
      $0.openURL = OpenURLEffect { url in
        opened.withValue { $0.append(url) }
        return true
      }
    } operation: {
      await openURL(url)
    }
    #expect(answer)
    #expect(opened.value == [url])
    await withKnownIssue { await openURL(url) }
  }

  @Test func theEndOfADependencyMayAskForDependencies() {
    let ended = LockIsolated(0)
    func makeBox() -> Ending.Box {
      withDependencies {
        $0[Ending.self] = Ending(ended)
      } operation: {
        Ending.Box()
      }
    }
    for _ in 0..<Soak.count(5, long: 20) {
      // At addresses of their own, and each at that of the one before.
      _ = (0..<100).map { _ in makeBox() }
      for _ in 0..<100 { _ = makeBox() }
    }
    #expect(ended.value > 0)
  }

  @Test func theEndOfAPreparedDependencyMayAskForDependencies() {
    let ended = LockIsolated(0)
    for _ in 0..<2 { prepareDependencies { $0[Ending.self] = Ending(ended) } }
    #expect(ended.value == 1)
  }
}

@concurrent private func elsewhere() async {}
