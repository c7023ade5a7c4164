// States that hold states of their own type, and fields that are reached by their accessors.

#if RONDO_MACROS

  import Observation
  import Rondo
  import Testing

  @Reducer private struct Folder {
    @ObservableState
    struct State: Equatable, Identifiable {
      let id: Int
      var name = ""
      var children: IdentifiedArrayOf<Folder.State> = []
      @Presents var sheet: Folder.State?
    }

    enum Action {
      case rename(String)
      case open
      indirect case children(IdentifiedActionOf<Folder>)
      indirect case sheet(PresentationAction<Folder.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .rename(let name): state.name = name
        case .open: state.sheet = State(id: 9)
        case .children, .sheet: break
        }
        return .none
      }
      .forEach(\.children, action: \.children) { Folder() }
      .ifLet(\.$sheet, action: \.sheet) { Folder() }
    }
  }

  @Reducer private struct Left {
    @ObservableState struct State: Equatable { @Presents var right: Right.State? }
    enum Action { indirect case right(PresentationAction<Right.Action>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().ifLet(\.$right, action: \.right) { Right() }
    }
  }

  @Reducer private struct Right {
    @ObservableState struct State: Equatable {
      var count = 0
      @Presents var left: Left.State?
    }
    enum Action {
      case count
      indirect case left(PresentationAction<Left.Action>)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .count = action { state.count += 1 }
        return .none
      }
      .ifLet(\.$left, action: \.left) { Left() }
    }
  }

  /// A child in a part of a state, and one that two variables may hold.
  @Reducer private struct Nest {
    @ObservableState struct State: Equatable {
      var part = Part()
      #if true
        @Presents var conditional: Leaf.State?
      #endif
    }
    @ObservableState struct Part: Equatable { @Presents var sheet: Leaf.State? = Leaf.State() }
    enum Action {
      case show
      case sheet(PresentationAction<Leaf.Action>)
      case conditional(PresentationAction<Leaf.Action>)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .show = action { state.conditional = Leaf.State() }
        return .none
      }
      .ifLet(\.part.$sheet, action: \.sheet) { Leaf() }
      .ifLet(\.$conditional, action: \.conditional) { Leaf() }
    }
  }

  @Reducer private struct Leaf {
    @ObservableState struct State: Equatable { var number = 0 }
    enum Action { case replace }
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state = State(number: 100)
        return .none
      }
    }
  }

  /// A presentation that is in one case of an enum, behind a computed property.
  private struct Modal: Reducer {
    struct State {
      enum Mode {
        case idle(Int), editing(PresentationState<Leaf.State>)
      }
      var mode = Mode.editing(PresentationState(wrappedValue: Leaf.State()))
      var unrelated = PresentationState<Leaf.State>(wrappedValue: nil)

      var sheet: PresentationState<Leaf.State> {
        get {
          if case .editing(let sheet) = mode { sheet } else { PresentationState(wrappedValue: nil) }
        }
        set { if case .editing = mode { mode = .editing(newValue) } }
      }
    }
    enum Action: CasePathable {
      case idle
      case sheet(PresentationAction<Leaf.Action>)

      struct AllCasePaths: Sendable {
        let sheet = AnyCasePath(Action.sheet)
      }
      static let allCasePaths = AllCasePaths()
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        if case .idle = action { state.mode = .idle(42) }
        return .none
      }
      .ifLet(\.sheet, action: \.sheet) { Leaf() }
    }
  }

  @ObservableState private struct Owner {
    final class Pet {}
    weak var pet: Pet?
    unowned(unsafe) var other: Pet?
    @available(*, deprecated) var old = 0
    var new = 0
  }

  @MainActor @Suite struct SelfContainingStateTests {
    // H13, C2
    @Test func aFeatureMayContainItself() {
      let state = Folder.State(id: 1, children: [Folder.State(id: 2)])
      let store = Store(initialState: state) { Folder() }
      store.send(.children(.element(id: 2, action: .rename("inner"))))
      store.send(.open)
      store.send(.sheet(.presented(.open)))
      store.send(.sheet(.presented(.sheet(.presented(.rename("deep"))))))
      #expect(store.children[id: 2]?.name == "inner")
      #expect(store.sheet?.sheet?.name == "deep")
    }

    // H13, C4
    @Test func twoFeaturesMayPresentOneAnother() {
      let store = Store(initialState: Left.State(right: Right.State(left: Left.State()))) { Left() }
      store.send(.right(.presented(.count)))
      #expect(store.right?.count == 1)
    }

    // C4, R7
    @Test func aPresentationInAPartOfAStateWakesItsReaders() {
      let store = Store(initialState: Nest.State()) { Nest() }
      var seen: [Int?] = []
      let token = observe { seen.append(store.part.sheet?.number) }
      store.send(.sheet(.presented(.replace)))
      #expect(seen == [0, 100])
      token.cancel()
    }

    // C4, R7
    @Test func aPresentationThatIsCompiledOnConditionWakesItsReaders() {
      let store = Store(initialState: Nest.State()) { Nest() }
      var seen: [Int?] = []
      let token = observe { seen.append(store.conditional?.number) }
      store.send(.show)
      store.send(.conditional(.presented(.replace)))
      #expect(seen == [nil, 0, 100])
      token.cancel()
    }

    // H13
    @Test func aPresentationThatMovesIsFollowed() {
      let store = Store(initialState: Modal.State()) { Modal() }
      store.send(.sheet(.presented(.replace)))
      #expect(store.withState { $0.sheet.wrappedValue?.number } == 100)
      store.send(.idle)
      #expect(store.withState { $0.sheet.wrappedValue } == nil)
    }

    // C10
    @Test func aWeakVariableStaysWeak() {
      var owner = Owner()
      var pet: Owner.Pet? = Owner.Pet()
      owner.pet = pet
      #expect(owner.pet === pet)
      pet = nil
      #expect(owner.pet == nil)
      owner.new += 1
      #expect(owner.new == 1)
    }

    // H6
    @Test func theFirstReadInTheMiddleOfAReductionIsReported() {
      final class Owner { var store: Store<Int, Int>? }
      let owner = Owner()
      nonisolated(unsafe) let unshared = owner
      owner.store = Store(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += action
          _ = MainActor.assumeIsolated { unshared.store?.state }
          return .none
        }
      }
      let issues = captureIssues {
        owner.store?.send(1)
        owner.store?.send(1)
      }
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains("while the store's reducer was changing it") == true)
      owner.store = nil
    }

    // H6: the compiler takes out of the state what an optimized reducer overwrites later.
    @Test(.enabled(if: !_isDebugAssertConfiguration()))
    func theFirstReadInTheMiddleOfAReductionStopsAnOptimizedProgram() async {
      await #expect(processExitsWith: .failure) {
        await MainActor.run {
          nonisolated(unsafe) var store: Store<[Int], Int>?
          store = Store(initialState: [0]) {
            Reduce<[Int], Int> { state, action in
              state = []
              print(MainActor.assumeIsolated { store?.state ?? [] })
              state = [action]
              return .none
            }
          }
          store?.send(1)
        }
      }
    }
  }

#endif
