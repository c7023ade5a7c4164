// C8: dependencies that tests are run with, said where they are declared.

import Foundation
import RondoTesting
import Testing

private struct Greeting: TestDependencyKey {
  var text: String
  static let testValue = Greeting(text: "")
}

@Suite(.dependency(\.uuid, .incrementing), .dependency(Greeting(text: "Hello")))
struct DependenciesTraitTests {
  @Dependency(\.uuid) private var uuid
  @Dependency(Greeting.self) private var greeting

  // C8
  @Test(arguments: 1...3)
  func everyTestHasItsOwn(_: Int) {
    #expect(uuid() == UUID(0))
    #expect(greeting.text == "Hello")
  }

  // C8
  @Test(.dependency(\.uuid, .constant(UUID(7))), .dependencies { $0[Greeting.self].text += "!" })
  func thoseOfATestLieOverThoseOfItsSuite() {
    #expect(uuid() == UUID(7))
    #expect(greeting.text == "Hello!")
  }

  // C8
  @Test(.dependency(\.date, .constant(.distantPast)))
  func aStoreHasThem() async {
    let store = TestStore(initialState: Clock.State()) { Clock() }
    await store.send(.look) { $0.now = .distantPast }
  }

  // C8
  @Test(.dependency(\.date, .constant(.distantPast)))
  func whatIsSaidWhereAStoreIsMadeLiesOverThem() async {
    let store = TestStore(initialState: Clock.State()) {
      Clock()
    } withDependencies: {
      $0.date = .constant(.distantFuture)
    }
    await store.send(.look) { $0.now = .distantFuture }
  }

  private struct Clock: Reducer {
    struct State: Equatable { var now: Date? }
    enum Action { case look }
    @Dependency(\.date.now) var now
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.now = now
      return .none
    }
  }
}
