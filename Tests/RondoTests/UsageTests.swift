// R8, R9: effects as their users write them. These tests are about what compiles.

import Dispatch
import Rondo
import Testing
import RondoRuntimeTestSupport

/// An action as an app's module exports it: public, without `Sendable`.
public enum SearchAction {
  case queryChanged(String)
  case found(Result<[String], any Error>)
  case counted(Int)
  case selected(Selection)
}

/// A class, which nobody can send from one isolation to another.
public final class Selection {
  let index: Int
  init(_ index: Int) { self.index = index }
}

private struct Search: Reducer {
  /// Not `Sendable`, not `Equatable`.
  struct State {
    var query = ""
    var found: [String] = []
    var failure: String?
    var selection: Selection?
    var count = 0
  }

  var find: @Sendable (String) -> Effect<Result<[String], any Error>>
  var log: @Sendable (String) -> Effect<Never>

  var body: some Reducer<State, SearchAction> {
    Reduce { state, action in
      switch action {
      case .queryChanged(let query):
        state.query = query
        return .concatenate(
          log(query).fireAndForget(),
          find(query).map(SearchAction.found),
          .send(.selected(Selection(0))))
      case .found(.success(let found)):
        state.found = found
        return Effect.send(found.count).map(SearchAction.counted)
      case .found(.failure(let error)):
        state.failure = "\(error)"
        return .none
      case .counted(let count):
        state.count = count
        return .none
      case .selected(let selection):
        state.selection = selection
        return .none
      }
    }
  }
}

@MainActor @Suite struct UsageTests {
  // R8, R9
  @Test func aClientAnswersWithResultsThatTheFeatureMapsIntoItsActions() async {
    let log = Log<String>()
    let store = Store(initialState: Search.State()) {
      Search(
        find: { query in
          .future { query.isEmpty ? .failure(Failure()) : .success([query, query]) }
        },
        log: { query in .fireAndForget { log.append(query) } })
    }
    await store.send(.queryChanged("a")).finish()
    #expect(store.found == ["a", "a"])
    #expect(store.count == 2)
    #expect(store.selection?.index == 0)
    await store.send(.queryChanged("")).finish()
    #expect(store.failure == "Failure()")
    #expect(log.entries == ["a", ""])
  }

  // R8
  @Test func actionsThatAreNotSendableAreSentFromARun() async {
    let store = Store(initialState: Selection?.none) {
      Reduce<Selection?, SearchAction> { state, action in
        switch action {
        case .selected(let selection):
          state = selection
          return .none
        default:
          return .run { send in await send(.selected(Selection(7))) }
        }
      }
    }
    await store.send(.counted(0)).finish()
    #expect(store.state?.index == 7)
  }

  // R8
  @Test func aSwitchOverEffectsNeedsNoTypes() {
    func effect(_ number: Int) -> Effect<SearchAction> {
      switch number {
      case 0: .none
      case 1: .send(.counted(1))
      case 2: .send(.counted(2), animation: .default)
      case 3: .merge(.send(.counted(3)), .run { send in await send(.counted(3)) })
      default: .cancel(id: number)
      }
    }
    #expect((0..<5).map { effect($0).isNone } == [true, false, false, false, false])
  }

  // R9
  @Test func operatorsChainAfterALeadingDot() {
    let effect: Effect<Int> = .send(1).map { $0 + 1 }.filter { $0 > 1 }.cancellable(id: "a")
      .animation(.default).prefix(1)
    #expect(outputs(effect) == [2])
  }
}
