// D13: the time of the database, between bounds: a timer is never early.

import Foundation
import RondoScheduling
import RondoSeededRandomness
import Testing

@testable import RondoDurable

@Suite struct D13Tests {
  /// A model: a database whose clock is some seconds from that of the process, and answers that take time on their
  /// way in both directions and overtake each other.
  @Test func D13_theTimeOfTheDatabaseIsBetweenTheBounds() {
    let seed = UInt64.random(in: 0...(.max))
    var random = Randomness(seed: seed)
    for _ in 0..<50 {
      let clock = TestClock<Duration>()
      let time = StoresTime(clock)
      let offset = Double(random.int(in: -100_000..<100_000))
      var answers: [(asked: Duration, told: Double, arrives: Int)] = []
      var last = (now: -Double.infinity, upcoming: -Double.infinity)
      var hasAnswer = false
      for step in 0..<200 {
        clock.timeline.advance(by: .milliseconds(1))
        let real = offset + Double(step + 1) * 0.001
        // Asked some steps ago, told at a moment between, and on its way for some steps more.
        let (before, after) = (random.int(in: 0..<20), random.int(in: 0..<80))
        if random.int(in: 0..<5) == 0, step > 20 {
          answers.append(
            (.milliseconds(step + 1 - before), real, step + after))
        }
        for answer in answers where answer.arrives == step {
          time.set(Date(timeIntervalSinceReferenceDate: answer.told), asked: answer.asked)
          hasAnswer = true
        }
        guard hasAnswer else { continue }
        let (now, upcoming) = (
          time.now.timeIntervalSinceReferenceDate, time.upcoming.timeIntervalSinceReferenceDate
        )
        #expect(now <= real + 1e-6, "seed \(seed)")
        #expect(upcoming >= real - 1e-6, "seed \(seed)")
        #expect(now >= last.now, "seed \(seed)")
        #expect(upcoming >= last.upcoming, "seed \(seed)")
        last = (now, upcoming)
      }
    }
  }

  @Test func D13_anAnswerThatWasOvertakenIsNotUsed() {
    let clock = TestClock<Duration>()
    let time = StoresTime(clock)
    time.set(Date(timeIntervalSinceReferenceDate: 100), asked: .zero)
    clock.timeline.advance(by: .milliseconds(80))
    // It was told before the other one, and has needed longer.
    time.set(Date(timeIntervalSinceReferenceDate: 99.99), asked: .zero)
    #expect(abs(time.now.timeIntervalSinceReferenceDate - 100.08) < 1e-6)
  }

  @Test func D13_theTimeDoesNotGoBack() {
    let clock = TestClock<Duration>()
    let time = StoresTime(clock)
    time.set(Date(timeIntervalSinceReferenceDate: 100), asked: .zero)
    let before = time.now
    clock.timeline.advance(by: .seconds(1))
    time.set(Date(timeIntervalSinceReferenceDate: 100.5), asked: .seconds(1))
    #expect(time.now >= before)
  }

  @Test func D13_theFirstAnswerReplacesTheTimeOfTheComputer() {
    let time = StoresTime(TestClock<Duration>())
    // Years after what the database is going to tell.
    _ = (time.now, time.upcoming)
    time.set(Date(timeIntervalSinceReferenceDate: 100), asked: .zero)
    #expect(time.now.timeIntervalSinceReferenceDate == 100)
    #expect(time.upcoming.timeIntervalSinceReferenceDate == 100)
  }
}
