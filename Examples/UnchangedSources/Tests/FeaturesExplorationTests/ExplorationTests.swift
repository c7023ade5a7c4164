import ComposableArchitecture
import Foundation
import RondoExploration
import Testing

@testable import Features

// The features, in any order in which their servers answer and their users tap.
@MainActor
struct ExplorationTests {
  struct Offline: Error {}

  @Test
  func aFactIsAboutTheNumberThatIsShown() async {
    await Explorer(initialState: Counter.State(id: UUID(0))) {
      Counter()
    }
    .actions(.factButtonTapped, .incrementButtonTapped, .decrementButtonTapped, .cancelButtonTapped)
    .outcomes(of: \.factClient.fetch) { [.success("\($0)"), .failure(Offline())] }
    .always { $0.fact == nil || $0.fact == "\($0.count)" }
    .eventually { !$0.isLoading }
    .explore(steps: 4, orders: 2_000)
  }

  @Test
  func aTimerCountsNoLongerThanItIsOn() async {
    await Explorer(initialState: Counter.State(id: UUID(0))) {
      Counter()
    }
    .actions(.toggleTimerButtonTapped, .factButtonTapped)
    .outcomes(of: \.factClient.fetch) { [.success("\($0)")] }
    .always { $0.fact == nil || $0.fact == "\($0.count)" }
    .patience(.seconds(3))
    .explore(steps: 3, orders: 1_000)
  }

  @Test
  func aSearchEnds() async {
    await Explorer(initialState: Effects.State()) {
      Effects()
    }
    .actions(.queryChanged("b"), .queryChanged("bl"), .queryChanged(""), .cancelAll)
    .outcomes(of: \.search.search) { [.success([$0]), .failure(Offline())] }
    .always { !$0.query.isEmpty || $0.results.isEmpty }
    .eventually { !$0.isLoading }
    .explore(steps: 4, orders: 2_000)
  }

  @Test
  func aLoginEnds() async {
    await Explorer(initialState: Login.State(email: "blob@pointfree.co", password: "bl0bbl0b")) {
      Login()
    }
    .actions(.view(.loginButtonTapped))
    .outcomes(of: \.authenticationClient.login) { _, _ in
      [
        .success(AuthenticationResponse(token: "deadbeef", twoFactorRequired: true)),
        .success(AuthenticationResponse(token: "deadbeef", twoFactorRequired: false)),
        .failure(AuthenticationError.invalidUserPassword),
      ]
    }
    .eventually { !$0.isLoginRequestInFlight }
    .explore(steps: 3, orders: 2_000)
  }
}
