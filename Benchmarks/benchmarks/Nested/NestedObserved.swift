// Ten presented children that are observed by field, as the macros write them.

import Rondo

#if RONDO_MACROS

  @Reducer
  struct Observed0 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed1.State? = Observed1.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed1.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed1() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed1.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed1 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed2.State? = Observed2.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed2.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed2() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed2.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed2 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed3.State? = Observed3.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed3.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed3() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed3.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed3 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed4.State? = Observed4.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed4.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed4() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed4.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed4 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed5.State? = Observed5.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed5.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed5() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed5.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed5 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed6.State? = Observed6.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed6.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed6() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed6.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed6 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed7.State? = Observed7.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed7.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed7() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed7.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed7 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed8.State? = Observed8.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed8.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed8() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed8.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed8 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed9.State? = Observed9.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed9.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed9() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed9.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed9 {
    @ObservableState
    struct State: Equatable {
      var count = 0
      @Presents var child: Observed10.State? = Observed10.State()
    }

    enum Action {
      case tick, child(PresentationAction<Observed10.Action>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
      .ifLet(\.$child, action: \.child) { Observed10() }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      if case .child(.presented(let action)) = action, state.child != nil {
        Observed10.byHand(&state.child!, action)
      }
      state.count += 1
    }
  }

  @Reducer
  struct Observed10 {
    @ObservableState
    struct State: Equatable {
      var count = 0
    }

    enum Action {
      case tick
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
    }

    @inline(never)
    static func byHand(_ state: inout State, _ action: Action) {
      state.count += 1
    }
  }

#endif
