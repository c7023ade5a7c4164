// The coverage of an exploration.

import Foundation
import RondoTestStore

/// The coverage of an exploration, in one sentence.
public struct ExplorationCoverage: Hashable, Sendable, CustomStringConvertible {
  /// The number of orders that were run.
  public let orderCount: Int

  /// A guess at how many there are.
  public let estimatedCount: Double

  /// The number of orders that those stand for that were run. It is larger where orders lead to the
  /// same moment, from which all go on in the same ways.
  public let standsFor: Double

  /// Whether these are all orders that there are.
  public let isComplete: Bool

  /// The number of deviations from first in, first out up to which all orders hold: they were run, or come to the
  /// same as others that were.
  public let deviationCount: Int

  /// Whether the last order that was run has failed. The others hold.
  public package(set) var hasFailed = false

  /// Whether any effect has run whose order could be another one; those that send at once do not count.
  public package(set) var hasEffects = true

  /// Whether something could come from outside while things were due at several instants.
  private var hasInstants = false

  /// The number of different states that were seen; `nil` where states are not `Hashable`, or
  /// where shared values have changed.
  public var stateCount: Int?

  /// Whether there were more states than could be counted.
  public package(set) var hasMoreStates = false

  /// The number of orders since the last one that showed a new state.
  public var ordersWithoutNewState: Int?

  /// Cases of actions, endpoints and outcomes that no run has reached.
  ///
  /// Of actions that hold the action of a child it is only said whether there was one.
  public package(set) var unreached: [String] = []

  /// Whether there would have been more orders, and no time for them.
  public package(set) var isTimeUp = false

  /// Whether an order that was saved has failed, so that nothing was searched.
  package var failsAtOnce = false

  package init(_ search: OrderSearch, failingAtOnce: Bool = false) {
    failsAtOnce = failingAtOnce
    hasFailed = failingAtOnce
    orderCount = search.runCount
    estimatedCount = search.estimatedCount
    standsFor = search.orderCount
    isComplete = search.isComplete
    deviationCount = search.deviationCount
  }

  mutating func note(_ facts: RunFacts) {
    hasEffects = facts.contains(.hasRunEffects)
    hasInstants = facts.contains(.hasInstants)
  }

  public var description: String {
    if failsAtOnce { return "an order fails that was saved, and no other was run" }
    if hasFailed { return descriptionOfFailure }
    var parts = [descriptionOfOrders]
    if !hasEffects, orderCount > 1 {
      parts.append("no effect has run, so only actions have an order")
    }
    if hasInstants { parts.append("nothing comes from outside between the instants of timers") }
    if isTimeUp { parts.append("the time is up") }
    if !unreached.isEmpty { parts.append("never reached: \(unreached.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }

  private var descriptionOfOrders: String {
    guard !isComplete else {
      guard orderCount > 1 else {
        return
          "there is one order, which holds: nothing that a test store runs could come in another one"
      }
      let all = "all \(count(standsFor)) orders hold"
      guard standsFor > Double(orderCount) else { return all }
      let states = textOfStates.map { "; \($0)" } ?? ""
      return
        "\(all): \(grouped(orderCount)) were run, the others come to the same unless a dependency "
        + "remembers something\(states)"
    }
    var parts = [
      estimatedCount > Double(orderCount)
        ? "\(grouped(orderCount)) of an estimated \(count(estimatedCount)) orders hold"
        : "\(grouped(orderCount)) orders hold, and there are more"
    ]
    if deviationCount > 0 {
      parts.append(
        "among them all with \(deviationCount == 1 ? "one deviation" : "up to \(deviationCount) deviations")"
          + " from first in, first out")
    }
    if let textOfStates { parts.append(textOfStates) }
    if let ordersWithoutNewState, ordersWithoutNewState > 0 {
      parts.append("nothing new in the last \(grouped(ordersWithoutNewState))")
    }
    return parts.joined(separator: "; ")
  }

  private var textOfStates: String? {
    stateCount.map { "\(hasMoreStates ? "more than " : "")\(grouped($0)) states" }
  }

  private var descriptionOfFailure: String {
    let held = orderCount - 1
    let failed =
      held == 0
      ? "the first order fails"
      : "\(grouped(held)) order\(held == 1 ? " holds" : "s hold"), and one fails"
    return estimatedCount > Double(orderCount)
      ? "\(failed), of an estimated \(count(estimatedCount))" : failed
  }

  private func count(_ number: Double) -> String {
    Self.text(ofCount: number, isExact: isComplete)
  }

  /// A number of orders as a sentence has it.
  static func text(ofCount number: Double, isExact: Bool) -> String {
    switch number {
    case ..<10_000: grouped(Int(number))
    case ..<1e6: grouped(isExact ? Int(number) : Int(number / 1_000) * 1_000)
    case ..<1e9: String(format: "%.1f million", number / 1e6)
    case ..<1e12: String(format: "%.1f billion", number / 1e9)
    case ..<1e15: String(format: "%.1f trillion", number / 1e12)
    case ...Double.greatestFiniteMagnitude: "10^\(Int(log10(number).rounded()))"
    default: "more than 10^308"
    }
  }
}

/// Things that have happened in at least one of the runs.
struct RunFacts: OptionSet, Sendable {
  let rawValue: UInt8

  static let hasSentActions = Self(rawValue: 1 << 0)
  /// It was asked what is to hold in the end.
  static let hasAskedAtEnd = Self(rawValue: 1 << 1)
  /// An effect has run, but for those that send at once.
  static let hasRunEffects = Self(rawValue: 1 << 2)
  /// Something could come from outside while things were due at several instants.
  static let hasInstants = Self(rawValue: 1 << 3)
  /// Something was still due at the end, which the patience of the explorer did not wait for.
  static let isCutShort = Self(rawValue: 1 << 4)
  /// An action has changed a shared value: states that were kept show the new one, and cannot be counted.
  static let changesSharedValues = Self(rawValue: 1 << 5)
}

/// A number with a comma before every three digits.
private func grouped(_ number: Int) -> String {
  var digits = Array(String(number))
  for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
  return String(digits)
}
