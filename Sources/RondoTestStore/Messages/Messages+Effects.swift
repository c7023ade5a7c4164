// The texts of failures about effects: the ledger in words, and advice.

import Rondo
import RondoAnimation
import RondoScheduling

extension Messages {
  static func nothingReceived<State, Action>(
    _ expected: [String],
    _ ledger: [LedgerEntry<Action>],
    _ verdict: Verdict,
    unasserted: [Entry<State, Action>],
    adviceIfHopeless: String?,
    now: TestInstant
  ) -> String {
    let expected = expected.joined(separator: ", ")
    if let adviceIfHopeless {
      return text(
        "Expected to receive \(expected), but no such action came.",
        unasserted.isEmpty ? nil : skippedOver(unasserted), adviceIfHopeless)
    }
    guard !ledger.isEmpty else {
      return text(
        "Expected to receive \(expected), but no action came, and no effect is in flight that "
          + "could send one.",
        unasserted.isEmpty ? nil : skippedOver(unasserted),
        "Check that the feature returns the effect, and that its action was not received already.")
    }
    return text(
      "Expected to receive \(expected), but no action came\(duration(verdict)). In flight:",
      list(lines(ledger, verdict, now)),
      advice(ledger, verdict, now, orElse: nil))
  }

  private static func skippedOver<State, Action>(_ entries: [Entry<State, Action>]) -> String {
    "Received, but not matching:\n"
      + list(entries.map { summary(of: $0.record.action) })
  }

  static func unfinished<Action>(
    _ ledger: [LedgerEntry<Action>], _ verdict: Verdict, now: TestInstant
  ) -> String {
    text(
      "\(count(ledger.count, "effect")) did not end\(duration(verdict)):",
      list(lines(ledger, verdict, now)),
      advice(ledger, verdict, now, orElse: "cancel"))
  }

  static func inFlightAtEnd<Action>(
    _ ledger: [LedgerEntry<Action>], _ action: Action, now: TestInstant
  ) -> String {
    text(
      "The test ended with \(count(ledger.count, "effect")) in flight, started because of "
        + "\(summary(of: action)):",
      list(lines(ledger, .isWaiting, now)),
      advice(ledger, .isWaiting, now, orElse: "cancel"))
  }

  static func skippedEffects<Action>(
    _ ledger: [LedgerEntry<Action>], now: TestInstant
  ) -> String {
    text(
      "Cancelled \(count(ledger.count, "effect")) in flight:",
      list(lines(ledger, .isWaiting, now)))
  }

  static let noEffectsToSkip = text(
    "There are no effects in flight to skip.",
    "Remove the call, or write 'skipInFlightEffects(strict: false)'.")

  static func endlessRun<Action>(_ ledger: [LedgerEntry<Action>], limit: Int) -> String {
    text(
      "Effects were still busy after \(limit) jobs in a row without time moving, and have been "
        + "cancelled:",
      list(ledger.map { name($0) }),
      "One of them never stops. Let it sleep for longer than no time, or end.")
  }

  static func endlessRunOfNoEffect(limit: Int) -> String {
    text(
      "Something was still busy after \(limit) jobs in a row without time moving, although no effect "
        + "is in flight. It is left where it is.",
      "Let effects end when they are cancelled: a loop around 'try? await clock.sleep(for: …)' goes "
        + "on, one around 'try await' ends. Let scheduled work come again at a later instant.")
  }

  static func advanceToThePast(_ now: TestInstant, _ instant: TestInstant) -> String {
    text(
      "The store's time is at \(seconds(now.offset)) and cannot go back to "
        + "\(seconds(instant.offset)).",
      "Nothing was run. Advance by zero or more, or to an instant that has not passed.")
  }

  // MARK: The ledger

  private static func lines<Action>(
    _ ledger: [LedgerEntry<Action>], _ verdict: Verdict, _ now: TestInstant
  ) -> [String] {
    ledger.map { "\(name($0)): \(wait($0.wait, verdict, now))" }
  }

  /// `run "quotes" returned for .load (App/Home.swift:31), cancellable by CancelID.load`.
  private static func name<Action>(_ entry: LedgerEntry<Action>) -> String {
    let effect = entry.effect
    var name = effect.isWaitingForItsTurn ? "an effect" : effect.label
    if let action = effect.action { name += " returned for \(summary(of: action))" }
    if let position = effect.position { name += " (\(position))" }
    if !effect.ids.isEmpty {
      name += ", cancellable by " + effect.ids.map { summary(of: $0.base) }.joined(separator: ", ")
    }
    return name
  }

  private static func wait<Action>(
    _ wait: LedgerEntry<Action>.Wait, _ verdict: Verdict, _ now: TestInstant
  ) -> String {
    switch wait {
    case .time(let instant):
      "waits until \(seconds(instant.offset)), it is \(seconds(now.offset))"
    case .dueNow: "is due now"
    case .turn: "waits for its turn"
    case .callback: "has not called back"
    case .foreignTime(let instant, let now):
      "waits until \(seconds(instant.offset)) of a clock that is not the store's, where it is "
        + "\(seconds(now.offset))"
    case .otherScheduler: "waits for a scheduler that is not the store's"
    case .nothing: "is running"
    case .unknown:
      if case .hasLeft = verdict {
        "has left the store's queue, and has not come back"
      } else {
        "is suspended, by something that is neither the store's time nor its queue"
      }
    }
  }

  private static func duration(_ verdict: Verdict) -> String {
    guard case .hasLeft(let duration) = verdict else { return "" }
    return " within \(seconds(duration)) of real time"
  }

  // MARK: What to do

  private static func advice<Action>(
    _ ledger: [LedgerEntry<Action>], _ verdict: Verdict, _ now: TestInstant,
    orElse cancel: String?
  ) -> String {
    let cancelling = cancel == nil ? "" : ", or cancel what does not end by itself"
    if ledger.contains(where: { if case .dueNow = $0.wait { true } else { false } }) {
      return "Call 'await store.advance()' to run what is due\(cancelling)."
    }
    let wakings = ledger.compactMap { entry -> TestInstant? in
      if case .time(let instant) = entry.wait { instant } else { nil }
    }
    if let first = wakings.min() {
      let step = now.duration(to: first)
      return "Move time forwards with 'await store.advance(by: \(literal(step)))'\(cancelling)."
    }
    if ledger.contains(where: { if case .foreignTime = $0.wait { true } else { false } }) {
      return
        "Move the clock that the effect was given, which 'store.advance' does not, or give the "
        + "feature the store's\(cancelling)."
    }
    if case .hasLeft = verdict {
      return
        "If it waits for the test (a stream, a continuation), let the test do its part first. If "
        + "it waits for another thread, give it more time with 'timeout:'\(cancelling)."
    }
    return
      "Nothing else is running that could wake it. Let the test do what it waits for: finish a "
      + "stream, resume a continuation, advance a clock of its own\(cancelling)."
  }

  /// A duration as it is written in Swift.
  private static func literal(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    guard attoseconds != 0 else { return ".seconds(\(whole))" }
    let milliseconds = 1_000_000_000_000_000 as Int64
    if attoseconds % milliseconds == 0 {
      return ".milliseconds(\(whole * 1000 + attoseconds / milliseconds))"
    }
    return ".seconds(\(seconds(duration).dropLast(2)))"
  }
}
