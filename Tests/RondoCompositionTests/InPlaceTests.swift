// C2: a child is changed where it is stored, and its observers are still told of the change.

import Rondo
import Testing

/// A row with a large value in it. The address of its storage tells whether it was copied.
private struct LargeRow: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var numbers: [Int]
  }
  enum Action { case add }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let before = state.numbers.withUnsafeBufferPointer { $0.baseAddress }
    state.numbers[0] += 1
    let after = state.numbers.withUnsafeBufferPointer { $0.baseAddress }
    #expect(before == after, "the child was copied")
    return .none
  }
}

private struct Holder: Reducer {
  struct State: Equatable {
    @PresentationState var presented: LargeRow.State? = LargeRow.State(
      id: 1, numbers: Array(repeating: 1, count: 3))
    var optional: LargeRow.State? = LargeRow.State(id: 1, numbers: Array(repeating: 1, count: 3))
  }

  enum Action: CasePathable {
    case presented(PresentationAction<LargeRow.Action>), optional(LargeRow.Action)

    struct AllCasePaths: Sendable {
      var presented: AnyCasePath<Action, PresentationAction<LargeRow.Action>> {
        AnyCasePath(embed: Action.presented) { if case .presented(let a) = $0 { a } else { nil } }
      }
      var optional: AnyCasePath<Action, LargeRow.Action> {
        AnyCasePath(embed: Action.optional) { if case .optional(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.$presented, action: \.presented) { LargeRow() }
      .ifLet(\.optional, action: \.optional) { LargeRow() }
  }
}

/// A feature that presents what it holds only at times.
private struct Hiding: Reducer {
  struct State: Equatable {
    @PresentationState var held: LargeRow.State? = LargeRow.State(id: 1, numbers: [0])
    var isHidden = false
    var shown: PresentationState<LargeRow.State> {
      get { isHidden ? PresentationState(wrappedValue: nil) : $held }
      set { if !isHidden { $held = newValue } }
    }
  }

  enum Action: CasePathable {
    case shown(PresentationAction<LargeRow.Action>), hide

    struct AllCasePaths: Sendable {
      var shown: AnyCasePath<Action, PresentationAction<LargeRow.Action>> {
        AnyCasePath(embed: Action.shown) { if case .shown(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .hide = action { state.isHidden = true }
      return .none
    }
    .ifLet(\.shown, action: \.shown) { LargeRow() }
  }
}

@MainActor @Suite struct InPlaceTests {
  #if DEBUG
    // C2
    @Test func aComputedPresentationThatIsNotAlwaysTheStoredOneIsReported() {
      let store = Store(initialState: Hiding.State()) { Hiding() }
      store.send(.shown(.presented(.add)))
      let issues = captureIssues {
        store.send(.hide)
        store.send(.shown(.presented(.add)))
      }
      #expect(store.held?.numbers == [1])
      #expect(issues.count == 2, "\(issues)")
      #expect(issues.first?.message.hasPrefix("A computed variable of Hiding.State") == true)
      #expect(
        issues.allSatisfy { "\($0.position)".hasPrefix("RondoCompositionTests/InPlaceTests") })
    }
  #endif

  @Test func presentedAndOptionalChildrenAreChangedInPlace() {
    let store = Store(initialState: Holder.State()) { Holder() }
    for _ in 0..<2 {
      store.send(.presented(.presented(.add)))
      store.send(.optional(.add))
    }
    #expect(store.presented?.numbers[0] == 3)
    #expect(store.optional?.numbers[0] == 3)
  }

  @Test func aCaseIsWholeForWhoeverReadsItWhileItIsChanged() {
    let place = UnsafeMutablePointer<Mode>.allocate(capacity: 1)
    place.initialize(to: .row([1, 2, 3]))
    defer {
      place.deinitialize(count: 1)
      place.deallocate()
    }
    var seen: [Mode] = []
    Mode.allCasePaths.row.modify(&place.pointee) { numbers in
      numbers[0] = 4
      seen.append(place.pointee)
    }
    #expect(seen == [.row([1, 2, 3])])
    #expect(place.pointee == .row([4, 2, 3]))
  }

  @Test func aCopyOfAStateIsNotChangedWithIt() {
    let store = Store(initialState: Screens.State()) { Screens() }
    store.send(.screen(.presented(.rename("b"))))
    let copy = store.state
    store.send(.screen(.presented(.rename("c"))))
    #expect(copy.screen?.name == "b")
    #expect(store.screen?.name == "c")
  }
}

private enum Mode: Equatable, CasePathable {
  case row([Int]), nothing

  struct AllCasePaths: Sendable {
    var row: AnyCasePath<Mode, [Int]> {
      AnyCasePath(embed: Mode.row) { if case .row(let numbers) = $0 { numbers } else { nil } }
    }
  }
  static var allCasePaths: AllCasePaths { AllCasePaths() }
}

private struct Screens: Reducer {
  struct State: Equatable {
    @PresentationState var screen: Screen.State? = Screen.State(name: "a")
  }
  enum Action: CasePathable {
    case screen(PresentationAction<Screen.Action>)

    struct AllCasePaths: Sendable {
      var screen: AnyCasePath<Action, PresentationAction<Screen.Action>> {
        AnyCasePath(embed: Action.screen) { if case .screen(let a) = $0 { a } else { nil } }
      }
    }
    static var allCasePaths: AllCasePaths { AllCasePaths() }
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().ifLet(\.$screen, action: \.screen) { Screen() }
  }
}
