// The texts of failures about actions and their transactions.

import Rondo
import RondoAnimation
import RondoScheduling

extension Messages {
  typealias Entry<State, Action> = ActionLog<State, Action>.Entry

  // MARK: Not the expected one

  static func wrongAction<State, Action>(
    _ pattern: ActionPattern<Action>, _ entry: Entry<State, Action>,
    following: [Entry<State, Action>]
  ) -> String {
    let action = entry.record.action
    let later = following.first { pattern.isMatch($0.record.action) }
    let difference = pattern.expected.map { Messages.difference(expected: $0, actual: action) }
    let what =
      "Received \(summary(of: action))\(source(entry)), but expected \(pattern.description)."
    if let advice = pattern.adviceIfHopeless { return text(what, advice) }
    return text(
      what,
      difference,
      later.map { advice(onOrderOf: entry, $0) }
        ?? "Expect the action that was received, or correct the feature.")
  }

  private static func advice<State, Action>(
    onOrderOf first: Entry<State, Action>, _ second: Entry<State, Action>
  ) -> String {
    guard areOfDifferentEffects(first, second) else {
      return
        "The expected action has been received too, later: assert them in the order in which they "
        + "were received. Tasks of one effect that run at the same time, as in a task group, may send in "
        + "either order when they are live, and so may effects: accept both orders with one "
        + "'receive(inAnyOrder:)' for the two actions."
    }
    return
      "The expected action has been received too, later, from another effect. Effects that run at the "
      + "same time may answer in either order when they are live. Accept both orders with one "
      + "'receive(inAnyOrder:)' for the two actions, or assert the order of this test."
  }

  private static func areOfDifferentEffects<State, Action>(
    _ first: Entry<State, Action>, _ second: Entry<State, Action>
  ) -> Bool {
    guard let first = first.record.emitter?.position, let second = second.record.emitter?.position
    else { return false }
    return (first.line, first.column) != (second.line, second.column)
      || "\(first.filePath)" != "\(second.filePath)"
  }

  static func notAmong<State, Action>(
    _ missing: [ActionPattern<Action>], _ entry: Entry<State, Action>
  ) -> String {
    text(
      "Received \(summary(of: entry.record.action))\(source(entry)), which is none of those "
        + "that are expected:",
      list(missing.map(\.description)),
      "Add it to the call of 'receive(inAnyOrder:)', or receive it before.")
  }

  // MARK: Transactions

  static func wrongTransaction(
    _ action: Any, _ expected: Transaction, _ actual: Transaction
  ) -> String {
    text(
      "\(summary(of: action)) carries \(code(actual)), but \(code(expected)) was asserted.",
      "− \(expected)\n+ \(actual)\n\n(expected: −, actual: +)",
      "Correct 'animation:' or 'transaction:', or tag the effect that sends the action.")
  }

  static func unassertedTransaction(_ action: Any, _ actual: Transaction) -> String {
    let isAnimation = actual == Transaction(animation: actual.animation)
    return text(
      "\(summary(of: action)) carries \(code(actual)), which was not asserted.",
      isAnimation && actual.animation != nil
        ? "Add 'animation: \(actual.animation!)' to 'receive', or take '.transactions' out of "
          + "'store.exhaustivity'."
        : "Add 'transaction:' to 'receive', or take '.transactions' out of 'store.exhaustivity'.")
  }

  // MARK: Not asserted

  static func unasserted<State, Action>(
    _ entries: [Entry<State, Action>], before action: Action
  ) -> String {
    text(
      "\(count(entries.count, "action")) had not been received when \(summary(of: action)) was sent:",
      list(entries.map(line)),
      "Receive \(entries.count == 1 ? "it" : "them") before sending another action, or call "
        + "'await store.skipReceivedActions()'.")
  }

  static func unassertedAtEnd<State, Action>(
    _ entries: [Entry<State, Action>], _ action: Action
  ) -> String {
    text(
      "The test ended with \(count(entries.count, "action")) not received, which "
        + "\(entries.count == 1 ? "was" : "were") sent because of \(summary(of: action)):",
      list(entries.map(line)),
      "Receive \(entries.count == 1 ? "it" : "them"), or call "
        + "'await store.skipReceivedActions()' at the end.")
  }

  static func dismissed<Action>(before action: Action) -> String {
    text(
      "\(summary(of: action)) was sent to a feature that had dismissed itself, and was not handled.",
      "Send it before the feature is dismissed, or end the test there: "
        + "'#expect(store.isDismissed)'.")
  }

  static func skipped<State, Action>(_ entries: [Entry<State, Action>]) -> String {
    text("Skipped \(count(entries.count, "action")):", list(entries.map(line)))
  }

  static let noActionsToSkip = text(
    "There are no received actions to skip.",
    "Remove the call, or write 'skipReceivedActions(strict: false)'.")

  private static func line<State, Action>(_ entry: Entry<State, Action>) -> String {
    let transaction = entry.record.transaction
    let tag = transaction.isEmpty ? "" : ", \(transaction)"
    return "\(summary(of: entry.record.action))\(tag)\(source(entry))"
  }

  /// `, sent by run "quotes" (App/Home.swift:31)`.
  private static func source<State, Action>(_ entry: Entry<State, Action>) -> String {
    guard let emitter = entry.record.emitter else { return "" }
    if let label = emitter.label, let position = emitter.position {
      return ", sent by \(label) (\(position))"
    }
    return emitter.action.map { ", sent by an effect of \(summary(of: $0))" } ?? ""
  }
}
