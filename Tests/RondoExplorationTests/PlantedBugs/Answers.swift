// Bugs in features that wait for answers.

import RondoTesting

extension PlantedBug {
  static let answers: [PlantedBug] = [
    staleAnswer, doubleSubmit, lostUpdate, detailOfNothing, refreshedTwice, failureAfterSuccess,
    pageTwice, pageOfOldList, rollback, deletedRowComesBack, loggedOut, otherAccount, shiftedIndex,
    savedTooEarly, savesOverlap, cacheWins, halfReady, snapshotWins, validated, pushedTwice,
    notLoadingYet, editIgnored, loggedInAgain,
  ]
  static let staleAnswer = PlantedBug("a stale answer wins", StaleAnswer.explorer)
  static let doubleSubmit = PlantedBug("an order is submitted twice", DoubleSubmit.explorer)
  static let lostUpdate = PlantedBug("read, await, write: an update is lost", LostUpdate.explorer)
  static let detailOfNothing = PlantedBug(
    "what was dismissed is shown again", DetailOfNothing.explorer)
  static let refreshedTwice = PlantedBug("a token is refreshed twice", RefreshedTwice.explorer)
  static let failureAfterSuccess = PlantedBug(
    "a retry fails after the first try has succeeded", FailureAfterSuccess.explorer)
  static let pageTwice = PlantedBug("a page is appended twice", PageTwice.explorer)
  static let pageOfOldList = PlantedBug(
    "a page of the old list is appended to the new one", PageOfOldList.explorer)
  static let rollback = PlantedBug("a failure takes back a newer change", Rollback.explorer)
  static let deletedRowComesBack = PlantedBug(
    "a deleted row comes back with its update", DeletedRowComesBack.explorer)
  static let loggedOut = PlantedBug(
    "a profile is shown after the user has logged out", LoggedOut.explorer)
  static let otherAccount = PlantedBug(
    "one account sees the mail of another", OtherAccount.explorer)
  static let shiftedIndex = PlantedBug("an answer finds its row by an index", ShiftedIndex.explorer)
  static let savedTooEarly = PlantedBug(
    "a text counts as saved that was changed meanwhile", SavedTooEarly.explorer)
  static let savesOverlap = PlantedBug(
    "an older save lands after a newer one", SavesOverlap.explorer)
  static let cacheWins = PlantedBug("what was cached replaces what is new", CacheWins.explorer)
  static let halfReady = PlantedBug("the second of two answers comes first", HalfReady.explorer)
  static let snapshotWins = PlantedBug(
    "a snapshot replaces the event that came before it", SnapshotWins.explorer)
  static let validated = PlantedBug(
    "a new text is valid because the old one was", Validated.explorer)
  static let pushedTwice = PlantedBug("two taps push two screens", PushedTwice.explorer)
  static let notLoadingYet = PlantedBug(
    "the first of two answers ends the loading", NotLoadingYet.explorer)
  static let editIgnored = PlantedBug(
    "what is typed during a save is never saved", EditIgnored.explorer)
  static let loggedInAgain = PlantedBug(
    "a token that comes late logs the user in again", LoggedInAgain.explorer)
}

private enum StaleAnswer {
  struct State: Equatable {
    var query = ""
    var results = ""
  }
  enum Action: Equatable { case typed(String), loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .typed(let query):
        (state.query, state.results) = (query, "")
        return load(query) { .loaded($0) }
      case .loaded(let results):
        state.results = results
        return .none
      }
    }
    .actions(Action.typed("b"), .typed("bl"))
    .always { $0.results.isEmpty || $0.results == $0.query }
  }
}

private enum DoubleSubmit {
  struct State: Equatable {
    var orderCount = 0
    var isDone = false
  }
  enum Action: Equatable { case submitTapped, submitted }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .submitTapped:
        return save("order") { _ in .submitted }
      case .submitted:
        state.orderCount += 1
        state.isDone = true
        return .none
      }
    }
    .availableActions { $0.isDone ? [] : [Action.submitTapped] }
    .always { $0.orderCount < 2 }
  }
}

