// What tests leave for their readers, and where.

/// What tests leave for their readers, and where.
package struct TestOutput: Sendable {
  /// The one in force. Tests of the library put another one in its place.
  @TaskLocal package static var current = TestOutput()

  /// Tells something that never fails a test.
  package var print: @Sendable (String) -> Void = { Swift.print($0) }
  /// The folder for recordings, in place of the one that the environment names.
  package var recordings: String?
  /// The folder for orders that have failed, in place of the one that the environment names.
  package var orders: String?
}
