// The home screen, in whatever order its services answer and its player taps.

import Foundation
import Rondo
import RondoTesting
import RondoSeededRandomness
import Testing

@testable import RondoHomeFeature

@Suite struct HomeExplorationTests {
  /// For longer: `RONDO_SOAK=250 swift test --filter HomeExplorationTests`.
  static let orders = Soak.count(40, long: 4_000)

  @Test func whateverIsLoadedComesToAnEnd() async {
    let coverage =
      await explorer
      .actions(.onAppear, .refresh, .deleteMatch("match-1"), .onDisappear, .pokeTapped("match-2"))
      .eventually { $0.loading.isEmpty }
      .eventually("what was asked for is there, or a problem is") {
        $0.day == nil || $0.dailyChallenges != nil || $0.problems[.server] != nil
      }
      .explore(steps: 4, orders: Self.orders)
    if Soak.isOn { print("home screen: \(coverage)") }
  }

  @Test func aMatchThatIsShownIsThere() async {
    await explorer
      .availableActions { state in
        let matches = state.activeMatches.map(\.id)
        return [HomeAction.refresh] + matches.map(HomeAction.matchTapped)
          + matches.map(HomeAction.deleteMatch)
      }
      .always { state in
        guard case .match(let id)? = state.destination else { return true }
        return state.activeMatches.contains { $0.id == id }
      }
      .eventually { $0.loading.isEmpty }
      .explore(steps: 4, orders: Self.orders)
  }

  @Test func aChallengeIsStartedOnceItIsAskedFor() async {
    await explorer
      .actions(.refresh, .startDailyChallenge(.unlimited), .startDailyChallenge(.timed))
      .eventually { $0.loading.isEmpty }
      .explore(steps: 3, orders: Self.orders)
  }

  @Test(.order(""), arguments: HomeFlow.all)
  func firstInFirstOutIsTheOrderOfEveryOtherTest(_ flow: HomeFlow) async {
    await flow.run()
  }

  private var explorer: Explorer<Home.State, HomeAction> {
    Explorer(initialState: Home.State()) {
      Home()
    } withDependencies: {
      $0.useServicesThatWait()
    }
    .outcomes(of: \.doorbell.ring) { _ in [.success(true), .failure(Closed())] }
    .faults(atMost: 2, of: [])
    .patience(.zero)
  }
}

// MARK: - Services that answer when they are let

private struct Closed: Error {}

/// An endpoint that every request waits for.
private struct Doorbell: DependencyKey {
  var ring: @Sendable (String) async throws -> Bool

  static var liveValue: Self { testValue }
  static var testValue: Self { Self(ring: unimplemented("Doorbell.ring")) }
}

extension DependencyValues {
  fileprivate var doorbell: Doorbell {
    get { self[Doorbell.self] }
    set { self[Doorbell.self] = newValue }
  }

  fileprivate mutating func useServicesThatWait() {
    let (queue, date) = (mainQueue, date)
    let conditions = Conditions(
      latencies: [.files: .zero, .authentication: .zero, .server: .zero, .matches: .zero])
    backgroundQueue = queue
    timeZone = .gmt
    fileClient = .preview()
    sound = .preview
    let service = GameServiceStub(queue: queue, conditions: conditions, now: { date() }).client
    gameService = GameServiceClient(
      authenticate: { whenLet(service.authenticate(), else: .denied) },
      localPlayer: service.localPlayer,
      loadMatches: { whenLet(service.loadMatches(), else: .unreachable) },
      endMatch: { whenLet(service.endMatch($0), else: .unreachable) },
      remind: { whenLet(service.remind($0), else: .unreachable) },
      turnEvents: { .none })
    let embedded = ServerClient.live(
      transport: EmbeddedServer(queue: queue, conditions: conditions, now: { date() }).transport)
    let unreachable = ServerError.unreachable("no network")
    server = ServerClient(
      authenticate: { whenLet(embedded.authenticate($0), else: unreachable) },
      todaysDailyChallenges: { whenLet(embedded.todaysDailyChallenges($0), else: unreachable) },
      weekInReview: { whenLet(embedded.weekInReview($0), else: unreachable) },
      startDailyChallenge: {
        whenLet(embedded.startDailyChallenge($0, $1), else: unreachable)
      })
  }
}

/// An effect that waits at the door, and is turned away or let in.
private func whenLet<Value, Failure: Error>(
  _ effect: Effect<Result<Value, Failure>>, else failure: Failure
) -> Effect<Result<Value, Failure>> {
  @Dependency(\.doorbell) var doorbell
  return Effect<Bool>.run(name: "request") { [doorbell] send in
    await send(try await doorbell.ring("request"))
  } catch: { _, send in
    await send(false)
  }
  .flatMap { isLetIn in isLetIn ? effect : .send(.failure(failure)) }
}
