// The words that a run leaves on the terminal when its screen has gone.

import Foundation
import RondoHomeFeature

/// The number of actions that a run has shown, and how.
struct RunSummary {
  private var tagged = 0
  private var untagged = 0
  private var failures = 0
  private var time = Duration.zero

  /// Counts the actions of a commit.
  mutating func add(_ commit: HomeCommit) {
    if commit.transaction.isEmpty {
      untagged += commit.actions.count
    } else {
      tagged += commit.actions.count
    }
    failures += commit.actions.count(where: \.isFailure)
    time = commit.time
  }

  /// The lines about what was shown, and about how to look at it.
  ///
  /// - Parameters:
  ///   - options: The options of the run.
  ///   - hasColors: Whether it had colours, without which less moves.
  func text(_ options: Options, hasColors: Bool) -> [String] {
    let seconds = Int((time / .seconds(1)).rounded(.up))
    let failed = failures == 0 ? "" : "; \(failures) failed"
    let counts =
      "\(tagged + untagged) actions in \(seconds) s: \(tagged) tagged, \(untagged) untagged\(failed)"
      + (hasColors ? "." : "; without colours, nothing slides.")
    guard let recordFile = options.recordFile else {
      let command = (["isowords-home --virtual-time"] + options.conditions).joined(separator: " ")
      return [
        counts,
        "What ran when, and behind what, of such a launch: \(command). To look into a run: --record FILE.",
      ]
    }
    return [counts, "To look into it: rondo view \(recordFile.withoutControls) -o page.html"]
  }
}

extension Options {
  /// The options that say what fails, and what takes how long, as they are written.
  fileprivate var conditions: [String] {
    let sources = Source.allCases
    return (seed == 0 ? [] : ["--seed \(seed)"])
      + sources.filter(failing.contains).map { "--fail \($0.rawValue)" }
      + sources.compactMap { source in
        latencies[source].map { latency in
          let milliseconds = Decimal((latency / .nanoseconds(1)).rounded()) / 1_000_000
          return "--latency \(source.rawValue)=\(milliseconds)ms"
        }
      }
  }
}
