// Small features for tests of what may be swapped, and what may not.

import Rondo

/// Waits for one second in four ways.
struct Sleepers: Reducer {
  struct State: Equatable {
    var log: [String] = []
  }
  enum Action: Equatable {
    case start
    case said(String)
  }
  @Dependency(\.continuousClock) var clock
  @Dependency(\.mainQueue) var mainQueue

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .merge(
        .run { [clock] send in
          try await clock.sleep(for: .seconds(1))
          await send(.said("sleep"))
        },
        .send(.said("delay")).delay(for: .seconds(1), scheduler: mainQueue),
        Effect.timer(id: "timer", every: .seconds(1), on: mainQueue).map { _ in .said("timer") },
        .send(.said("debounce")).debounce(id: "debounce", for: .seconds(1), scheduler: mainQueue))
    case .said(let word):
      state.log.append(word)
      return .none
    }
  }
}

/// Sleeps until three instants.
struct Ladder: Reducer {
  typealias State = Sleepers.State
  typealias Action = Sleepers.Action
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .merge(
        [3, 1, 2].map { seconds in
          .run { [clock] send in
            try await clock.sleep(for: .seconds(seconds))
            await send(.said("\(seconds)"))
          }
        })
    case .said(let word):
      state.log.append(word)
      return .none
    }
  }
}

/// One effect after another.
struct Chain: Reducer {
  struct State: Equatable {
    var log: [String] = []
  }
  enum Action: Equatable {
    case start, stop
    case said(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .concatenate(
        .run { send in await send(.said("1")) },
        .send(.said("2")),
        .run { send in
          await Task.yield()
          await send(.said("3"))
        })
    case .stop:
      return .none
    case .said(let word):
      state.log.append(word)
      return .none
    }
  }
}

/// Two answers that a queue takes at once.
struct Received: Reducer {
  typealias State = Sleepers.State
  typealias Action = Sleepers.Action
  @Dependency(\.mainQueue) var mainQueue

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .merge(
        .send(.said("1")).receive(on: mainQueue), .send(.said("2")).receive(on: mainQueue))
    case .said(let word):
      state.log.append(word)
      return .none
    }
  }
}

/// Two effects that send from inside of an actor.
struct Guarded: Reducer {
  struct State: Equatable {
    var isBroken = false
  }
  enum Action: Equatable {
    case start
    case passed(isAlone: Bool)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      let door = Door()
      return .merge(
        .run { send in await door.pass(send) }, .run { send in await door.pass(send) })
    case .passed(let isAlone):
      if !isAlone { state.isBroken = true }
      return .none
    }
  }

  private actor Door {
    var count = 0

    func pass(_ send: Send<Action>) async {
      count += 1
      await send(.passed(isAlone: count == 1))
      await send(.passed(isAlone: count == 1))
      count -= 1
    }
  }
}
