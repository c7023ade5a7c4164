// Outages: a journal that fails is reported once, asked less and less often, and reported again when it is back.

import Foundation

/// The time since when a journal fails.
struct Outage {
  var began: Duration
  /// Whether writing has failed. Then it is not over when something can be read.
  var isOfWrites: Bool
}

extension DurableStores {
  /// The use that was made of the journal.
  enum JournalUse { case reading, writing }

  /// Notes that the journal has failed, and reports it if it had not failed before.
  func journalFailed(_ reason: String, _ use: JournalUse) {
    if outage == nil { options.onEvent(.journalFailed(reason)) }
    var outage = self.outage ?? Outage(began: time.elapsed(), isOfWrites: false)
    outage.isOfWrites = outage.isOfWrites || use == .writing
    self.outage = outage
  }

  /// Notes that the journal has answered.
  func journalAnswered(_ use: JournalUse) {
    guard let outage, use == .writing || !outage.isOfWrites else { return }
    self.outage = nil
    options.onEvent(.journalIsBack(after: time.elapsed() - outage.began))
  }

  /// The time until the next look: the poll interval, or longer while the journal fails, by half of the time since then,
  /// up to a sixth of a lease. Chance makes it shorter by up to a half, so that not all processes come back at once.
  var pause: Duration {
    guard let outage else { return options.pollInterval }
    let longest = max(options.pollInterval, options.lease / 6)
    let pause = min(max(options.pollInterval, (time.elapsed() - outage.began) / 2), longest)
    return pause * Double.random(in: 0.5...1)
  }
}
