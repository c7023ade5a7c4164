// Lengths of time: units, and what happens at the ends of the range.

import RondoSeededRandomness
import Dispatch
import Foundation
import Testing

@testable import RondoScheduling

@Suite struct StrideTests {
  typealias DispatchStride = DispatchQueue.SchedulerTimeType.Stride

  // R20
  @Test func unitsOfADispatchQueue() {
    let strides: [DispatchStride] = [
      1.5, .seconds(1.5), .milliseconds(1_500), .microseconds(1_500_000),
      .nanoseconds(1_500_000_000), .milliseconds(1_500.0), .microseconds(1_500_000.0),
      .nanoseconds(1_500_000_000.0), DispatchStride(.seconds(1.5) as Duration),
      DispatchStride(DispatchTimeInterval.milliseconds(1_500)), 3 * 0.5, 2 - 0.5, 1 + 0.5,
    ]
    #expect(strides.allSatisfy { $0.magnitude == 1_500_000_000 })
    #expect(strides.allSatisfy { $0.duration == .milliseconds(1_500) })
    #expect((-strides[0]).timeInterval == .nanoseconds(-1_500_000_000))
  }

  // R20
  @Test func unitsOfTheCalendar() {
    let strides: [SchedulerDate.Stride] = [
      1.5, .seconds(1.5), .milliseconds(1_500), .microseconds(1_500_000),
      .nanoseconds(1_500_000_000), .milliseconds(1_500.0), 3 * 0.5, 2 - 0.5, 1 + 0.5,
      SchedulerDate.Stride(.milliseconds(1_500) as Duration),
    ]
    #expect(strides.allSatisfy { $0.timeInterval == 1.5 })
    #expect(strides.allSatisfy { $0.duration == .milliseconds(1_500) })
  }

  // R20
  @Test(arguments: [0, 1, -1, 999, 1_000, 123_456_789, -123_456_789, 1 << 52, Int.max / 1_000])
  func aStrideThatKnowsNoDurationHasOneAllTheSame(microseconds: Int) {
    let stride = ToyStride(microseconds: microseconds)
    #expect(stride.duration == .microseconds(microseconds))
    #expect(ToyStride(stride.duration) == stride)
  }

  // R31
  @Test func dispatchTimeStopsAtItsEnds() {
    let longest = DispatchStride(DispatchTimeInterval.never)
    let last = DispatchQueue.test.now.advanced(by: longest)
    #expect(last.advanced(by: longest) == last)
    #expect(last.dispatchTime == .distantFuture)
    #expect(DispatchQueue.SchedulerTimeType(.distantFuture) == last)
    #expect(longest + longest == longest)
    #expect(longest * longest == longest)
    #expect(longest * -longest < 0)
    #expect(-longest - longest < 0)
    #expect(DispatchStride.seconds(.max) == longest)
    #expect(DispatchStride.seconds(1e300) == longest)
    #expect(DispatchStride.seconds(-1e300) < -longest)
    #expect(DispatchStride(Duration(attoseconds: .max)) == longest)
    let first = DispatchQueue.test.now.advanced(by: .seconds(Int.min))
    #expect(first.dispatchTime.uptimeNanoseconds == 0)
    #expect(first.distance(to: last) == longest)
    #expect(DispatchStride(exactly: Int.max) == nil)
    #expect(DispatchStride(exactly: 2) == .seconds(2))
  }

  // R31
  @Test func calendarTimeStopsAtItsEnds() {
    let longest = SchedulerDate.Stride(.greatestFiniteMagnitude)
    #expect(longest + longest == longest)
    #expect(longest * longest == longest)
    #expect((longest - longest).timeInterval == 0)
    #expect(longest.duration == Duration(attoseconds: .max))
    #expect((-longest).duration == Duration(attoseconds: .min))
    let far = SchedulerDate.virtualStart.advanced(by: longest).advanced(by: longest)
    #expect(far.distance(to: .virtualStart).timeInterval < 0)
  }

  // R31
  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aNumberOfSecondsThatIsNotFiniteIsAnIssue(seconds: Double) {
    let issues = captureIssues {
      let stride = DispatchStride.seconds(seconds)
      #expect(seconds.isNaN ? stride == 0 : stride.magnitude >= Int.max - 1)
      #expect(SchedulerDate.Stride.seconds(seconds).timeInterval.isFinite)
    }
    #expect(issues.count == 2)
    let consequence = seconds.isNaN ? "It counts as zero" : "It counts as the longest there is"
    #expect(
      issues.first?.message == """
        A duration of \(seconds) seconds was asked for. \(consequence); \
        look for a division by zero or an overflow where it is computed, or pass a finite number.
        """
    )
  }

  // R22
  @Test(arguments: Randomness.seeds(200)) func secondsKeepTheirOrderAsDurations(seed: UInt64) {
    var generator = Randomness(seed: seed)
    let seconds = Double.random(in: -1_000_000...1_000_000, using: &generator)
    let durations = [seconds.nextDown, seconds, seconds.nextUp].map(Duration.init(clampingSeconds:))
    #expect(durations[0] < durations[1] && durations[1] < durations[2], "seed \(seed)")
  }

  // R22
  @Test(arguments: [0, 0.5, -0.5, 1, 1e18, -1e18, 0x1p-59, .leastNonzeroMagnitude, 1.6e20])
  func secondsAreExactDurations(seconds: Double) {
    let attoseconds = Duration(clampingSeconds: seconds).attoseconds
    #expect((Double(attoseconds) / 1e18 - seconds).magnitude <= 1e-18)
  }

  // R20
  @Test func timesAreCodable() throws {
    let now = DispatchQueue.main.now
    let data = try JSONEncoder().encode([now])
    #expect(try JSONDecoder().decode([DispatchQueue.SchedulerTimeType].self, from: data) == [now])
  }
}
