import Rondo

/// A list of tasks with a timer, for measuring how long a program takes to build.
@Reducer
struct Tasks {
  @ObservableState
  struct State: Equatable {
    var tasks: IdentifiedArrayOf<Item.State> = []
    var seconds = 0
    @Presents var confirmation: AlertState<Action.Confirmation>?
  }

  enum Action {
    case added(String)
    case clearTapped
    case confirmation(PresentationAction<Confirmation>)
    case ticked
    case timerToggled(Bool)
    case tasks(IdentifiedActionOf<Item>)

    enum Confirmation: Equatable { case clear }
  }

  enum CancelID { case timer }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .added(let title):
        state.tasks.append(Item.State(id: uuid(), title: title))
        return .none
      case .clearTapped:
        state.confirmation = AlertState {
          TextState("Clear all?")
        } actions: {
          ButtonState(action: .clear) { TextState("Clear") }
        }
        return .none
      case .confirmation(.presented(.clear)):
        state.tasks.removeAll()
        return .none
      case .confirmation, .tasks:
        return .none
      case .ticked:
        state.seconds += 1
        return .none
      case .timerToggled(true):
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
        }
        .cancellable(id: CancelID.timer, cancelInFlight: true)
      case .timerToggled(false):
        return .cancel(id: CancelID.timer)
      }
    }
    .forEach(\.tasks, action: \.tasks) {
      Item()
    }
    .ifLet(\.$confirmation, action: \.confirmation)
  }
}
