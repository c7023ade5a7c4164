// Outages: a journal that fails is reported once, asked less and less often, and reported again when it is back.

import Foundation

/// The time since when a journal fails.
struct Outage {
  var began: Duration
  /// The use that fails. It is not over when a lesser one succeeds.
  var use: JournalUse
  var lastFailure: Duration
  /// Whether the journal has answered since the last failure, if only to a lesser use.
  var isAnswered = false
}

/// The use that was made of the journal.
enum JournalUse: Comparable { case reading, renewingLeases, writing }

extension DurableStores {
  /// Notes that the journal has failed, and reports it if it had not failed before.
  func journalFailed(_ reason: String, _ use: JournalUse) {
    if outage == nil { options.onEvent(.journalFailed(reason)) }
    let now = time.elapsed()
    // An outage in which leases cannot be renewed is over as soon as they are renewed.
    let lasting =
      [use, outage?.use].contains(.renewingLeases) ? .renewingLeases : max(outage?.use ?? use, use)
    outage = Outage(began: outage?.began ?? now, use: lasting, lastFailure: now)
  }

  /// Notes that the journal has answered.
  ///
  /// A full disk may have room for leases and none for turns. So leases that are renewed do not end an
  /// outage in which only other things could not be written, unless none has failed for the time of a lease.
  func journalAnswered(_ use: JournalUse) {
    guard let outage else { return }
    let isQuiet =
      use == .renewingLeases && time.elapsed() - outage.lastFailure >= options.lease
    guard use >= outage.use || isQuiet else {
      self.outage?.isAnswered = outage.isAnswered || use == .renewingLeases
      return
    }
    self.outage = nil
    options.onEvent(.journalIsBack(after: time.elapsed() - outage.began))
  }

  /// The time until the next look: the poll interval, or longer while the journal fails, by half of the time since then,
  /// up to a sixth of a lease. Chance makes it shorter by up to a half, so that not all processes come back at once.
  var pause: Duration {
    guard let outage, !outage.isAnswered else { return options.pollInterval }
    let longest = max(options.pollInterval, options.lease / 6)
    let pause = min(max(options.pollInterval, (time.elapsed() - outage.began) / 2), longest)
    return pause * Double.random(in: 0.5...1)
  }
}
