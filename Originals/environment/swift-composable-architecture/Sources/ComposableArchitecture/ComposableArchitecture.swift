// The names of the Composable Architecture as they were with environments, with its test store.

@_exported import RondoEnvironment

/// The settings of test stores in a program that holds this module, for test targets that declare
/// none. Suites written for the original know nothing of transactions, so these are not asserted.
enum TestStoreDefaults: TestStoreConfiguration {
  static let exhaustivity: Exhaustivity = [.state, .actions, .effects]
}
