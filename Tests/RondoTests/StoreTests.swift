// R1 and the reading half of R7: sending to a store and asking for its state.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

@MainActor @Suite struct StoreTests {
  // R1
  @Test func everyObserverSeesACommitBeforeTheActionThatAnotherOneSendsIsHandled() {
    let store = script([:])
    var log: [String] = []
    let first = store.subscribe { [unowned store] commit in
      log.append("first \(commit.newState)")
      if commit.actions == ["tap"] { store.send("inner") }
    }
    let second = store.subscribe { log.append("second \($0.newState)") }
    store.send("tap")
    #expect(
      log == [
        #"first ["tap"]"#, #"second ["tap"]"#,
        #"first ["tap", "inner"]"#, #"second ["tap", "inner"]"#,
      ])
    first.cancel()
    second.cancel()
  }

  // R1
  @Test func anAnswerThatArrivesWhileAnActionIsInProgressWaitsForItsTurn() {
    let scheduler = DispatchQueue.test
    let store = script { action in
      switch action {
      case "tap": return .send("answer").receive(on: scheduler)
      case "advance":
        scheduler.advance()
        return .send("next")
      default: return .none
      }
    }
    store.send("tap")
    store.send("advance")
    #expect(store.state == ["tap", "advance", "answer", "next"])
  }

  // R7
  @Test func membersOfTheStateAreMembersOfTheStore() {
    struct Profile: Equatable {
      var name = "Blob"
      var visits = [1, 2, 3]
    }
    let store = Store(initialState: Profile()) {
      Reduce<Profile, String> { state, action in
        state.name = action
        return .none
      }
    }
    store.send("Blob Jr.")
    #expect(store.name == "Blob Jr.")
    #expect(store.visits.count == 3)
  }

  // R1
  @Test func reducersThatAreListedRunInOrderAndTheirEffectsAreMerged() {
    let store = Store(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append("first \(action)")
        return action == "tap" ? .send("a") : .none
      }
      Reduce<[String], String> { state, action in
        state.append("second \(action)")
        return action == "tap" ? .send("b") : .none
      }
    }
    store.send("tap")
    #expect(
      store.state == [
        "first tap", "second tap", "first a", "second a", "first b", "second b",
      ])
  }
}
