// The shared values, and the default values of dependencies, of many tests.

import Testing

@testable import Rondo

struct SharedDefaultsTests {
  // H17
  @Test func valuesOfTestsThatAreLongOverAreReleased() {
    let defaults = DefaultsOfTests<SharedDefaults>()
    let held = defaults.defaults(of: "held")
    let value = held.references.reference(for: InMemoryKey<Int>("number")) { 7 }
    weak var first: SharedDefaults?
    for test in 0..<20_000 {
      let ofTest = defaults.defaults(of: test)
      if test == 0 { first = ofTest }
      // A test that goes on asks again and again.
      _ = defaults.defaults(of: "busy")
    }
    #expect(defaults.count <= 8_192)
    #expect(first == nil)
    #expect(defaults.defaults(of: "held") === held)
    withExtendedLifetime(value) {}
  }

  // K38
  @Test func defaultsOfDependenciesAreReleasedUnlessSomethingIsPrepared() {
    let defaults = DefaultsOfTests<DefaultDependencies>()
    let prepared = defaults.defaults(of: "prepared")
    prepared.prepare(.live)
    weak var first: DefaultDependencies?
    for test in 0..<20_000 {
      let ofTest = defaults.defaults(of: test)
      if test == 0 { first = ofTest }
    }
    #expect(defaults.count <= 8_192)
    #expect(first == nil)
    #expect(defaults.defaults(of: "prepared") === prepared)
  }

  // K38
  @Test func defaultsAreAskedForWhileOldOnesAreReleased() {
    let first = AskingDefaults.ofTests.defaults(of: 0)
    for test in 1...4_096 { _ = AskingDefaults.ofTests.defaults(of: test) }
    #expect(AskingDefaults.ofTests.defaults(of: 0) !== first)
  }
}

/// Values whose look at themselves asks for those of another test, as the end of a shared value may.
private final class AskingDefaults: DefaultsOfTest {
  static let ofTests = DefaultsOfTests<AskingDefaults>()
  static var fresh: AskingDefaults { AskingDefaults() }

  var areHeld: Bool {
    _ = Self.ofTests.defaults(of: "another")
    return false
  }
}
