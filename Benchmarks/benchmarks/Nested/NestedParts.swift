// Nine children that are always there, each in the one before.

import Rondo

struct Part0: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part1.State()
  }

  enum Action: CasePathable {
    case tick, child(Part1.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part1.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part1() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part1.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part1: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part2.State()
  }

  enum Action: CasePathable {
    case tick, child(Part2.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part2.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part2() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part2.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part2: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part3.State()
  }

  enum Action: CasePathable {
    case tick, child(Part3.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part3.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part3() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part3.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part3: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part4.State()
  }

  enum Action: CasePathable {
    case tick, child(Part4.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part4.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part4() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part4.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part4: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part5.State()
  }

  enum Action: CasePathable {
    case tick, child(Part5.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part5.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part5() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part5.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part5: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part6.State()
  }

  enum Action: CasePathable {
    case tick, child(Part6.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part6.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part6() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part6.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part6: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part7.State()
  }

  enum Action: CasePathable {
    case tick, child(Part7.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part7.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part7() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part7.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part7: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part8.State()
  }

  enum Action: CasePathable {
    case tick, child(Part8.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part8.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part8() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part8.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part8: Reducer {
  struct State: Equatable {
    var count = 0
    var child = Part9.State()
  }

  enum Action: CasePathable {
    case tick, child(Part9.Action)

    struct AllCasePaths: Sendable {
      var child: AnyCasePath<Action, Part9.Action> {
        AnyCasePath(embed: Action.child) { if case .child(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Part9() }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }

  @inline(never)
  static func byHand(_ state: inout State, _ action: Action) {
    if case .child(let action) = action { Part9.byHand(&state.child, action) }
    state.count += 1
  }
}

struct Part9: Reducer {
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
