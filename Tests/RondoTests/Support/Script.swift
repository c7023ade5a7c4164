// A feature whose actions are words and whose effects a test writes down.

import Rondo

/// Appends every action to its state and answers with the effect that the script has for it.
struct Script: Reducer {
  let effects: (String) -> Effect<String>

  func reduce(into state: inout [String], action: String) -> Effect<String> {
    state.append(action)
    return effects(action)
  }
}

/// A store whose state is the list of actions that it has handled.
@MainActor
func script(_ effects: [String: Effect<String>]) -> Store<[String], String> {
  Store(initialState: []) { Script { effects[$0] ?? .none } }
}

/// A store whose effects are made when an action comes, so that the script may refer to the store.
@MainActor
func script(_ effects: @escaping (String) -> Effect<String>) -> Store<[String], String> {
  Store(initialState: []) { Script(effects: effects) }
}

/// Something that is known later than the closure that uses it.
final class Later<Value> {
  var value: Value?
}
