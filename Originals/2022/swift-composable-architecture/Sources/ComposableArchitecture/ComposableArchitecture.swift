// The names of the Composable Architecture as they were in 2022, with its test store.

@_exported import RondoNetworking
@_exported import RondoTestCompatibility

/// An effect, whose type of failures may be named, as it was until 2023: `Effect<Action, Never>`.
///
/// The failure means nothing: an effect that throws reports it. Where the type is not written out,
/// `return Effect.merge(…)`, the compiler cannot know whether a failure is meant: write `.merge(…)`.
public typealias Effect<Action, each Failure> = Rondo.Effect<Action>

/// The settings of test stores in a program that holds this module, for test targets that declare
/// none. Suites written for the original know nothing of transactions, so these are not asserted.
enum TestStoreDefaults: TestStoreConfiguration {
  static let exhaustivity: Exhaustivity = [.state, .actions, .effects]
}
