// Ten presented children, each in the one before, as an application would write them.

import Rondo

struct Presented0: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented1.State? = Presented1.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented1.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented1.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented1() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented1.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented1: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented2.State? = Presented2.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented2.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented2.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented2() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented2.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented2: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented3.State? = Presented3.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented3.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented3.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented3() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented3.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented3: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented4.State? = Presented4.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented4.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented4.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented4() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented4.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented4: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented5.State? = Presented5.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented5.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented5.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented5() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented5.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented5: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented6.State? = Presented6.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented6.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented6.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented6() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented6.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented6: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented7.State? = Presented7.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented7.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented7.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented7() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented7.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented7: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented8.State? = Presented8.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented8.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented8.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented8() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented8.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented8: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented9.State? = Presented9.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented9.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented9.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented9() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented9.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented9: Reducer {
  struct State: Equatable {
    var count = 0
    @PresentationState var child: Presented10.State? = Presented10.State()
  }

  enum Action: CasePathable {
    case tick, child(PresentationAction<Presented10.Action>)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, PresentationAction<Presented10.Action>> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
    .ifLet(\.$child, action: \.child) { Presented10() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(.presented(let action)) = action, state.child != nil {
      Presented10.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Presented10: Reducer {
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case tick
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    return .none
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    state.count += 1
  }
}
