// Bugs in features that cancel, that wait for time, and whose effects run side by side.

import RondoTesting

extension PlantedBug {
  // MARK: Cancelling

  static let cancelling: [PlantedBug] = [
    lostCancel, cancelsTheOther, cancelledButCharged, notRestarted, droppedAnswer,
  ]
  static let lostCancel = PlantedBug(
    "a cancel stops the spinner and not the work", LostCancel.explorer)
  static let cancelsTheOther = PlantedBug(
    "closing one tab cancels the work of another", CancelsTheOther.explorer)
  static let cancelledButCharged = PlantedBug(
    "a purchase is cancelled after it was charged", CancelledButCharged.explorer)
  static let notRestarted = PlantedBug(
    "a refresh is ignored while the old one is being cancelled", NotRestarted.explorer)
  static let droppedAnswer = PlantedBug(
    "a second tap cancels the save of the first", DroppedAnswer.explorer)

  // MARK: Time

  static let time: [PlantedBug] = [
    timerAfterStop, timeoutAndAnswer, retriedTwice, pollsOverlap, undoTooLate, twoAtOneInstant,
  ]
  static let timerAfterStop = PlantedBug("a tick arrives after the stop", TimerAfterStop.explorer)
  static let timeoutAndAnswer = PlantedBug(
    "an answer comes after its timeout was shown", TimeoutAndAnswer.explorer)
  static let retriedTwice = PlantedBug(
    "a retry by hand and one by itself run together", RetriedTwice.explorer)
  static let pollsOverlap = PlantedBug(
    "a slow poll replaces the one after it", PollsOverlap.explorer)
  static let undoTooLate = PlantedBug(
    "an undo comes when the deletion is on its way", UndoTooLate.explorer)
  static let twoAtOneInstant = PlantedBug(
    "of two timers due together the other one is first", TwoAtOneInstant.explorer)

  // MARK: Side by side

  static let sideBySide: [PlantedBug] = [
    progressAfterDone, firstEndWins, sharedBox, betweenTwoSends, uploadOfNothing, loggedLate,
  ]
  static let progressAfterDone = PlantedBug(
    "progress is reported after the end", ProgressAfterDone.explorer)
  static let firstEndWins = PlantedBug(
    "the first of two jobs to end hides that the other runs", FirstEndWins.explorer)
  static let sharedBox = PlantedBug(
    "two effects read a value before either writes it", SharedBox.explorer)
  static let betweenTwoSends = PlantedBug(
    "a cancel arrives between two sends", BetweenTwoSends.explorer)
  static let uploadOfNothing = PlantedBug(
    "an upload starts before its file is there", UploadOfNothing.explorer)
  static let loggedLate = PlantedBug(
    "three steps come in an order that only three turns give", LoggedLate.explorer)

  static let all = answers + cancelling + time + sideBySide
}

private enum LostCancel {
  struct State: Equatable {
    var isLoading = false
    var wasCancelled = false
    var value = ""
  }
  enum Action: Equatable { case loadTapped, cancelTapped, loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .loadTapped:
        state = State()
        state.isLoading = true
        return load("value") { .loaded($0) }
      case .cancelTapped:
        (state.isLoading, state.wasCancelled) = (false, true)
        return .none
      case .loaded(let value):
        (state.isLoading, state.value) = (false, value)
        return .none
      }
    }
    .availableActions { [$0.isLoading ? Action.cancelTapped : .loadTapped] }
    .always { !$0.wasCancelled || $0.value.isEmpty }
  }
}

private enum CancelsTheOther {
  struct State: Equatable {
    var open = Set<String>()
    var loaded = Set<String>()
  }
  enum Action: Equatable { case opened(String), closed(String), loaded(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .opened(let tab):
        state.open.insert(tab)
        return load(tab) { .loaded($0) }.cancellable(id: "tab")
      case .closed(let tab):
        state.open.remove(tab)
        state.loaded.remove(tab)
        return .cancel(id: "tab")
      case .loaded(let tab):
        state.loaded.insert(tab)
        return .none
      }
    }
    .availableActions { state in
      state.open.isEmpty
        ? [Action.opened("a")] : state.open == ["a"] ? [.opened("b")] : [.closed("a")]
    }
    .eventually { $0.open == $0.loaded }
  }
}

