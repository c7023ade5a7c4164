// `@ObservableState` and `@Presents` as the compiler expands them.

import Rondo
import Testing

@ObservableState
private struct Profile: Equatable {
  var count = 0
  let id: Int
  var name: String {
    didSet { log.append(name) }
  }
  @ObservationStateIgnored var log: [String] = []
  var nickname: String?
  @Presents var alert: AlertState<Bool>? {
    willSet { if newValue == nil { log.append("none") } }
    didSet(old) {
      log.append(old == nil ? "alert" : "another")
    }
  }
}

@ObservableState
public struct Defaults: Codable, Hashable, Sendable {
  var first = counted(1)
  var second: Int = counted(2)
}

nonisolated(unsafe) private var evaluations = 0

private func counted(_ value: Int) -> Int {
  evaluations += 1
  return value
}

@ObservableState
private enum Screen {
  case loading
  case profile(Profile)
  case failed(code: Int, String)
}

// C10, R7
struct ObservableStateUseTests {
  @Test("The memberwise initializer takes the variables under their own names")
  func memberwise() {
    let profile = Profile(count: 3, id: 1, name: "a", nickname: "b", alert: nil)
    #expect(profile.count == 3)
    #expect(profile.nickname == "b")
    #expect(profile == Profile(count: 3, id: 1, name: "a", nickname: "b"))
  }

  @Test("Observers of a variable run when it is set")
  func observers() {
    var profile = Profile(id: 1, name: "a")
    profile.name = "b"
    profile.name += "c"
    #expect(profile.log == ["b", "bc"])
  }

  @Test("An initial value is evaluated once")
  func evaluation() {
    evaluations = 0
    _ = Defaults()
    #expect(evaluations == 2)
  }

  @Test("What is presented is set and read through the optional and the presentation")
  func presentation() {
    var profile = Profile(id: 1, name: "a")
    profile.alert = AlertState { TextState("?") }
    #expect(profile.log == ["alert"])
    #expect(profile.$alert.wrappedValue != nil)
    profile.$alert.wrappedValue = nil
    #expect(profile.alert == nil)
    #expect(profile.log == ["alert", "none", "another"])
  }

  @Test("An enum of states has the identity of the state that it holds")
  func cases() {
    let profile = Profile(id: 1, name: "a")
    #expect(Screen.profile(profile)._$id == Screen.profile(profile)._$id)
    #expect(Screen.profile(profile)._$id != Screen.profile(Profile(id: 1, name: "a"))._$id)
    #expect(Screen.profile(profile)._$id != profile._$id)
  }
}
