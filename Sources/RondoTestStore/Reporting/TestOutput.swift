// Texts and files that tests leave for their readers.

/// Places for the texts and files that tests leave for their readers.
package struct TestOutput: Sendable {
  /// The places in force. Tests of the library put others there.
  @TaskLocal package static var current = TestOutput()

  /// Prints what never fails a test.
  package var print: @Sendable (String) -> Void = { Swift.print($0) }
  /// The folder for recordings, in place of the one that the environment names.
  package var recordings: String?
  /// The folder for orders that have failed, in place of the one that the environment names.
  package var orders: String?
}
