import CasePaths
import CasePathsCore
import Clocks
import CustomDump
import Dependencies
import DependenciesTestSupport
import IssueReporting
import IssueReportingTestSupport
import PerceptionCore
import Sharing
import SmallModules
import Testing
import XCTestDynamicOverlay

struct WalletTests {
  // K30
  @Test
  func eachModuleHasItsNames() async throws {
    let clock = TestClock()
    let wallet = withDependencies {
      $0.continuousClock = clock
      $0.mint.coin = { Coin(id: $0, value: $0) }
    } operation: {
      Wallet()
    }
    let task = Task { try await wallet.mintCoin(value: 3) }
    await clock.advance(by: .seconds(1))
    try await task.value
    expectNoDifference(wallet.coins, [Coin(id: 3, value: 3)])
    #expect(Purse.full(Coin(id: 1, value: 1)).is(\.full))
    #expect(wallet.coinInPurse?.value == 3)
    await withExpectedIssue {
      try await wallet.mintCoin(value: 0)
    }
  }
}
