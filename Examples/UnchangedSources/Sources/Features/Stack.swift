import ComposableArchitecture
import Foundation

@Reducer
struct ScreenA {
  @ObservableState
  struct State: Codable, Equatable, Hashable {
    var count = 0
    var fact: String?
    var isLoading = false
  }

  enum Action {
    case dismissButtonTapped
    case factButtonTapped
    case factResponse(TaskResult<String>)
    case incrementButtonTapped
  }

  @Dependency(\.dismiss) var dismiss
  @Dependency(\.factClient) var factClient

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .dismissButtonTapped:
        return .run { _ in await self.dismiss() }
      case .factButtonTapped:
        state.isLoading = true
        return .run { [count = state.count] send in
          await send(.factResponse(TaskResult { try await self.factClient.fetch(number: count) }))
        }
      case .factResponse(.success(let fact)):
        state.isLoading = false
        state.fact = fact
        return .none
      case .factResponse(.failure(let error)):
        state.isLoading = false
        state.fact = "\(error)"
        return .none
      case .incrementButtonTapped:
        state.count += 1
        return .none
      }
    }
  }
}

@Reducer
struct ScreenB {
  @ObservableState
  struct State: Equatable {
    var seconds = 0
    @SharedReader(.inMemory("limit")) var limit = 3
  }
  @CasePathable
  @dynamicMemberLookup
  enum Action {
    case task
    case tick
  }

  @Dependency(\.mainQueue) var mainQueue

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .task:
        return .run { send in
          for await _ in self.mainQueue.timer(interval: 1) {
            await send(.tick)
          }
        }
      case .tick:
        state.seconds = min(state.limit, state.seconds + 1)
        return .none
      }
    }
  }
}

@Reducer
struct AppStack {
  @Reducer
  enum Path {
    case screenA(ScreenA)
    case screenB(ScreenB)
  }

  @ObservableState
  struct State: Equatable {
    var path = StackState<Path.State>()
    var total = 0
  }

  enum Action {
    case goBackToScreen(id: StackElementID)
    case goToABButtonTapped
    case path(StackActionOf<Path>)
    case popToRoot
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .goBackToScreen(let id):
        state.path.pop(to: id)
        return .none
      case .goToABButtonTapped:
        state.path.append(.screenA(ScreenA.State()))
        state.path.append(.screenB(ScreenB.State()))
        return .none
      case .popToRoot:
        state.path.removeAll()
        return .none
      case let .path(action):
        switch action {
        case .element(id: _, action: .screenA(.incrementButtonTapped)):
          state.total += 1
          return .none
        case let .element(id: id, action: .screenB(.tick)):
          if case let .screenB(screen) = state.path[id: id], screen.seconds == 2 {
            state.path.pop(from: id)
          }
          return .none
        case .popFrom, .push:
          return .none
        default:
          return .none
        }
      }
    }
    .forEach(\.path, action: \.path)
  }
}
extension AppStack.Path.State: Equatable {}
