// The effects of a child end with the child, whichever reducer removes it.

import Rondo
import RondoCompatibility
import Testing

@MainActor
struct RemovedChildTests {
  private func makeStore() -> StoreOf<House> {
    Store(initialState: House.State()) { House() }
  }

  // K2
  @Test(arguments: [Remover.before, .inside, .after, .outside])
  func aChildThatAnyReducerRemovesEndsItsEffects(remover: Remover) {
    let store = makeStore()
    let tasks = store.startAll()
    #expect(tasks.filter(\.isFinished).isEmpty)

    store.send(.floor(.remove(remover)))

    #expect(tasks.filter { !$0.isFinished }.isEmpty)
  }

  // K2
  @Test(arguments: [Remover.before, .inside, .after, .outside])
  func aChildThatAnyReducerReplacesEndsItsEffects(remover: Remover) {
    let store = makeStore()
    let tasks = store.startAll()

    store.send(.floor(.replace(remover)))

    #expect(tasks.filter { !$0.isFinished }.isEmpty)
    #expect(store.floor.optional?.id == 2)
  }

  // K2
  @Test func aChildThatIsLeftAloneKeepsItsEffects() {
    let store = makeStore()
    let tasks = store.startAll()

    store.send(.floor(.other))

    #expect(tasks.filter(\.isFinished).isEmpty)
  }

  // K2
  @Test func anEffectEndsAtOnceWhenAnotherReducerRemovesTheChildInTheSameAction() {
    let store = makeStore()

    let task = store.send(.floor(.optional(.startAndLeave)))

    #expect(store.floor.optional == nil)
    #expect(task.isFinished)
  }

  // K2
  @Test func aChildThatBecomesAnotherByItsOwnReducerKeepsItsEffects() {
    let store = makeStore()
    let task = store.send(.floor(.optional(.start)))

    store.send(.floor(.optional(.rename)))
    store.send(.floor(.other))
    #expect(store.floor.optional?.id == 9)
    #expect(!task.isFinished)

    store.send(.floor(.remove(.outside)))
    #expect(task.isFinished)
  }

  // K2
  @Test func aPayloadWithAnotherIDIsAnotherChild() {
    let store = Store(initialState: Hotel.State()) { Hotel() }
    store.send(.book(1))
    let first = store.send(.visit(.presented(.single(.start))))
    store.send(.book(1))
    #expect(!first.isFinished)
    store.send(.book(2))
    #expect(first.isFinished)
  }

  // K2
  @Test func whatIsBelowAChildEndsWithIt() {
    let store = makeStore()
    let task = store.send(.floor(.rows(.element(id: 1, action: .guest(.start)))))
    let other = store.send(.floor(.rows(.element(id: 1, action: .start))))
    #expect(!task.isFinished)

    store.send(.floor(.evictGuests))
    #expect(task.isFinished)
    #expect(!other.isFinished)

    store.send(.floor(.remove(.outside)))
    #expect(other.isFinished)
  }

  // K2
  @Test func oneOfManyEndsAlone() {
    let store = makeStore()
    let first = store.send(.floor(.rows(.element(id: 1, action: .start))))
    store.send(.floor(.addRow))
    let second = store.send(.floor(.rows(.element(id: 5, action: .start))))

    store.send(.floor(.dropFirstRow))

    #expect(first.isFinished)
    #expect(!second.isFinished)
  }
}

// K37
@MainActor
struct OwnIDTests {
  @Test func aPresentedChildThatChangesItsIDEndsItsEffects() {
    let store = Store(initialState: Hall.State()) { Hall() }
    let tasks = [
      store.send(.alone(.presented(.start))), store.send(.destination(.presented(.room(.start)))),
    ]
    store.send(.alone(.presented(.rename)))
    #expect(tasks.map(\.isFinished) == [true, false])
    store.send(.destination(.presented(.room(.rename))))
    #expect(tasks.map(\.isFinished) == [true, true])
    let later = store.send(.destination(.presented(.room(.start))))
    store.send(.destination(.presented(.room(.rename))))
    #expect(!later.isFinished, "The id is the same.")
    later.cancel()
  }
}

@Reducer
private struct Hall {
  struct State {
    @PresentationState var alone: Room.State? = Room.State()
    @PresentationState var destination: Destination.State? = .room(Room.State())
  }
  enum Action {
    case alone(PresentationAction<Room.Action>)
    case destination(PresentationAction<Destination.Action>)
  }
  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.$alone, action: \.alone) { Room() }
      .ifLet(\.$destination, action: \.destination) { Destination() }
  }

  @Reducer
  struct Destination {
    enum State { case room(Room.State), empty }
    enum Action { case room(Room.Action) }
    var body: some ReducerOf<Self> {
      Scope(state: \.room, action: \.room) { Room() }
    }
  }
}

