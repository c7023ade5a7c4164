// The words that a run leaves on the terminal when its screen has gone.

import RondoHomeFeature

/// The number of changes that a run has shown, and how.
struct RunSummary {
  private var tagged = 0
  private var untagged = 0
  private var failures = 0
  private var time = Duration.zero

  /// Counts a change.
  mutating func add(_ commit: HomeCommit) {
    if commit.transaction.isEmpty { untagged += 1 } else { tagged += 1 }
    failures += commit.actions.count(where: \.isFailure)
    time = commit.time
  }

  /// What was shown, and how to look at it.
  ///
  /// - Parameter recordFile: The recording of the run, if one was made.
  func text(recordFile: String?) -> [String] {
    let seconds = Int((time / .seconds(1)).rounded(.up))
    let failed = failures == 0 ? "" : "; \(failures) failed"
    let counts =
      "\(tagged + untagged) changes in \(seconds) s: \(tagged) tagged, which moved, and \(untagged) untagged, "
      + "which jumped\(failed)."
    guard let recordFile else {
      return [
        counts,
        "What ran when, and behind what: isowords-home --virtual-time. To look into a run: --record FILE.",
      ]
    }
    return [counts, "To look into it: rondo view \(recordFile.withoutControls) -o page.html"]
  }
}
