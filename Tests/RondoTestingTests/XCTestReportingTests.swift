// Failures reach XCTest, with the line that is to blame.

@testable import RondoTesting
import XCTest

final class XCTestReportingTests: XCTestCase {
  private var isRecording = false
  private var failures: [(text: String, line: Int)] = []

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    guard isRecording else {
      return super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    XCTAssertEqual(filePath, #filePath)
    failures.append((description, lineNumber))
  }

  // T11
  func testAFailedAssertion() async {
    isRecording = true
    let store = makeStore()
    await store.send(.increment)
    let line = #line - 1
    isRecording = false
    XCTAssertEqual(failures.map(\.line), [line])
    XCTAssertTrue(failures[0].text.contains(".increment changed the state"), failures[0].text)
  }

  // T8, T11
  func testAStoreThatGoesOutOfScope() async {
    isRecording = true
    do {
      let store = makeStore()
      await store.send(.sleep)
    }
    let line = #line - 2
    isRecording = false
    XCTAssertEqual(failures.map(\.line), [line])
  }

  // T2
  func testVirtualTime() async {
    let store = makeStore()
    await store.send(.sleep)
    await store.advance(by: .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
  }

  // T3
  @MainActor func testTheMainActor() async {
    let store = makeStore()
    await store.send(
      .own(
        .init { send in
          await MainActor.run {}
          await send(.increment)
        }))
    await store.receive(.increment) { $0.count = 1 }
  }
}
