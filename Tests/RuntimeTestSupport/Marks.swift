// The marks of random programs, which say how answers are shown: a tag and an animation.

import Rondo
import RondoSeededRandomness

/// A transaction of at most two slots. A slot that is nil is not set.
package struct Marks: Hashable, Sendable {
  package var tag: String?
  /// The duration of a linear animation in seconds.
  package var duration: Int?

  package init(tag: String? = nil, duration: Int? = nil) {
    self.tag = tag
    self.duration = duration
  }

  /// These marks, with the set slots of others in place of their own.
  package func merging(_ other: Self) -> Self {
    Marks(tag: other.tag ?? tag, duration: other.duration ?? duration)
  }

  package var transaction: Transaction {
    var transaction = tag.map { Transaction(tag: $0) } ?? Transaction()
    if let duration { transaction.animation = .linear(duration: Double(duration)) }
    return transaction
  }

  /// A transaction as an answer prints it: `a+2`, or `-` for an empty one.
  package static func text(_ transaction: Transaction) -> String {
    let duration = durations.first { transaction.animation == .linear(duration: Double($0)) }
    return Marks(tag: transaction.tag == "-" ? nil : transaction.tag, duration: duration).text
  }

  /// The text of the marks in an answer, in the same form.
  package var text: String {
    let text = (tag ?? "") + (duration.map { "+\($0)" } ?? "")
    return text.isEmpty ? "-" : text
  }

  private static let durations = 1...3

  /// Marks with at least one slot. A tag is one of the given tags.
  static func random(_ tags: [String], _ random: inout Randomness) -> Self {
    let tag = tags.randomElement(using: &random)!
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return Marks(tag: tag)
    case 1: return Marks(duration: .random(in: durations, using: &random))
    default: return Marks(tag: tag, duration: .random(in: durations, using: &random))
    }
  }
}
