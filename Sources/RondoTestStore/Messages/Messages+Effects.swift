// The texts of failures about effects: what each effect waits for, and advice.

import Rondo
import RondoAnimation
import RondoScheduling

extension Messages {
  static func nothingReceived<State, Action>(
    _ expected: [String],
    _ effects: [PendingEffect<Action>],
    _ reason: StallReason,
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
    guard !effects.isEmpty else {
      return text(
        "Expected to receive \(expected), but no action came, and no effect is in flight that "
          + "could send one.",
        unasserted.isEmpty ? nil : skippedOver(unasserted),
        "Check that the feature returns the effect, that its action was not received already, and that "
          + "its child has not been dismissed: the effects of a child are cancelled with it.")
    }
    return text(
      "Expected to receive \(expected), but no action came\(duration(reason)). In flight:",
      list(lines(effects, reason, now)),
      advice(effects, reason, now, orElse: nil))
  }

  private static func skippedOver<State, Action>(_ entries: [Entry<State, Action>]) -> String {
    "Received, but not matching:\n"
      + list(entries.map { summary(of: $0.record.action) })
  }

  static func unfinished<Action>(
    _ effects: [PendingEffect<Action>], _ reason: StallReason, now: TestInstant
  ) -> String {
    text(
      "\(count(effects.count, "effect")) did not end\(duration(reason)):",
      list(lines(effects, reason, now)),
      advice(effects, reason, now, orElse: "cancel"))
  }

  static func inFlightAtEnd<Action>(
    _ effects: [PendingEffect<Action>], _ action: Action, now: TestInstant
  ) -> String {
    text(
      "The test ended with \(count(effects.count, "effect")) in flight, started because of "
        + "\(summary(of: action)):",
      list(lines(effects, .isWaiting, now)),
      advice(effects, .isWaiting, now, orElse: "cancel"))
  }

  static func skippedEffects<Action>(
    _ effects: [PendingEffect<Action>], now: TestInstant
  ) -> String {
    text(
      "Cancelled \(count(effects.count, "effect")) in flight:",
      list(lines(effects, .isWaiting, now)))
  }

  static let noEffectsToSkip = text(
    "There are no effects in flight to skip.",
    "Remove the call, or write 'skipInFlightEffects(strict: false)'.")

  static func endlessRun<Action>(_ effects: [PendingEffect<Action>], limit: Int) -> String {
    text(
      "Effects were still busy after \(limit) jobs in a row without time moving, and have been "
        + "cancelled:",
      list(effects.map { name($0) }),
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

  // MARK: One line for each effect

  private static func lines<Action>(
    _ effects: [PendingEffect<Action>], _ reason: StallReason, _ now: TestInstant
  ) -> [String] {
    effects.map { "\(name($0)): \(wait($0.wait, reason, now))" }
  }

  /// `run "quotes" returned for .load (App/Home.swift:31), cancellable by CancelID.load`.
  private static func name<Action>(_ entry: PendingEffect<Action>) -> String {
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
    _ wait: PendingEffect<Action>.Wait, _ reason: StallReason, _ now: TestInstant
  ) -> String {
    switch wait {
    case .time(let instant):
      "waits until \(seconds(instant.offset)), it is \(seconds(now.offset))"
    case .dueNow: "is due now"
    case .noTime: "sleeps on an immediate clock, again and again"
    case .turn: "waits for its turn"
    case .callback: "has not called back"
    case .foreignTime(let instant, let now):
      "waits until \(seconds(instant.offset)) of a clock that is not the store's, where it is "
        + "\(seconds(now.offset))"
    case .otherScheduler: "waits for a scheduler that is not the store's"
    case .nothing: "is running"
    case .unknown:
      if case .hasLeft = reason {
        "has left the store's queue, and has not come back"
      } else {
        "is suspended, by something that is neither the store's time nor its queue"
      }
    }
  }

  private static func duration(_ reason: StallReason) -> String {
    guard case .hasLeft(let duration) = reason else { return "" }
    return " within \(seconds(duration)) of real time"
  }

  // MARK: What to do

  private static func advice<Action>(
    _ effects: [PendingEffect<Action>], _ reason: StallReason, _ now: TestInstant,
    orElse cancel: String?
  ) -> String {
    let cancelling = cancel == nil ? "" : ", or cancel what does not end by itself"
    if effects.contains(where: { if case .dueNow = $0.wait { true } else { false } }) {
      return "Call 'await store.advance()' to run what is due\(cancelling)."
    }
    if effects.contains(where: { if case .noTime = $0.wait { true } else { false } }) {
      return
        "It has gone on for as long as nobody stopped it, because its clock takes no time. Let the test "
        + "send what ends it, or give the feature the store's clock\(cancelling)."
    }
    let wakings = effects.compactMap { entry -> TestInstant? in
      if case .time(let instant) = entry.wait { instant } else { nil }
    }
    if let first = wakings.min() {
      let step = now.duration(to: first)
      return "Move time forwards with 'await store.advance(by: \(literal(step)))'\(cancelling)."
    }
    if effects.contains(where: { if case .foreignTime = $0.wait { true } else { false } }) {
      return
        "Move the clock that the effect was given, which 'store.advance' does not, or give the "
        + "feature the store's\(cancelling)."
    }
    if case .hasLeft = reason {
      return
        "If it waits for the test (a stream, a continuation), let the test do its part first. If "
        + "it waits for another thread, give it more time with 'timeout:'\(cancelling)."
    }
    return
      "The store knows of nothing that will wake it. Let the test do what it waits for: finish a "
      + "stream, resume a continuation, advance a clock of its own\(cancelling). Give the feature the store's "
      + "clock in place of 'Task.sleep'."
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
