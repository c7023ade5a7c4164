// A test target that says once for all of its tests what has to be asserted.

import RondoTesting
import Testing

struct TestStoreDefaults: TestStoreConfiguration {
  static let exhaustivity: Exhaustivity = [.state, .actions, .effects]
  static let timeout: Duration = .seconds(7)
}

@Suite struct DefaultsTests {
  // T1
  @Test func aStoreTakesTheSettingsOfItsTarget() async {
    let store = TestStore(initialState: 0) {
      Reduce { state, action in
        guard action else { return .send(true).animation() }
        state += 1
        return .none
      }
    }
    #expect(store.exhaustivity == [.state, .actions, .effects])
    #expect(store.timeout == .seconds(7))
    await store.send(false)
    await store.receive(true) { $0 = 1 }
  }
}
