// Features with bugs that need five and more particular deviations (X13).

import Rondo
import RondoTesting

@testable import RondoExploration

/// Bugs that are found by going on from rare states.
enum DeepBug: String, CaseIterable, Sendable {
  case handshake, retries, races, wizard, frames

  /// The number of runs until the bug is found; `nil` where it was not found.
  ///
  /// - Parameter depth: The number of particular steps that the bug needs.
  func ordersNeeded(
    seed: UInt64, limit: Int, isGuided: Bool, depth: Int = 6
  ) async -> Int? {
    let search = OrderSearch(limit: limit, seed: seed, prunes: true, isGuided: isGuided)
    return switch self {
    case .handshake: await Handshake.explorer(depth).ordersNeeded(search, steps: 30)
    case .retries: await Retries.explorer(depth).ordersNeeded(search, steps: 6)
    case .races: await Races.explorer(depth).ordersNeeded(search, steps: 20)
    case .wizard: await Wizard.explorer(depth).ordersNeeded(search, steps: 30)
    case .frames: await Frames.explorer(depth).ordersNeeded(search, steps: 30)
    }
  }
}

extension Explorer {
  fileprivate func ordersNeeded(_ search: OrderSearch, steps: Int) async -> Int? {
    let result = await self.search(search, steps: steps)
    return result.failure == nil ? nil : result.coverage.orderCount
  }
}

/// A connection that breaks where its six messages come in the right order: any other one begins again.
private enum Handshake {
  struct State: Hashable {
    var stage = 0
    var typed = ""
    var wasReset = false
  }
  enum Action: Hashable { case message(Int), typed(String) }

  static func explorer(_ depth: Int) -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .message(let number):
        state.stage = number == state.stage ? state.stage + 1 : 0
      case .typed(let text):
        state.typed = String((state.typed + text).suffix(3))
      }
      return .none
    }
    .actions(.oneOf(3, 0, 4, 2, 6, 5, 1)) { Action.message($0) }
    .actions(.typed("a"), .typed("b"))
    .always { $0.stage < depth }
  }
}

/// An upload that gives up for ever when six tries in a row have failed, whatever the user types meanwhile.
private enum Retries {
  struct State: Hashable {
    var text = ""
    var receipt = ""
    var failureCount = 0
  }
  enum Action: Hashable { case typed(String), saveTapped, saved(String), failed }

  static func explorer(_ depth: Int) -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce { state, action in
        switch action {
        case .typed(let text):
          state.text = String((state.text + text).suffix(4))
          return .none
        case .saveTapped:
          return save(state.text, { .saved($0) }, failed: .failed)
        case .saved(let receipt):
          state.receipt = receipt
          state.failureCount = 0
          return .none
        case .failed:
          state.failureCount += 1
          return wait(.seconds(1), Action.saveTapped)
        }
      }
    }
    .actions(.typed("a"), .typed("b"), .saveTapped)
    .outcomes(of: \.server.save) { _ in
      [
        .success("kept"), .success("merged"), .success("queued"), .success("old"),
        .failure(Offline()),
      ]
    }
    .always { $0.failureCount < depth }
  }
}

/// Rounds of two requests each, which have to be answered in the opposite order, seven times in a row.
private enum Races {
  struct State: Hashable {
    var round = 0
    var streak = 0
    var answers = ""
  }
  enum Action: Hashable { case asked, other, answered(String) }

  static func explorer(_ depth: Int) -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .asked:
        guard state.answers.count.isMultiple(of: 2) else { return .none }
        state.round += 1
        return .merge(["a", "b"].map { name in load(name) { .answered($0) } })
      case .other:
        return .none
      case .answered(let answer):
        state.answers += answer
        if state.answers.count.isMultiple(of: 2) {
          state.streak = state.answers.hasSuffix("ba") ? state.streak + 1 : 0
        }
        return .none
      }
    }
    .actions(.asked, .other)
    .always { $0.streak < depth }
  }
}

/// A form of seven pages, each with one button that leads on and others that lead back.
private enum Wizard {
  struct State: Hashable {
    var page = 0
    var isBusy = false
    var hint = 0
  }
  enum Action: Hashable { case tapped(Int), hinted(Int), shown(Int) }

  static func explorer(_ depth: Int) -> Explorer<State, Action> {
    explore(State()) { state, action in
      switch action {
      case .tapped(let button):
        guard !state.isBusy else { return .none }
        state.isBusy = true
        let next = button == (state.page * 3 + 1) % 5 ? state.page + 1 : max(0, state.page - 1)
        return load("\(next)") { .shown(Int($0) ?? 0) }
      case .hinted(let hint):
        state.hint = (state.hint * 2 + hint) % 32
        return .none
      case .shown(let page):
        state.isBusy = false
        state.page = page
        return .none
      }
    }
    .actions(.integers(0...4)) { Action.tapped($0) }
    .actions(.hinted(0), .hinted(1))
    .always { $0.page < depth }
  }
}

/// A decoder that fails after six particular frames, of five that a server may answer with.
private enum Frames {
  struct State: Hashable {
    var last = ""
    var matched = 0
    var volume = 0
  }
  enum Action: Hashable { case asked, louder, softer, decoded(String) }

  static func explorer(_ depth: Int) -> Explorer<State, Action> {
    Explorer(initialState: State()) {
      Reduce { state, action in
        switch action {
        case .asked:
          return load("frame") { .decoded($0) }
        case .louder:
          state.volume = min(9, state.volume + 1)
          return .none
        case .softer:
          state.volume = max(0, state.volume - 1)
          return .none
        case .decoded(let frame):
          let expected = ["d", "b", "e", "e", "c", "d", "b"]
          state.matched = frame == expected[state.matched % 7] ? state.matched + 1 : 0
          state.last = frame
          return .none
        }
      }
    }
    .actions(.asked, .louder, .softer)
    .outcomes(of: \.server.load) { _ in ["a", "b", "c", "d", "e"].map { .success($0) } }
    .always { $0.matched < depth }
  }
}
