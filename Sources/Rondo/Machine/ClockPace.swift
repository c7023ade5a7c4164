// The pace of live clocks that a tool slows down.

import Synchronization

/// The pace of clocks: whole by default, slower where a tool asks for it, or at a stand.
package final class ClockPace: Sendable {
  private struct State {
    var rate = 1.0
    var since: Duration
    /// The time that clocks were late at that moment.
    var lag = Duration.zero

    func lag(at now: Duration) -> Duration { rate == 1 ? lag : lag + (now - since) * (1 - rate) }
  }

  private let state: Mutex<State>
  private let elapsed: @Sendable () -> Duration

  /// - Parameter elapsed: The time since some moment; `nil` for the real one.
  package init(elapsed: (@Sendable () -> Duration)? = nil) {
    let start = ContinuousClock.now
    let elapsed = elapsed ?? { start.duration(to: .now) }
    self.elapsed = elapsed
    state = Mutex(State(since: elapsed()))
  }

  /// The seconds of the clocks that pass in a second, from 0 to 1.
  package var rate: Double {
    get { state.withLock { $0.rate } }
    set {
      state.withLock { state in
        let now = elapsed()
        state = State(rate: min(max(newValue, 0), 1), since: now, lag: state.lag(at: now))
      }
    }
  }

  /// The time by which clocks are late now. It never becomes less.
  package var lag: Duration { state.withLock { $0.lag(at: elapsed()) } }

  /// The time to sleep before the clock is looked at again, where a sleep has some of its time left.
  func nap(_ rest: Duration) -> Duration {
    rate == 1 ? rest : min(max(rest, .zero), .milliseconds(20))
  }
}
