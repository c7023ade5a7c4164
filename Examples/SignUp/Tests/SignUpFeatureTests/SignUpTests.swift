// The way from screen to screen, and what ends it.

import RondoTesting
import Testing

@testable import SignUpFeature

@MainActor
@Suite(.orders(50))
struct SignUpTests {
  @Test func anAccountIsMadeScreenByScreen() async {
    let store = TestStore(initialState: SignUp.State()) {
      SignUp()
    } withDependencies: {
      $0.accountClient.isAvailable = { _ in true }
      $0.accountClient.create = { Account(name: $0.name) }
    }

    await store.send(.startButtonTapped) {
      $0.secondsLeft = 300
      $0.path[id: 0] = .credentials(Credentials.State(data: $0.$data))
    }
    await store.send(\.path[id: 0].credentials.binding, .set(\.data.email, "blob@rondo.org")) {
      $0.$data.withLock { $0.email = "blob@rondo.org" }
      $0.path[id: 0, case: \.credentials]?.availability = .checking
    }
    await store.advance(by: .milliseconds(300))
    await store.receive(\.path[id: 0].credentials.emailChecked.success, true) {
      $0.path[id: 0, case: \.credentials]?.availability = .available
    }
    await store.send(\.path[id: 0].credentials.binding, .set(\.data.password, "12345678")) {
      $0.$data.withLock { $0.password = "12345678" }
    }
    await store.send(\.path[id: 0].credentials.nextButtonTapped)
    await store.receive(\.path[id: 0].credentials.delegate.completed) {
      $0.path[id: 1] = .profile(Profile.State(data: $0.$data))
    }

    await store.send(\.path[id: 1].profile.binding, .set(\.data.name, "Blob")) {
      $0.$data.withLock { $0.name = "Blob" }
    }
    await store.send(\.path[id: 1].profile.nextButtonTapped)
    await store.receive(\.path[id: 1].profile.delegate.completed) {
      $0.path[id: 2] = .summary(Summary.State(data: $0.$data))
    }

    await store.send(\.path[id: 2].summary.submitButtonTapped) {
      let terms = Terms.State(data: $0.$data)
      $0.path[id: 2, case: \.summary]?.destination = .terms(terms)
    }
    await store.send(\.path[id: 2].summary.destination.terms.acceptButtonTapped) {
      $0.$data.withLock { $0.acceptsTerms = true }
    }
    await store.receive(\.path[id: 2].summary.destination.dismiss, animation: .default) {
      $0.path[id: 2, case: \.summary]?.destination = nil
    }
    await store.send(\.path[id: 2].summary.submitButtonTapped) {
      $0.path[id: 2, case: \.summary]?.isSubmitting = true
    }
    await store.receive(\.path[id: 2].summary.accountCreated.success, animation: .default) {
      $0.path[id: 2, case: \.summary]?.isSubmitting = false
    }
    await store.receive(\.path[id: 2].summary.delegate.signedUp, animation: .default) {
      $0.account = Account(name: "Blob")
      $0.path.removeAll()
      $0.secondsLeft = nil
      $0.$data.withLock { $0 = SignUpData() }
    }
    await store.finish()
  }

  @Test func aSessionThatRunsOutTakesTheUserToTheStart() async {
    let store = TestStore(initialState: SignUp.State(sessionLength: 2)) {
      SignUp()
    } withDependencies: {
      $0.accountClient.isAvailable = { _ in try await Task.never() }
    }
    await store.send(.startButtonTapped) {
      $0.secondsLeft = 2
      $0.path[id: 0] = .credentials(Credentials.State(data: $0.$data))
    }
    await store.send(\.path[id: 0].credentials.binding, .set(\.data.email, "blob@rondo.org")) {
      $0.$data.withLock { $0.email = "blob@rondo.org" }
      $0.path[id: 0, case: \.credentials]?.availability = .checking
    }
    await store.advance(by: .seconds(1))
    await store.receive(\.sessionTicked) { $0.secondsLeft = 1 }
    await store.advance(by: .seconds(1))
    await store.receive(\.sessionTicked) { $0.secondsLeft = 0 }
    await store.receive(\.sessionExpired, animation: .default) {
      $0.alert = .sessionExpired
      $0.path.removeAll()
      $0.secondsLeft = nil
      $0.$data.withLock { $0 = SignUpData() }
    }
    // The ticks have ended, and so has the question about the address.
    await store.finish()
  }

  @Test func anExpiredSessionCanBeStartedAgainFromItsAlert() async {
    let store = TestStore(initialState: SignUp.State(sessionLength: 1)) { SignUp() }
    await store.send(.startButtonTapped) {
      $0.secondsLeft = 1
      $0.path[id: 0] = .credentials(Credentials.State(data: $0.$data))
    }
    await store.advance(by: .seconds(1))
    await store.receive(\.sessionTicked) { $0.secondsLeft = 0 }
    await store.receive(\.sessionExpired, animation: .default) {
      $0.alert = .sessionExpired
      $0.path.removeAll()
      $0.secondsLeft = nil
    }
    await store.send(\.alert.startAgainButtonTapped) {
      $0.alert = nil
      $0.secondsLeft = 1
      $0.path[id: 1] = .credentials(Credentials.State(data: $0.$data))
    }
    await store.send(\.path.popFrom, 1) {
      $0.path.removeAll()
      $0.secondsLeft = nil
    }
  }

  @Test func leavingTheFirstScreenEndsTheSessionAndForgetsWhatWasEntered() async {
    let store = TestStore(initialState: SignUp.State()) { SignUp() }
    await store.send(.startButtonTapped) {
      $0.secondsLeft = 300
      $0.path[id: 0] = .credentials(Credentials.State(data: $0.$data))
    }
    await store.send(\.path[id: 0].credentials.binding, .set(\.data.password, "secret")) {
      $0.$data.withLock { $0.password = "secret" }
    }
    await store.send(\.path.popFrom, 0) {
      $0.path.removeAll()
      $0.secondsLeft = nil
      $0.$data.withLock { $0.password = "" }
    }
    await store.finish()
  }

  @Test func aScreenOnTheStackGoesBackByItself() async {
    var state = SignUp.State()
    state.path.append(.credentials(Credentials.State(data: state.$data)))
    state.path.append(.profile(Profile.State(data: state.$data)))
    let store = TestStore(initialState: state) { SignUp() }

    await store.send(\.path[id: 1].profile.backButtonTapped)
    await store.receive(\.path.popFrom, 1) { $0.path[id: 1] = nil }
  }

  @Test func allScreensHoldTheSameData() async {
    var state = SignUp.State()
    state.path.append(.credentials(Credentials.State(data: state.$data)))
    state.path.append(.profile(Profile.State(data: state.$data)))
    let store = TestStore(initialState: state) { SignUp() }

    await store.send(\.path[id: 1].profile.binding, .set(\.data.name, "Blob")) {
      $0.$data.withLock { $0.name = "Blob" }
    }
    #expect(store.state.path[id: 0, case: \.credentials]?.data.name == "Blob")
  }
}
