// K36: names of cases whose enum is not known to have case paths, as libraries over reducers take them.

import RondoCompatibility
import Testing

private enum Player: Equatable, CasePathable {
  case volume(Int)
  case track(Track)
  case stopped

  enum Track: Equatable, CasePathable {
    case title(String)
    struct AllCasePaths: Sendable {
      let title = AnyCasePath(Track.title)
    }
    static let allCasePaths = AllCasePaths()
  }

  struct AllCasePaths: Sendable {
    let volume = AnyCasePath(Player.volume)
    let track = AnyCasePath(Player.track)
    let stopped = AnyCasePath(Player.stopped)
  }
  static let allCasePaths = AllCasePaths()
}

// A library: it asks nothing of the actions.
extension Reducer {
  fileprivate func counting<Event>(
    _ event: CaseKeyPath<Action, Event>, in count: WritableKeyPath<State, Int>
  ) -> some Reducer<State, Action> {
    let event = AnyCasePath(event)
    return CombineReducers {
      self
      Reduce { state, action in
        if event.extract(from: action) != nil { state[keyPath: count] += 1 }
        return .none
      }
    }
  }

  fileprivate func rows<
    ID: Hashable & Sendable, RowState, RowAction, Row: Reducer<RowState, RowAction>
  >(
    _ rows: WritableKeyPath<State, IdentifiedArray<ID, RowState>>,
    _ action: CaseKeyPath<Action, IdentifiedAction<ID, RowAction>>,
    @ReducerBuilder<RowState, RowAction> row: () -> Row
  ) -> some Reducer<State, Action> {
    forEach(rows, action: action) { row() }
  }
}

/// Infers the enum from the name.
private func matches<Root>(_ name: PartialCaseKeyPath<Root>, _ root: Root) -> Bool
where Root: CasePathable {
  root.is(name)
}

@Suite struct OpenCaseKeyPathTests {
  // K36
  @Test func aNameMakesExtractsAndChanges() {
    let volume: CaseKeyPath<Player, Int> = \.volume
    var player: Player = volume(1)
    #expect(player == .volume(1))
    #expect(player[case: volume] == 1)
    player[case: volume] = 2
    player.modify(volume) { $0 += 1 }
    #expect(player == .volume(3))
    #expect(AnyCasePath(volume).extract(from: .stopped) == nil)
    let stopped: CaseKeyPath<Player, Void> = \.stopped
    #expect(stopped() == .stopped)
    #expect(AnyCasePath(\Player.Cases.volume).extract(from: player) == 3)
  }

  // K36
  @Test func namesLeadOn() {
    let track: CaseKeyPath<Player, Player.Track> = \.track
    let title = track.appending(path: \.title)
    #expect(title == (\.track.title as CaseKeyPath<Player, String>))
    #expect(title("A") == .track(.title("A")))
    #expect(Player.track(.title("B"))[case: title] == "B")
  }

  // K36
  @Test func aNameIsOneOfAnOptionalValue() {
    let title: CaseKeyPath<Player, String?> = \.track.title
    let path = AnyCasePath(title)
    #expect(path.extract(from: .track(.title("A"))) == "A")
    #expect(path.extract(from: .stopped) == nil)
    #expect(path.embed("B") == .track(.title("B")))
  }

  // K36
  @Test func aPartialNameInfersItsEnum() {
    let name: PartialCaseKeyPath<Player> = \.track.title
    #expect(matches(name, .track(.title("A"))))
    #expect(!matches(name, .stopped))
    #expect(matches(\.stopped, Player.stopped))
    #expect(Player.track(.title("A"))[case: name] as? String == "A")
    let made: Player? = name("C")
    #expect(made == .track(.title("C")))
    let none: Player? = name(3)
    #expect(none == nil)
    switch Player.stopped {
    case name: Issue.record("The player has stopped.")
    default: break
    }
  }

  private struct Row: Reducer {
    struct State: Equatable, Identifiable {
      let id: Int
      var taps = 0
    }
    func reduce(into state: inout State, action: Bool) -> Effect<Bool> {
      state.taps += 1
      return .none
    }
  }

  private struct List: Reducer {
    struct State: Equatable {
      var rows: IdentifiedArrayOf<Row.State> = [Row.State(id: 1)]
      var events = 0
    }
    enum Action: CasePathable {
      case rows(IdentifiedActionOf<Row>), other
      struct AllCasePaths: Sendable {
        let rows = AnyCasePath(Action.rows)
      }
      static let allCasePaths = AllCasePaths()
    }
    var body: some Reducer<State, Action> {
      EmptyReducer()
        .rows(\.rows, \.rows) { Row() }
        .counting(\.rows[id: 1], in: \.events)
    }
  }

  // K36
  @Test @MainActor func librariesTakeNamesOfCases() {
    let store = Store(initialState: List.State()) { List() }
    store.send(.rows(.element(id: 1, action: true)))
    store.send(.other)
    #expect(store.withState { $0 } == List.State(rows: [Row.State(id: 1, taps: 1)], events: 1))
    let action: CaseKeyPath<List.Action, IdentifiedActionOf<Row>> = \.rows
    let child: Store<IdentifiedArrayOf<Row.State>, IdentifiedActionOf<Row>> = store.scope(
      state: \.rows, action: action)
    child.send(.element(id: 1, action: true))
    #expect(store.withState(\.events) == 2)
  }
}
