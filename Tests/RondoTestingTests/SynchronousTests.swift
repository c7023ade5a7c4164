// K35: tests that are not asynchronous, as before 2022.

import RondoTestCompatibility
import XCTest

final class SynchronousTests: XCTestCase {
  // K35
  func testSendingAndReceivingWithoutAwait() {
    let store = TestStore(initialState: Counter.State()) { Counter() }
    store.send(.increment) { $0.count = 1 }
    store.send(.run)
    store.receive(.increment) { $0.count = 2 }
    store.send(.runTwo)
    store.receive(/Counter.Action.note) { $0.log = ["a"] }
    store.receive(.note("b")) { $0.log = ["a", "b"] }
  }

  // K35
  func testWhatIsNotReceivedFails() {
    let issues = captureIssues {
      let store = TestStore(initialState: Counter.State()) { Counter() }
      store.send(.run)
      store.receive(.decrement)
    }
    XCTAssertEqual(issues.count, 1)
    XCTAssert(issues.first?.message.contains("but expected .decrement") == true)
  }

  // K35
  func testElementsAtOffsets() {
    var letters = ["a", "b", "c", "d", "e"]
    letters.remove(atOffsets: [1, 3])
    XCTAssertEqual(letters, ["a", "c", "e"])
    letters.move(fromOffsets: [0], toOffset: 3)
    XCTAssertEqual(letters, ["c", "e", "a"])
    letters.move(fromOffsets: [1, 2], toOffset: 0)
    XCTAssertEqual(letters, ["e", "a", "c"])
    letters.move(fromOffsets: [7], toOffset: 9)
    letters.remove(atOffsets: [7])
    XCTAssertEqual(letters, ["e", "a", "c"])
    XCTAssert(_XCTIsTesting)
  }

  // K39
  func testNamesWithoutSwiftUI() {
    var text = "a"
    let binding = UIBinding(get: { text }, set: { text = $0 })
    binding.wrappedValue = "b"
    XCTAssertEqual(text, "b")
    var transaction = UITransaction()
    transaction.animation = .default
    withUITransaction(transaction) {
      XCTAssertEqual(Transaction.current.animation, .default)
    }
    var path = UINavigationPath(["a", "b"])
    path.append(3)
    XCTAssertEqual(path.elements, ["a", "b", 3])
    path.removeLast(2)
    XCTAssertEqual(path.count, 1)
    path.removeLast(5)
    XCTAssert(path.isEmpty)
    let clock: any Clock<Duration> = .unimplemented("Screen.clock")
    let issues = captureIssues { _ = (clock as? UnimplementedClock<Duration>)?.now }
    XCTAssert(issues.first?.message.contains("Screen.clock") == true)
    XCTAssertEqual(TestContext.current, .xcTest)
  }

  // K39
  func testTheValueOfACaseIsUnwrapped() throws {
    XCTAssertEqual(try XCTUnwrap(Counter.Action.counted(3), case: /Counter.Action.counted), 3)
    XCTAssertEqual(try XCTUnwrap(Int?.some(1) as Int??, case: \.some), 1)
    var thrown: (any Error)?
    let issues = captureIssues {
      do { _ = try XCTUnwrap(Counter.Action.run, case: /Counter.Action.counted) } catch {
        thrown = error
      }
    }
    XCTAssertNotNil(thrown)
    XCTAssertEqual(
      issues.map(\.message), ["The case that was to be unwrapped is not there, but run."])
  }
}
