import Foundation
import Rondo

@Reducer
struct Item {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: UUID
    var title: String
    var isDone = false
  }

  enum Action {
    case titleChanged(String)
    case toggled
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .titleChanged(let title):
        state.title = title
        return .none
      case .toggled:
        state.isDone.toggle()
        return .none
      }
    }
  }
}
