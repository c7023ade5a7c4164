// Failures reach the test runner that is at work, with the line that is to blame.

import Dispatch
@testable import RondoTestStore
import Synchronization
import Testing

@Suite struct ReportingTests {
  /// Fails unless the body is reported for exactly so many lines.
  private static func expectIssues(
    at lines: Int...,
    isolation: isolated (any Actor)? = #isolation,
    by body: () async -> Void
  ) async {
    let seen = Mutex<[Int]>([])
    await withKnownIssue {
      await body()
    } matching: { issue in
      seen.withLock { $0.append(issue.sourceLocation?.line ?? 0) }
      return issue.sourceLocation?.fileID == #fileID
    }
    #expect(seen.withLock { $0.sorted() } == lines)
  }

  /// Fails unless every failure is an issue of this test, at its line.
  private static func expectEveryFailure(
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let seen = Mutex<[Int]>([])
    var expected: [Int] = []
    await withKnownIssue {
      expected = await failInEveryWay()
    } matching: { issue in
      seen.withLock { $0.append(issue.sourceLocation?.line ?? 0) }
      return issue.sourceLocation?.fileID == "RondoTestingTests/EveryFailure.swift"
    }
    #expect(seen.withLock { $0.sorted() } == expected)
  }

  // T11
  @Test func fromATestThatIsIsolatedToNothing() async {
    await Self.expectEveryFailure()
  }

  // T11
  @MainActor @Test func fromATestOnTheMainActor() async {
    await Self.expectEveryFailure()
  }

  private actor Other {
    func test() async {
      await ReportingTests.expectEveryFailure()
    }
  }

  // T11
  @Test func fromATestOnAnotherActor() async {
    await Other().test()
  }

  // T8, T11
  @Test func fromAStoreThatGoesOutOfScope() async {
    await Self.expectIssues(at: #line + 2, #line + 3) {
      let store = makeStore()
      await store.send(.sleep)
      await store.send(.run)
    }
  }

  // T8
  @Test func eachLineIsThatOfTheSendThatStartedIt() async {
    await Self.expectIssues(at: #line + 3, #line + 4) {
      let store = makeStore()
      store.exhaustivity.remove(.actions)
      await store.send(.sleep)
      await store.send(.ticking)
      await store.advance(by: .milliseconds(10))
    }
  }

  // T11
  @Test func fromAStoreThatIsReleasedWhereTheTestIsNotKnown() async {
    await Self.expectIssues(at: #line + 2) {
      let store = makeStore()
      await store.send(.sleep)
      nonisolated(unsafe) let last = Box(store)
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          #expect(Test.current == nil)
          last.store = nil
          continuation.resume()
        }
      }
    }
  }

  /// Releases stores in a task of the test that has started it.
  private enum Releaser {
    private static let (requests, queue) = AsyncStream.makeStream(of: Request.self)
    private struct Request: @unchecked Sendable {
      // @unchecked: it is handed over.
      let box: Box
      let done: CheckedContinuation<Void, Never>
    }
    private static let task = Mutex<Task<Void, Never>?>(nil)

    /// - Returns: Whether it has not been started before.
    static func start() -> Bool {
      task.withLock { task in
        guard task == nil else { return false }
        task = Task {
          for await request in requests {
            request.box.store = nil
            request.done.resume()
          }
        }
        return true
      }
    }

    static func release(_ box: Box) async {
      await withCheckedContinuation { done in
        _ = queue.yield(Request(box: box, done: done))
      }
    }
  }

  // T11
  @Test(.serialized, arguments: ["releases", "makes the store"])
  func fromAStoreThatIsReleasedInAnotherTest(role: String) async {
    guard !Releaser.start() else { return }
    await Self.expectIssues(at: #line + 2) {
      let last = Box(makeStore())
      await last.store?.send(.sleep)
      await Releaser.release(last)
    }
  }

  private final class Box {
    var store: TestStoreOf<Counter>?
    init(_ store: TestStoreOf<Counter>) { self.store = store }
  }

  // T11
  @Test(arguments: 1...10) func parallelTestsKeepTheirFailuresApart(number: Int) async {
    let comments = Mutex<[String]>([])
    await withKnownIssue {
      let store = makeStore()
      await store.send(.own(.init { await $0(.counted(number)) }))
      await store.receive(.counted(number)) { $0.count = -number }
    } matching: { issue in
      comments.withLock { $0.append(issue.comments.first?.rawValue ?? "") }
      return true
    }
    let texts = comments.withLock { $0 }
    #expect(texts.count == 1 && texts[0].contains("count: -\(number),"))
  }

  // T11
  @Test func anUncaughtErrorOfAnEffectIsAnIssueOfTheTest() async {
    struct Mishap: Error {}
    await withKnownIssue {
      let store = makeStore()
      await store.send(.own(.init { _ in throw Mishap() }))
    } matching: {
      $0.comments.first?.rawValue.contains("threw an error that nobody caught") == true
    }
  }

  // T11
  @Test func fromAStoreThatIsMadeWhereTheTestIsNotKnown() async {
    await withKnownIssue {
      // In a process of its own, whose issues of unknown tests become those of this one.
      await #expect(processExitsWith: .success) {
        await Task.detached {
          let store = makeStore()
          await store.send(.increment)
        }.value
      }
    }
  }
}
