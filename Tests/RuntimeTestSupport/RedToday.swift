// A mark for tests of rules that the runtime does not keep yet.

import Testing

/// Takes the issues of a test for known.
package struct RedToday: TestTrait, TestScoping {
  let rule: Comment
  let isIntermittent: Bool

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await withKnownIssue(rule, isIntermittent: isIntermittent) {
      try await function()
    }
  }
}

extension Trait where Self == RedToday {
  /// The rule is broken today. The test fails as soon as it is kept: take the mark away then.
  package static func redToday(_ rule: Comment) -> Self {
    RedToday(rule: rule, isIntermittent: false)
  }

  /// The rule is broken today for some seeds.
  package static func sometimesRedToday(_ rule: Comment) -> Self {
    RedToday(rule: rule, isIntermittent: true)
  }
}