enum Remover: CaseIterable {
  case before, inside, after, outside
}

extension Store<House.State, House.Action> {
  fileprivate func startAll() -> [StoreTask] {
    [
      send(.floor(.presented(.presented(.start)))),
      send(.floor(.optional(.start))),
      send(.floor(.mode(.room(.start)))),
      send(.floor(.rows(.element(id: 1, action: .start)))),
      send(.floor(.path(.element(id: 0, action: .start)))),
    ]
  }
}

@Reducer
private struct Room {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 1
    var guest: Guest.State? = Guest.State()
  }
  indirect enum Action {
    case start, startAndLeave, rename
    case guest(Guest.Action)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start, .startAndLeave: return .run { _ in try await Task.never() }
      case .rename:
        state.id = 9
        return .none
      case .guest: return .none
      }
    }
    .ifLet(\.guest, action: \.guest) { Guest() }
  }
}

@Reducer
private struct Guest {
  struct State: Equatable {}
  enum Action { case start }
  var body: some ReducerOf<Self> {
    Reduce { _, _ in .run { _ in try await Task.never() } }
  }
}

@Reducer
private struct Mode {
  @CasePathable
  enum State: Equatable { case room(Room.State), empty }
  enum Action { case room(Room.Action) }
  var body: some ReducerOf<Self> {
    EmptyReducer().ifCaseLet(\.room, action: \.room) { Room() }
  }
}

@Reducer
private struct Floor {
  @ObservableState
  struct State: Equatable {
    @Presents var presented: Room.State? = Room.State()
    var optional: Room.State? = Room.State()
    var mode = Mode.State.room(Room.State())
    var rows: IdentifiedArrayOf<Room.State> = [Room.State()]
    var path = StackState([Room.State()])

    mutating func remove() {
      presented = nil
      optional = nil
      mode = .empty
      rows = []
      path = StackState()
    }

    mutating func replace() {
      presented = nil
      presented = Room.State(id: 2)
      optional = Room.State(id: 2)
      mode = .room(Room.State(id: 2))
      rows = [Room.State(id: 2)]
      path = StackState([Room.State(id: 2)])
    }

    mutating func handle(_ action: Action, _ remover: Remover) {
      switch action {
      case .remove(remover): remove()
      case .replace(remover): replace()
      default: break
      }
    }
  }
  enum Action {
    case presented(PresentationAction<Room.Action>)
    case optional(Room.Action)
    case mode(Mode.Action)
    case rows(IdentifiedActionOf<Room>)
    case path(StackActionOf<Room>)
    case remove(Remover), replace(Remover)
    case other, evictGuests, addRow, dropFirstRow
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.handle(action, .before)
      return .none
    }
    Scope(\.mode, action: \.mode) { Mode() }
    Reduce { state, action in
      state.handle(action, .inside)
      return .none
    }
    .ifLet(\.$presented, action: \.presented) { Room() }
    .ifLet(\.optional, action: \.optional) { Room() }
    .forEach(\.rows, action: \.rows) { Room() }
    .forEach(\.path, action: \.path) { Room() }
    Reduce { state, action in
      state.handle(action, .after)
      switch action {
      case .optional(.startAndLeave): state.optional = nil
      case .evictGuests: state.rows[id: 1]?.guest = nil
      case .addRow: state.rows.append(Room.State(id: 5))
      case .dropFirstRow: state.rows.removeFirst()
      default: break
      }
      return .none
    }
  }
}

@Reducer
private struct House {
  @ObservableState
  struct State: Equatable { var floor = Floor.State() }
  enum Action { case floor(Floor.Action) }
  var body: some ReducerOf<Self> {
    Scope(\.floor, action: \.floor) { Floor() }
    Reduce { state, action in
      guard case .floor(let action) = action else { return .none }
      state.floor.handle(action, .outside)
      return .none
    }
  }
}

/// Presents an enum that is no observable state.
private struct Hotel: Reducer {
  struct State { @PresentationState var visit: Visit.State? }
  enum Action { case visit(PresentationAction<Visit.Action>), book(Int) }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .book(let id) = action { state.visit = .single(Bed.State(id: id)) }
      return .none
    }
    .ifLet(\.$visit, action: /Action.visit) { Visit() }
  }

  struct Visit: Reducer {
    enum State { case single(Bed.State), closed }
    enum Action { case single(Bed.Action) }
    var body: some ReducerOf<Self> {
      Scope(state: /State.single, action: /Action.single) { Bed() }
    }
  }

  struct Bed: Reducer {
    struct State: Identifiable { var id: Int }
    enum Action { case start }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      .run { _ in try await Task.never() }
    }
  }
}
