// Ten optional children, each in the one before, as an application would write them.

import Rondo

struct Optional0: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional1.State? = Optional1.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional1.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional1.Action> {
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
    .ifLet(\.child, action: \.child) { Optional1() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional1.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional1: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional2.State? = Optional2.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional2.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional2.Action> {
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
    .ifLet(\.child, action: \.child) { Optional2() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional2.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional2: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional3.State? = Optional3.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional3.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional3.Action> {
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
    .ifLet(\.child, action: \.child) { Optional3() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional3.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional3: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional4.State? = Optional4.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional4.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional4.Action> {
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
    .ifLet(\.child, action: \.child) { Optional4() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional4.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional4: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional5.State? = Optional5.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional5.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional5.Action> {
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
    .ifLet(\.child, action: \.child) { Optional5() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional5.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional5: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional6.State? = Optional6.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional6.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional6.Action> {
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
    .ifLet(\.child, action: \.child) { Optional6() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional6.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional6: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional7.State? = Optional7.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional7.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional7.Action> {
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
    .ifLet(\.child, action: \.child) { Optional7() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional7.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional7: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional8.State? = Optional8.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional8.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional8.Action> {
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
    .ifLet(\.child, action: \.child) { Optional8() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional8.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional8: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional9.State? = Optional9.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional9.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional9.Action> {
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
    .ifLet(\.child, action: \.child) { Optional9() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional9.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional9: Reducer {
  struct State: Equatable {
    var count = 0
    var child: Optional10.State? = Optional10.State()
  }

  enum Action: CasePathable {
    case tick, child(Optional10.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Optional10.Action> {
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
    .ifLet(\.child, action: \.child) { Optional10() }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action, state.child != nil {
      Optional10.byHand(&state.child!, action)
    }
    state.count += 1
  }
}

struct Optional10: Reducer {
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
