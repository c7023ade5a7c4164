// Small operators: children that come and go, changes by others, effects that run, states compared by dump.

import Rondo
import RondoTesting
import Testing

@Suite struct SmallOperatorTests {
  // MARK: Mounting

  struct Sheet: Reducer {
    struct State: Equatable, Identifiable {
      let id: Int
      var draft = ""
    }
    enum Action: Equatable { case typed(String), closed }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      if case .typed(let text) = action { state.draft = text }
      return .none
    }
  }

  struct Home: Reducer {
    struct State: Equatable {
      var sheet: Sheet.State?
      var log: [String] = []
    }
    enum Action: Equatable {
      case shown(Int), hidden, mounted
      case sheet(Sheet.Action)
    }
    var body: some Reducer<State, Action> {
      Reduce<State, Action> { state, action in
        switch action {
        case .shown(let id): state.sheet = Sheet.State(id: id)
        case .hidden, .sheet(.closed): state.sheet = nil
        case .mounted, .sheet: break
        }
        return .none
      }
      .ifLet(\.sheet, action: AnyCasePath(Action.sheet)) { Sheet() }
      .onMount(of: \.sheet) { state in
        state.log.append("mount \(state.sheet?.id ?? -1)")
        return .send(.mounted)
      }
      .onDismount(of: \.sheet) { sheet, state in
        state.log.append("dismount \(sheet.id) \(sheet.draft)")
        return .none
      }
    }
  }

  // K42
  @Test func aChildThatComesAndGoesIsNoticed() async {
    let store = TestStore(initialState: Home.State()) { Home() }
    await store.send(.shown(1)) {
      $0.sheet = Sheet.State(id: 1)
      $0.log = ["mount 1"]
    }
    await store.receive(.mounted)
    await store.send(.sheet(.typed("Hello"))) { $0.sheet?.draft = "Hello" }
    await store.send(.shown(2)) {
      $0.sheet = Sheet.State(id: 2)
      $0.log += ["mount 2", "dismount 1 Hello"]
    }
    await store.receive(.mounted)
    await store.send(.shown(2))  // The same child.
    await store.send(.sheet(.closed)) {
      $0.sheet = nil
      $0.log += ["dismount 2 "]
    }
  }

  // MARK: Changes by others

  struct Label: Reducer {
    struct State: Equatable {
      @Shared(.inMemory("units")) var units = "m"
      var lastUnits: String?
      var texts: [String] = []
    }
    enum Action: Equatable { case appeared, said(String) }
    var initial = false
    var body: some Reducer<State, Action> {
      Reduce<State, Action> { state, action in
        if case .said(let text) = action { state.texts.append(text) }
        return .none
      }
      .onChange(of: \.units, since: \.lastUnits, initial: initial) { old, state in
        .send(.said("\(old ?? "-") \(state.units)"))
      }
    }
  }

  // K42
  @Test func aChangeByOthersIsNoticedWithTheNextAction() async {
    let store = TestStore(initialState: Label.State()) { Label() }
    await store.send(.appeared) { $0.lastUnits = "m" }
    @Shared(.inMemory("units")) var units = "m"
    $units.withLock { $0 = "km" }
    await store.send(.appeared) { $0.lastUnits = "km" }
    await store.receive(.said("m km")) { $0.texts = ["m km"] }
    await store.send(.appeared)
  }

  // K42
  @Test func theFirstValueMayCountAsAChange() async {
    let store = TestStore(initialState: Label.State()) { Label(initial: true) }
    await store.send(.appeared) { $0.lastUnits = "m" }
    await store.receive(.said("- m")) { $0.texts = ["- m"] }
  }

  // MARK: Running effects

  struct Loader: Reducer {
    struct State: Equatable {
      var effects = RunningEffects()
      var isRunning: [Bool] = []
    }
    enum Action: Equatable { case load, cancel, ask, loaded }
    @Dependency(\.continuousClock) var clock
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .load:
        guard !state.effects.isRunning("load") else { return .none }
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.loaded)
        }
        .cancellable(id: "load")
        .running(as: "load", in: state.effects)
      case .cancel:
        return .cancel(id: "load")
      case .ask, .loaded:
        state.isRunning.append(state.effects.isRunning("load"))
        return .none
      }
    }
  }

  // K42
  @Test func aReducerReadsWhetherAnEffectRuns() async {
    let store = TestStore(initialState: Loader.State()) { Loader() }
    await store.send(.ask) { $0.isRunning = [false] }
    await store.send(.load)
    await store.send(.load)  // Nothing is started.
    await store.send(.ask) { $0.isRunning = [false, true] }
    await store.advance(by: .seconds(1))
    await store.receive(.loaded) { $0.isRunning = [false, true, true] }
    await store.send(.ask) { $0.isRunning = [false, true, true, false] }
    await store.send(.load)
    await store.send(.cancel)
    await store.send(.ask) { $0.isRunning.append(false) }
    #expect(!RunningEffects().isRunning("load"))
  }

  // K42
  @Test @MainActor func aLiveStoreForgetsAnEffectThatHasEnded() async {
    let store = Store(initialState: Loader.State()) {
      Loader()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
    await store.send(.load).finish()
    store.send(.ask)
    #expect(store.withState(\.isRunning) == [true, false])
  }

  // MARK: Compared by dump

  struct Player: Reducer {
    struct Track { var title = "" }
    struct State {
      var track = Track()
      var isPlaying = false
      var onEnd: () -> Void = {}
    }
    enum Action { case play(String), stop }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .play(let title):
        state.track.title = title
        state.isPlaying = true
        return .run { send in await send(.stop) }
      case .stop:
        state.isPlaying = false
        return .none
      }
    }
  }

  // K42
  @Test func aStateWithoutEquatableIsComparedByItsDump() async {
    let store = TestStore(comparingDumpsOf: Player.State()) { Player() }
    await store.send(.play("A")) {
      $0.track.title = "A"
      $0.isPlaying = true
    }
    await store.receive(case: Player.Action.stop) { $0.isPlaying = false }
    #expect(store.state.track.title == "A")
  }

  // K42
  @Test func anEffectReadsTheStateThatIsComparedByItsDump() async {
    struct Reader: Reducer {
      func reduce(into state: inout Player.State, action: Player.Action) -> Effect<Player.Action> {
        guard case .stop = action else { return .none }
        return .run { send in
          if let title = await send.state(\Player.State.track.title) { await send(.play(title)) }
        }
      }
    }
    var state = Player.State()
    state.track.title = "A"
    let store = TestStore(comparingDumpsOf: state) { Reader() }
    await store.send(.stop)
    await store.receive(case: Player.Action.play, "A")
  }

  // K42
  @Test func aDifferenceNamesThePartsOfTheState() async {
    let text = await message {
      let store = TestStore(comparingDumpsOf: Player.State()) { Player() }
      store.exhaustivity = [.state]
      await store.send(.play("A")) { $0.track.title = "B" }
    }
    #expect(text.contains("title: \"B\""))
    #expect(text.contains("title: \"A\""))
    #expect(!text.contains("ComparedByDump"))
  }
}
