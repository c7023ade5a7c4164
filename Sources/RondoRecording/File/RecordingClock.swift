// The time of a recording.

import Rondo

/// The time of a recording, in seconds since its beginning.
struct RecordingClock: Sendable {
  let observer: ObserverClock

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    observer = ObserverClock { start.duration(to: clock.now) }
  }

  var now: Double { Self.seconds(observer.now) }

  static func seconds(_ duration: Duration) -> Double {
    RecordingLine.seconds(duration / .seconds(1))
  }
}
