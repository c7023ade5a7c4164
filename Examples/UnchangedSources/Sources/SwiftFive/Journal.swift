import ComposableArchitecture

// A feature in the language of Swift 5, with the names of its time. It imports nothing else.

struct Journal: Reducer {
  struct State: Equatable {
    @PresentationState var alert: AlertState<Action.Alert>?
    var entries: IdentifiedArrayOf<Entry> = []
    @BindingState var title = ""
    @Shared(.openings) var openings
    @Shared var owner: String
  }

  enum Action: Equatable {
    case alert(PresentationAction<Alert>)
    case added(UUID)
    case view(View)

    enum Alert: Equatable { case clear }
    enum View: BindableAction, Equatable {
      case binding(BindingAction<State>)
      case addTapped
      case clearTapped
      case opened
    }
  }

  struct Entry: Equatable, Identifiable {
    let id: UUID
    let title: String
    let date: Date
  }

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    BindingReducer(action: /Action.view)
    Reduce { state, action in
      switch action {
      case .alert(.presented(.clear)):
        state.entries.removeAll()
        return .none
      case .alert:
        return .none
      case let .added(id):
        state.entries.append(Entry(id: id, title: state.title, date: date.now))
        state.title = ""
        return .none
      case .view(.addTapped):
        return Effect<UUID>.send(uuid()).map(Action.added)
      case .view(.clearTapped):
        state.alert = AlertState {
          TextState("Clear the journal of \(state.owner)?")
        } actions: {
          ButtonState(role: .destructive, action: .clear) { TextState("Clear") }
        }
        return .none
      case .view(.opened):
        state.openings += 1
        return .none
      case .view(.binding):
        return .none
      }
    }
    .ifLet(\.$alert, action: /Action.alert)
  }
}

extension PersistenceReaderKey where Self == PersistenceKeyDefault<InMemoryKey<Int>> {
  static var openings: Self {
    PersistenceKeyDefault(.inMemory("openings"), 0)
  }
}

struct JournalClient {
  var upload: @Sendable (Data) async throws -> Void
}

extension JournalClient: DependencyKey {
  static let liveValue = JournalClient(
    upload: { data in
      var request = URLRequest(url: URL(string: "https://journal.example.com")!)
      request.httpMethod = "POST"
      _ = try await URLSession.shared.upload(for: request, from: data)
    }
  )
}
