// The texts of failing tests: first the problem, then a difference or a list, then advice.

import Rondo
import RondoAnimation
import RondoScheduling

/// The texts of all failures, one function each. The parts that they share are below.
enum Messages {
  /// The subject of an assertion of state.
  struct Subject<Action> {
    let call: AssertingCall
    /// The action; `nil` if the assertion is about no single action.
    let action: Action?
    var count = 1

    /// `The state after .increment`.
    var state: String {
      guard let action else {
        return call == .assert ? "The state" : "The state after \(count) actions"
      }
      return "The state after \(summary(of: action))"
    }

    /// `.increment changed the state`.
    var actor: String {
      action.map { summary(of: $0) } ?? (count == 1 ? "The action" : "The \(count) actions")
    }
  }

  /// The parts of a message, with an empty line between each two.
  static func text(_ parts: String?...) -> String {
    parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// A list, one item to a line.
  static func list(_ items: [String], limit: Int = 20) -> String {
    let shown = items.prefix(limit).map { "  • \($0)" }
    let rest = items.count - shown.count
    return (shown + (rest > 0 ? ["  … (\(rest) more)"] : [])).joined(separator: "\n")
  }

  /// `1 action`, `2 actions`.
  static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A difference with its legend.
  static func difference<Value>(expected: Value, actual: Value) -> String {
    // Values that `==` tells apart have a difference, so there are always lines.
    let lines = RondoTestStore.difference(from: expected, to: actual) ?? ""
    return "\(lines)\n\n(expected: −, actual: +)"
  }

  static func code(_ transaction: Transaction) -> String {
    transaction.isEmpty ? "no transaction" : "the transaction \(transaction)"
  }
}