private enum CancelledButCharged {
  struct State: Equatable {
    var isCancelled = false
    var isCharged = false
    var isBuying = false
  }
  enum Action: Equatable { case buyTapped, cancelTapped, charged, done }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .buyTapped:
        state.isBuying = true
        return .run { send in
          @Dependency(\.server) var server
          _ = try await server.save("charge")
          await send(.charged)
          _ = try await server.save("receipt")
          await send(.done)
        }.cancellable(id: "buy")
      case .cancelTapped:
        (state.isCancelled, state.isBuying) = (true, false)
        return .cancel(id: "buy")
      case .charged:
        state.isCharged = true
        return .none
      case .done:
        state.isBuying = false
        return .none
      }
    }
    .availableActions { state in
      state.isBuying
        ? [Action.cancelTapped] : state.isCharged || state.isCancelled ? [] : [.buyTapped]
    }
    .always { !$0.isCharged || !$0.isCancelled }
  }
}

private enum NotRestarted {
  struct State: Equatable {
    var isLoading = false
    var wanted = 0
    var shown = 0
  }
  enum Action: Equatable { case refreshed, cancelled, loaded(Int) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .refreshed:
        state.wanted += 1
        guard !state.isLoading else { return .none }
        state.isLoading = true
        let wanted = state.wanted
        return load("\(wanted)") { .loaded(Int($0)!) }.cancellable(id: "load")
      case .cancelled:
        return .cancel(id: "load")
      case .loaded(let number):
        (state.isLoading, state.shown) = (false, number)
        return .none
      }
    }
    .availableActions { $0.isLoading ? [Action.cancelled] : [.refreshed] }
    .eventually { !$0.isLoading }
  }
}

private enum DroppedAnswer {
  struct State: Equatable {
    var added = 0
    var saved = 0
  }
  enum Action: Equatable { case addTapped, saved }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .addTapped:
        state.added += 1
        return save("item") { _ in .saved }.cancellable(id: "save", cancelInFlight: true)
      case .saved:
        state.saved += 1
        return .none
      }
    }
    .actions(Action.addTapped)
    .eventually { $0.saved == $0.added }
  }
}

private enum TimerAfterStop {
  struct State: Equatable {
    var isRunning = false
    var ticksAfterStop = 0
  }
  enum Action: Equatable { case started, stopped, ticked, logged }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        state.isRunning = true
        return wait(.seconds(1), .ticked).cancellable(id: "timer", cancelInFlight: true)
      case .stopped:
        state.isRunning = false
        return .cancel(id: "timer")
      case .ticked:
        return save("tick") { _ in .logged }
      case .logged:
        if !state.isRunning { state.ticksAfterStop += 1 }
        return .none
      }
    }
    .availableActions { [$0.isRunning ? Action.stopped : .started] }
    .always { $0.ticksAfterStop == 0 }
  }
}

private enum TimeoutAndAnswer {
  struct State: Equatable {
    var value = ""
    var hasTimedOut = false
  }
  enum Action: Equatable { case loadTapped, loaded(String), timedOut }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .loadTapped:
        return .merge(load("value") { .loaded($0) }, wait(.seconds(5), .timedOut))
      case .loaded(let value):
        state.value = value
        return .none
      case .timedOut:
        if state.value.isEmpty { state.hasTimedOut = true }
        return .none
      }
    }
    .actions(Action.loadTapped)
    .always { $0.value.isEmpty || !$0.hasTimedOut }
  }
}

private enum RetriedTwice {
  struct State: Equatable {
    var inFlight = 0
    var hasFailed = false
  }
  enum Action: Equatable { case loadTapped, retryTapped, retry, loaded, failed }

  static func explorer() -> Explorer<State, Action> {
    explore(State(), canFail: true) { state, action in
      switch action {
      case .loadTapped, .retryTapped, .retry:
        state.hasFailed = false
        state.inFlight += 1
        return load("value", { _ in .loaded }, failed: .failed)
      case .loaded:
        state.inFlight -= 1
        return .none
      case .failed:
        state.inFlight -= 1
        state.hasFailed = true
        return wait(.seconds(1), .retry)
      }
    }
    .availableActions {
      $0.hasFailed ? [Action.retryTapped] : $0.inFlight == 0 ? [.loadTapped] : []
    }
    .faults(atMost: 1, of: [])
    .always { $0.inFlight < 2 }
  }
}

private enum PollsOverlap {
  struct State: Equatable {
    var sent = 0
    var shown = 0
    var isPolling = false
  }
  enum Action: Equatable { case started, poll, loaded(Int) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started, .poll:
        state.sent += 1
        let number = state.sent
        let next: Effect<Action> = number < 3 ? wait(.seconds(1), .poll) : .none
        return .merge(load("\(number)") { .loaded(Int($0)!) }, next)
      case .loaded(let number):
        state.shown = number
        return .none
      }
    }
    .availableActions { $0.sent == 0 ? [Action.started] : [] }
    .eventually { $0.shown == $0.sent }
  }
}

