// Properties that are checked for many seeds. A failure names its seed.

import Synchronization
import Testing

/// Checks a property for many seeds.
///
/// When an expectation in the body fails, an issue with the seed follows, and the seeds behind it are
/// left out. `RONDO_SEED=…` in the environment repeats one seed; `RONDO_SOAK=1` checks ten times as
/// many.
///
/// - Parameters:
///   - count: How many seeds there are without `RONDO_SOAK`.
///   - body: The property, with expectations.
public func forEachSeed(
  _ count: Int,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (inout Randomness) throws -> Void
) rethrows {
  for var random in Randomness.runs(count) {
    let before = random
    let outcome = Outcome()
    // A known issue sees each issue of the body, and takes none of them for known.
    try withKnownIssue(isIntermittent: true) {
      try body(&random)
    } matching: { _ in
      outcome.hasFailed.store(true, ordering: .relaxed)
      return false
    }
    if outcome.hasFailed.load(ordering: .relaxed) {
      Issue.record("\(before) repeats it.", sourceLocation: sourceLocation)
      return
    }
  }
}

/// Checks a property that waits, for many seeds.
///
/// - Parameters:
///   - count: How many seeds there are without `RONDO_SOAK`.
///   - body: The property, with expectations.
public nonisolated(nonsending) func forEachSeed(
  _ count: Int,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) (inout Randomness) async throws -> Void
) async rethrows {
  for var random in Randomness.runs(count) {
    let before = random
    let outcome = Outcome()
    try await withKnownIssue(isIntermittent: true) {
      try await body(&random)
    } matching: { _ in
      outcome.hasFailed.store(true, ordering: .relaxed)
      return false
    }
    if outcome.hasFailed.load(ordering: .relaxed) {
      Issue.record("\(before) repeats it.", sourceLocation: sourceLocation)
      return
    }
  }
}

/// Checks a property that says itself what is wrong, for many seeds.
///
/// - Parameter property: Nil when it holds, otherwise what is wrong.
public func check(
  count: Int = Soak.isOn ? 200 : 100,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ property: (inout Randomness) -> String?
) {
  for var random in Randomness.runs(count) {
    let before = random
    guard let failure = property(&random) else { continue }
    Issue.record("\(before)\n\(failure)", sourceLocation: sourceLocation)
    return
  }
}

/// Checks a property that waits, for many seeds.
///
/// - Parameter property: Nil when it holds, otherwise what is wrong.
public nonisolated(nonsending) func check(
  count: Int = Soak.isOn ? 200 : 100,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ property: nonisolated(nonsending) (inout Randomness) async -> String?
) async {
  for var random in Randomness.runs(count) {
    let before = random
    guard let failure = await property(&random) else { continue }
    Issue.record("\(before)\n\(failure)", sourceLocation: sourceLocation)
    return
  }
}

/// Whether a body has recorded an issue.
private final class Outcome: Sendable {
  let hasFailed = Atomic(false)
}
