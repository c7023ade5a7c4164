// A feature that reports issues in every way, and the test that is written from its recording.

import Foundation
import Rondo
import RondoProcesses
import RondoRecording
import RondoTesting
import Testing

@testable import RondoHistory
@testable import RondoInspection

// The case paths are found by reflection: these tests are built without macros too.
struct CartRow: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Action: Equatable { case added }

  var body: some Reducer<State, Action> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

struct Cart: Reducer {
  struct State: Equatable {
    var rows: IdentifiedArrayOf<CartRow.State> = []
    var total = 0
  }

  enum Action: Equatable, CasePathable {
    case rows(IdentifiedActionOf<CartRow>)
    case bought, crashed, crashesLater, counts, counted

    struct AllCasePaths: Sendable {
      let rows = AnyCasePath(Action.rows)
    }
    static let allCasePaths = AllCasePaths()
  }

  struct Mishap: Error {}

  @Dependency(\.continuousClock) private var clock

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .bought:
        reportIssue("The cart was empty.")
        return .none
      case .crashed:
        return .run { _ in throw Mishap() }
      case .crashesLater:
        return .run { [clock] _ in
          try await clock.sleep(for: .seconds(1))
          throw Mishap()
        }
      case .counts:
        return .run { [clock] send in
          try await clock.sleep(for: .seconds(1))
          await send(.counted)
        }
      case .counted:
        state.total += 1
        reportIssue("It was counted.")
        return .none
      case .rows:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { CartRow() }
  }
}

// V8
@MainActor @Suite struct WrittenIssuesTests {
  @Test func issuesAreExpectedWhereTheyAreReported() async throws {
    let folder = TemporaryFolder()
    let url = folder.file("cart.jsonl")
    let issues = try await captureIssues {
      let store = TestStore(initialState: Cart.State()) { Cart() }
      let recording = try store.record(to: url)
      await store.send(.bought)
      await store.send(.rows(.element(id: 3, action: .added)))
      await store.send(.crashed)
      await store.send(.crashesLater)
      await store.advance(by: .seconds(1))
      await store.send(.counts)
      await store.advance(by: .seconds(1))
      await store.receive(.counted) { $0.total = 1 }
      await store.finish()
      recording.end()
    }
    #expect(issues.count == 5)
    try expectSource(of: RecordingFile(contentsOf: url), "cart")
  }
}

@MainActor
@Test func cart() async {
  let store = TestStore(initialState: Cart.State(rows: [], total: 0)) {
    Cart()
  }

  await expectReportsIssue {
    await store.send(.bought)
  } matching: {
    $0.message.hasPrefix("The cart was empty.")
  }
  await expectReportsIssue {
    await store.send(.rows(.element(id: 3, action: .added)))
  } matching: {
    $0.message.hasPrefix("forEach of Cart.State ")
  }
  await expectReportsIssue {
    await store.send(.crashed)
  } matching: {
    $0.message.hasPrefix("run returned for .crashed threw an error that nobody")
  }
  await expectReportsIssue {
    await store.send(.crashesLater)
    await store.advance(by: .seconds(1))
  } matching: {
    $0.message.hasPrefix("run returned for .crashesLater threw an error that nobody")
  }
  await expectReportsIssue {
    await store.send(.counts)
    await store.advance(by: .seconds(1))
    await store.receive(.counted) { $0.total = 1 }
  } matching: {
    $0.message.hasPrefix("It was counted.")
  }
  await store.finish()
}
