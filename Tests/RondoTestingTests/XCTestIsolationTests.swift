// Tests of XCTest begin with dependencies and shared values of their own.

import Rondo
import RondoTestCompatibility
import XCTest

/// Each method leaves something behind, and expects to find nothing.
final class XCTestIsolationTests: XCTestCase {
  // K38
  func testWhatIsPreparedEndsWithItsTest() { prepareAndShare() }

  // K38
  func testWhatIsPreparedEndsWithItsTestAgain() { prepareAndShare() }

  // K38
  @MainActor func testAnAsynchronousTestBeginsAnew() async {
    await Task.yield()
    prepareAndShare()
  }
}

final class OtherXCTestIsolationTests: XCTestCase {
  override func setUp() {
    XCTAssertEqual(DependencyValues().context, .test)
    prepareDependencies { $0.defaultName.value = "prepared before the test" }
  }

  // K38
  func testAnotherClassBeginsAnew() { prepareAndShare("prepared before the test") }

  // K38
  func testEachTestHasItsOwnPreparation() { prepareAndShare("prepared before the test") }

  // K38, K11
  func testScopesOfOneTestShareADefault() {
    @Dependency(\.defaultCounter) var counter
    let inner = withDependencies {
      $0.locale = Locale(identifier: "de")
    } operation: {
      counter.withValue { $0 += 1 }
      return counter
    }
    XCTAssertTrue(inner === counter)
    XCTAssertEqual(counter.withValue { $0 }, 1)
  }
}

/// What outlives its test.
private let held = LockIsolated<[Shared<Int>]>([])

private func prepareAndShare(_ expectedName: String = "default", line: UInt = #line) {
  @Dependency(\.context) var context
  @Dependency(\.defaultName) var name
  @Dependency(\.defaultCounter) var counter
  @Shared(.inMemory("XCTestIsolationTests")) var number = 0
  XCTAssertEqual(context, .test, line: line)
  XCTAssertEqual(name.value, expectedName, line: line)
  XCTAssertEqual(counter.withValue { $0 }, 0, line: line)
  XCTAssertEqual(number, 0, line: line)

  counter.withValue { $0 += 1 }
  $number.withLock { $0 += 1 }
  held.withValue { $0.append($number) }
  prepareDependencies {
    $0.defaultName.value = "prepared"
    $0.context = .live
  }
  XCTAssertEqual(name.value, "prepared", line: line)
  XCTAssertEqual(context, .live, line: line)
  @Shared(.inMemory("XCTestIsolationTests")) var again = 0
  XCTAssertEqual(again, 1, "The test shares one value.", line: line)
}

private struct DefaultName: TestDependencyKey {
  static var testValue: Self { Self() }
  var value = "default"
}

private enum DefaultCounter: TestDependencyKey {
  static var testValue: LockIsolated<Int> { LockIsolated(0) }
}

extension DependencyValues {
  fileprivate var defaultName: DefaultName {
    get { self[DefaultName.self] }
    set { self[DefaultName.self] = newValue }
  }
  fileprivate var defaultCounter: LockIsolated<Int> {
    get { self[DefaultCounter.self] }
    set { self[DefaultCounter.self] = newValue }
  }
}