private enum LostUpdate {
  struct State: Equatable {
    var tapCount = 0
    var total = 0
  }
  enum Action: Equatable { case tapped, saved(Int) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .tapped:
        state.tapCount += 1
        let total = state.total
        return save("\(total + 1)") { .saved(Int($0)!) }
      case .saved(let total):
        state.total = total
        return .none
      }
    }
    .actions(Action.tapped)
    .eventually { $0.total == $0.tapCount }
  }
}

private enum DetailOfNothing {
  struct State: Equatable {
    var isOpen = false
    var detail = ""
  }
  enum Action: Equatable { case opened, closed, loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .opened:
        state.isOpen = true
        return load("detail") { .loaded($0) }
      case .closed:
        state = State()
      case .loaded(let detail):
        state.detail = detail
      }
      return .none
    }
    .availableActions { [$0.isOpen ? Action.closed : .opened] }
    .always { $0.isOpen || $0.detail.isEmpty }
  }
}

private enum RefreshedTwice {
  struct State: Equatable {
    var hasToken = false
    var refreshCount = 0
  }
  enum Action: Equatable { case requested, refreshed }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .requested:
        guard !state.hasToken else { return .none }
        return load("token") { _ in .refreshed }
      case .refreshed:
        state.hasToken = true
        state.refreshCount += 1
        return .none
      }
    }
    .actions(Action.requested)
    .always { $0.refreshCount < 2 }
  }
}

private enum FailureAfterSuccess {
  struct State: Equatable {
    var value = ""
    var hasFailed = false
  }
  enum Action: Equatable { case loadTapped, loaded(String), failed }

  static func explorer() -> Explorer<State, Action> {
    explore(State(), canFail: true) { state, action in
      switch action {
      case .loadTapped:
        state.hasFailed = false
        return load("value", { .loaded($0) }, failed: .failed)
      case .loaded(let value):
        state.value = value
        return .none
      case .failed:
        state.hasFailed = true
        return .none
      }
    }
    .availableActions { $0.value.isEmpty ? [Action.loadTapped] : [] }
    .always { $0.value.isEmpty || !$0.hasFailed }
  }
}

private enum PageTwice {
  struct State: Equatable { var pages: [Int] = [] }
  enum Action: Equatable { case bottomReached, loaded(Int) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .bottomReached:
        return load("\(state.pages.count)") { .loaded(Int($0)!) }
      case .loaded(let page):
        state.pages.append(page)
        return .none
      }
    }
    .actions(Action.bottomReached)
    .always { Set($0.pages).count == $0.pages.count }
  }
}

private enum PageOfOldList {
  struct State: Equatable {
    var list = 0
    var pages = [String]()
  }
  enum Action: Equatable { case refreshed, bottomReached, loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .refreshed:
        state.list += 1
        state.pages = []
        return .none
      case .bottomReached:
        return load("\(state.list)") { .loaded($0) }
      case .loaded(let page):
        state.pages.append(page)
        return .none
      }
    }
    .actions(Action.refreshed, .bottomReached)
    .always { state in state.pages.allSatisfy { $0 == "\(state.list)" } }
  }
}

private enum Rollback {
  struct State: Equatable {
    var isLiked = false
    var confirmed = false
  }
  enum Action: Equatable { case likeTapped, saved(Bool), failed(restoring: Bool) }

  static func explorer() -> Explorer<State, Action> {
    explore(State(), canFail: true) { state, action in
      switch action {
      case .likeTapped:
        let before = state.isLiked
        state.isLiked.toggle()
        let now = state.isLiked
        return save("\(now)", { _ in .saved(now) }, failed: .failed(restoring: before))
      case .saved(let isLiked):
        state.confirmed = isLiked
        return .none
      case .failed(let before):
        state.isLiked = before
        return .none
      }
    }
    .actions(Action.likeTapped)
    .eventually { $0.isLiked == $0.confirmed }
  }
}