private enum UndoTooLate {
  struct State: Equatable {
    var isDeleted = false
    var canUndo = false
    var isGone = false
  }
  enum Action: Equatable { case deleteTapped, undoTapped, graceIsOver, deleted }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .deleteTapped:
        (state.isDeleted, state.canUndo) = (true, true)
        return wait(.seconds(3), .graceIsOver).cancellable(id: "grace", cancelInFlight: true)
      case .undoTapped:
        (state.isDeleted, state.canUndo) = (false, false)
        return .cancel(id: "grace")
      case .graceIsOver:
        return save("delete") { _ in .deleted }
      case .deleted:
        (state.isGone, state.canUndo) = (true, false)
        return .none
      }
    }
    .availableActions {
      $0.canUndo ? [Action.undoTapped] : $0.isDeleted || $0.isGone ? [] : [.deleteTapped]
    }
    .always { !$0.isGone || $0.isDeleted }
  }
}

private enum TwoAtOneInstant {
  struct State: Equatable {
    var isWarm = false
    var hasServed = false
  }
  enum Action: Equatable { case started, warmed, serve }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        return .merge(wait(.seconds(2), .warmed), wait(.seconds(2), .serve))
      case .warmed:
        state.isWarm = true
        return .none
      case .serve:
        state.hasServed = true
        return .none
      }
    }
    .actions(Action.started)
    .always { !$0.hasServed || $0.isWarm }
  }
}

private enum ProgressAfterDone {
  struct State: Equatable {
    var isDone = false
    var isBroken = false
    var hasStarted = false
  }
  enum Action: Equatable { case started, progressed, finished }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        state.hasStarted = true
        return .merge(
          .run { send in
            await send(.progressed)
            await send(.progressed)
          },
          .run { send in await send(.finished) })
      case .progressed:
        if state.isDone { state.isBroken = true }
        return .none
      case .finished:
        state.isDone = true
        return .none
      }
    }
    .availableActions { $0.isDone || $0.hasStarted ? [] : [Action.started] }
    .always { !$0.isBroken }
  }
}

private enum FirstEndWins {
  struct State: Equatable {
    var isBusy = false
    var running = 0
  }
  enum Action: Equatable { case started, began, ended }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        let job = Effect<Action>.run { send in
          await send(.began)
          await send(.ended)
        }
        return .merge(job, job)
      case .began:
        state.isBusy = true
        state.running += 1
        return .none
      case .ended:
        state.isBusy = false
        state.running -= 1
        return .none
      }
    }
    .actions(Action.started)
    .always { $0.isBusy || $0.running == 0 }
  }
}

private enum SharedBox {
  struct State: Equatable {
    var tapCount = 0
    var total = 0
  }
  enum Action: Equatable { case started, working, counted(Int) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        state.tapCount += 2
        let before = state.total
        let box = LockIsolated(before)
        let count = Effect<Action>.run { send in
          let value = box.value
          await send(.working)
          box.setValue(value + 1)
          await send(.counted(box.value))
        }
        return .merge(count, count)
      case .working:
        return .none
      case .counted(let total):
        state.total = max(state.total, total)
        return .none
      }
    }
    .availableActions { $0.tapCount == 0 ? [Action.started] : [] }
    .eventually { $0.total == $0.tapCount }
  }
}

private enum BetweenTwoSends {
  struct State: Equatable {
    var debit = 0
    var credit = 0
  }
  enum Action: Equatable { case transferTapped, cancelTapped, debited, credited }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .transferTapped:
        return .run { send in
          await send(.debited)
          await send(.credited)
        }.cancellable(id: "transfer")
      case .cancelTapped:
        return .cancel(id: "transfer")
      case .debited:
        state.debit += 1
        return .none
      case .credited:
        state.credit += 1
        return .none
      }
    }
    .actions(Action.transferTapped, .cancelTapped)
    .eventually { $0.debit == $0.credit }
  }
}

private enum UploadOfNothing {
  struct State: Equatable {
    var hasFile = false
    var hasUploaded = false
  }
  enum Action: Equatable { case started, written, uploaded }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        return .merge(
          .run { send in await send(.written) }, .run { send in await send(.uploaded) })
      case .written:
        state.hasFile = true
        return .none
      case .uploaded:
        state.hasUploaded = true
        return .none
      }
    }
    .actions(Action.started)
    .always { !$0.hasUploaded || $0.hasFile }
  }
}

private enum LoggedLate {
  struct State: Equatable { var log = "" }
  enum Action: Equatable { case started, said(String) }

  static func explorer() -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .started:
        return .merge(
          ["a", "b", "c"].map { name in
            .run { send in
              await send(.said(name))
              await send(.said(name.uppercased()))
            }
          })
      case .said(let word):
        state.log += word
        return .none
      }
    }
    .availableActions { $0.log.isEmpty ? [Action.started] : [] }
    .always { !$0.log.hasPrefix("cbaABC") }
  }
}
