import ComposableArchitecture

// A feature from before 1.0, in the language mode of its day.

public struct Downloads: ReducerProtocol {
  public struct State: Equatable {
    public var rows: IdentifiedArrayOf<Row.State> = []
    @PresentationState public var alert: AlertState<Action.Alert>?

    public init() {}
  }

  public enum Action: Equatable {
    case addTapped(URL)
    case alert(PresentationAction<Alert>)
    case row(id: Row.State.ID, action: Row.Action)

    public enum Alert: Equatable { case removeAll }
  }

  public struct Row: ReducerProtocol {
    public struct State: Equatable, Identifiable {
      public let id: UUID
      public let url: URL
      public var size: Int?

      public init(id: UUID, url: URL) {
        self.id = id
        self.url = url
      }
    }
    public enum Action: Equatable {
      case startTapped
      case response(TaskResult<Int>)
    }

    @Dependency(\.downloads) var downloads

    public func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
      switch action {
      case .startTapped:
        return .task { [url = state.url] in
          await .response(TaskResult { try await self.downloads.load(URLRequest(url: url)) })
        }
      case .response(.success(let size)):
        state.size = size
        return .none
      case .response(.failure):
        return .none
      }
    }
  }

  @Dependency(\.uuid) var uuid

  public init() {}

  public var body: some ReducerProtocolOf<Self> {
    Reduce { state, action in
      switch action {
      case .addTapped(let url):
        state.rows.append(Row.State(id: self.uuid(), url: url))
        return .none
      case .alert(.presented(.removeAll)):
        state.rows = []
        return .none
      case .row(_, .response(.failure)):
        state.alert = AlertState {
          TextState("It could not be loaded.", bundle: .main)
        } actions: {
          ButtonState(role: .destructive, action: .removeAll) { TextState("Remove all") }
        }
        return .none
      case .alert, .row:
        return .none
      }
    }
    .forEach(\.rows, action: /Action.row(id:action:)) { Row() }
    .ifLet(\.$alert, action: /Action.alert)
  }
}

public struct DownloadClient {
  public var load: @Sendable (URLRequest) async throws -> Int
}

extension DownloadClient: TestDependencyKey {
  public static let testValue = Self(load: XCTUnimplemented("\(Self.self).load"))
}

extension DependencyValues {
  public var downloads: DownloadClient {
    get { self[DownloadClient.self] }
    set { self[DownloadClient.self] = newValue }
  }
}
