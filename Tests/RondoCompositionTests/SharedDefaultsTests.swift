// The shared values, and the default values of dependencies, of many tests.

import Testing

@testable import Rondo

struct SharedDefaultsTests {
  // H17
  @Test func valuesOfTestsThatAreLongOverAreReleased() {
    var defaults = DefaultsOfTests<SharedDefaults>()
    let held = defaults.defaults(of: "held").defaults
    let value = held.references.reference(for: InMemoryKey<Int>("number")) { 7 }
    weak var first: SharedDefaults?
    for test in 0..<20_000 {
      let (ofTest, _) = defaults.defaults(of: test)
      if test == 0 { first = ofTest }
      // A test that goes on asks again and again.
      _ = defaults.defaults(of: "busy")
    }
    #expect(defaults.count <= 8_192)
    #expect(first == nil)
    #expect(defaults.defaults(of: "held").defaults === held)
    withExtendedLifetime(value) {}
  }

  // K38
  @Test func defaultsOfDependenciesAreReleasedUnlessSomethingIsPrepared() {
    var defaults = DefaultsOfTests<DefaultDependencies>()
    let prepared = defaults.defaults(of: "prepared").defaults
    prepared.prepare(.live)
    weak var first: DefaultDependencies?
    for test in 0..<20_000 {
      let (ofTest, _) = defaults.defaults(of: test)
      if test == 0 { first = ofTest }
    }
    #expect(defaults.count <= 8_192)
    #expect(first == nil)
    #expect(defaults.defaults(of: "prepared").defaults === prepared)
  }
}
