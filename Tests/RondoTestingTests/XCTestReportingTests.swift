// Failures reach XCTest, with the line that is to blame.

@testable import RondoScheduling
@testable import RondoTestStore
import Synchronization
import XCTest

final class XCTestReportingTests: XCTestCase {
  /// The lines of the failures, while they are expected.
  private let seen = Mutex<[Int]?>(nil)

  override func recordFailure(
    withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
    expected: Bool
  ) {
    let isExpected = seen.withLock { seen in
      seen?.append(filePath.hasSuffix("EveryFailure.swift") ? lineNumber : 0)
      return seen != nil
    }
    if !isExpected {
      super.recordFailure(
        withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
  }

  private func startRecording() {
    seen.withLock { $0 = [] }
  }

  private func expectRecorded(_ lines: [Int]) {
    let seen = seen.withLock { $0.take() }
    XCTAssertEqual(seen?.sorted(), lines)
  }

  // T8, T11
  func testEveryFailureOfATestThatIsIsolatedToNothing() async {
    startRecording()
    let lines = await failInEveryWay()
    expectRecorded(lines)
  }

  // K41
  func testAFailureIsPrintedOnce() {
    startRecording()
    let issue = ReportedIssue(message: "once", position: SourcePosition())
    XCTAssertTrue(TestRunnerReporter().report(issue), "No other reporter gets it.")
    XCTAssertEqual(seen.withLock { $0.take() }?.count, 1)
  }

  // T8, T11
  @MainActor func testEveryFailureOfATestOnTheMainActor() async {
    startRecording()
    let lines = await failInEveryWay()
    expectRecorded(lines)
  }

  private actor Other {
    func test() async -> [Int] {
      await failInEveryWay()
    }
  }

  // T8, T11
  func testEveryFailureOfATestOnAnotherActor() async {
    startRecording()
    let lines = await Other().test()
    expectRecorded(lines)
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
