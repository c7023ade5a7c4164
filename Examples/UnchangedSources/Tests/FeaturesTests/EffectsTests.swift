import ComposableArchitecture
import Foundation
import Testing

@testable import Features

@MainActor
struct EffectsTests {
  @Test
  func merge() async {
    let store = TestStore(initialState: Effects.State()) { Effects() }
    await store.send(.onAppear)
    await store.receive(.logged("appeared")) { $0.log = ["appeared"] }
    await store.receive(\.logged, "ran") { $0.log = ["appeared", "ran"] }
  }

  @Test
  func longLiving() async {
    let (screenshots, takeScreenshot) = AsyncStream.makeStream(of: Void.self)
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.screenshots = { screenshots }
    }

    let task = await store.send(.task)
    takeScreenshot.yield()
    await store.receive(\.screenshotTaken) { $0.screenshots = 1 }
    await task.cancel()
    takeScreenshot.yield()
  }

  @Test
  func concatenate() async {
    let clock = TestClock()
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.concatenateTapped)
    await clock.advance(by: .seconds(1))
    await store.receive(\.logged) { $0.log = ["first"] }
    await clock.run()
    await store.receive(\.logged) { $0.log = ["first", "second"] }
  }

  @Test
  func mergeMany() async {
    let clock = TestClock()
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.mergeTapped)
    await clock.advance(by: .seconds(3))
    await store.receive(.logged("1")) { $0.log.append("1") }
    await store.receive(.logged("2")) { $0.log.append("2") }
    await store.receive(.logged("3")) { $0.log.append("3") }
  }

  @Test
  func search() async {
    let mainQueue = DispatchQueue.test
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.mainQueue = mainQueue.eraseToAnyScheduler()
      $0.search.search = { [$0, $0] }
    }
    await store.send(.queryChanged("a")) { $0.query = "a" }
    await mainQueue.advance(by: .milliseconds(200))
    await store.send(.queryChanged("ab")) { $0.query = "ab" }
    await mainQueue.advance(by: .milliseconds(300))
    await store.receive(.queryDebounced) { $0.isLoading = true }
    await store.receive(.response(.success(["ab", "ab"]))) {
      $0.isLoading = false
      $0.results = ["ab", "ab"]
    }
    await store.send(.queryChanged("")) {
      $0.query = ""
      $0.results = []
    }
  }

  @Test
  func failures() async {
    struct SomethingWrong: Equatable, Error {}
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.search = Search { _ in throw SomethingWrong() }
    }
    await store.send(.failTapped)
    await store.receive(\.failed) { $0.log = ["Failure"] }
    await store.send(.queryDebounced) { $0.isLoading = true }
    await store.receive(.response(.failure(SomethingWrong()))) { $0.isLoading = false }
  }

  @Test
  func throttle() async {
    let mainQueue = DispatchQueue.test
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.mainQueue = mainQueue.eraseToAnyScheduler()
    }
    await store.send(.throttled(1))
    await mainQueue.advance()
    await store.receive(\.logged) { $0.log = ["1"] }
    await store.send(.throttled(2))
    await store.send(.throttled(3))
    await mainQueue.advance(by: 1)
    await store.receive(\.logged) { $0.log = ["1", "3"] }
  }

  @Test
  func progress() async {
    let store = TestStore(initialState: Effects.State()) { Effects() }
    store.exhaustivity = .off(showSkippedAssertions: false)
    await store.send(.progressTapped)
    await store.receive(\.progress, 1) { $0.progress = 1 }
    await store.send(.cancelAll)
  }

  @Test
  func analytics() async {
    let events = ActorIsolated<[String]>([])
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0[Analytics.self].track = { event in await events.withValue { $0.append(event) } }
    }
    await store.send(.analyticsTapped).finish()
    let tracked = await events.value
    expectNoDifference(tracked, ["tapped 0"])
  }

  @Test
  func unimplementedEndpoints() async {
    let store = TestStore(initialState: Effects.State()) { Effects() }
    await withKnownIssue {
      await store.send(.analyticsTapped).finish()
    }
    await withExpectedIssue {
      @Dependency(\.factClient) var factClient
      _ = try? await factClient.fetch(1)
    }
    reportIssueIsThere()
  }

  private func reportIssueIsThere() {
    withKnownIssue { reportIssue("It is wrong.") }
    withKnownIssue { reportIssue() }
  }

  @Test
  func skipping() async {
    let store = TestStore(initialState: Effects.State()) {
      Effects()
    } withDependencies: {
      $0.continuousClock = .immediate
    }
    await store.send(.rainbow)
    await store.skipReceivedActions()
    store.assert { $0.log = ["red", "green"] }
    store.exhaustivity = .off
    await store.send(.onAppear)
    await store.skipInFlightEffects(strict: false)
  }

  @Test
  func dependenciesInTests() {
    let now = Date(timeIntervalSince1970: 1_234_567_890)
    withDependencies {
      $0.date.now = now
      $0.date = .constant(now)
      $0.uuid = .incrementing
      $0.calendar = Calendar(identifier: .gregorian)
      $0.context = .test
    } operation: {
      @Dependency(\.date.now) var date
      @Dependency(\.uuid) var uuid
      #expect(date == now)
      #expect(uuid() == UUID(0))
      #expect(uuid().uuidString == "00000000-0000-0000-0000-000000000001")
    }
  }
}
