// The names of the Composable Architecture, with its test store.

@_exported import RondoTestStore

/// What test stores begin with in a program that holds this module, in test targets that do not say
/// it themselves: suites written for the original know nothing of transactions.
enum TestStoreDefaults: TestStoreConfiguration {
  static let exhaustivity: Exhaustivity = [.state, .actions, .effects]
}
