import Foundation
import Rondo
import Testing

@testable import RondoHomeFeature

/// Tests of the change of the day at midnight UTC.
@MainActor @Suite struct DayTests {
  private static let midnight = Date(timeIntervalSince1970: 1_773_532_800)

  @Test func aRefreshCancelsADaysLoadThatIsUnderWay() {
    let screen = Screen(at: Self.midnight - 3, latencies: [.server: .seconds(2)], matches: [])
    screen.store.send(.onAppear)
    // The day changes at 4 s and its load is answered at 8 s; the refresh's at 10.1 s.
    screen.advance(by: .seconds(6))
    screen.store.send(.refresh)
    _ = screen.takeLog()
    screen.advance(by: .seconds(30))
    #expect(
      screen.times.filter { $0.hasSuffix("dailyChallengeResponse") }
        == ["10100 dailyChallengeResponse"])
    #expect(screen.store.isLoaded)
  }

  @Test func aRefreshBetweenMidnightAndTheTimerDoesNotEndTheRollover() {
    let screen = Screen(at: Self.midnight - 3, matches: [])
    screen.launch()
    // It is half a second past midnight; the timer goes off half a second later.
    screen.advance(by: .milliseconds(2_500))
    screen.store.send(.refresh)
    screen.advance(by: .seconds(24 * 60 * 60 + 2))
    #expect(
      screen.store.dailyChallenges?.map(\.id) == ["2026-03-16-timed", "2026-03-16-unlimited"])
  }

  @Test func aRefreshAfterLeavingDoesNotWaitForTheNextDay() {
    let screen = Screen(at: Self.midnight - 3, matches: [])
    screen.launch()
    screen.store.send(.onDisappear)
    screen.store.send(.refresh)
    screen.advance(by: .seconds(1))
    _ = screen.takeLog()
    screen.advance(by: .seconds(24 * 60 * 60))
    #expect(screen.log == [])
  }

  @Test func aTimerThatIsEarlyWaitsAgain() {
    let clock = Recorder<Date>()
    let screen = Screen(at: Self.midnight - 3, matches: []) { environment in
      let now = environment.now
      // The system's clock is set back by ten seconds while the timer runs.
      environment.now = { clock.values.isEmpty ? now() : now() - 10 }
    }
    screen.launch()
    clock.record(Self.midnight)
    screen.advance(by: .seconds(20))
    #expect(
      screen.store.dailyChallenges?.map(\.id) == ["2026-03-15-timed", "2026-03-15-unlimited"])
  }
}
