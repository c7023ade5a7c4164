// A feature whose effects run side by side.

import Rondo
import RondoExploration
import RondoTestStore
import Synchronization

/// Starts three effects at once. One sends two actions, the others one each.
struct Trio: Reducer {
  struct State: Equatable {
    var log: [String] = []
  }
  enum Action: Equatable {
    case start
    case said(String)
    case stop
  }
  enum CancelID { case all }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .merge(
        .run(name: "a") { send in
          await send(.said("a1"))
          await send(.said("a2"))
        },
        .run(name: "b") { send in await send(.said("b")) },
        .run(name: "c") { send in await send(.said("c")) }
      ).cancellable(id: CancelID.all)
    case .said(let word):
      state.log.append(word)
      return .none
    case .stop:
      return .cancel(id: CancelID.all)
    }
  }
}

/// Runs a piece of a test in every order that a search comes to, and collects what it returns.
nonisolated(nonsending) func outcomes<Outcome: Hashable>(
  _ search: OrderSearch, of run: nonisolated(nonsending) () async -> Outcome
) async -> (outcomes: Set<Outcome>, coverage: ExplorationCoverage) {
  var search = search
  var outcomes: Set<Outcome> = []
  while let policy = search.next() {
    let chooser = OrderChooser(policy)
    outcomes.insert(await TestSettings.with(\.chooser, chooser) { await run() })
    search.didRun(chooser.choices)
  }
  return (outcomes, ExplorationCoverage(search))
}

/// Runs a piece of a test in one order.
func inOrder<Outcome>(
  _ order: EffectOrder, of run: () async -> Outcome
) async -> (outcome: Outcome, chooser: OrderChooser) {
  let chooser = OrderChooser(following: order, keepsSteps: true)
  return (await TestSettings.with(\.chooser, chooser) { await run() }, chooser)
}

/// The words of the three effects, after they have run to their end.
func wordsOfTrio() async -> [String] {
  let store = TestStore(initialState: Trio.State()) { Trio() }
  store.exhaustivity = .off
  await store.send(.start)
  await store.finish()
  await store.skipReceivedActions(strict: false)
  return store.state.log
}
