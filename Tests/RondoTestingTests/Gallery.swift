// Helpers for the tests of failure messages.

import RondoTesting
import Testing

/// Runs a piece of a test that has to fail once, and gives back the failure's message.
///
/// Line numbers inside of the text are replaced by `#`. They are those of the feature's effects,
/// and there is a test of them.
func message(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> String {
  let issues = try await captureIssues(body)
  #expect(issues.count == 1, "\(issues)", sourceLocation: sourceLocation)
  return withoutLines(issues.first?.message ?? "")
}

func withoutLines(_ text: String) -> String {
  text.replacing(/\.swift:[0-9]+/, with: ".swift:#")
}
