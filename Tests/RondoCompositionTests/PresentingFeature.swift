// A feature that presents a child, and has a stack of children.

import Rondo

/// A child that dismisses itself, listens, and tells whether it is presented.
struct Screen: Reducer {
  struct State: Equatable {
    var name = ""
    var isPresented: Bool?
  }

  enum Action: Equatable { case rename(String), close, listen, look }

  var lives = Lives()
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .rename(let name):
      state.name = name
      return .none
    case .close:
      return .run { _ in await dismiss(animation: .default) }
    case .listen:
      return .run { [lives] _ in
        lives.begin()
        defer { lives.end() }
        try await Task.never()
      }
    case .look:
      state.isPresented = isPresented
      return .none
    }
  }
}

struct Presenter: Reducer {
  struct State: Equatable {
    @PresentationState var screen: Screen.State?
    var path = StackState<Screen.State>()
    var part = Screen.State()
    var log: [String] = []
  }

  enum Action: CasePathable {
    case screen(PresentationAction<Screen.Action>)
    case path(StackActionOf<Screen>)
    case part(Screen.Action)
    case open(String)
    case reopen(String)
    case setPath([String])
    case push(String)

    struct AllCasePaths: Sendable {
      let screen = AnyCasePath(Action.screen)
      let path = AnyCasePath(Action.path)
      let part = AnyCasePath(Action.part)
    }
    static let allCasePaths = AllCasePaths()
  }

  var lives = Lives()

  var body: some ReducerOf<Self> {
    Scope(state: \.part, action: \.part) { Screen(lives: lives) }
    Reduce { state, action in
      switch action {
      case .open(let name): state.screen = Screen.State(name: name)
      case .reopen(let name):
        state.screen = nil
        state.screen = Screen.State(name: name)
      case .push(let name): state.path.append(Screen.State(name: name))
      case .setPath(let names): state.path = StackState(names.map { Screen.State(name: $0) })
      case .screen(.dismiss): state.log.append("dismiss \(state.screen?.name ?? "nothing")")
      case .path(.popFrom(let id)): state.log.append("pop \(state.path[id: id]?.name ?? "nothing")")
      default: break
      }
      return .none
    }
    .ifLet(\.$screen, action: \.screen) { Screen(lives: lives) }
    .forEach(\.path, action: \.path) { Screen(lives: lives) }
  }
}
