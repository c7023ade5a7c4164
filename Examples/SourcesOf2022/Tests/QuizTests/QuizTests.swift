import ComposableArchitecture
import XCTest

@testable import Quiz

final class QuizTests: XCTestCase {
  // K35
  func testListsWithoutAwait() {
    let store = TestStore(initialState: Quiz.State(), reducer: Quiz())
    store.dependencies.uuid = .incrementing
    let scheduler = DispatchQueue.test
    store.dependencies.mainQueue = scheduler.eraseToAnyScheduler()

    store.send(.addButtonTapped("What?")) {
      $0.questions = [
        Question(id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, text: "What?")
      ]
    }
    store.send(.addButtonTapped("Why?")) {
      $0.questions.append(
        Question(id: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!, text: "Why?"))
    }
    store.send(.move([0], 2)) { $0.questions.reverse() }
    store.send(.delete([0])) { $0.questions.removeFirst() }
    store.send(.toggleTimer(isOn: true))
    store.send(.toggleTimer(isOn: false))
    store.dependencies.hints.forget = {}
    store.send(.undoTapped)
  }

  // K35
  @MainActor
  func testHints() async {
    let store = TestStore(initialState: Quiz.State(), reducer: Quiz())
    store.dependencies.hints.fetch = { "\($0) hints" }
    await store.send(.hintButtonTapped) { $0.isLoading = true }
    await store.receive(.hintResponse(.success("0 hints"))) {
      $0.isLoading = false
      $0.hint = "0 hints"
    }
  }

  // K35
  @MainActor
  func testSavingInALesson() async {
    let mainQueue = DispatchQueue.test
    let store = TestStore(initialState: Lesson.State(), reducer: Lesson())
    store.dependencies.mainQueue = mainQueue.eraseToAnyScheduler()
    store.dependencies.uuid = .incrementing
    await store.send(.quiz(.addButtonTapped("Who?"))) {
      $0.quiz.questions = [
        Question(id: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, text: "Who?")
      ]
    }
    await mainQueue.advance(by: .seconds(1))
    await store.receive(.quiz(.saved)) { $0.log = ["saved 1"] }
    await store.receive(.finished)
    XCTAssertTrue(_XCTIsTesting)
  }
}
