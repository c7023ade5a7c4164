// The time of the database, as far as a process knows it.

import Foundation
import Synchronization

/// The time that the database has told last, and how long ago that was. The clock of the computer is not
/// asked what time it is.
final class StoresTime: Sendable {
  /// The time since this value was made.
  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async -> Void
  private let last: Mutex<(now: Date, at: Duration)>

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try? await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
    last = Mutex((Date(), .zero))
  }

  /// Takes a time of the database.
  func set(_ now: Date) {
    let at = elapsed()
    last.withLock { $0 = (now, at) }
  }

  var now: Date {
    let elapsed = elapsed()
    return last.withLock { $0.now.addingTimeInterval((elapsed - $0.at).timeInterval) }
  }
}
