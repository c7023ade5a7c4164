import Testing

@testable import RondoHomeFeature

@Suite struct ConditionsTests {
  @Test func splitMixGivesThePublishedNumbers() {
    // The first outputs for the seed 1234567, as in the reference implementation in C.
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    #expect(generator.next() == 9_817_491_932_198_370_423)
  }

  @Test func theSameSeedDrawsTheSameLatencies() {
    let draw = { (seed: UInt64) in
      let conditions = Conditions(seed: seed)
      return (0..<10).map { _ in conditions.latency(of: .server) }
    }
    #expect(draw(7) == draw(7))
    #expect(draw(7) != draw(8))
  }

  @Test func sourcesDoNotDisturbEachOther() {
    let alone = Conditions(seed: 7)
    let together = Conditions(seed: 7)
    for _ in 0..<10 {
      _ = together.latency(of: .matches)
      #expect(alone.latency(of: .server) == together.latency(of: .server))
    }
  }

  @Test func fixedLatenciesAreTaken() {
    let conditions = Conditions(latencies: [.server: .seconds(1)])
    #expect(conditions.latency(of: .server) == .seconds(1))
  }

  @Test func savedGamesAreThereAtOnce() {
    #expect(Conditions(seed: 3).latency(of: .files) == .milliseconds(60))
  }

  @Test func slowMotionStretchesEveryWait() {
    let conditions = Conditions(latencies: [.server: .seconds(1)], speed: 0.1)
    #expect(conditions.latency(of: .server) == .seconds(10))
  }
}
