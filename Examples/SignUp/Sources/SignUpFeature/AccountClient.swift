// The server, as far as signing up needs it.

import Rondo

/// An account that was made.
struct Account: Equatable, Sendable {
  var name: String
}

/// Asks for and makes accounts.
@DependencyClient
struct AccountClient: Sendable {
  var isAvailable: @Sendable (_ email: String) async throws -> Bool
  var create: @Sendable (_ data: SignUpData) async throws -> Account
}

extension AccountClient: TestDependencyKey {
  static let testValue = Self()
  static let previewValue = Self(
    isAvailable: { !$0.hasSuffix("@example.com") },
    create: { Account(name: $0.name) }
  )
}

extension DependencyValues {
  var accountClient: AccountClient {
    get { self[AccountClient.self] }
    set { self[AccountClient.self] = newValue }
  }
}
