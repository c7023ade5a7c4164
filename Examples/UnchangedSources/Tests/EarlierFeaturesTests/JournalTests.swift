import ComposableArchitecture
import DependenciesTestSupport
import Testing

@testable import EarlierFeatures

@MainActor
@Suite(.dependency(\.uuid, .incrementing))
struct JournalTests {
  init() { uncheckedUseMainSerialExecutor = true }

  // K32
  @Test(.dependencies { $0.date.now = Date(timeIntervalSince1970: 0) })
  func adding() async {
    let store = TestStore(initialState: Journal.State(owner: Shared("Blob"))) {
      Journal()
    }
    await store.send(.view(.opened)) { $0.openings = 1 }
    await store.send(.view(.set(\.$title, "Monday"))) { $0.title = "Monday" }
    await store.send(.view(.addTapped))
    await store.receive(/Journal.Action.added) {
      $0.entries = [
        Journal.Entry(id: UUID(0), title: "Monday", date: Date(timeIntervalSince1970: 0))
      ]
      $0.title = ""
    }
  }

  @Test
  func clearing() async {
    let entry = Journal.Entry(id: UUID(0), title: "Monday", date: Date())
    let store = TestStore(initialState: Journal.State(entries: [entry], owner: Shared("Blob"))) {
      Journal()
    }
    await store.send(.view(.clearTapped)) {
      $0.alert = AlertState {
        TextState("Clear the journal of Blob?")
      } actions: {
        ButtonState(role: .destructive, action: .clear) { TextState("Clear") }
      }
    }
    await store.send(.alert(.presented(.clear))) {
      $0.alert = nil
      $0.entries = []
    }
  }
}
