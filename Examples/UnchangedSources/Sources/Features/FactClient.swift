import ComposableArchitecture
import Foundation

@DependencyClient
struct FactClient: Sendable {
  var fetch: @Sendable (_ number: Int) async throws -> String
  var isAvailable: @Sendable () -> Bool = { true }
}

extension DependencyValues {
  var factClient: FactClient {
    get { self[FactClient.self] }
    set { self[FactClient.self] = newValue }
  }
}

extension FactClient: DependencyKey {
  static let liveValue = FactClient(
    fetch: { number in
      try await Task.sleep(for: .seconds(1))
      return "\(number) is a good number."
    },
    isAvailable: { true }
  )
  static let testValue = Self()
}