private enum DeletedRowComesBack {
  struct State: Equatable {
    var rows = ["a"]
    var deleted = Set<String>()
  }
  enum Action: Equatable { case edited(String), deleted(String), saved(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .edited(let row):
        return save(row) { .saved($0) }
      case .deleted(let row):
        state.rows.removeAll { $0 == row }
        state.deleted.insert(row)
        return .none
      case .saved(let row):
        if !state.rows.contains(row) { state.rows.append(row) }
        return .none
      }
    }
    .availableActions { $0.rows.flatMap { [Action.edited($0), .deleted($0)] } }
    .always { $0.deleted.isDisjoint(with: $0.rows) }
  }
}

private enum LoggedOut {
  struct State: Equatable {
    var isLoggedIn = false
    var profile = ""
  }
  enum Action: Equatable { case logIn, logOut, loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .logIn:
        state.isLoggedIn = true
        return load("profile") { .loaded($0) }
      case .logOut:
        state = State()
        return .none
      case .loaded(let profile):
        state.profile = profile
        return .none
      }
    }
    .availableActions { [$0.isLoggedIn ? Action.logOut : .logIn] }
    .always { $0.isLoggedIn || $0.profile.isEmpty }
  }
}

private enum OtherAccount {
  struct State: Equatable {
    var account = ""
    var mail = ""
  }
  enum Action: Equatable { case chosen(String), loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .chosen(let account):
        (state.account, state.mail) = (account, "")
        return load(account) { .loaded($0) }
      case .loaded(let mail):
        state.mail = mail
        return .none
      }
    }
    .actions(Action.chosen("work"), .chosen("home"))
    .always { $0.mail.isEmpty || $0.mail == $0.account }
  }
}

private enum ShiftedIndex {
  struct State: Equatable {
    var rows = ["a", "b"]
    var marked = [String]()
  }
  enum Action: Equatable { case starTapped(Int), moved, saved(Int, String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .starTapped(let index):
        let row = state.rows[index]
        return save(row) { .saved(index, $0) }
      case .moved:
        state.rows.reverse()
        return .none
      case .saved(let index, let row):
        state.marked.append(state.rows[index] == row ? "right" : "wrong")
        return .none
      }
    }
    .actions(Action.starTapped(0), .moved)
    .always { !$0.marked.contains("wrong") }
  }
}

private enum SavedTooEarly {
  struct State: Equatable {
    var text = ""
    var saved = ""
    var isDirty = false
  }
  enum Action: Equatable { case typed(String), saveTapped, saved(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .typed(let text):
        (state.text, state.isDirty) = (text, true)
        return .none
      case .saveTapped:
        return save(state.text) { .saved($0) }
      case .saved(let text):
        (state.saved, state.isDirty) = (text, false)
        return .none
      }
    }
    .actions(Action.typed("a"), .saveTapped, .typed("ab"))
    .always { $0.isDirty || $0.saved == $0.text }
  }
}

private enum SavesOverlap {
  struct State: Equatable {
    var text = ""
    var onServer = ""
  }
  enum Action: Equatable { case typed(String), saved(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .typed(let text):
        state.text = text
        return save(text) { .saved($0) }
      case .saved(let text):
        state.onServer = text
        return .none
      }
    }
    .actions(Action.typed("a"), .typed("ab"))
    .eventually { $0.onServer == $0.text }
  }
}

private enum CacheWins {
  struct State: Equatable { var shown = "" }
  enum Action: Equatable { case appeared, loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .appeared:
        return .merge(load("cached") { .loaded($0) }, load("new") { .loaded($0) })
      case .loaded(let text):
        state.shown = text
        return .none
      }
    }
    .actions(Action.appeared)
    .eventually { $0.shown != "cached" }
  }
}

