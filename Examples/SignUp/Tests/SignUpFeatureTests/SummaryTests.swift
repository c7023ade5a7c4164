// The request, its alert, and the two sheets.

import RondoTesting
import Testing

@testable import SignUpFeature

@MainActor
@Suite(.orders(50))
struct SummaryTests {
  private let data = SignUpData(
    email: "blob@rondo.org", password: "12345678", name: "Blob", acceptsTerms: true)

  private func makeStore(_ data: SignUpData) -> TestStoreOf<Summary> {
    TestStore(initialState: Summary.State(data: Shared(value: data))) { Summary() }
  }

  @Test func aRequestThatFailsIsTriedAgainFromItsAlert() async {
    struct Offline: Error {}
    let store = makeStore(data)
    store.dependencies.accountClient.create = { _ in throw Offline() }
    await store.send(.submitButtonTapped) { $0.isSubmitting = true }
    await store.receive(\.accountCreated.failure, animation: .default) {
      $0.isSubmitting = false
      $0.destination = .alert(.notCreated)
    }

    store.dependencies.accountClient.create = { Account(name: $0.name) }
    await store.send(\.destination.alert.retryButtonTapped) {
      $0.destination = nil
      $0.isSubmitting = true
    }
    await store.receive(\.accountCreated.success, animation: .default) { $0.isSubmitting = false }
    await store.receive(\.delegate.signedUp, Account(name: "Blob"), animation: .default)
  }

  @Test func theAlertCanBeDismissed() async {
    struct Offline: Error {}
    let store = makeStore(data)
    store.dependencies.accountClient.create = { _ in throw Offline() }
    await store.send(.submitButtonTapped) { $0.isSubmitting = true }
    await store.receive(\.accountCreated.failure, animation: .default) {
      $0.isSubmitting = false
      $0.destination = .alert(.notCreated)
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func termsThatAreClosedAreNotAccepted() async {
    let store = makeStore(SignUpData(name: "Blob"))
    await store.send(.submitButtonTapped) {
      $0.destination = .terms(Terms.State(data: $0.$data))
    }
    await store.send(\.destination.terms.closeButtonTapped)
    await store.receive(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func theNameIsCorrectedInASheetAndSeenBehindIt() async {
    let store = makeStore(data)
    await store.send(.editProfileButtonTapped) {
      $0.destination = .profile(Profile.State(data: $0.$data))
    }
    await store.send(\.destination.profile.binding, .set(\.data.name, "Blob Jr.")) {
      $0.$data.withLock { $0.name = "Blob Jr." }
    }
    #expect(store.state.data.name == "Blob Jr.")
    await store.send(\.destination.profile.nextButtonTapped)
    await store.receive(\.destination.profile.delegate.completed) { $0.destination = nil }
  }
}
