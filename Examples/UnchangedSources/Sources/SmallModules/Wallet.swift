import CasePaths
import Clocks
import CombineSchedulers
import ConcurrencyExtras
import Dependencies
import DependenciesMacros
import Foundation
import IdentifiedCollections
import IssueReporting
import Perception
import Sharing
import SwiftNavigation

// A model without a store, and without the architecture: only its parts.

public struct Coin: Equatable, Identifiable, Sendable {
  public let id: Int
  public var value: Int

  public init(id: Int, value: Int) {
    self.id = id
    self.value = value
  }
}

@CasePathable
@dynamicMemberLookup
public enum Purse: Equatable, Sendable {
  case empty
  case full(Coin)
}

@DependencyClient
public struct Mint: Sendable {
  public var coin: @Sendable (_ value: Int) throws -> Coin
}

extension Mint: TestDependencyKey {
  public static let testValue = Mint()
}

extension DependencyValues {
  public var mint: Mint {
    get { self[Mint.self] }
    set { self[Mint.self] = newValue }
  }
}

extension SharedKey where Self == InMemoryKey<IdentifiedArrayOf<Coin>>.Default {
  static var coins: Self { Self[.inMemory("coins"), default: []] }
}

public final class Wallet: @unchecked Sendable {
  @Shared(.coins) public var coins
  @Dependency(\.mint) var mint
  @Dependency(\.continuousClock) var clock
  let purse = LockIsolated(Purse.empty)

  public init() {}

  public func mintCoin(value: Int) async throws {
    guard value > 0 else {
      reportIssue("A coin needs a value.")
      return
    }
    try await clock.sleep(for: .seconds(1))
    let coin = try mint.coin(value: value)
    purse.setValue(.full(coin))
    $coins.withLock { _ = $0.append(coin) }
  }

  public var coinInPurse: Coin? { purse.value.full }
}
