// Written by 'rondo test' from sign-up.jsonl.

import Foundation
import RondoTesting
import Testing

@testable import SignUpFeature

@MainActor
@Test func signUp() async {
  let store = TestStore(initialState: SignUp.State()) {
    SignUp()
  } withDependencies: {
    $0.accountClient.isAvailable = { _ in true }
    $0.accountClient.create = { _ in Account(name: "Blob") }
  }

  await store.send(.startButtonTapped) {
    $0.secondsLeft = 300
    $0.path[id: 0] = .credentials(Credentials.State(data: $0.$data, availability: nil))
  }
  await store.send(
    .path(
      .element(id: 0, action: .credentials(.binding(.set(\.data.email, "blob@rondo.org"))))
    )
  ) {
    $0.$data.withLock { $0.email = "blob@rondo.org" }
    $0.path[id: 0, case: \.credentials]?.availability = .checking
  }
  await store.advance(by: .milliseconds(300))
  await store.receive(\.path[id: 0].credentials.emailChecked.success, true) {
    $0.path[id: 0, case: \.credentials]?.availability = .available
  }
  await store.send(
    .path(
      .element(id: 0, action: .credentials(.binding(.set(\.data.password, "12345678"))))
    )
  ) { $0.$data.withLock { $0.password = "12345678" } }
  // One change is recorded for these actions: it is compared behind the last one.
  store.exhaustivity.remove(.state)
  await store.send(.path(.element(id: 0, action: .credentials(.nextButtonTapped))))
  await store.receive(\.path[id: 0].credentials.delegate.completed) {
    $0.path[id: 1] = .profile(Profile.State(data: $0.$data))
  }
  store.exhaustivity.insert(.state)
  await store.send(
    .path(
      .element(id: 1, action: .profile(.binding(.set(\.data.name, "Blob"))))
    )
  ) { $0.$data.withLock { $0.name = "Blob" } }
  // One change is recorded for these actions: it is compared behind the last one.
  store.exhaustivity.remove(.state)
  await store.send(.path(.element(id: 1, action: .profile(.nextButtonTapped))))
  await store.receive(\.path[id: 1].profile.delegate.completed) {
    $0.path[id: 2] = .summary(Summary.State(data: $0.$data))
  }
  store.exhaustivity.insert(.state)
  await store.send(.path(.element(id: 2, action: .summary(.submitButtonTapped)))) {
    let data = $0.$data
    $0.path[id: 2, case: \.summary]?.destination = .terms(Terms.State(data: data))
  }
  await store.send(
    .path(
      .element(id: 2, action: .summary(.destination(.presented(.terms(.acceptButtonTapped)))))
    )
  ) { $0.$data.withLock { $0.acceptsTerms = true } }
  await store.receive(\.path[id: 2].summary.destination.dismiss, animation: .default) {
    $0.path[id: 2, case: \.summary]?.destination = nil
  }
  await store.send(.path(.element(id: 2, action: .summary(.submitButtonTapped)))) {
    $0.path[id: 2, case: \.summary]?.isSubmitting = true
  }
  // One change is recorded for these actions: it is compared behind the last one.
  store.exhaustivity.remove(.state)
  await store.receive(
    \.path[id: 2].summary.accountCreated.success, Account(name: "Blob"), animation: .default)
  await store.receive(
    \.path[id: 2].summary.delegate.signedUp, Account(name: "Blob"), animation: .default
  ) {
    $0.$data.withLock { $0 = SignUpData(email: "", password: "", name: "", acceptsTerms: false) }
    $0.account = Account(name: "Blob")
    $0.secondsLeft = nil
    $0.path[id: 0] = nil
    $0.path[id: 1] = nil
    $0.path[id: 2] = nil
  }
  store.exhaustivity.insert(.state)
  await store.finish()
}
