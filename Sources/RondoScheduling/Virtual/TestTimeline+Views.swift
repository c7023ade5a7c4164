// The clock and the schedulers that go by a timeline.

import Dispatch
import Foundation

extension TestTimeline {
  /// A clock that goes by this timeline.
  public var clock: TestClock<Duration> { TestClock(timeline: self) }

  /// A scheduler with the times of a dispatch queue that goes by this timeline.
  public var scheduler: TestSchedulerOf<DispatchQueue> {
    TestScheduler(timeline: self, startingAt: .virtualStart)
  }

  /// A scheduler with the times of a run loop that goes by this timeline. Its instants are those of
  /// ``date``.
  package var runLoopScheduler: TestSchedulerOf<RunLoop> {
    TestScheduler(timeline: self, startingAt: SchedulerDate(startDate))
  }
}
