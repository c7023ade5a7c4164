// The dependencies of a feature in a test store.

import Dispatch
import Foundation
import RondoTesting
import Testing

/// A client that says in a test that it was used.
private struct API: Sendable, DependencyKey {
  var load: @Sendable () async throws -> String
  var isOnline: @Sendable () -> Bool

  static let liveValue = API(load: { "live" }, isOnline: { true })
  static let testValue = API(
    load: unimplemented("API.load"), isOnline: unimplemented("API.isOnline", placeholder: false))
}

/// A client without a test value.
private struct Disk: Sendable, DependencyKey {
  var name: String
  static let liveValue = Disk(name: "live")
}

extension DependencyValues {
  fileprivate var api: API {
    get { self[API.self] }
    set { self[API.self] = newValue }
  }
  fileprivate var disk: Disk {
    get { self[Disk.self] }
    set { self[Disk.self] = newValue }
  }
}

private struct Dependent: Reducer {
  struct State: Equatable {
    var log: [String] = []
  }
  enum Action: Equatable, Sendable {
    case load, loadDetached, loadOnQueue, check, diskTapped
    case sleep, suspend, queue, runLoop, now, context, close, closeAndSay
    case log(String)
  }
  enum CancelID { case sleep }

  @Dependency(\.api) var api
  @Dependency(\.disk) var disk  // Its uses are reported at this line: `diskLine`.
  @Dependency(\.continuousClock) var clock
  @Dependency(\.suspendingClock) var suspendingClock
  @Dependency(\.mainQueue) var mainQueue
  @Dependency(\.mainRunLoop) var mainRunLoop
  @Dependency(\.date) var date
  @Dependency(\.context) var context
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load:
      return .run { send in
        await send(.log(try await api.load()))
      } catch: { _, send in
        await send(.log("failed"))
      }
    case .loadDetached:
      return .run { send in
        let text = await Task { (try? await api.load()) ?? "failed" }.value
        await send(.log(text))
      }
    case .loadOnQueue:
      return .run { send in
        let isOnline = await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: disk.name) }
        }
        await send(.log(isOnline))
      }
    case .check:
      state.log.append("\(api.isOnline())")
    case .diskTapped:
      state.log.append(disk.name)
    case .sleep:
      return .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(.log("slept"))
      }
    case .suspend:
      return .run { send in
        try await suspendingClock.sleep(for: .seconds(1))
        await send(.log("slept"))
      }
    case .queue:
      return .send(.log("queued")).delay(for: .seconds(1), scheduler: mainQueue)
    case .runLoop:
      return .send(.log("looped")).delay(for: .seconds(1), scheduler: mainRunLoop)
    case .now:
      state.log.append("\(date.now.timeIntervalSince1970)")
    case .context:
      state.log.append(context.rawValue)
    case .close:
      return .run { _ in await dismiss() }
    case .closeAndSay:
      return .run { send in
        await dismiss()
        await send(.log("dismissed"))
      }
    case .log(let text):
      state.log.append(text)
    }
    return .none
  }
}

@Suite struct TestDependencyTests {
  // T4
  @Test func anAssertionHasTheDependenciesOfTheFeature() async {
    let store = TestStore(initialState: Dependent.State()) {
      Dependent()
    } withDependencies: {
      $0.disk.name = "D"
    }
    await store.send(.diskTapped) {
      @Dependency(\.disk) var disk
      $0.log = [disk.name]
    }
    await store.send(.now) {
      @Dependency(\.date.now) var now
      $0.log.append("\(now.timeIntervalSince1970)")
    }
    store.assert {
      @Dependency(\.disk) var disk
      $0.log[0] = disk.name
    }
  }

  // T7
  @Test func aStoreIsGivenDependencies() async {
    let store = TestStore(initialState: Dependent.State()) {
      Dependent()
    } withDependencies: {
      $0.api.load = { "mock" }
    }
    await store.send(.load)
    await store.receive(.log("mock")) { $0.log = ["mock"] }
  }

