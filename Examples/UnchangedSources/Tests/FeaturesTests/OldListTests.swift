import ComposableArchitecture
import Testing

@testable import Features

@MainActor
struct OldListTests {
  @Test
  func rowsAndSheet() async {
    let store = TestStore(initialState: OldList.State(), reducer: { OldList() })
    await store.send(.add) {
      $0.rows = [OldRow.State(id: 0)]
      $0.sheet = OldRow.State(id: 9)
    }
    await store.send(.row(id: 0, action: .inc)) { $0.rows[id: 0]?.n = 1 }
    await store.send(.row(id: 0, action: .async))
    await store.receive(.row(id: 0, action: .done(.success(2)))) { $0.rows[id: 0]?.n = 2 }
    await store.send(.sheet(.presented(.inc))) { $0.sheet?.n = 1 }
    await store.send(.sheet(.dismiss)) { $0.sheet = nil }
    await store.send(.binding(.set(\.$text, "x"))) { $0.text = "x" }
    await store.send(.set(\.$text, "y")) { $0.text = "y" }
  }

  @Test
  func alert() async {
    let store = TestStore(initialState: OldList.State()) { OldList() }
    await store.send(.warn) {
      $0.destination = .alert(
        AlertState {
          TextState("Careful")
        } actions: {
          ButtonState(action: .ok) { TextState("OK") }
        } message: {
          TextState("There are 0 rows.")
        }
      )
    }
    await store.send(.destination(.presented(.alert(.ok)))) { $0.destination = nil }
  }
}
