// The order of the lines of a recording, and their times.

/// Checks that the lines of a recording are all there, once, and in their order.
///
/// Actions, effects and commits have numbers from 1 on. A commit names the actions since the commit
/// before. Each action has a number of its own. An effect starts once, before it waits, answers and
/// ends; an answer that an operator has dropped may be told of after the end. Time does not go back.
/// The last line counts the others.
struct LineOrder {
  private var seen: Set<Int> = []
  private var lastAction = 0
  private var actions: [Int] = []
  private var commits = 0
  private var started: Set<Int> = []
  private var running: Set<Int> = []
  private var time = 0.0
  private var events = 0

  /// The problem with the next line: what was expected, and what was found; `nil` if it is in order.
  mutating func problem(with line: RecordingLine) -> String? {
    if let problem = line.problemOfSeconds { return problem }
    if let at = line.at, at < time {
      return "expected a time of \(time) s or later, found \(at) s; \(Self.advice)"
    }
    time = line.at ?? time
    if case .end(let end) = line {
      return end.events == events
        ? nil
        : "expected \(events) events, as many as there are, found \(end.events); lines are missing "
          + "or repeated"
    }
    events += 1
    return expected(line).map { "\($0); \(Self.advice)" }
  }

  private static let advice = "lines are missing, repeated or out of order"

  private mutating func expected(_ line: RecordingLine) -> String? {
    switch line {
    case .action(let action):
      guard action.action > 0 else {
        return "expected an action with a number from 1 on, found action \(action.action)"
      }
      guard seen.insert(action.action).inserted else {
        return "expected a new action, found action \(action.action) a second time"
      }
      lastAction = max(lastAction, action.action)
      actions.append(action.action)
      return action.effect.flatMap { known($0) }
    case .commit(let commit):
      guard commit.commit == commits + 1 else {
        return "expected commit \(commits + 1), found commit \(commit.commit)"
      }
      guard commit.actions == actions else {
        return "expected a commit of the actions \(actions), found one of \(commit.actions)"
      }
      commits += 1
      actions = []
      return nil
    case .effectStarted(let start):
      guard start.effect > 0 else {
        return "expected an effect with a number from 1 on, found effect \(start.effect)"
      }
      // Not itself: who follows the parents comes to an end.
      if let problem = start.parent.flatMap({ known($0) }) ?? start.after.flatMap({ known($0) }) {
        return problem
      }
      if let step = start.steps?.first(where: { min($0.of, $0.step) < 1 }) {
        return "expected steps with numbers from 1 on, found step \(step.step) of \(step.of)"
      }
      guard started.insert(start.effect).inserted else {
        return "expected a new effect, found effect \(start.effect) a second time"
      }
      running.insert(start.effect)
      return nil
    case .effectWaits(let wait): return inFlight(wait.effect)
    case .effectResumed(let resumption): return inFlight(resumption.effect)
    case .emission(let emission): return known(emission.effect)
    case .drawn(let draw): return draw.effect.flatMap { known($0) }
    case .effectEnded(let end):
      defer { running.remove(end.effect) }
      return inFlight(end.effect)
    case .receive(let receive):
      return receive.action > 0 && receive.action <= lastAction
        ? nil : "expected an action up to \(lastAction), found action \(receive.action)"
    case .tool(let tool): return tool.effect.flatMap { known($0) }
    case .begin, .issue, .frame, .advance, .end, .unknown:
      return nil
    }
  }

  private func known(_ effect: Int) -> String? {
    started.contains(effect)
      ? nil : "expected an effect that has started, found effect \(effect)"
  }

  private func inFlight(_ effect: Int) -> String? {
    running.contains(effect)
      ? nil : "expected an effect in flight, found effect \(effect)"
  }
}

extension RecordingLine {
  /// The problem with a time, a duration or a date that is none: its key, and what was found; `nil` where
  /// all of them can be reckoned with.
  var problemOfSeconds: String? {
    for case (let key, let number?) in seconds where !(abs(number) <= Self.secondsLimit) {
      return "the number \(number) at \(key) is not finite, or too large"
    }
    return nil
  }

  /// The times, durations and dates of the line, with their keys.
  private var seconds: [(key: String, number: Double?)] {
    switch self {
    case .begin(let line): [("date", line.date)]
    case .commit(let line):
      [("at", line.at), ("duration", line.transaction.animation?.duration)]
    case .effectWaits(let line):
      [("at", line.at), ("since", line.since), ("for", line.duration), ("until", line.until)]
    case .effectResumed(let line): [("at", line.at), ("since", line.since)]
    case .drawn(let line): [("at", line.at), ("date", line.date)]
    case .advance(let line): [("at", line.at), ("by", line.by)]
    case .tool(let line): [("at", line.at), ("rate", line.rate)]
    default: [("at", at)]
    }
  }
}