  // T7
  @Test func theInitialStateSeesThem() async {
    let store = TestStore(
      initialState: {
        @Dependency(\.uuid) var uuid
        return Dependent.State(log: [uuid().uuidString])
      }()
    ) {
      Dependent()
    } withDependencies: {
      $0.uuid = .constant(UUID(7))
    }
    #expect(store.state.log == [UUID(7).uuidString])
  }

  // T7
  @Test func dependenciesAreWritableInTheMiddleOfATest() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    store.dependencies.api.isOnline = { true }
    await store.send(.check) { $0.log = ["true"] }
    store.dependencies.api.isOnline = { false }
    await store.send(.check) { $0.log = ["true", "false"] }
    store.dependencies.disk.name = "test"
    await store.send(.diskTapped) { $0.log = ["true", "false", "test"] }
    #expect(store.dependencies.disk.name == "test")
  }

  // T7
  @Test func withDependenciesPutsThemBack() async {
    let store = TestStore(initialState: Dependent.State()) {
      Dependent()
    } withDependencies: {
      $0.disk = Disk(name: "outer")
    }
    await store.withDependencies {
      $0.disk = Disk(name: "inner")
    } operation: {
      await store.send(.diskTapped) { $0.log = ["inner"] }
    }
    await store.send(.diskTapped) { $0.log = ["inner", "outer"] }
    let name = store.withDependencies {
      $0.disk = Disk(name: "inner")
    } operation: {
      store.dependencies.disk.name
    }
    #expect(name == "inner")
    #expect(store.dependencies.disk.name == "outer")
  }

  // T4
  @Test(arguments: [
    (Dependent.Action.sleep, "slept"), (.suspend, "slept"), (.queue, "queued"),
    (.runLoop, "looped"),
  ])
  fileprivate func clocksAndQueuesGoByTheStoresTime(action: Dependent.Action, text: String) async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    await store.send(action)
    await store.advance(by: .milliseconds(999))
    await store.advance(by: .milliseconds(1))
    await store.receive(.log(text)) { $0.log = [text] }
  }

  // T4
  @Test func theDateGoesByTheStoresTime() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    await store.send(.now) { $0.log = ["\(store.date.timeIntervalSince1970)"] }
    await store.advance(by: .seconds(60))
    await store.send(.now) { $0.log.append("\(store.date.timeIntervalSince1970)") }
  }

  // T4
  @Test func whatIsOverriddenIsNotTheStoresTime() async {
    let store = withDependencies {
      $0.continuousClock = ImmediateClock()
    } operation: {
      TestStore(initialState: Dependent.State()) {
        Dependent()
      } withDependencies: {
        $0.date = .constant(Date(timeIntervalSince1970: 5))
      }
    }
    await store.send(.now) { $0.log = ["5.0"] }
    await store.send(.sleep)
    await store.receive(.log("slept")) { $0.log = ["5.0", "slept"] }
  }

  // T4
  @Test func dependenciesAroundASendDoNotReplaceTheStoresTime() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    await withDependencies {
      $0.date = .constant(Date(timeIntervalSince1970: 5))
    } operation: {
      await store.send(.now) { $0.log = ["\(store.date.timeIntervalSince1970)"] }
    }
  }

  // T4
  @Test func otherDependenciesAltogetherKeepTheStoresTime() async {
    let store = TestStore(initialState: Dependent.State()) {
      Dependent()
    } withDependencies: {
      $0 = DependencyValues()
    }
    await store.send(.sleep)
    await store.advance(by: .seconds(1))
    await store.receive(.log("slept")) { $0.log = ["slept"] }
    store.dependencies = DependencyValues()
    await store.send(.sleep)
    await store.advance(by: .seconds(1))
    await store.receive(.log("slept")) { $0.log = ["slept", "slept"] }
  }

  // T4
  @Test func whatIsReadOnTheWayKeepsTheStoresTimeToo() async {
    let store = TestStore(initialState: Date.distantPast) {
      Reduce { state, _ in
        @Dependency(\.date.now) var now
        state = now
        return Effect<Int>.none
      }
    }
    store.dependencies = DependencyValues()
    await store.advance(by: .seconds(5))
    let date = store.date
    await store.send(0) { $0 = date }
  }

  // T4
  @Test func theContextIsThatOfATest() async {
    let store = withDependencies {
      $0 = DependencyValues()
    } operation: {
      TestStore(initialState: Dependent.State()) { Dependent() }
    }
    await store.send(.context) { $0.log = ["test"] }
  }

  // T4
  @Test func anEndpointWithoutATestValueFailsByName() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    let issues = await captureIssues {
      await store.send(.check) { $0.log = ["false"] }
      await store.send(.load)
      await store.receive(.log("failed")) { $0.log = ["false", "failed"] }
    }
    #expect(issues.count == 2)
    #expect(issues[0].message.hasPrefix("Unimplemented: API.isOnline was used."))
    #expect(issues[1].message.hasPrefix("Unimplemented: API.load was used."))
  }

  // T4
  @Test func aDependencyWithoutATestValueFailsByName() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    let issues = await captureIssues {
      await store.send(.diskTapped) { $0.log = ["live"] }
    }
    #expect(issues.count == 1)
    #expect(issues[0].message.hasPrefix(#"@Dependency(\.disk) was used in a test"#))
    #expect("\(issues[0].position)" == "RondoTestingTests/TestDependencyTests.swift:\(diskLine)")
  }

  // T4, T11
  @Test func anEffectOutsideOfTheTestsTaskFailsTheTest() async {
    await withKnownIssue {
      nonisolated(unsafe) let store = TestStore(initialState: Dependent.State()) { Dependent() }
      await Task.detached {
        #expect(Test.current == nil)
        await store.send(.load)
        await store.receive(.log("failed")) { $0.log = ["failed"] }
      }.value
    } matching: {
      "\($0)".contains("Unimplemented: API.load was used.")
    }
  }

  // T4, T11
  @Test func aTaskOfAnEffectFailsTheTest() async {
    await withKnownIssue {
      let store = TestStore(initialState: Dependent.State()) { Dependent() }
      await store.send(.loadDetached)
      await store.receive(.log("failed")) { $0.log = ["failed"] }
    } matching: {
      "\($0)".contains("Unimplemented: API.load was used.")
    }
  }

  // T4, T11
  @Test func aDependencyThatIsReadOnAQueueFailsTheTest() async {
    await withKnownIssue {
      let store = TestStore(initialState: Dependent.State()) { Dependent() }
      await store.send(.loadOnQueue)
      await store.receive(.log("live")) { $0.log = ["live"] }
    } matching: {
      "\($0)".contains(#"@Dependency(\.disk) was used in a test"#)
    }
  }

  // T7
  @Test func aFeatureThatDismissesItselfIsDismissed() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    #expect(!store.isDismissed)
    await store.send(.close)
    #expect(store.isDismissed)
  }

  // T7, K8
  @Test func whatADismissedFeatureStillSendsIsDropped() async {
    let store = TestStore(initialState: Dependent.State()) { Dependent() }
    await store.send(.closeAndSay)
    #expect(store.isDismissed)
    #expect(store.state.log == [])
  }

  // T7
  @Test func dismissMayBeOverridden() async {
    let store = TestStore(initialState: Dependent.State()) {
      Dependent()
    } withDependencies: {
      $0.dismiss = DismissEffect {}
    }
    await store.send(.close)
    #expect(!store.isDismissed)
  }

  // T12
  @Test func aDismissedFeatureTakesNoActions() async {
    let text = await message {
      let store = TestStore(initialState: Dependent.State()) { Dependent() }
      await store.send(.close)
      await store.send(.check)
    }
    #expect(
      text == """
        .check was sent to a feature that had dismissed itself, and was not handled.

        Send it before the feature is dismissed, or end the test there: '#expect(store.isDismissed)'.
        """)
  }
}

/// The line above on which `disk` is declared.
private let diskLine = 47
