// A feature with effects of every kind, for recordings.

import Dispatch
import Rondo
import RondoScheduling

struct Desk: Reducer {
  struct State: Codable, Equatable, Sendable {
    var count = 0
    var rows: [String] = []
    var scores: [String: Int] = [:]
    var tags: Set<Int> = []
    var selection: Selection?
    var drawer: Drawer.State?
  }

  enum Selection: Codable, Equatable, Sendable {
    case row(Int)
    case score(name: String, value: Int)
    case none
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    case insert(String, at: Int)
    case removeRow(Int)
    case score(String, Int?)
    case tag(Int)
    case select(Selection?)
    /// Answers at once with `add`, which is alone, or has company.
    case sendOne(Int)
    case sendTwo(Int)
    /// Answers from a closure.
    case run(Int)
    /// Answers after a while.
    case sleep(Int)
    case debounce(Int)
    case delay(Int)
    case expire
    case queue(Int)
    case dropped
    /// Fails, and nobody asks.
    case refused
    case wait
    case cancel
    case fail
    case report
    case open
    case close
    case drawer(Drawer.Action)
  }

  enum CancelID: Hashable, Sendable {
    case wait, sleep, debounce, queue
  }

  let timeline: TestTimeline

  var body: some ReducerOf<Self> {
    Reduce { state, action in self.core(&state, action) }
      .ifLet(\.drawer, action: AnyCasePath(Action.drawer)) { Drawer() }
  }

  private func core(_ state: inout State, _ action: Action) -> Effect<Action> {
    let clock = timeline.clock
    let scheduler = timeline.scheduler
    switch action {
    case .add(let number):
      state.count += number
    case .insert(let row, let index):
      state.rows.insert(row, at: min(max(0, index), state.rows.count))
    case .removeRow(let index):
      if state.rows.indices.contains(index) { state.rows.remove(at: index) }
    case .score(let name, let score):
      state.scores[name] = score
    case .tag(let tag):
      if state.tags.remove(tag) == nil { state.tags.insert(tag) }
    case .select(let selection):
      state.selection = selection
    case .sendOne(let number):
      return .send(.add(number))
    case .sendTwo(let number):
      return .concatenate(.send(.add(number)), .send(.sendOne(number), animation: .default))
    case .run(let number):
      return .run(name: "answer") { send in await send(.add(number), animation: .easeIn) }
    case .sleep(let number):
      return .run(name: "nap") { send in
        try await clock.sleep(for: .seconds(1))
        await send(.add(number))
      }
      .cancellable(id: CancelID.sleep)
    case .debounce(let number):
      return .send(.add(number))
        .debounce(id: CancelID.debounce, for: .milliseconds(500), scheduler: scheduler)
    case .delay(let number):
      return .send(.add(number)).delay(
        for: .seconds(2), scheduler: scheduler.named("queue"))
    case .expire:
      return .run { _ in try await Task.sleep(for: .seconds(3600)) }
        .timeout(.seconds(1), scheduler: scheduler)
    case .queue(let number):
      return .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(.add(number))
      }
      .cancellable(id: CancelID.queue, policy: .atMost(1))
    case .dropped:
      return .run { send in await send(.add(0)) }.filter { _ in false }
    case .refused:
      return Effect<Result<Int, Failure>>.send(.failure(Failure())).fireAndForget()
    case .wait:
      return .run { _ in try await Task.sleep(for: .seconds(3600)) }
        .cancellable(id: CancelID.wait)
    case .cancel:
      return .merge(.cancel(id: CancelID.wait), .cancel(id: CancelID.sleep))
    case .fail:
      return .run { _ in throw Failure() }
    case .report:
      reportIssue("The desk is on fire.")
    case .open:
      state.drawer = Drawer.State()
    case .close:
      state.drawer = nil
    case .drawer:
      break
    }
    return .none
  }

  struct Failure: Error {}
}

struct Drawer: Reducer {
  struct State: Codable, Equatable, Sendable {
    var isLocked = false
  }

  enum Action: Codable, Equatable, Sendable {
    case watch
    case lock
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .watch:
      return .run(name: "watch") { _ in try await Task.sleep(for: .seconds(3600)) }
    case .lock:
      state.isLocked = true
      return .none
    }
  }
}

/// A feature with things that nobody may see.
struct Vault: Reducer {
  struct State: Codable, Equatable, Sendable {
    var owner = "Blob"
    @Redacted var password = "hunter2-annotated"
    var session: Session?
    var label = ""
  }

  struct Session: Codable, Equatable, Sendable {
    var token: String
    var user: String
  }

  enum Action: Codable, Equatable, Sendable, CasePathable {
    case passwordChanged(Redacted<String>)
    case signedIn(Session)
    case pinEntered(String)
    case rename(String)
    case watch

    struct AllCasePaths: Sendable {
      var pinEntered: AnyCasePath<Action, String> {
        AnyCasePath(
          embed: Action.pinEntered,
          extract: { if case .pinEntered(let pin) = $0 { pin } else { nil } })
      }

      var signedIn: AnyCasePath<Action, Session> {
        AnyCasePath(
          embed: Action.signedIn,
          extract: { if case .signedIn(let session) = $0 { session } else { nil } })
      }
    }

    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  struct WatchID: Hashable, Sendable {
    @Redacted var key = "key-in-an-id"
    var pin: String
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .passwordChanged(let password):
      state.password = password.wrappedValue
    case .signedIn(let session):
      state.session = session
    case .pinEntered(let pin):
      reportIssue("The pin \(pin) is wrong.")
    case .rename(let label):
      state.label = label
    case .watch:
      let token = state.session?.token ?? ""
      return .run(name: "watch \(token)") { send in await send(.rename("watched")) }
        .cancellable(id: WatchID(pin: token))
    }
    return .none
  }
}
