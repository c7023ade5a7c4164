// Settings for the code of a test.

/// Settings for the code that runs here, in a test, and for the stores that it makes.
package struct TestSettings: Sendable {
  @TaskLocal package static var current = TestSettings()

  /// Prints what never fails a test.
  package var print: @Sendable (String) -> Void = { Swift.print($0) }
  /// The folder for recordings, in place of the one that the environment names.
  package var recordings: String?
  /// The folder for orders that have failed, in place of the one that the environment names.
  package var orders: String?
  /// The chooser of the run around this code, which every test store takes that is made here.
  package var chooser: OrderChooser?
  /// The number of `.orders` traits around the code of a test.
  package var ordersDepth = 0
  /// Whether a change of nothing is reported: not where a test store does not assert the state.
  package var assertsModifying = true

  private static func with<Value>(
    _ setting: WritableKeyPath<TestSettings, Value>, _ value: Value
  ) -> TestSettings {
    var settings = current
    settings[keyPath: setting] = value
    return settings
  }

  /// Runs a body with another value of a setting.
  package static func with<Value, Result>(
    _ setting: WritableKeyPath<TestSettings, Value>, _ value: Value, _ body: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(with(setting, value), operation: body)
  }

  /// Runs an asynchronous body with another value of a setting.
  package nonisolated(nonsending) static func with<Value, Result>(
    _ setting: WritableKeyPath<TestSettings, Value>, _ value: Value,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $current.whileSet(to: with(setting, value), body)
  }
}