private enum HalfReady {
  struct State: Equatable {
    var user = ""
    var settings = ""
    var isReady = false
  }
  enum Action: Equatable { case appeared, user(String), settings(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .appeared:
        return .merge(load("user") { .user($0) }, load("settings") { .settings($0) })
      case .user(let user):
        state.user = user
        return .none
      case .settings(let settings):
        (state.settings, state.isReady) = (settings, true)
        return .none
      }
    }
    .actions(Action.appeared)
    .always { !$0.isReady || !$0.user.isEmpty }
  }
}

private enum SnapshotWins {
  struct State: Equatable {
    var items = [String]()
    var eventCount = 0
    var hasAppeared = false
  }
  enum Action: Equatable { case appeared, snapshot, event(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .appeared:
        state.hasAppeared = true
        return .merge(load("snapshot") { _ in .snapshot }, load("event") { .event($0) })
      case .snapshot:
        state.items = ["first"]
        return .none
      case .event(let item):
        state.items.append(item)
        state.eventCount += 1
        return .none
      }
    }
    .availableActions { $0.hasAppeared ? [] : [Action.appeared] }
    .always { $0.eventCount == 0 || $0.items.contains("event") }
  }
}

private enum Validated {
  struct State: Equatable {
    var text = ""
    var isValid = false
  }
  enum Action: Equatable { case typed(String), checked(isValid: Bool) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .typed(let text):
        (state.text, state.isValid) = (text, false)
        return load(text) { .checked(isValid: $0 == "good") }
      case .checked(let isValid):
        state.isValid = isValid
        return .none
      }
    }
    .actions(Action.typed("good"), .typed("bad"))
    .always { !$0.isValid || $0.text == "good" }
  }
}

private enum PushedTwice {
  struct State: Equatable { var path: [String] = [] }
  enum Action: Equatable { case rowTapped(String), loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .rowTapped(let row):
        return load(row) { .loaded($0) }
      case .loaded(let row):
        state.path.append(row)
        return .none
      }
    }
    .availableActions { $0.path.isEmpty ? [Action.rowTapped("a"), .rowTapped("b")] : [] }
    .always { $0.path.count < 2 }
  }
}

private enum NotLoadingYet {
  struct State: Equatable {
    var isLoading = false
    var waiting = 0
  }
  enum Action: Equatable { case refreshed, loaded }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .refreshed:
        state.isLoading = true
        state.waiting += 1
        return load("list") { _ in .loaded }
      case .loaded:
        state.isLoading = false
        state.waiting -= 1
        return .none
      }
    }
    .actions(Action.refreshed)
    .always { $0.isLoading == ($0.waiting > 0) }
  }
}

private enum EditIgnored {
  struct State: Equatable {
    var text = ""
    var saved = ""
    var isSaving = false
  }
  enum Action: Equatable { case typed(String), saved(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .typed(let text):
        state.text = text
        guard !state.isSaving else { return .none }
        state.isSaving = true
        return save(text) { .saved($0) }
      case .saved(let text):
        (state.saved, state.isSaving) = (text, false)
        return .none
      }
    }
    .actions(Action.typed("a"), .typed("ab"))
    .eventually { $0.saved == $0.text }
  }
}

private enum LoggedInAgain {
  struct State: Equatable {
    var token = ""
    var wantsIn = false
  }
  enum Action: Equatable { case logIn, logOut, token(String), expired }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .logIn:
        state.wantsIn = true
        return load("token") { .token($0) }
      case .expired:
        return load("token") { .token($0) }
      case .logOut:
        state = State()
        return .cancel(id: "log in")
      case .token(let token):
        state.token = token
        return .none
      }
    }
    .availableActions {
      !$0.wantsIn ? [Action.logIn] : $0.token.isEmpty ? [] : [.expired, .logOut]
    }
    .always { $0.wantsIn || $0.token.isEmpty }
  }
}
