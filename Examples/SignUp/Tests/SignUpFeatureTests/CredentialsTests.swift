// The address is looked up when the user stops typing.

import RondoTesting
import Testing

@testable import SignUpFeature

@MainActor
@Suite(.orders(50))
struct CredentialsTests {
  private func makeStore(
    isAvailable: @escaping @Sendable (String) async throws -> Bool
  ) -> TestStoreOf<Credentials> {
    TestStore(initialState: Credentials.State(data: Shared(value: SignUpData()))) {
      Credentials()
    } withDependencies: {
      $0.accountClient.isAvailable = isAvailable
    }
  }

  @Test func onlyTheLastAddressIsLookedUp() async {
    let store = makeStore { $0 == "ab@c" }
    await store.send(\.binding, .set(\.data.email, "a@c")) {
      $0.$data.withLock { $0.email = "a@c" }
      $0.availability = .checking
    }
    await store.advance(by: .milliseconds(299))
    await store.send(\.binding, .set(\.data.email, "ab@c")) {
      $0.$data.withLock { $0.email = "ab@c" }
    }
    await store.advance(by: .milliseconds(300))
    await store.receive(\.emailChecked.success, true) { $0.availability = .available }
  }

  @Test func typingOnCancelsAQuestionThatIsNotAnswered() async {
    let store = makeStore { $0 == "a@c" ? try await Task.never() : false }
    await store.send(\.binding, .set(\.data.email, "a@c")) {
      $0.$data.withLock { $0.email = "a@c" }
      $0.availability = .checking
    }
    await store.advance(by: .milliseconds(300))
    await store.send(\.binding, .set(\.data.email, "a@cd")) {
      $0.$data.withLock { $0.email = "a@cd" }
    }
    await store.advance(by: .milliseconds(300))
    await store.receive(\.emailChecked.success, false) { $0.availability = .taken }
  }

  @Test func whatIsNoAddressIsNotLookedUp() async {
    let store = makeStore { _ in true }
    await store.send(\.binding, .set(\.data.email, "a@")) {
      $0.$data.withLock { $0.email = "a@" }
      $0.availability = .checking
    }
    await store.send(\.binding, .set(\.data.email, "a")) {
      $0.$data.withLock { $0.email = "a" }
      $0.availability = nil
    }
    await store.finish()
  }

  @Test func aQuestionThatFailsLeavesTheAnswerUnknown() async {
    struct Offline: Error {}
    let store = makeStore { _ in throw Offline() }
    await store.send(\.binding, .set(\.data.email, "a@c")) {
      $0.$data.withLock { $0.email = "a@c" }
      $0.availability = .checking
    }
    await store.advance(by: .milliseconds(300))
    await store.receive(\.emailChecked.failure) { $0.availability = .unknown }
  }

  @Test func aShortPasswordDoesNotLeadOn() async {
    let data = SignUpData(email: "a@c", password: "1234567")
    let store = TestStore(
      initialState: Credentials.State(data: Shared(value: data), availability: .available)
    ) {
      Credentials()
    }
    await store.send(.nextButtonTapped)
    await store.send(\.binding, .set(\.data.password, "12345678")) {
      $0.$data.withLock { $0.password = "12345678" }
    }
    await store.send(.nextButtonTapped)
    await store.receive(\.delegate.completed)
  }

  @Test func whatIsFreeIsTheAddressThatIsEntered() async {
    func entered(_ email: String) -> Credentials.Action { .binding(.set(\.data.email, email)) }

    let explorer = Explorer(
      initialState: Credentials.State(data: Shared(value: SignUpData()))
    ) {
      Credentials()
    }
    await explorer
      .actions(entered("free@c"), entered("taken@c"), entered(""))
      .outcomes(of: \.accountClient.isAvailable) {
        [.success($0 == "free@c"), .failure(Offline())]
      }
      .always { $0.availability != .available || $0.data.email == "free@c" }
      .eventually { $0.availability != .checking }
      .explore(steps: 4, orders: 1_000)
  }
}

private struct Offline: Error {}
